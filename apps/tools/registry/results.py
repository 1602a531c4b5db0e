"""What a tool gives back, and how it says no."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class UiEffect:
    """Something to show beside the answer; `kind` names who records it (`form`)."""

    kind: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The data for model and client, and what is to be shown."""

    data: Mapping[str, Any]
    ui: tuple[UiEffect, ...] = field(default=())


class BusinessError(Exception):
    """A rule of the business says no; the sanitised text goes to the model, which may mend it."""
