"""How much time lies between two dates or moments."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from apps.tools.builtin.spans import span
from apps.tools.builtin.told import CHAT, told
from apps.tools.builtin.zones import zone_named
from apps.tools.registry import AgentContext, BusinessError, Presentation, agent_tool

DESCRIPTION = gettext_noop(
    "计算两个日期或时刻相差多少天、周、月、年。两者须同为日期，或同为带时区的时刻；"
    "结束早于开始时各数为负。不要自行心算日期。"
)
START = "开始，ISO 8601 日期 2026-05-01 或时刻 2026-05-01T09:00:00+08:00"
END = "结束，写法与开始相同"
ZONE = "时区，IANA 名称；时刻未写偏移时按它理解，日历上的天、月、年也按它计算"
INCLUSIVE = "首尾两天都计入，仅用于日期，默认为 false"

Moment: TypeAlias = date | datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DateDifferenceInput:
    """Two days, or two moments."""

    start: str = field(metadata=told(START, maxLength=40))
    end: str = field(metadata=told(END, maxLength=40))
    inclusive: bool = field(default=False, metadata=told(INCLUSIVE))
    timezone: str = field(default="", metadata=told(ZONE, maxLength=64))


class DateTools:
    """Differences of dates, each unit with what is left over, so that none can be mistaken."""

    @agent_tool(
        "date_difference",
        DESCRIPTION,
        DateDifferenceInput,
        permission=CHAT,
        write_action=False,
        timeout=5,
        presentation=Presentation(title=gettext_lazy("计算日期间隔")),
    )
    def date_difference(self, input: DateDifferenceInput, ctx: AgentContext) -> dict[str, Any]:
        """Signed; the calendar's units never mix with the seconds that really passed."""
        start, end = (_read(text, input.timezone) for text in (input.start, input.end))
        try:
            return {"status": "success", **_difference(start, end, input)}
        except OverflowError as error:
            raise BusinessError(_("日期超出可计算的范围。")) from error


def _difference(start: Moment, end: Moment, input: DateDifferenceInput) -> dict[str, Any]:
    if isinstance(start, datetime) and isinstance(end, datetime):
        return _between_moments(start, end, input)
    if isinstance(start, datetime) or isinstance(end, datetime):
        raise BusinessError(_("开始和结束须同为日期，或同为时刻。"))
    return _units(start, end, inclusive=input.inclusive)


def _between_moments(start: datetime, end: datetime, input: DateDifferenceInput) -> dict[str, Any]:
    if input.inclusive:
        raise BusinessError(_("首尾都计入只用于日期，请只写日期。"))
    seconds = (end - start.astimezone(UTC)).total_seconds()
    early, late = sorted((start, end), key=datetime.timestamp)
    zone = zone_named(input.timezone) if input.timezone else early.tzinfo
    first, last = early.astimezone(zone), late.astimezone(zone)
    day_begun = last.timetz().replace(tzinfo=None) < first.timetz().replace(tzinfo=None)
    last_full = last.date() - timedelta(days=day_begun)
    days = _units(first.date(), max(first.date(), last_full), inclusive=False)
    if seconds < 0:
        days = _negated(days)
    return {"seconds": _whole(seconds), "hours": _whole(seconds / 3600), **days}


def _units(start: date, end: date, *, inclusive: bool) -> dict[str, Any]:
    first, last = min(start, end), max(start, end)
    found = span(first, last + timedelta(days=inclusive))
    weeks, days = divmod(found.days, 7)
    units = {
        "days": found.days,
        "weeks": {"weeks": weeks, "days": days},
        "months": {"months": found.months, "days": found.days_over_months},
        "years": {
            "years": found.years,
            "months": found.months_over_years,
            "days": found.days_over_months,
        },
    }
    return _negated(units) if end < start else units


def _negated(units: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _negated(value) if isinstance(value, dict) else -value
        for name, value in units.items()
    }


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def _read(text: str, zone: str) -> Moment:
    """A date where no time is written; a moment always has its place."""
    text = text.strip()
    try:
        if len(text) <= len("2026-05-01"):
            return date.fromisoformat(text)
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        wrong = _("{text} 不是存在的日期或时刻，请写成 2026-05-01 或 2026-05-01T09:00:00+08:00。")
        raise BusinessError(wrong.format(text=text)) from error
    if moment.tzinfo is None:
        if not zone:
            raise BusinessError(
                _("{text} 没有时区，请写出偏移，或填写 timezone。").format(text=text)
            )
        moment = moment.replace(tzinfo=zone_named(zone))
    return moment
