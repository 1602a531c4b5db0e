"""What agents can do for people, as a catalogue: filled by the apps' `ready`, frozen when read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class SkillRegistryError(Exception):
    """A skill is declared wrongly; the text says which, and what to write instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEntry:
    """One thing to ask for: `key` is what a message may name, `examples` are ready to send."""

    key: str
    name: str
    description: str
    examples: tuple[str, ...] = ()


class SkillCatalogue:
    """The entries of this process, by key."""

    def __init__(self) -> None:
        self._entries: dict[str, SkillEntry] = {}
        self._frozen = False

    def register(self, *entries: SkillEntry) -> None:
        """Raises `SkillRegistryError` on a doubled or empty key, and once the catalogue is read."""
        for entry in entries:
            if self._frozen:
                raise SkillRegistryError(f"The catalogue is frozen, too late for: {entry.key}")
            if not entry.key or not entry.name:
                raise SkillRegistryError(f"A skill needs a key and a name: {entry!r}")
            if entry.key in self._entries:
                raise SkillRegistryError(f"Skill already registered: {entry.key}")
            self._entries[entry.key] = entry

    def all(self) -> tuple[SkillEntry, ...]:
        """Every entry, by key."""
        self._frozen = True
        return tuple(self._entries[key] for key in sorted(self._entries))

    def get(self, key: str) -> SkillEntry | None:
        self._frozen = True
        return self._entries.get(key)

    @contextmanager
    def temporarily(self, *entries: SkillEntry) -> Iterator[None]:
        """For tests: these entries too, while the block runs."""
        before = (dict(self._entries), self._frozen)
        self._frozen = False
        try:
            self.register(*entries)
            yield
        finally:
            self._entries, self._frozen = before


catalogue = SkillCatalogue()


def register_skills(*entries: SkillEntry) -> None:
    """List skills; in `AppConfig.ready`."""
    catalogue.register(*entries)


def all() -> tuple[SkillEntry, ...]:
    """Every entry, by key."""
    return catalogue.all()
