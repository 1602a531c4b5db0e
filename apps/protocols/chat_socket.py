"""
The chat over a WebSocket: `/ws/chat/<conversation_id>/`.

Guarantees: the same checks and the same events as over server-sent events; every later run of the
conversation is shown unasked, wherever it was started; session, account and right are asked for
at every action and every RECHECK_SECONDS.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.conversations.refusals import invalid, not_found, rate_limited
from apps.conversations.services.admission import own_conversation, usable_conversation
from apps.conversations.services.standing import Standing, standing_of
from apps.conversations.services.stop_run import stop_run
from apps.conversations.stream.watching import watches
from apps.protocols.admission import admitted
from apps.protocols.asgi import Scope
from apps.protocols.followed_run import followed_run
from apps.protocols.frames import Action
from apps.protocols.run_socket import RunSocket
from apps.protocols.starting import AGAIN, FORM, TEXT, Asked, Kind, source_of, start

SOCKETS_PER_USER = 100
"""In one process."""


class ChatSocket(RunSocket):
    """One person's socket of one of his conversations."""

    recheck_seconds = settings.RECHECK_SECONDS

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self._place: Scope = scope
        self._user_id = 0
        try:
            await super().__call__(scope, receive, send)
        finally:
            if self._user_id:
                _open[self._user_id] -= 1

    @property
    def conversation_id(self) -> str:
        return str(self._place["url_route"]["kwargs"]["conversation_id"])

    async def admit(self) -> Mapping[str, object]:
        actor, standing = await admitted(self._place, self._look)
        if _open[actor.user_id] >= SOCKETS_PER_USER:
            raise rate_limited(_("打开的连接过多。"), retry_after=60)
        self._user_id = actor.user_id
        _open[actor.user_id] += 1
        self._message_id = standing.message_id
        return _hello(standing)

    async def recheck(self) -> None:
        place = self.conversation_id
        await admitted(self._place, lambda actor: usable_conversation(actor, place))

    async def watch(self) -> None:
        with watches.watch(self.conversation_id, message_id=self._message_id) as watch:
            while (run_id := await watch.next()) is not None:
                if not self.knows(run_id):
                    await self._show(run_id, 0)
        await self._recheck()  # it is gone

    async def act(self, action: Action, trace_id: str) -> None:
        match action.name:
            case "send":
                await self._start(TEXT, action, trace_id)
            case "submit_form":
                await self._start(FORM, action, trace_id, target=action.text("formId"))
            case "regenerate":
                await self._start(AGAIN, action, trace_id)
            case "resume":
                await self._resume(action.text("runId"), action.number("after", default=0))
            case "stop":
                await self._stop(action.text("runId"))
            case "resolve":
                raise not_found(_("没有这个待决事项。"))
            case _unknown:
                raise invalid({"action": [_("不认识的动作。")]})

    async def _start(self, kind: Kind, action: Action, trace_id: str, *, target: str = "") -> None:
        asked = Asked(
            kind=kind,
            conversation_id=self.conversation_id,
            trace_id=trace_id,
            received=lambda: action.body,
            target=target,
        )
        started = await start(self._place, asked)
        # A new one is shown unasked, as to every other socket.
        if started.replayed and not self.follows(started.run_id):
            await self._show(started.run_id, 0)

    async def _resume(self, run_id: str, after: int) -> None:
        def find(actor: Actor) -> None:
            followed_run(actor, own_conversation(actor, self.conversation_id), run_id)

        await admitted(self._place, find)
        await self._show(run_id, after)

    async def _stop(self, run_id: str) -> None:
        def stop(actor: Actor) -> None:
            stop_run(actor=actor, conversation_id=self.conversation_id, run_id=run_id)

        await admitted(self._place, stop)

    async def _show(self, run_id: str, after: int) -> None:
        await self.follow(run_id, source_of(self._place, run_id, after))

    def _look(self, actor: Actor) -> tuple[Actor, Standing]:
        self.language = get_language() or settings.LANGUAGE_CODE
        return actor, standing_of(actor, self.conversation_id)


def _hello(standing: Standing) -> Mapping[str, object]:
    active = standing.active
    return {
        "activeRun": active
        and {"runId": active.pk, "messageId": active.message_id, "status": active.status},
        "agentVersion": active.agent_version if active else standing.agent_version,
        "grayHit": active.gray_hit if active else False,
    }


_open: Counter[int] = Counter()
"""Sockets of this process, by user."""
