"""The list of mutations keeps up with code and markers; `python -m tests.mutations` runs it."""

import pytest

from tests import mutations
from tests.mutations import Mutation, all_mutations, fault_of, marked_requirements, unguarded


@pytest.mark.parametrize("mutation", all_mutations(), ids=lambda m: f"{m.req}-{m.file}")
def test_a_mutation_can_be_applied(mutation: Mutation) -> None:
    assert fault_of(mutation) == ""
    assert mutation.find != mutation.replace


def test_every_marked_requirement_can_be_broken() -> None:
    assert len(marked_requirements()) > 1
    assert unguarded() == []


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ((), "needs DATABASE_URL and REDIS_URL"),
        (("DATABASE_URL",), "needs REDIS_URL"),
        (("DATABASE_URL", "REDIS_URL"), "STAYED GREEN"),
    ],
)
def test_what_needs_services_says_so(
    monkeypatch: pytest.MonkeyPatch, named: tuple[str, ...], said: str
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    for name in named:
        monkeypatch.setenv(name, "somewhere")
    monkeypatch.setattr(mutations, "survives", lambda _mutation: True)
    [mutation] = [one for one in all_mutations() if one.req == "OPS-1"]
    assert mutations.verdict_of(mutation) == (said, said == "STAYED GREEN")


def test_what_services_alone_can_show_is_marked() -> None:
    """Tests of which every one is left out without services would stay green there."""
    for mutation in all_mutations():
        marked = [_asks_services(name) for name in mutation.tests.split()]
        assert mutation.services or not any(marked), mutation


def _asks_services(name: str) -> bool:
    return "pytest.mark.services" in (mutations.ROOT / name.partition("::")[0]).read_text("utf-8")
