"""What a verification finds."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Fault: TypeAlias = Literal["altered", "missing", "reordered", "surplus", "untold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The first bad row of a chain.

    `reordered` is sound itself but follows the wrong row; `surplus` stands behind the chain's head,
    or in a chain that has none; `untold` is a purge that the config log does not know.
    """

    table: str
    chain: str
    position: int
    fault: Fault
    audit_id: str = ""

    def __str__(self) -> str:
        named = f" audit id {self.audit_id}" if self.audit_id else ""
        return f"{self.table} chain {self.chain} position {self.position}{named}: {self.fault}"
