"""Time zones by the names of IANA, with help for those who do not know them by heart."""

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _

from apps.tools.registry import BusinessError

TOLD = 5
EXAMPLES = "Asia/Shanghai, Europe/London, America/New_York, UTC"


def zone_named(name: str) -> ZoneInfo:
    """The zone, whatever the case of its name; BusinessError with the nearest names.

    Only names of the system's list are opened: a name is never taken for a path.
    """
    wanted = name.strip().replace(" ", "_").casefold()
    if found := _names().get(wanted):
        return ZoneInfo(found)
    if near := list(_near(wanted)):
        text = _("没有名为 {name} 的时区。相近的有：{names}")
        raise BusinessError(text.format(name=name[:64], names=", ".join(near)))
    text = _("没有名为 {name} 的时区。请使用 IANA 名称，例如 {names}")
    raise BusinessError(text.format(name=name[:64], names=EXAMPLES))


@cache
def _names() -> dict[str, str]:
    """Every name by its folded form."""
    return {"utc": "UTC"} | {name.casefold(): name for name in sorted(available_timezones())}


@cache
def _places() -> dict[str, list[str]]:
    """Names by their last part: people know the city."""
    found: dict[str, list[str]] = {}
    for folded, name in _names().items():
        found.setdefault(folded.rpartition("/")[2], []).append(name)
    return found


def _near(wanted: str) -> Iterator[str]:
    """At most five: those of the same or a similar city, then those spelled alike."""
    city = wanted.rpartition("/")[2]
    found: dict[str, None] = {}
    for place in get_close_matches(city, _places(), n=TOLD, cutoff=0.75):
        found |= dict.fromkeys(_places()[place])
    for folded in get_close_matches(wanted, _names(), n=TOLD, cutoff=0.8):
        found[_names()[folded]] = None
    yield from list(found)[:TOLD]
