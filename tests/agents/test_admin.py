"""The console's pages: what is shown, what a POST does, and what it refuses."""

import re
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.utils import translation

from apps.accounts.models import Organisation, User
from apps.agents.admin import AgentAdmin
from apps.agents.admin.agent_form import FIELDS, tool_choices
from apps.agents.models import Agent, Provider, PublishRecord
from apps.lib.problem import Problem, RefusedError
from tests import factories

pytestmark = pytest.mark.django_db
INLINE = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|<style|\sstyle=|\son\w+=")


def page(agent: Agent, act: str = "change") -> str:
    return f"/admin/agents/agent/{agent.pk}/{act}/"


def typed(agent: Agent, **changes: Any) -> dict[str, Any]:
    """What a browser sends when the form is saved as it was read, but for the changes."""
    fixed = {"organisation", "code", "shared"}
    values = {name: getattr(agent, name) for name in set(FIELDS) - fixed}
    values |= {
        "provider": agent.provider_id,
        "suggestions": "[]",
        "tool_names": list(factories.TOOLS),
    }
    values |= {"expected_version": agent.version} | changes
    return {name: value for name, value in values.items() if value is not None}


@pytest.mark.req("AGENT-1")
def test_an_operator_makes_an_agent_without_code(
    console: Client, operator: User, organisation: Organisation
) -> None:
    operator.user_permissions.add(factories.permission_named("agents.add_agent"))
    provider = factories.make_provider(organisation)
    values = typed(Agent(name="助理", prompt="Be kind.", provider=provider, temperature=0.5))
    values |= {
        "organisation": organisation.pk,
        "code": "kind-bot",
        "tool_names": ["create_student"],
    }
    answer = console.post("/admin/agents/agent/add/", values)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    agent = Agent.objects.get(code="kind-bot")
    assert (agent.prompt, agent.temperature, agent.state) == ("Be kind.", 0.5, "draft")
    assert [tool.name for tool in agent.tools.all()] == ["create_student"]
    assert console.get(page(agent)).status_code == 200


@pytest.mark.req("TOOL-20")
def test_every_tool_can_be_picked_and_says_what_it_does(draft: Agent) -> None:
    with translation.override("en"):
        choices = dict(tool_choices([]))
    assert set(choices) >= {"time_now", "math_calculate", "date_difference", "web_read"}
    assert choices["user_choose"].startswith("user_choose · Asks the user to choose")
    assert [text for text in choices.values() if re.search("[\u4e00-\u9fff]", text)] == []


@pytest.mark.req("FORM-9")
def test_the_draft_shows_preamble_and_tools(console: Client, draft: Agent) -> None:
    draft.tools.create(name="gone_tool")
    text = console.get(page(draft)).content.decode()
    assert "不是指令" in text
    assert 'name="preamble"' not in text
    assert re.search(r'value="create_student"[^>]*checked', text)
    assert "gone_tool" in text
    assert "从未发布" in text


def test_a_save_writes_the_draft(console: Client, draft: Agent, operator: User) -> None:
    values = typed(draft, prompt="New.", tool_names=["create_student"], suggestions='["Hi"]')
    assert console.post(page(draft), values).status_code == 302
    row = Agent.objects.get(pk=draft.pk)
    assert (row.prompt, row.suggestions, row.version) == ("New.", ["Hi"], 2)
    assert (row.updated_by, row.tools.count()) == (operator, 1)


@pytest.mark.req("FORM-9")
def test_a_posted_preamble_or_code_changes_nothing(console: Client, draft: Agent) -> None:
    values = typed(draft, preamble="None.") | {"code": "other", "shared": "on", "state": "retired"}
    assert console.post(page(draft), values).status_code == 302
    row = Agent.objects.get(pk=draft.pk)
    assert (row.code, row.shared, row.state) == ("helper", False, "draft")
    assert "不是指令" in console.get(page(draft)).content.decode()


@pytest.mark.case("VER-014")
@pytest.mark.parametrize("version", ["1", ""])
def test_a_stale_save_keeps_what_was_typed(console: Client, draft: Agent, version: str) -> None:
    Agent.objects.filter(pk=draft.pk).update(prompt="Newer.", version=2)
    answer = console.post(page(draft), typed(draft, prompt="Mine.", expected_version=version))
    assert answer.status_code == 200
    assert "Mine." in answer.content.decode()
    assert "别人已经保存过" in answer.content.decode()
    assert Agent.objects.get(pk=draft.pk).prompt == "Newer."


