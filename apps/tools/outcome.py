"""How a governed call can end, in words that know no framework."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from apps.runtime.messages import JsonObject, ToolAnswer
from apps.tools.registry.descriptor import ToolDescriptor

Status: TypeAlias = Literal[
    "failed", "refused", "timed_out", "cancelled", "not_executed", "unknown"
]
Objection: TypeAlias = Literal[
    "quota", "unknown", "switched_off", "forbidden", "confirmation", "unreadable"
]
TierNumber: TypeAlias = Literal["1", "2", "3"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The policy says no. `detail` is for the security event alone; `retry_after` in seconds."""

    kind: Objection
    detail: str
    offered: tuple[str, ...] = ()
    retry_after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """Tier 2: the detail must not reach model or client."""

    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mendable:
    """Tier 1: the model may act on the reason."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Tier 3: nobody can act on it but us."""

    detail: str


Tier: TypeAlias = Forbidden | Mendable | Broken


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What is recorded of a call that did not succeed.

    `text` is for the model, `shown` for people where that differs: fields by their labels.
    `security` is the kind of the security event that holds `detail`; empty: none is written.
    `outcome` is the word of the audit entry.
    """

    status: Status
    outcome: str
    text: str
    shown: str = ""
    tier: TierNumber = "1"
    security: Literal["", "refused", "system_error"] = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The answer that is committed, and what is to be shown beside it."""

    answer: ToolAnswer
    forms: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a tool's body returned; nothing of it is committed yet.

    `told` is for model and client; `kept` is the whole as JSON where that is longer, else empty.
    """

    told: JsonObject
    kept: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """The tool's body ended in this, which need not be an ordinary exception."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Late:
    """The tool's body did not end in time; whether it still does, the database decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """audit.before is committed, the call is allowed and charged: its tool may run."""

    audit_id: str
    tool: ToolDescriptor


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The call had been opened earlier; its answer stands, or will."""

    audit_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Both halves of the audit, the refusal and what the model is told of it are committed."""

    audit_id: str
    failure: Failure
    answer: ToolAnswer


Opening: TypeAlias = Opened | Known | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The fixed texts for model and person, in the language of the caller.

    `labelled` gives a text with the labels that a tool has for its fields in place of their names,
    `formats` what the patterns of a tool's fields want, in sentences.
    """

    forbidden: str
    quota: str
    unknown: str
    switched_off: str
    confirmation: str
    unreadable: str
    timed_out: str
    broken: str
    no_json: Mapping[str, str]
    wrong: str
    faults: Mapping[str, str]
    labelled: Callable[[ToolDescriptor, str], str]
    formats: Callable[[ToolDescriptor], Mapping[str, str]]

    def fault(self, path: str, keyword: str, **values: Any) -> str:
        """`path: what is wrong there`."""
        text = self.faults[keyword].format(**values)
        return f"{path}: {text}" if path else text
