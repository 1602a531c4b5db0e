"""Whether the contract of tools is too narrow is measured, told once, and never forgotten."""

import textwrap
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import AdminTask, Alert, ConfigAuditLog
from apps.audit.services.admin_tasks import complete, open_task
from apps.audit.services.alerts import resolve
from apps.lib import clock
from apps.lib.problem import RefusedError
from apps.runtime.messages import ToolCall
from apps.tools.models import ToolRun
from apps.tools.registry import AgentContext, BusinessError, agent_tool, catalogue
from apps.tools.services import upgrade_triggers
from apps.tools.tasks import check_upgrade_triggers
from apps.tools.testing import registered
from apps.tools.triggers import json_in_string, parse_errors, session_lookups
from apps.tools.triggers.json_in_string import said
from tests import factories
from tests.tools.conftest import Caller, call_of
from tests.tools.services import ProbeTools


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """An object, squeezed into a text."""

    payload: str = field(metadata={"description": "the rows, as JSON"})


class PackedTools:
    """Three tools that take JSON in a string."""

    @agent_tool("packed_one", "One.", Packed, write_action=False)
    def one(self, input: Packed, ctx: AgentContext) -> dict[str, Any]:
        return {}

    @agent_tool("packed_two", "Two.", Packed, write_action=False)
    def two(self, input: Packed, ctx: AgentContext) -> dict[str, Any]:
        return {}

    @agent_tool("packed_three", "Three.", Packed, write_action=False)
    def three(self, input: Packed, ctx: AgentContext) -> dict[str, Any]:
        return {}


@pytest.fixture
def packed() -> Iterator[None]:
    with registered(PackedTools):
        yield


def sources(folder: Path, **bodies: str) -> list[Path]:
    """An app with one service a keyword, whose only tool has that body."""
    for name, body in bodies.items():
        text = f"""
import json
from apps.tools.registry import agent_tool, session_details

def parsed(text):
    return json.loads(text)

def language_of(user):
    return user.locale

class {name.title()}Tools:
    @agent_tool("{name}_do", "Does.", dict, write_action=False)
    def do(self, input, ctx):
{textwrap.indent(textwrap.dedent(body).strip(), "        ")}
"""
        (folder / f"{name}.py").write_text(text, "utf-8")
    return [folder]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "description": "a JSON object"},
        {"type": "string", "description": "明细，JSON 字符串"},
        {"type": "string", "contentMediaType": "application/json"},
        {"type": ["string", "null"], "format": "json"},
    ],
)
def test_a_schema_says_that_a_text_is_json(schema: dict[str, Any]) -> None:
    nested = {"type": "array", "items": {"properties": {"inner": schema}}}
    assert list(said({"properties": {"rows": schema}})) == ["rows"]
    assert list(said({"properties": {"rows": nested}})) == ["inner"]
    assert list(said({"anyOf": [{"properties": {"rows": schema}}]})) == ["rows"]


@pytest.mark.parametrize("name", ["json", "rows_json", "json_rows", "rowsJson", "rowsJSON"])
def test_a_name_says_that_a_text_is_json(name: str) -> None:
    assert list(said({"properties": {name: {"type": "string"}}})) == [name]


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("rows", {"type": "object", "description": "JSON"}),
        ("json", {"type": "object"}),
        ("name", {"type": "string", "description": "a person's name"}),
        ("file", {"type": "string", "description": "the JSON file to read"}),
        ("jsonette", {"type": "string"}),
    ],
)
def test_other_parameters_are_no_json_in_a_string(name: str, schema: dict[str, Any]) -> None:
    assert list(said({"properties": {name: schema}})) == []


@pytest.mark.req("TOOL-8")
@pytest.mark.parametrize(
    "body",
    [
        "return json.loads(input['rows'])",
        "return json.loads(input.rows)",
        "text = input.rows\nrows = json.loads(text)\nreturn rows",
        "return parsed(input.rows)",
        "return parsed(text=input.rows)",
    ],
)
def test_a_method_that_parses_its_input_counts(tmp_path: Path, body: str) -> None:
    folders = sources(tmp_path, one=body, two=body)
    assert json_in_string.measure([], folders).met is False
    trigger = json_in_string.measure([], sources(tmp_path, one=body, two=body, three=body))
    assert trigger.met is True
    assert [line.split(" ")[0] for line in trigger.evidence] == ["one_do", "three_do", "two_do"]


