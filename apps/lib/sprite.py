"""The icons of our pages, read from the sprite itself: nobody keeps a list."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders

SPRITE = "icons/sprite.svg"
_SYMBOL = re.compile('<symbol id="([^"]+)" ([^>]*)>(.*?)</symbol>', re.DOTALL)


@cache
def symbols() -> Mapping[str, tuple[str, str]]:
    """By name: the attributes of the drawing, and the drawing; both are markup of ours."""
    path = finders.find(SPRITE)
    if path is None:
        raise FileNotFoundError(SPRITE)
    found = _SYMBOL.findall(Path(path).read_text("utf-8"))
    return {name: (attributes, drawing) for name, attributes, drawing in found}
