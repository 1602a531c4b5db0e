"""The result of one measurement."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """`measured` says what was found and where the bound is; `evidence` names what it was."""

    name: str
    met: bool
    measured: str
    evidence: tuple[str, ...] = ()
