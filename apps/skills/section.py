"""The skills' part of the surface document."""

from collections.abc import Iterator

from apps.skills.registry import SkillEntry, catalogue


def skills_section() -> str:
    """Every entry of the catalogue, by key, as Markdown."""
    entries = catalogue.all()
    texts = ["\n".join(_entry(entry)) for entry in entries]
    return "\n\n".join([f"{len(entries)} skills.", *texts])


def _entry(entry: SkillEntry) -> Iterator[str]:
    yield f"### `{entry.key}`\n"
    yield f"> {entry.name}: {entry.description}\n"
    yield from (f"- {example}" for example in entry.examples)
