"""`manage.py publish_agent`."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.models import User
from apps.agents.models import Agent, PublishRecord

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("publish_agent", *arguments, stdout=out)
    return out.getvalue().strip()


def test_the_last_word_is_the_live_version(draft: Agent, root: User) -> None:
    assert run("helper", "--note", "by hand") == "helper published 1"
    record = PublishRecord.objects.get()
    assert (record.note, record.published_by) == ("by hand", "root")
    assert run("helper") == "helper unchanged 1"
    Agent.objects.filter(pk=draft.pk).update(prompt="New.")
    assert run("helper").split()[-1] == "2"


def test_it_publishes_as_the_one_who_is_named(draft: Agent, publisher: User, alice: User) -> None:
    with pytest.raises(CommandError) as refused:
        run("helper", "--as", "alice")
    assert refused.value.returncode == 1
    assert run("helper", "--as", "publisher") == "helper published 1"
    assert PublishRecord.objects.get().published_by == "publisher"


@pytest.mark.parametrize("arguments", [("no-such-agent",), ("helper", "--as", "nobody")])
def test_what_does_not_exist_is_refused(
    draft: Agent, root: User, arguments: tuple[str, ...]
) -> None:
    with pytest.raises(CommandError):
        run(*arguments)


def test_it_names_what_is_missing(draft: Agent, root: User) -> None:
    draft.tools.create(name="gone_tool")
    with pytest.raises(CommandError, match="gone_tool"):
        run("helper")


def test_without_a_superuser_somebody_must_be_named(draft: Agent) -> None:
    with pytest.raises(CommandError, match="--as"):
        run("helper")
