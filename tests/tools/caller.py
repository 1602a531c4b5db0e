"""One governed call in a process of its own: `python -m tests.tools.caller USER CALL_ID NAME`.

Creates the student NAME under that call's id, prints what the model was told, and stays until its
input ends, so that what it hands over can leave.
"""

import asyncio
import sys

import django

django.setup()

from apps.accounts.actor import Actor  # noqa: E402
from apps.accounts.models import User  # noqa: E402
from apps.lib.writer.rounds import Plan  # noqa: E402
from apps.lib.writer.writer import Writer  # noqa: E402
from apps.runtime.messages import ToolAnswer, ToolCall  # noqa: E402
from apps.runtime.steps import Place  # noqa: E402
from apps.tools.registry import catalogue  # noqa: E402
from apps.tools.session import ToolSession  # noqa: E402
from apps.tools.testing import answer_in, fake_session  # noqa: E402
from apps.tools.units import KINDS, TABLES  # noqa: E402
from apps.tools.wiring import build_toolbox  # noqa: E402


async def answer_of(session: ToolSession, call: ToolCall) -> ToolAnswer:
    """As a host makes it, its audit.after handed over."""
    writer = Writer(Plan(kinds=KINDS, tables=TABLES), loop=asyncio.get_running_loop())
    writer.start()
    try:
        toolbox = build_toolbox(session, writer.submit)
        return answer_in([event async for event in toolbox.call(call, Place(0, 0))])
    finally:
        await writer.close()


def main(username: str, call_id: str, name: str) -> None:
    tool = catalogue.get("create_student")
    assert tool is not None
    session = fake_session(Actor.of(User.objects.get(username=username)), tools=(tool,))
    call = ToolCall(id=call_id, name="create_student", arguments={"name": name})
    answer = asyncio.run(answer_of(session, call))
    sys.stdout.write(f"{answer.ok} {answer.content}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
