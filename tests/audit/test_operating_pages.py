"""Alerts, dead letters and tasks in the console: a reason, a POST, the right; and the counters."""

import pytest
from django.test import Client

from apps.accounts.models import Organisation
from apps.audit import registry
from apps.audit.models import AdminTask, Alert, ConfigAuditLog, DeadLetter
from apps.audit.services.admin_tasks import open_task
from tests.audit.console import SignIn, alert_of, letter_of, sign_in

__all__ = ["sign_in"]
LETTERS, ALERTS, TASKS = (
    "/admin/audit/deadletter/",
    "/admin/audit/alert/",
    "/admin/audit/admintask/",
)
WHY = {"reason": "seen to"}


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The payloads that were replayed; `bad` fails again."""
    done: list[str] = []

    def replay(payload: str) -> None:
        if payload == "bad":
            raise ValueError(payload)
        done.append(payload)

    monkeypatch.setitem(registry._replays, "test", replay)
    return done


def states(model: type[DeadLetter] | type[Alert] | type[AdminTask]) -> list[str]:
    return list(model._default_manager.order_by("pk").values_list("state", flat=True))


def reasons() -> list[tuple[str, str]]:
    return list(ConfigAuditLog.objects.order_by("pk").values_list("action", "reason"))


def test_a_letter_is_replayed_with_a_reason(
    sign_in: SignIn, client: Client, organisation: Organisation, played: list[str]
) -> None:
    letter = letter_of(organisation, payload="p")
    sign_in("keeper")
    page = f"{LETTERS}{letter}/replay/"
    assert client.get(page).status_code == 200
    assert client.post(page, {"reason": " "}).status_code == 400
    assert played == []
    assert client.post(page, WHY).status_code == 302
    assert (played, states(DeadLetter)) == (["p"], ["replayed"])
    assert reasons() == [("replay_dead_letter", "seen to")]
    assert client.post(page, WHY).status_code == 400


def test_letters_are_dealt_with_together(
    sign_in: SignIn, client: Client, organisation: Organisation, played: list[str]
) -> None:
    letters = [letter_of(organisation, key=key, payload=key) for key in ("a", "bad", "c")]
    sign_in("keeper")
    chosen = {"action": "replay_selected", "_selected_action": letters}
    page = client.post(LETTERS, chosen | {"index": "0"}).content.decode()
    assert page.count('name="_selected_action"') == 3
    assert played == []
    assert client.post(LETTERS, chosen | WHY).status_code == 302
    assert (sorted(played), states(DeadLetter)) == (["a", "c"], ["replayed", "open", "replayed"])
    chosen = {"action": "discard_selected", "_selected_action": letters}
    assert client.post(LETTERS, chosen | WHY).status_code == 302
    assert states(DeadLetter) == ["replayed", "discarded", "replayed"]


def test_a_payload_is_shown_redacted(
    sign_in: SignIn, client: Client, organisation: Organisation
) -> None:
    letter = letter_of(organisation, payload='{"to": "password=hunter2hunter2"}')
    sign_in("keeper")
    page = client.get(f"{LETTERS}{letter}/change/").content.decode()
    assert "hunter2" not in page
    assert "[REDACTED]" in page


@pytest.mark.req("OBS-4")
def test_an_alert_is_acknowledged_and_resolved(
    sign_in: SignIn, client: Client, organisation: Organisation
) -> None:
    alert = alert_of(organisation)
    sign_in("keeper")
    for act, state in (("acknowledge", "acknowledged"), ("resolve", "resolved")):
        page = f"{ALERTS}{alert}/{act}/"
        assert client.get(page).status_code == 200
        client.post(page, {"reason": ""})
        assert states(Alert) != [state]
        assert client.post(page, WHY).status_code == 302
        assert states(Alert) == [state]
    assert reasons() == [("acknowledge_alert", "seen to"), ("resolve_alert", "seen to")]


def test_open_alerts_stand_first(
    sign_in: SignIn, client: Client, organisation: Organisation
) -> None:
    older, newer = alert_of(organisation, object_key="older"), alert_of(None, object_key="newer")
    sign_in("keeper")
    client.post(f"{ALERTS}{newer}/resolve/", WHY)
    page = client.get(ALERTS).content.decode()
    assert page.index(f"/alert/{older}/") < page.index(f"/alert/{newer}/")


def test_a_task_is_completed(sign_in: SignIn, client: Client) -> None:
    open_task(key="k", title="Look at it", detail="")
    sign_in("keeper")
    assert client.post(f"{TASKS}{AdminTask.objects.get().pk}/complete/", WHY).status_code == 302
    assert states(AdminTask) == ["done"]


@pytest.mark.req("OBS-4")
def test_what_waits_is_counted_on_every_page(
    sign_in: SignIn, client: Client, organisation: Organisation, other_organisation: Organisation
) -> None:
    letter_of(organisation)
    letter_of(other_organisation, key="2")
    alert_of(None)
    open_task(key="k", title="Look at it", detail="")
    sign_in("keeper")
    page = client.get("/admin/", headers={"accept-language": "en"}).content.decode()
    nav, needs = page.split('id="console-nav"')[1].split("</nav>")
    for url, count in ((LETTERS, 1), (ALERTS, 2), (TASKS, 1)):
        assert f"{count}</span></a>" in nav.split(f'href="{url}"')[1].split("</li>")[0]
        assert f"<strong>{count}</strong>" in needs.split(f'href="{url}"')[1].split("</li>")[0]
    sign_in("nobody")
    assert 'class="count"' not in client.get("/admin/").content.decode()


@pytest.mark.req("MCP-6")
def test_another_organisations_rows_are_not_there(
    sign_in: SignIn, client: Client, other_organisation: Organisation, played: list[str]
) -> None:
    letter, alert = letter_of(other_organisation, payload="p"), alert_of(other_organisation)
    sign_in("keeper")
    for page in (f"{LETTERS}{letter}/replay/", f"{ALERTS}{alert}/resolve/"):
        assert client.get(page).status_code == 404
        assert client.post(page, WHY).status_code == 404
    chosen = {"action": "replay_selected", "_selected_action": [letter]}
    client.post(LETTERS, chosen | WHY)
    assert (played, states(DeadLetter), states(Alert)[-1]) == ([], ["open"], "open")


@pytest.mark.parametrize("who", ["nobody", "auditor"])
def test_without_the_right_nothing_is_seen_or_done(
    sign_in: SignIn, client: Client, organisation: Organisation, played: list[str], who: str
) -> None:
    letter, alert = letter_of(organisation), alert_of(organisation)
    sign_in(who)
    for page in (LETTERS, ALERTS, TASKS, f"{LETTERS}{letter}/change/"):
        assert client.get(page).status_code == 403
    for page in (f"{LETTERS}{letter}/discard/", f"{ALERTS}{alert}/resolve/"):
        assert client.post(page, WHY).status_code == 403
    assert (states(DeadLetter), played) == (["open"], [])


def test_a_change_needs_the_token(sign_in: SignIn, organisation: Organisation) -> None:
    letter, user = letter_of(organisation), sign_in("keeper")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user)
    assert strict.post(f"{LETTERS}{letter}/discard/", WHY).status_code == 403
    assert states(DeadLetter) == ["open"]
