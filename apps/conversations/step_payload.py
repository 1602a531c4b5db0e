"""A committed step as the text of its block, and back."""

import msgspec

from apps.lib.canonical import canonical_json
from apps.runtime.steps import Step

PARTIAL_KEY = "partial"
"""The key of the step block that holds what a run had said when it ended in mid-step."""


def step_key(index: int) -> str:
    """The key of a step's block: unique in its run."""
    return f"step-{index}"


def payload_of(step: Step) -> str:
    """Canonical JSON of the whole step."""
    return canonical_json(msgspec.to_builtins(step))


def step_of(payload: str) -> Step:
    """The step that `payload_of` wrote."""
    return msgspec.json.decode(payload, type=Step)