@pytest.mark.parametrize(
    "body", ["return json.loads(open('x').read())", "return json.dumps(input.rows)", "return {}"]
)
def test_other_json_does_not_count(tmp_path: Path, body: str) -> None:
    assert json_in_string.measure([], sources(tmp_path, one=body)).evidence == ()


@pytest.mark.req("TOOL-8")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("return User.objects.get(pk=ctx.user_id).locale", "locale"),
        ("user = User.objects.get(pk=ctx.user_id)\nreturn user.department", "department"),
        ("me = User.objects.get(pk=ctx.user_id)\nreturn me.region", "region"),
        ("me = get_object_or_404(User, pk=ctx.user_id)\nreturn me.region", "region"),
        ("c = Conversation.objects.get(pk=ctx.session_id)\nreturn c.plan_mode", "plan_mode"),
        ("return self.sessions.get(ctx.session_id).permission_mode", "permission_mode"),
        ("return ctx.session.locale", "locale"),
        ("c = load(ctx)\nreturn c.user.get_all_permissions()", "get_all_permissions"),
        ("return User.objects.values_list('department').get(pk=ctx.user_id)", "department"),
        ("if me := User.objects.get(pk=ctx.user_id):\n    return me.locale", "locale"),
        ("return language_of(find(ctx))", "locale"),
    ],
)
def test_a_service_that_looks_the_session_up_counts(tmp_path: Path, body: str, field: str) -> None:
    trigger = session_lookups.measure(sources(tmp_path, one=body, two=body))
    assert trigger.met is False
    assert trigger.evidence == (f"OneTools ({field})", f"TwoTools ({field})")
    assert session_lookups.measure(sources(tmp_path, three=body)).met is True


@pytest.mark.parametrize(
    "body",
    [
        "return session_details(ctx).locale",
        "details = session_details(ctx)\nreturn details.department",
        "session = session_details(ctx)\nreturn session.permissions",
        "student = Student.objects.get(pk=1)\nreturn student.department",
        "user = User.objects.get(pk=ctx.user_id)\nreturn user.username",
        "return input.locale",
        "region = 1\nreturn region",
    ],
)
def test_what_is_asked_of_the_helper_does_not_count(tmp_path: Path, body: str) -> None:
    assert session_lookups.measure(sources(tmp_path, one=body)).evidence == ()


@pytest.mark.req("TOOL-8")
def test_over_one_in_twenty_calls_with_bad_arguments_counts(call: Caller) -> None:
    for _ in range(18):
        call("probe_ping")
    call("probe_read", text="ok")
    call.make(call_of("probe_nested", items=["no number"]))
    trigger = parse_errors.measure(catalogue.all())
    assert (trigger.met, trigger.measured[:19]) == (False, "5.0% of 20 calls in")
    call.make(ToolCall(id="x" * 11, name="probe_ping", arguments={}, arguments_error="no JSON"))
    trigger = parse_errors.measure(catalogue.all())
    assert (trigger.met, trigger.measured[:19]) == (True, "9.5% of 21 calls in")
    ToolRun.objects.update(created_at=clock.now() - timedelta(days=31))
    assert parse_errors.measure(catalogue.all()).measured.startswith("0.0% of 0 calls")


def test_few_calls_say_nothing(call: Caller) -> None:
    for _ in range(parse_errors.SAMPLE - 1):
        call.make(call_of("probe_nested"))
    assert parse_errors.measure(catalogue.all()).met is False


def test_one_tool_alone_can_be_over_the_bound(call: Caller) -> None:
    for _ in range(18):
        call("probe_read", text="ok")
    for _ in range(2):
        call("probe_read")
    one = ToolRun.objects.filter(status="succeeded").latest("pk")
    others = [copy(one) for _ in range(100)]
    for number, other in enumerate(others):
        other.pk, other.name, other.run_id, other.step = None, "probe_ping", "other", number
        other.tool_call_id = other.audit_id = f"other-{number}"
    ToolRun.objects.bulk_create(others)
    trigger = parse_errors.measure(catalogue.all())
    assert trigger.met is True
    assert trigger.measured.startswith("1.7% of 120 calls")
    assert trigger.evidence == ("probe_read (2 of 20)",)


