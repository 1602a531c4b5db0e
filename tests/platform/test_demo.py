"""The demonstration as the contract describes it; and what it must never do."""

import io
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents import demo_texts
from apps.agents.models import Agent, AgentTool, Provider, PublishRecord
from apps.agents.rights import Right, may
from apps.agents.services.catalogue import draft_snapshot, live_snapshot
from apps.lib.secret import Secret
from apps.students.models import SchoolClass, Student
from config import demo

pytestmark = pytest.mark.django_db
RIGHTS: tuple[Right, ...] = (
    "use_agent",
    "edit_agent",
    "publish_agent",
    "canary_agent",
    "approve_agent",
)


@pytest.fixture(autouse=True)
def own_var(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR = tmp_path
    monkeypatch.delenv("DEMO_PASSWORD", raising=False)


def seed() -> str:
    out = io.StringIO()
    call_command("seed_demo", stdout=out)
    return out.getvalue()


def rights_of(name: str) -> list[str]:
    actor, agent = Actor.of(User.objects.get(username=name)), Agent.objects.get(code="assistant")
    return [right.removesuffix("_agent") for right in RIGHTS if may(actor, agent, right)]


def test_people_have_the_rights_of_the_contract() -> None:
    seed()
    assert rights_of("operator") == ["use", "edit"]
    assert rights_of("publisher") == ["use", "publish", "canary"]
    assert rights_of("approver") == ["use", "approve"]
    assert rights_of("auditor") == []
    assert rights_of("alice") == rights_of("bob") == ["use"]
    assert rights_of("carol") == []
    staff = User.objects.filter(is_staff=True, is_superuser=False).order_by("username")
    assert [user.username for user in staff] == ["auditor", "operator", "publisher"]
    assert User.objects.get(username="auditor").has_perm("audit.view_audit")
    alice, bob = (User.objects.get(username=name) for name in ("alice", "bob"))
    assert alice.has_perms(["conversations.use_chat", "students.add_student"])
    assert bob.has_perms(["conversations.use_chat", "students.view_student"])
    assert not bob.has_perm("students.add_student")
    assert User.objects.get(username="carol").organisation.code == "other"


def test_the_assistant_is_live_at_two_and_its_draft_equal() -> None:
    seed()
    agent = Agent.objects.get(code="assistant")
    live = live_snapshot(agent)
    assert live is not None
    assert live.version == 2
    assert live.prompt == demo.SYSTEM_PROMPT
    assert live.page.welcome == demo_texts.WELCOME_2
    assert draft_snapshot(agent).page == live.page
    assert [tool.name for tool in live.tools] == sorted(demo.TOOLS)
    assert PublishRecord.objects.count() == 2


def test_classes_and_students_stand_in_their_organisations() -> None:
    seed()
    classes = SchoolClass.objects.values_list("organisation__code", "name").order_by("pk")
    assert set(classes) == {("demo", "三年一班"), ("demo", "三年二班"), ("other", "四年一班")}
    assert Student.objects.filter(organisation__code="demo").count() == 3


def test_a_second_time_changes_nothing() -> None:
    first = seed()
    User.objects.get(username="bob").delete()
    Agent.objects.update(welcome="Mine now.")
    models = (Organisation, Agent, AgentTool, PublishRecord, SchoolClass, Student)
    before = [model.objects.count() for model in models]
    assert seed() != first
    assert [model.objects.count() for model in models] == before
    assert Agent.objects.get().welcome == "Mine now."


def test_the_password_is_said_once_and_kept_closed(tmp_path: Path) -> None:
    said = seed()
    kept = tmp_path / "demo-password"
    password = kept.read_text("utf-8").strip()
    assert password in said
    assert len(password) >= 12
    assert kept.stat().st_mode & 0o777 == 0o600
    assert authenticate(username="alice", password=password) is not None
    assert password not in seed()


def test_the_password_may_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_PASSWORD", "chosen by me")
    seed()
    assert authenticate(username="carol", password="chosen by me") is not None


def test_demo_passwords_are_known_until_changed() -> None:
    assert demo.demo_passwords_in_use() == []
    seed()
    assert len(demo.demo_passwords_in_use()) == 8
    alice = User.objects.get(username="alice")
    alice.set_password("one of my own")
    alice.save()
    User.objects.filter(username="bob").update(is_active=False)
    assert demo.demo_passwords_in_use() == [
        "admin",
        "approver",
        "auditor",
        "carol",
        "operator",
        "publisher",
    ]


def test_signing_in_keeps_the_mark(tmp_path: Path) -> None:
    seed()
    password = (tmp_path / "demo-password").read_text("utf-8").strip()
    for _ in range(2):
        assert authenticate(username="alice", password=password) is not None
    assert "alice" in demo.demo_passwords_in_use()


def test_production_has_no_demo(settings: Settings) -> None:
    settings.APP_MODE = "production"
    with pytest.raises(CommandError, match="production"):
        seed()
    assert User.objects.count() == 0


@pytest.mark.parametrize(
    ("key", "url", "kind"),
    [
        ("", "", Provider.Kind.DEMO),
        ("sk-1", "", Provider.Kind.OPENAI),
        ("", "http://127.0.0.1:9/v1", Provider.Kind.OPENAI),
    ],
)
def test_the_environment_chooses_the_first_provider(
    settings: Settings, key: str, url: str, kind: str
) -> None:
    settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = Secret(key), url
    seed()
    provider = Provider.objects.get(name="default")
    assert (provider.kind, provider.api_key, provider.base_url) == (kind, key, url)


def test_an_organisation_is_made_by_command() -> None:
    out = io.StringIO()
    call_command("create_organisation", "acme", "Acme", stdout=out)
    made = Organisation.objects.get(code="acme")
    assert str(made.pk) in out.getvalue()
    assert Provider.objects.get(organisation=made).name == "default"
    with pytest.raises(CommandError):
        call_command("create_organisation", "acme", "Again", stdout=out)
    with pytest.raises(CommandError):
        call_command("create_organisation", "a b", "Spaces", stdout=out)
