"""Which options each kind of provider takes."""

from typing import Any

from django.core.exceptions import ValidationError

from apps.agents.options import DemoOptions, OpenAIOptions, OptionsError
from apps.agents.script import parse_script


def check_options(kind: str, options: Any) -> None:
    """Raise a `ValidationError` on `options` that names every fault."""
    parse = {"demo": DemoOptions.parse, "openai": OpenAIOptions.parse, "scripted": parse_script}
    try:
        parse[kind](options)
    except OptionsError as error:
        texts = [f"{key}: {text}" if key else text for key, text in error.errors.items()]
        raise ValidationError({"options": texts}) from error
