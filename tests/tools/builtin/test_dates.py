"""Days, weeks, months and years between two dates or moments."""

from typing import Any

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.tools.builtin.dates import DateDifferenceInput, DateTools
from apps.tools.registry import BusinessError
from apps.tools.testing import fake_context, invoke_tool


def between(start: str, end: str, **options: Any) -> dict[str, Any]:
    asked = DateDifferenceInput(start=start, end=end, **options)
    return DateTools().date_difference(asked, fake_context())


def calendar(start: str, end: str, **options: Any) -> tuple[int, int, int]:
    return tuple(between(start, end, **options)["years"].values())


@pytest.mark.req("TOOL-23")
@pytest.mark.django_db(transaction=True)
def test_the_difference_comes_through_the_gateway(alice: User) -> None:
    dates = {"start": "2026-01-01", "end": "2026-03-15"}
    assert invoke_tool("date_difference", dates, Actor.of(alice)).data == {
        "status": "success",
        "days": 73,
        "weeks": {"weeks": 10, "days": 3},
        "months": {"months": 2, "days": 14},
        "years": {"years": 0, "months": 2, "days": 14},
    }


@pytest.mark.parametrize(
    ("start", "end", "units"),
    [
        ("2024-01-31", "2024-02-29", (0, 1, 0)),
        ("2023-01-31", "2023-03-01", (0, 1, 1)),
        ("2024-02-29", "2025-02-28", (1, 0, 0)),
        ("2024-02-29", "2025-02-27", (0, 11, 29)),
        ("2000-12-31", "2001-01-01", (0, 0, 1)),
        ("0001-01-01", "9999-12-31", (9998, 11, 30)),
        ("2026-05-01", "2026-05-01", (0, 0, 0)),
    ],
)
def test_months_are_those_of_the_calendar(
    start: str, end: str, units: tuple[int, int, int]
) -> None:
    assert calendar(start, end) == units


def test_backwards_every_number_is_negative() -> None:
    assert calendar("2026-03-15", "2025-01-10") == (-1, -2, -5)
    assert between("2026-05-02", "2026-05-01")["days"] == -1


def test_inclusive_counts_both_ends() -> None:
    assert between("2026-05-01", "2026-05-05", inclusive=True)["days"] == 5
    assert between("2026-05-05", "2026-05-01", inclusive=True)["days"] == -5
    assert between("2026-05-01", "2026-05-01", inclusive=True)["days"] == 1


def test_seconds_are_those_that_passed() -> None:
    night = between("2026-03-28T12:00:00", "2026-03-29T12:00:00", timezone="Europe/Berlin")
    assert (night["seconds"], night["hours"], night["days"]) == (23 * 3600, 23, 1)


def test_offsets_are_taken_into_account() -> None:
    same = between("2026-05-01T09:00:00+08:00", "2026-05-01T01:00:00Z")
    assert (same["seconds"], same["days"]) == (0, 0)
    late = between("2026-05-01T23:00:00+08:00", "2026-05-02T22:59:59.5+08:00")
    assert (late["seconds"], late["days"]) == (86399.5, 0)
    assert between("2026-05-02T00:00:00Z", "2026-05-01T00:00:00Z")["days"] == -1


@pytest.mark.parametrize(
    ("start", "end", "options", "told"),
    [
        ("2026-02-30", "2026-03-01", {}, "2026-02-30"),
        ("yesterday", "2026-03-01", {}, "yesterday"),
        ("2026-05-01", "2026-05-01T10:00:00Z", {}, "同为"),
        ("2026-05-01T10:00:00", "2026-05-01T11:00:00", {}, "没有时区"),
        ("2026-05-01T10:00:00Z", "2026-05-01T11:00:00Z", {"inclusive": True}, "只写日期"),
        ("2026-05-01T10:00:00", "2026-05-02T10:00:00", {"timezone": "Europ/Berlin"}, "Europe/Berl"),
        ("0001-01-01", "9999-12-31", {"inclusive": True}, "超出"),
        ("0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-14:00", {}, "超出"),
    ],
)
def test_what_cannot_be_counted_is_explained(
    start: str, end: str, options: dict[str, Any], told: str
) -> None:
    with pytest.raises(BusinessError, match=told):
        between(start, end, **options)
