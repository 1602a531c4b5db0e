"""Where coroutines meet the tables of conversations."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from apps.conversations.host import claiming, failing, loading, reaper
from apps.conversations.models import Message
from apps.conversations.stream import later_runs
from apps.conversations.stream.events import Batch
from apps.conversations.stream.log import Page, read_batches, read_page
from apps.conversations.units import Fence
from apps.lib import bridge
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools.session import ToolSession
from apps.tools.wiring import settle_call


class OrmLog:
    """The log port of the stream."""

    async def read(self, run_id: str, *, after: int, upto: int) -> Sequence[Batch]:
        """The oldest batches that hold numbers in (after, upto], one page of them."""
        return await bridge.call(read_batches, run_id, after=after, upto=upto)

    async def page(self, run_id: str, *, after: int) -> Page:
        """The next page of a run that is driven elsewhere, or over."""
        return await bridge.call(read_page, run_id, after=after)


async def look_for_runs(known: Mapping[str, later_runs.Known]) -> dict[str, later_runs.Found]:
    return await bridge.call(later_runs.look, known)


async def load_run(fence: Fence) -> loading.LoadedRun:
    return await bridge.call(loading.load_run, fence)


async def look(owner: str, *, free: int, driven: Collection[str]) -> claiming.Sight:
    return await bridge.call(claiming.look, owner, free=free, driven=driven)


async def reap() -> int:
    return await bridge.call(reaper.reap_expired_runs)


async def fail_run(fence: Fence, failure: failing.Failure) -> bool:
    return await bridge.call(failing.fail_run, fence, failure)


async def settle(
    session: ToolSession, call: ToolCall, place: Place, answer: ToolAnswer
) -> ToolAnswer:
    return await bridge.call(settle_call, session, call, place, answer)


async def message_metadata(message_id: int) -> Mapping[str, Any]:
    """As it stands: forms are written into it while the run goes on."""
    return await bridge.call(_metadata, message_id)


def _metadata(message_id: int) -> Mapping[str, Any]:
    found: Mapping[str, Any] = Message.objects.values_list("metadata", flat=True).get(pk=message_id)
    return found
