"""Another process that calls a tool: `python -m tests.tools.child USER_ID CALLS`.

Calls `probe_ping` so often at once, and prints how many were answered, and how many granted.
"""

import asyncio
import json
import sys

import django

django.setup()

from apps.accounts.actor import Actor  # noqa: E402
from apps.accounts.models import User  # noqa: E402
from apps.runtime.messages import ToolAnswer  # noqa: E402
from apps.tools.registry import catalogue  # noqa: E402
from apps.tools.session import ToolSession  # noqa: E402
from apps.tools.testing import fake_session, registered  # noqa: E402
from tests.tools.calling import answer, toolbox_of  # noqa: E402
from tests.tools.conftest import call_of  # noqa: E402
from tests.tools.services import ProbeTools  # noqa: E402


async def call_often(session: ToolSession, count: int) -> list[ToolAnswer]:
    async with toolbox_of(session) as toolbox:
        calls = [answer(toolbox, call_of("probe_ping"), index) for index in range(count)]
        return list(await asyncio.gather(*calls))


if __name__ == "__main__":
    with registered(ProbeTools):
        actor = Actor.of(User.objects.get(pk=int(sys.argv[1])))
        session = fake_session(actor, tools=catalogue.all())
        told = asyncio.run(call_often(session, int(sys.argv[2])))
    granted = sum(each.ok for each in told)
    sys.stdout.write(json.dumps({"granted": granted, "answered": len(told)}))
