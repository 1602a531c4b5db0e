"""The list of mutations keeps up with code and markers; `python -m tests.mutations` runs it."""

import pytest

from tests.mutations import Mutation, all_mutations, fault_of, marked_requirements, unguarded


@pytest.mark.parametrize("mutation", all_mutations(), ids=lambda m: f"{m.req}-{m.file}")
def test_a_mutation_can_be_applied(mutation: Mutation) -> None:
    assert fault_of(mutation) == ""
    assert mutation.find != mutation.replace


def test_every_marked_requirement_can_be_broken() -> None:
    assert len(marked_requirements()) > 1
    assert unguarded() == []
