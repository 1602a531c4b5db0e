"""Dead letters: one open a job, replayed once, discarded with a reason, reached by their own."""

import json
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit import registry
from apps.audit.models import Alert, ConfigAuditLog, DeadLetter
from apps.audit.services.dead_letters import bury, discard, replay
from apps.lib.problem import RefusedError
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


class Job:
    """Remembers its payloads; fails while told to."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.error: Exception | None = None

    def __call__(self, payload: str) -> None:
        if self.error:
            raise self.error
        self.done.append(payload)


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Job:
    monkeypatch.setattr(registry, "_replays", dict(registry._replays))
    made = Job()
    registry.register_replay("probe", made)
    return made


@pytest.fixture
def keeper(organisation: Organisation) -> Actor:
    return Actor.of(factories.make_user("keeper", organisation, "audit.operate_audit"))


def letter(organisation: Organisation | None = None, key: str = "k", **fields: str) -> DeadLetter:
    number = organisation.pk if organisation else None
    values = {"reason": "no", "payload": '{"n":1}'} | fields
    return bury(kind="probe", key=key, attempts=4, organisation_id=number, **values)


def status_of(raised: pytest.ExceptionInfo[RefusedError]) -> int:
    return raised.value.problem.status


def test_a_job_is_buried_once() -> None:
    def work(_: int) -> int:
        try:
            return letter().pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(work, range(8)))) == 1
    assert Alert.objects.get().count == 1


def test_many_letters_are_one_alert_an_organisation(
    organisation: Organisation, other_organisation: Organisation
) -> None:
    for place in range(3):
        letter(organisation, f"k{place}")
    letter(other_organisation)
    counts = dict(Alert.objects.values_list("organisation_id", "count"))
    assert counts == {organisation.pk: 3, other_organisation.pk: 1}


@pytest.mark.case("F29")
def test_a_replay_does_the_job_once(organisation: Organisation, keeper: Actor, job: Job) -> None:
    pk = letter(organisation).pk

    def work(_: int) -> object:
        try:
            return replay(pk, keeper)
        except RefusedError as error:
            return error.problem.status
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        answers = sorted(map(str, threads.map(work, range(4))))
    assert answers == ["409", "409", "409", "True"]
    assert job.done == ['{"n":1}']
    found = DeadLetter.objects.get()
    assert (found.state, found.settled_by) == ("replayed", "keeper")
    row = ConfigAuditLog.objects.get()
    assert (row.action, row.object_key, row.username) == ("replay_dead_letter", "k", "keeper")


def test_a_replay_that_fails_stays_open(
    organisation: Organisation, keeper: Actor, job: Job
) -> None:
    pk, job.error = letter(organisation).pk, ValueError("still bad")
    assert replay(pk, keeper) is False
    found = DeadLetter.objects.get()
    assert (found.state, found.attempts, found.settled_by) == ("open", 5, "")
    assert found.reason == "ValueError: still bad"
    assert not ConfigAuditLog.objects.exists()
    job.error = None
    assert replay(pk, keeper) is True


def test_a_kind_without_an_owner_stays_open(organisation: Organisation, keeper: Actor) -> None:
    pk = letter(organisation).pk
    assert replay(pk, keeper) is False
    assert "probe" in DeadLetter.objects.get().reason


def test_to_discard_takes_a_reason(organisation: Organisation, keeper: Actor, job: Job) -> None:
    pk = letter(organisation).pk
    with pytest.raises(RefusedError) as raised:
        discard(pk, keeper, "  ")
    assert status_of(raised) == 400
    discard(pk, keeper, "known fault")
    assert DeadLetter.objects.get().state == "discarded"
    assert ConfigAuditLog.objects.get().reason == "known fault"
    with pytest.raises(RefusedError) as raised:
        replay(pk, keeper)
    assert status_of(raised) == 409
    assert job.done == []


def test_letters_are_reached_by_their_own(
    organisation: Organisation, other_organisation: Organisation, keeper: Actor, alice: User
) -> None:
    foreign, own = letter(other_organisation).pk, letter(organisation, "own").pk
    for act in (lambda: replay(foreign, keeper), lambda: discard(foreign, keeper, "x")):
        with pytest.raises(RefusedError) as raised:
            act()
        assert status_of(raised) == 404
    with pytest.raises(RefusedError) as raised:
        replay(own, Actor.of(alice))
    assert status_of(raised) == 403


@pytest.mark.case("JOB-013", "JOB-014")
def test_a_reason_keeps_no_secret() -> None:
    found = letter(reason="OperationalError: postgres://app:hunter2@db.internal/x at 10.0.0.3")
    stored = json.dumps(DeadLetter.objects.values().get(pk=found.pk), default=str)
    told = Alert.objects.get().detail
    for secret in ("hunter2", "10.0.0.3"):
        assert secret not in stored
        assert secret not in told


def test_the_command_replays_what_it_can(job: Job) -> None:
    good, _bad = (
        letter(key="good"),
        bury(kind="nobody", key="bad", reason="no", payload="", attempts=1),
    )
    out = StringIO()
    with pytest.raises(CommandError, match="not replayed"):
        call_command("replay_dead_letters", stdout=out)
    assert out.getvalue() == "1 replayed, 1 failed\n"
    assert DeadLetter.objects.get(pk=good.pk).state == "replayed"
    assert ConfigAuditLog.objects.get().username == "manage.py"


def test_the_command_takes_a_number(job: Job) -> None:
    first, second = letter(key="a"), letter(key="b")
    call_command("replay_dead_letters", id=second.pk, stdout=StringIO())
    call_command("replay_dead_letters", id=second.pk, stdout=StringIO(), stderr=StringIO())
    assert DeadLetter.objects.get(pk=first.pk).state == "open"
    assert len(job.done) == 1
    with pytest.raises(CommandError):
        call_command("replay_dead_letters", id=0, stdout=StringIO(), stderr=StringIO())