def test_other_failures_and_refusals_are_no_parse_errors(call: Caller) -> None:
    def broken() -> None:
        raise BusinessError("no")

    ProbeTools.body = staticmethod(broken)
    for _ in range(parse_errors.SAMPLE):
        call("probe_read", text="ok")
        call("probe_guarded", text="ok")
    trigger = parse_errors.measure(catalogue.all())
    assert trigger.measured.startswith("0.0% of 20 calls")


@pytest.mark.req("TOOL-8")
@pytest.mark.django_db
def test_the_command_tells_and_exits_by_what_it_found(packed: None) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match="met: json_in_string"):
        call_command("check_upgrade_triggers", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0] == ("json_in_string: MET: 3 tools take JSON in a string, from 3 on it counts")
    assert lines[1] == "  packed_one (payload)"
    assert [line.split(":")[0] for line in lines if line[0] != " "] == [
        "json_in_string",
        "parse_errors",
        "session_lookups",
    ]
    assert not Alert.objects.exists()


@pytest.mark.req("TOOL-8")
@pytest.mark.django_db
def test_the_products_own_tools_meet_none() -> None:
    call_command("check_upgrade_triggers", stdout=StringIO())


@pytest.mark.req("TOOL-8")
@pytest.mark.django_db
def test_the_daily_job_tells_once_until_it_is_settled(packed: None, operator: User) -> None:
    root = factories.make_user("root", operator.organisation, is_superuser=True)
    for _ in range(3):
        check_upgrade_triggers()
    alert, task = Alert.objects.get(), AdminTask.objects.get()
    assert (alert.cause, alert.object_key, alert.count) == ("upgrade_trigger", "json_in_string", 1)
    assert "packed_two (payload)" in alert.detail
    assert (task.key, task.state) == ("upgrade_trigger:json_in_string", "open")
    resolve(alert_id=alert.pk, actor=Actor.of(root))
    check_upgrade_triggers()  # the task is still open
    assert Alert.objects.count() == 1
    complete(task_id=task.pk, actor=Actor.of(root), reason="given schemas")
    check_upgrade_triggers()  # it was not: told anew
    again = Alert.objects.get(state="open")
    complete(task_id=AdminTask.objects.get(state="open").pk, actor=Actor.of(root))
    check_upgrade_triggers()  # the alert is still open
    again.refresh_from_db()
    assert (again.count, AdminTask.objects.filter(state="open").count()) == (1, 0)


@pytest.mark.django_db
def test_nothing_met_tells_nothing() -> None:
    check_upgrade_triggers()
    assert not Alert.objects.exists()
    assert not AdminTask.objects.exists()


@pytest.mark.django_db
def test_titles_are_in_the_installations_language(packed: None, settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"
    upgrade_triggers.tell_of(upgrade_triggers.measure())
    assert AdminTask.objects.get().title.startswith("Tools take JSON in a string")


@pytest.mark.django_db
def test_a_task_is_done_once_and_by_who_may(operator: User) -> None:
    assert open_task(key="a", title="t", detail="d") is True
    assert open_task(key="a", title="t", detail="d") is False
    task = AdminTask.objects.get()
    with pytest.raises(RefusedError, match="permission_denied"):
        complete(task_id=task.pk, actor=Actor.of(operator))
    operator.user_permissions.add(factories.permission_named("audit.operate_audit"))
    actor = Actor.of(operator)
    complete(task_id=task.pk, actor=actor, reason="done")
    with pytest.raises(RefusedError, match="state_conflict"):
        complete(task_id=task.pk, actor=actor)
    with pytest.raises(RefusedError, match="not_found"):
        complete(task_id=task.pk + 1, actor=actor)
    row = ConfigAuditLog.objects.get()
    assert (row.action, row.object_key, row.reason) == ("complete_admin_task", "a", "done")
