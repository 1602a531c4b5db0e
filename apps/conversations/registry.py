"""What upper apps add to conversations, filled in their `AppConfig.ready`."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.tools.registry.results import UiEffect
from apps.tools.session import EffectTarget

__all__ = [
    "EffectRecorder",
    "EffectTarget",
    "message_cards",
    "record_effect",
    "stop_hints",
    "ui_effects",
]

EffectRecorder = Callable[[EffectTarget, UiEffect], Mapping[str, Any]]

ui_effects: dict[str, EffectRecorder] = {}
"""By kind of effect: stores it in the transaction of the call, returns the event's payload."""

message_cards: dict[str, Callable[[list[int]], Mapping[int, list[Mapping[str, Any]]]]] = {}
"""By key in a message's `metadata`: the cards of these messages, by message id."""

stop_hints: list[Callable[[str], None]] = []
"""Told a run's id, after the commit, when its end was asked for; called in any thread, so that a
host of this process need not wait for its next look at the row. Quick, and never raising."""


def record_effect(target: EffectTarget, effect: UiEffect) -> Mapping[str, Any]:
    """Give the effect to whoever registered for its kind; raises LookupError when nobody did."""
    return ui_effects[effect.kind](target, effect)
