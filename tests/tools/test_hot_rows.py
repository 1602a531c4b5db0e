"""The writer's own SQL does what the ORM would, and costs what it should."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit import chain
from apps.audit.models import AuditEntry, ChainHead, SecurityEvent
from apps.audit.models.chained import link
from apps.lib import bridge
from apps.lib.writer.rounds import Plan, Unit
from apps.lib.writer.statements import array, insert, listed, run
from apps.lib.writer.writer import Writer
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.tools import bridge as tools_bridge
from apps.tools import definitions
from apps.tools.endings import success
from apps.tools.models import Quota, QuotaUse, ToolRun
from apps.tools.outcome import Done, Opened
from apps.tools.rights import accounts_of
from apps.tools.rows import before_entry, new_audit_id, opened_run, security_event
from apps.tools.session import ToolSession
from apps.tools.units import KINDS, TABLES, EndCall, OpenCall
from apps.tools.wiring import build_toolbox
from apps.tools.wordings import wording
from tests import factories
from tests.tools.calling import answer
from tests.tools.conftest import call_of

pytestmark = pytest.mark.django_db(transaction=True)
ODD = "引号 ' and % and \\ and \u2028"
WANTED = ("students.view_student", "students.add_student", "conversations.use_chat", "x.y")


def stored(model: type[Model]) -> list[dict[str, Any]]:
    return [{**row, "id": 0} for row in model._default_manager.order_by("pk").values()]


@pytest.mark.req("TOOL-11")
def test_raw_inserts_store_what_the_orm_stores(session: ToolSession) -> None:
    call = call_of("probe_read", text=ODD)
    run = opened_run(session, call, Place(1, 2), new_audit_id())
    insert([run])
    (raw,) = stored(ToolRun)
    ToolRun.objects.all().delete()
    ToolRun.objects.bulk_create([run])
    assert stored(ToolRun) == [raw]
    assert raw["arguments"] == f'{{"text":"{ODD}"}}'.replace("\\", "\\\\")


@pytest.mark.req("TOOL-11")
@pytest.mark.parametrize("texts", [[ODD, "", "{", "}", ",", '"', "NULL", "null", " a "], [""]])
def test_lists_bring_back_what_was_put_in(texts: list[str]) -> None:
    rows = [(text, number, number % 2 == 0, None) for number, text in enumerate(texts)]
    source, values = listed(("text", "bigint", "boolean", "text"), rows)
    assert run(f"SELECT column1, column2, column3, column4 FROM ({source}) AS e", values) == rows  # noqa: S608
    if connection.vendor == "postgresql":
        assert run("SELECT unnest(%s::text[])", [array(texts)]) == [(text,) for text in texts]


def test_a_text_that_cannot_be_stored_is_an_error_of_the_database() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite stores NUL")
    source, values = listed(("text",), [("a",), ("a\0b",)])
    with pytest.raises(DatabaseError):
        run(source, values)
    with pytest.raises(DatabaseError):
        run("SELECT %s::text[]", [array(["a\0b"])])


@pytest.mark.req("TOOL-11")
def test_hot_rows_are_chained_like_all_others(session: ToolSession) -> None:
    call = call_of("probe_read", text=ODD)
    entries = [before_entry(session, call, Place(0, 0), new_audit_id()) for _ in range(3)]
    events = [security_event(session, ODD, new_audit_id(), "refused", ODD)]
    with transaction.atomic():
        chain.append(entries[:1])
        chain.append_hot(entries[1:])
        chain.append_hot(events)
    rows = list(AuditEntry.objects.order_by("position"))
    head = ChainHead.objects.get(table="auditentry")
    assert [row.position for row in rows] == [1, 2, 3]
    assert (head.position, head.digest) == (3, rows[-1].digest)
    for row in [*rows, SecurityEvent.objects.get()]:
        assert row.digest == link(row.previous, row.chained_text())
    assert [row.previous for row in rows[1:]] == [row.digest for row in rows[:-1]]


@pytest.mark.req("TOOL-20")
def test_rights_are_those_of_has_perm(
    alice: User, bob: User, operator: User, carol: User, organisation: Organisation
) -> None:
    group = Group.objects.create(name="readers")
    group.permissions.add(factories.permission_named("students.view_student"))
    operator.groups.add(group)
    gone = factories.make_user("gone", organisation, *factories.STUDENTS, is_active=False)
    chief = factories.make_user("chief", organisation, is_superuser=True)
    off = factories.make_user("off", organisation, is_superuser=True, is_active=False)
    people = [alice, bob, operator, carol, gone, chief, off]
    found = accounts_of([person.pk for person in people] + [10**9], WANTED)
    for person in people:
        fresh, account = User.objects.get(pk=person.pk), found.get(person.pk)
        assert (account is not None) is fresh.is_active
        has = {right: bool(account and account.has(right)) for right in WANTED}
        assert has == {right: fresh.has_perm(right) for right in WANTED}
    assert accounts_of([alice.pk], ()).keys() == {alice.pk}


def units_of(session: ToolSession, count: int) -> list[OpenCall]:
    return [
        OpenCall(
            session=session,
            call=call_of("probe_ping"),
            place=Place(0, index),
            wording=wording(),
        )
        for index in range(count)
    ]


@pytest.mark.req("TOOL-26")
@pytest.mark.parametrize("count", [1, 50])
def test_a_round_costs_the_same_for_one_call_and_for_fifty(
    session: ToolSession, alice: User, bob: User, count: int
) -> None:
    Quota.objects.create(name="any", limit=1000)
    Quota.objects.create(name="tool", limit=1000, tool="probe_ping", each_user=False)
    people = [session, replace(session, actor=Actor.of(bob), run_id="other")]
    plan = Plan(kinds=KINDS, tables=TABLES)
    definitions._kept.until = 0.0  # this thread knows those of another test
    plan.commit(units_of(replace(session, run_id="warm"), 1))
    units = [unit for who in people for unit in units_of(who, count)][:count]
    with CaptureQueriesContext(connection) as opening:
        passed = plan.commit(units)
    assert all(isinstance(each, Opened) for each in passed)
    with CaptureQueriesContext(connection) as ending:
        ends = [
            EndCall(
                session=session,
                tool="probe_ping",
                audit_id=opened.audit_id,
                ending=success(unit.call.id, Done(told={}), 1),
            )
            for unit, opened in zip(units, passed, strict=True)
        ]
        assert plan.commit(ends) == [True] * count
    entered = ["UPDATE audit_chainhead", "INSERT audit_auditentry"]
    if connection.vendor == "postgresql":
        entered = ["WITH"]
    assert verbs(opening) == [
        "BEGIN", "INSERT tools_toolrun", "SELECT", "INSERT tools_quotause", *entered, "COMMIT",
    ]  # fmt: skip
    assert verbs(ending) == ["BEGIN", "UPDATE tools_toolrun", "COMMIT"]
    assert QuotaUse.objects.get(quota__name="tool").used == count + 1


def verbs(queries: CaptureQueriesContext) -> list[str]:
    """The first word of each statement, and the table it writes."""
    words = [query["sql"].replace('"', "").split() for query in queries]
    return [
        f"{verb[0]} {verb[1 if verb[0] == 'UPDATE' else 2]}"
        if verb[0] in ("INSERT", "UPDATE")
        else verb[0]
        for verb in words
    ]


@pytest.mark.req("TOOL-26")
def test_a_call_is_two_hops_to_the_writer_and_one_to_its_tool(
    session: ToolSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    hops: list[str] = []
    attempt, crossing = tools_bridge.attempt, bridge.call

    async def attempting(*arguments: Any) -> Any:
        hops.append("thread")
        return await attempt(*arguments)

    async def crossed(*arguments: Any) -> Any:
        hops.append("bridge")
        return await crossing(*arguments)

    monkeypatch.setattr("apps.tools.local_calls.attempt", attempting)
    monkeypatch.setattr("apps.lib.bridge.call", crossed)

    async def run() -> None:
        writer = Writer(Plan(kinds=KINDS, tables=TABLES), loop=asyncio.get_running_loop())
        writer.start()

        def submit(unit: Unit[Any]) -> Awaitable[Any]:
            hops.append(type(unit).__name__)
            return writer.submit(unit)

        toolbox = build_toolbox(session, submit, hops.append)
        (told,) = [await answer(toolbox, call_of("probe_ping"))]
        assert told.ok
        refused = await answer(toolbox, ToolCall(id="refused", name="none", arguments={}), 1)
        assert not refused.ok
        await writer.close()

    asyncio.run(run())
    handed = ToolRun.objects.get(status="succeeded").audit_id
    assert hops == ["OpenCall", "thread", "EndCall", handed, "OpenCall"]
