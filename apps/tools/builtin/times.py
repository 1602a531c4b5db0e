"""What time it is."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy, gettext_noop

from apps.lib import clock
from apps.tools.builtin.told import CHAT, told
from apps.tools.builtin.zones import zone_named
from apps.tools.registry import AgentContext, Presentation, agent_tool

DESCRIPTION = gettext_noop(
    "查询当前时间。回答与“现在、今天、星期几”有关的问题前调用；不要凭记忆推测日期。"
)
ZONE = "时区，IANA 名称，如 Asia/Shanghai，默认为 UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeNowInput:
    """Where it is asked for."""

    timezone: str = field(default="UTC", metadata=told(ZONE, maxLength=64))


class TimeTools:
    """The present, by the one clock of the house."""

    @agent_tool(
        "time_now",
        DESCRIPTION,
        TimeNowInput,
        permission=CHAT,
        write_action=False,
        timeout=5,
        presentation=Presentation(title=gettext_lazy("查看时间")),
    )
    def time_now(self, input: TimeNowInput, ctx: AgentContext) -> dict[str, Any]:
        """The instant in that zone; summer time as it holds at this instant."""
        zone = zone_named(input.timezone)
        local = clock.now().astimezone(zone).replace(microsecond=0)
        return {
            "status": "success",
            "now": local.isoformat(),
            "date": local.date().isoformat(),
            "time": local.strftime("%H:%M:%S"),
            "weekday": local.isoweekday(),
            "weekdayName": local.strftime("%A"),
            "week": local.isocalendar().week,
            "timezone": zone.key,
            "utcOffset": local.isoformat()[-6:],
            "summerTime": bool(local.dst() or timedelta()),
            "unix": int(local.timestamp()),
        }