def test_a_save_that_loses_the_race_keeps_what_was_typed(
    console: Client, draft: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = AgentAdmin.get_object

    def lose(**_: Any) -> None:
        monkeypatch.setattr(AgentAdmin, "get_object", read_later)
        raise RefusedError(Problem(status=409, code="stale_version", title=""))

    def read_later(*args: Any) -> Any:
        Agent.objects.filter(pk=draft.pk).update(prompt="Newer.", version=2)
        return read(*args)

    monkeypatch.setattr("apps.agents.admin.agents.save_draft", lose)
    answer = console.post(page(draft), typed(draft, prompt="Mine."))
    assert answer.status_code == 200
    assert "Mine." in answer.content.decode()
    assert Agent.objects.get(pk=draft.pk).prompt == "Newer."


@pytest.mark.case("DJ-017")
def test_view_only_people_change_nothing(client: Client, draft: Agent, publisher: User) -> None:
    client.force_login(publisher)
    assert client.get(page(draft)).status_code == 200
    assert client.post(page(draft), typed(draft, prompt="Mine.")).status_code == 403
    action = {"action": "delete_selected", "_selected_action": [draft.pk], "post": "yes"}
    client.post("/admin/agents/agent/", action)
    assert client.post(page(draft, "delete"), {"post": "yes"}).status_code == 403
    assert Agent.objects.get(pk=draft.pk).prompt == "Be brief."


@pytest.mark.parametrize("act", ["change", "publish", "history"])
def test_foreign_and_missing_agents_look_alike(
    client: Client, draft: Agent, other_organisation: Organisation, act: str
) -> None:
    stranger = factories.make_user("stranger", other_organisation, is_staff=True)
    client.force_login(stranger)
    foreign = client.get(page(draft, act)).status_code
    missing = client.get(f"/admin/agents/agent/999999/{act}/").status_code
    assert foreign == missing
    assert foreign in {302, 403, 404}


@pytest.mark.req("AGENT-3")
def test_publishing_is_a_page_of_its_own(client: Client, draft: Agent, publisher: User) -> None:
    client.force_login(publisher)
    shown = client.get(page(draft, "publish"))
    assert shown.status_code == 200
    assert not PublishRecord.objects.exists()
    assert "<ins>+ Be brief.</ins>" in shown.content.decode()
    values = {"expected_version": draft.version, "note": "go"}
    assert client.post(page(draft, "publish"), values).status_code == 302
    assert PublishRecord.objects.get().note == "go"
    Agent.objects.filter(pk=draft.pk).update(prompt="Be kind.", version=2)
    text = client.get(page(draft, "publish")).content.decode()
    assert "<del>- Be brief.</del>" in text
    assert "<ins>+ Be kind.</ins>" in text


@pytest.mark.req("AGENT-3")
def test_an_unchanged_draft_has_nothing_to_publish(
    client: Client, draft: Agent, publisher: User
) -> None:
    client.force_login(publisher)
    client.post(page(draft, "publish"), {"expected_version": draft.version, "note": "go"})
    text = client.get(page(draft, "publish")).content.decode()
    assert "没有可以发布的改动" in text
    assert not re.search(r"<(?:ins|del)>", text)
    assert 'type="submit" class="default"' not in text
    Agent.objects.filter(pk=draft.pk).update(temperature=0.5)
    text = client.get(page(draft, "publish")).content.decode()
    assert re.findall(r"<(?:ins|del)>(.*?)</", text) == ["- temperature: —", "+ temperature: 0.5"]
    assert 'type="submit" class="default"' in text


def test_the_publish_page_says_what_is_missing(
    client: Client, draft: Agent, publisher: User
) -> None:
    client.force_login(publisher)
    draft.tools.create(name="gone_tool")
    answer = client.post(page(draft, "publish"), {"expected_version": 1, "note": ""})
    assert answer.status_code == 409
    assert "gone_tool" in answer.content.decode()
    assert not PublishRecord.objects.exists()


@pytest.mark.case("VER-002")
def test_only_the_draft_that_was_looked_at_is_published(
    client: Client, draft: Agent, publisher: User
) -> None:
    client.force_login(publisher)
    Agent.objects.filter(pk=draft.pk).update(prompt="Unseen.", version=2)
    answer = client.post(page(draft, "publish"), {"expected_version": 1, "note": "kept"})
    assert answer.status_code == 409
    assert "kept" in answer.content.decode()
    assert not PublishRecord.objects.exists()


def test_publishing_by_hand_needs_the_right(console: Client, draft: Agent) -> None:
    assert "/publish/" not in console.get(page(draft)).content.decode()
    assert console.get(page(draft, "publish")).status_code == 403
    answer = console.post(page(draft, "publish"), {"expected_version": 1})
    assert answer.status_code == 403


def test_publishing_needs_a_csrf_token(draft: Agent, publisher: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(publisher)
    assert strict.post(page(draft, "publish"), {"expected_version": 1}).status_code == 403


@pytest.mark.case("DJ-018")
@pytest.mark.req("AGENT-3")
@pytest.mark.parametrize("kind", ["publishrecord", "releaseevent"])
def test_releases_are_read_only_even_for_root(
    client: Client, assistant: Agent, root: User, kind: str
) -> None:
    client.force_login(root)
    record = assistant.live
    assert record is not None
    shown = f"/admin/agents/{kind}/{record.pk if kind == 'publishrecord' else 1}/"
    assert client.get(f"/admin/agents/{kind}/").status_code == 200
    if kind == "publishrecord":
        assert record.digest in client.get(f"{shown}change/").content.decode()
    assert client.post(f"{shown}change/", {"body": "{}", "version": 9}).status_code in {302, 403}
    assert client.post(f"{shown}delete/", {"post": "yes"}).status_code in {302, 403}
    assert client.post(f"/admin/agents/{kind}/add/", {}).status_code == 403
    assert PublishRecord.objects.get().body == record.body


@pytest.mark.req("AGENT-12")
def test_a_key_goes_in_and_never_comes_out(client: Client, draft: Agent, root: User) -> None:
    client.force_login(root)
    row = Provider.objects.get()
    url = f"/admin/agents/provider/{row.pk}/change/"
    values = {
        "name": row.name, "kind": "openai", "base_url": "", "default_model": "m",
        "options": "{}", "enabled": "on", "expected_version": 1,
    }  # fmt: skip
    assert client.post(url, values | {"api_key": "sk-very-secret"}).status_code == 302
    assert Provider.objects.get().api_key == "sk-very-secret"
    for address in (url, "/admin/agents/provider/", f"{url}../history/"):
        assert "sk-very-secret" not in client.get(address).content.decode()
    assert client.post(url, values | {"expected_version": 2}).status_code == 302
    assert Provider.objects.get().api_key == "sk-very-secret"
    wrong = client.post(url, values | {"expected_version": 3, "api_key": "sk-2", "options": "["})
    assert wrong.status_code == 200
    assert "sk-2" not in wrong.content.decode()
    assert client.post(url, values | {"expected_version": 3, "clear_key": "on"}).status_code == 302
    assert Provider.objects.get().api_key == ""


@pytest.mark.req("AGENT-12")
def test_who_may_only_look_does_not_see_the_key(
    console: Client, draft: Agent, operator: User
) -> None:
    row = Provider.objects.get()
    row.api_key = "sk-very-secret"
    row.save(update_fields=["api_key"])
    operator.user_permissions.add(factories.permission_named("agents.view_provider"))
    text = console.get(f"/admin/agents/provider/{row.pk}/change/").content.decode()
    assert "••••" in text
    assert "sk-very-secret" not in text


def test_a_bad_option_is_named_at_its_field(client: Client, draft: Agent, root: User) -> None:
    client.force_login(root)
    row = Provider.objects.get()
    values = {
        "name": row.name, "kind": "openai", "base_url": "ftp://x", "options": '{"speed": 1}',
        "expected_version": 1,
    }  # fmt: skip
    answer = client.post(f"/admin/agents/provider/{row.pk}/change/", values)
    assert answer.status_code == 200
    errors = answer.context["adminform"].form.errors
    assert "speed" in str(errors.get("options", "")) or "base_url" in errors
    assert Provider.objects.get().version == 1


def test_providers_of_others_cannot_be_seen_or_bound(
    console: Client, draft: Agent, operator: User, other_organisation: Organisation
) -> None:
    theirs = factories.make_provider(other_organisation, name="theirs")
    for verb in ("view", "change"):
        operator.user_permissions.add(factories.permission_named(f"agents.{verb}_provider"))
    assert "theirs" not in console.get("/admin/agents/provider/").content.decode()
    assert "theirs" not in console.get(page(draft)).content.decode()
    answer = console.post(page(draft), typed(draft, provider=theirs.pk))
    assert answer.status_code == 200
    assert "provider" in answer.context["adminform"].form.errors
    assert Agent.objects.get(pk=draft.pk).provider_id == draft.provider_id


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_pages_need_no_inline_code(
    client: Client, assistant: Agent, root: User, language: str
) -> None:
    client.force_login(root)
    client.cookies["django_language"] = language
    for address in (
        "/admin/",
        "/admin/agents/agent/",
        page(assistant),
        page(assistant, "publish"),
        "/admin/agents/agent/add/",
        f"/admin/agents/publishrecord/{assistant.live_id}/change/",
        "/admin/agents/releaseevent/",
        f"/admin/agents/provider/{assistant.provider_id}/change/",
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert not INLINE.search(answer.content.decode()), address


def test_titles_of_the_console_are_titles(client: Client, assistant: Agent, root: User) -> None:
    Agent.objects.filter(pk=assistant.pk).update(prompt="New.", model_name="m", top_p=0.5)
    client.force_login(root)
    client.cookies["django_language"] = "en"
    texts = [
        client.get(url).content.decode() for url in (page(assistant), page(assistant, "publish"))
    ]
    for text in texts:
        titles = [one.strip() for one in re.findall(r"<h[23][^>]*>([^<]+)</h[23]>", text)]
        assert titles
        assert [one for one in titles if one[0].islower() and one != assistant.name] == []
        assert '<a href="/admin/">Home</a>' in text
    client.cookies["django_language"] = "zh-hans"
    for url in (page(assistant), page(assistant, "publish")):
        assert '<a href="/admin/">首页</a>' in client.get(url).content.decode()


def test_every_app_the_console_lists_has_a_chinese_name() -> None:
    with translation.override("zh-hans"):
        ours = [one for one in apps.get_app_configs() if one.name.startswith("apps.")]
        shown = [one for one in ours if any(one.get_models())]
        latin = [one.label for one in shown if re.search("[A-Za-z]", str(one.verbose_name))]
    assert len(shown) > 5
    assert latin == []
