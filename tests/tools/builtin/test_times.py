"""The present in a zone, as the clocks there show it."""

from datetime import UTC, datetime

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.lib import clock
from apps.tools.builtin.times import TimeNowInput, TimeTools
from apps.tools.registry import BusinessError
from apps.tools.testing import fake_context, invoke_tool


def at(monkeypatch: pytest.MonkeyPatch, *moment: int) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(*moment, tzinfo=UTC))  # type: ignore[arg-type,misc]


def told(zone: str) -> dict[str, object]:
    return TimeTools().time_now(TimeNowInput(timezone=zone), fake_context())


def refusal(zone: str) -> str:
    with pytest.raises(BusinessError) as caught:
        told(zone)
    return str(caught.value)


@pytest.mark.req("TOOL-23")
@pytest.mark.django_db(transaction=True)
def test_the_time_comes_through_the_gateway(alice: User) -> None:
    result = invoke_tool("time_now", {"timezone": "Asia/Shanghai"}, Actor.of(alice))
    assert result.ok
    assert (result.data["timezone"], result.data["utcOffset"]) == ("Asia/Shanghai", "+08:00")
    assert abs(result.data["unix"] - clock.now().timestamp()) < 60


def test_utc_is_told_where_no_zone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 2026, 5, 1, 23, 30)
    assert TimeTools().time_now(TimeNowInput(), fake_context()) == {
        "status": "success",
        "now": "2026-05-01T23:30:00+00:00",
        "date": "2026-05-01",
        "time": "23:30:00",
        "weekday": 5,
        "weekdayName": "Friday",
        "week": 18,
        "timezone": "UTC",
        "utcOffset": "+00:00",
        "summerTime": False,
        "unix": 1777678200,
    }


@pytest.mark.parametrize(
    ("minute", "local", "summer"),
    [
        ((2026, 3, 29, 0, 59), "2026-03-29T01:59:00+01:00", False),
        ((2026, 3, 29, 1, 0), "2026-03-29T03:00:00+02:00", True),
        ((2026, 10, 25, 0, 30), "2026-10-25T02:30:00+02:00", True),
        ((2026, 10, 25, 1, 30), "2026-10-25T02:30:00+01:00", False),
    ],
)
def test_summer_time_begins_and_ends(
    monkeypatch: pytest.MonkeyPatch, minute: tuple[int, ...], local: str, summer: bool
) -> None:
    at(monkeypatch, *minute)
    now = told("Europe/Berlin")
    assert (now["now"], now["summerTime"]) == (local, summer)


@pytest.mark.parametrize("zone", ["asia/shanghai", " America/New York ", "utc"])
def test_case_and_blanks_do_not_matter(zone: str) -> None:
    assert told(zone)["status"] == "success"


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("Asia/Shanghi", "Asia/Shanghai"),
        ("Shanghai", "Asia/Shanghai"),
        ("Europe/Berln", "Europe/Berlin"),
        ("Nework", "America/New_York"),
    ],
)
def test_near_names_are_offered(wrong: str, near: str) -> None:
    assert near in refusal(wrong)


@pytest.mark.parametrize("wrong", ["../../etc/passwd", "/etc/localtime", "北京", "PST8", "x" * 64])
def test_no_zone_is_an_answer_not_a_path(wrong: str) -> None:
    assert "Asia/Shanghai" in refusal(wrong) or "相近" in refusal(wrong)
