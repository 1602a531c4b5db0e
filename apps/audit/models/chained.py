"""Rows of a hash chain: each holds the digest of the one before it.

Text is hashed as it is stored, never through a JSON column, which turns 1e22 into an integer.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, NamedTuple

from django.db import models

from apps.lib.canonical import canonical_json

LINK = ("id", "chain", "position", "previous", "digest")


def link(previous: str, text: str) -> str:
    """The digest of a row with this text that follows a row with that digest."""
    return hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()


class Place(NamedTuple):
    """A position and the digest of the row there; 0 is before the first row."""

    position: int
    digest: str


def start(chain: str) -> Place:
    """Where an empty chain begins: its name is hashed into its first row."""
    return Place(0, link("", chain))


class ChainedRow(models.Model):
    """A row of some writer's chain; `apps.audit.chain` sets position and digests.

    Where `shared_chain` is named, all writers share that one chain, and wait for each other.
    """

    shared_chain: ClassVar[str] = ""
    chain = models.CharField(max_length=11, editable=False)
    position = models.PositiveBigIntegerField(editable=False)
    previous = models.CharField(max_length=64, editable=False)
    digest = models.CharField(max_length=64, editable=False)

    class Meta:
        abstract = True
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["chain", "position"], name="%(class)s_chain_position")
        ]

    def chained_text(self) -> str:
        """Every column but those of the chain itself, as stored."""
        return text_of([getattr(self, name) for name in self.chained_names()])

    @classmethod
    def chained_names(cls) -> list[str]:
        """The columns of the text, in its order."""
        return [f.attname for f in cls._meta.concrete_fields if f.attname not in LINK]


def text_of(values: Sequence[Any]) -> str:
    """The text of a row whose columns hold these values."""
    return canonical_json([stored(value) for value in values])


def stored(value: Any) -> Any:
    """A value as it is hashed: a time in UTC to the microsecond, which both databases keep."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value
