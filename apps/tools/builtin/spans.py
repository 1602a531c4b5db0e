"""How far apart two days are, in days and in the units of the calendar; pure."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date

MONTHS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Whole units from the earlier to the later day; what is left over in the smaller one."""

    days: int
    months: int
    days_over_months: int

    @property
    def years(self) -> int:
        return self.months // MONTHS

    @property
    def months_over_years(self) -> int:
        return self.months % MONTHS


def span(first: date, last: date) -> Span:
    """Between two days, the first not the later.

    A month is full on the same day of the next; where that day is missing (31 January), on the
    last day of that month.
    """
    months = (last.year - first.year) * MONTHS + last.month - first.month
    if _months_on(first, months) > last:
        months -= 1
    over = (last - _months_on(first, months)).days
    return Span(days=(last - first).days, months=months, days_over_months=over)


def _months_on(day: date, months: int) -> date:
    year, month = divmod(day.year * MONTHS + day.month - 1 + months, MONTHS)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
