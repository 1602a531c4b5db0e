"""The catalogue of what agents can do: filled once, never doubled."""

import pytest

from apps.skills import registry
from apps.skills.registry import SkillCatalogue, SkillEntry, SkillRegistryError
from apps.tools.surface import surface_document

ONE = SkillEntry(key="one", name="One", description="The first.", examples=("Do one",))
TWO = SkillEntry(key="two", name="Two", description="The second.")


def test_entries_are_listed_by_key() -> None:
    catalogue = SkillCatalogue()
    catalogue.register(TWO, ONE)
    assert catalogue.all() == (ONE, TWO)
    assert catalogue.get("one") is ONE
    assert catalogue.get("three") is None


@pytest.mark.parametrize("bad", [ONE, SkillEntry(key="", name="x", description="")])
def test_doubled_and_nameless_entries_are_refused(bad: SkillEntry) -> None:
    catalogue = SkillCatalogue()
    catalogue.register(ONE)
    with pytest.raises(SkillRegistryError):
        catalogue.register(bad)


def test_a_catalogue_that_was_read_is_frozen() -> None:
    catalogue = SkillCatalogue()
    catalogue.all()
    with pytest.raises(SkillRegistryError, match="frozen"):
        catalogue.register(ONE)


def test_temporary_entries_go_again() -> None:
    with registry.catalogue.temporarily(ONE):
        assert ONE in registry.all()
    assert ONE not in registry.all()


def test_the_surface_document_lists_every_skill() -> None:
    with registry.catalogue.temporarily(ONE):
        document = surface_document()
    assert "## Skills" in document
    assert "### `one`\n\n> One: The first.\n\n- Do one" in document
    assert "### `assistant`" in document
