"""What the built-in tools have in common: who may call them, and how their fields are told."""

from collections.abc import Mapping
from typing import Any

CHAT = "conversations.use_chat"


def told(text: str, **keywords: Any) -> Mapping[str, Any]:
    """The metadata of an input's field."""
    return {"description": text, **keywords}
