"""A step as the text of its block, and back."""

from typing import Any

import msgspec

from apps.lib.canonical import canonical_json
from apps.runtime.steps import Step

PARTIAL_KEY = "partial"
"""The key of the step block that holds what a run had said when it ended in mid-step."""
_MISSING: dict[str, Any] = {
    "index": 0,
    "reasoning": "",
    "calls": [],
    "finish_reason": "stop",
    "usage": {},
}


def step_key(index: int) -> str:
    """The key of a committed step's block: unique in its run."""
    return f"step-{index}"


def payload_of(step: Step) -> str:
    """Canonical JSON of the whole step."""
    return canonical_json(msgspec.to_builtins(step))


def partial_payload(text: str) -> str:
    """What a run had said in a step that was never committed; it asks for no call."""
    return canonical_json({"text": text, "calls": []})


def step_of(payload: str) -> Step:
    """The step of a block, committed or partial."""
    return msgspec.convert(_MISSING | msgspec.json.decode(payload), Step)
