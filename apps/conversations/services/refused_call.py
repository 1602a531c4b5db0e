"""What a call of this run was refused for, by field: the form that comes after it says so."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.lib.loose_json import object_in
from apps.lib.wording import faults_named
from apps.tools.services.listing import tool_runs_of
from apps.tools.wiring import answers_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCall:
    """What was given for the fields, and what is wrong with some of them; empty without one."""

    given: Mapping[str, Any] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)


def refused_call(run_id: str, message_id: int, names: Collection[str]) -> RefusedCall:
    """The last failed call of the run that named one of these fields in its refusal."""
    answers = answers_of([run_id])
    for call in reversed(tool_runs_of([message_id]).get(message_id, [])):
        answer = answers.get(call["toolCallId"])
        if answer is None or answer.ok:
            continue
        told = object_in(answer.content) or {}
        if faults := faults_named(str(told.get("error", "")), names):
            given = {name: value for name, value in call["arguments"].items() if name in names}
            return RefusedCall(given=given, faults=faults)
    return RefusedCall()
