"""What must not pass unnoticed on the socket."""

from tests.mutations import Mutation

SOCKET = "tests/protocols/socket/"

MUTATIONS = [
    Mutation(
        req="RUN-4",
        file="apps/protocols/frames.py",
        find="            if run_id == self._delta_run:\n",
        replace="            if not run_id:\n",
        tests=f"{SOCKET}test_chat.py",
    ),
    Mutation(
        req="RUN-4",
        file="apps/protocols/window.py",
        find="self._size < ACK_BYTES or ",
        replace="not self._frames or ",
        tests=f"{SOCKET}test_window.py",
    ),
    Mutation(
        req="RUN-4",
        file="apps/protocols/run_socket.py",
        find="                await self._window.room_for(size, seconds=self.ack_seconds)\n",
        replace="",
        tests=f"{SOCKET}test_pressure.py",
    ),
    Mutation(
        req="RUN-4",
        file="apps/protocols/socket_protocol.py",
        find="CLOSING_SECONDS = 10.0\n",
        replace="CLOSING_SECONDS = 1.0\n",
        tests=f"{SOCKET}test_pressure.py",
    ),
    Mutation(
        req="RUN-9",
        file="apps/protocols/chat_socket.py",
        find="        await self._show(run_id, after)\n",
        replace="        await self._show(run_id, 0)\n",
        tests=f"{SOCKET}test_cursors.py",
    ),
    Mutation(
        req="RUN-9",
        file="apps/conversations/stream/watching.py",
        find="            if message_id > self.message_id:\n",
        replace="            if not self._told:\n",
        tests="tests/conversations/host/test_watching.py",
    ),
    Mutation(
        req="RUN-9",
        file="apps/protocols/server.py",
        find="        self.closing.set()\n",
        replace="",
        tests=f"{SOCKET}test_pressure.py",
    ),
    Mutation(
        req="RUN-11",
        file="apps/conversations/services/regenerate.py",
        find="        steps.update(archived_at=now())\n",
        replace="",
        tests="tests/conversations/store/test_regenerate.py",
    ),
    Mutation(
        req="RUN-11",
        file="apps/conversations/services/regenerate.py",
        find="        if between.exclude(pk=run.message_id).exists():\n",
        replace="        if not between.exists():\n",
        tests="tests/conversations/store/test_regenerate.py",
    ),
    Mutation(
        req="RUN-11",
        file="apps/conversations/host/run_host.py",
        find="committed=started.openings",
        replace="committed=2",
        tests=f"{SOCKET}test_chat.py",
    ),
    Mutation(
        req="S04",
        file="apps/protocols/origin.py",
        find="        if may_open(scope):\n",
        replace="        if scope:\n",
        tests=f"{SOCKET}test_doors.py",
    ),
    Mutation(
        req="S04",
        file="apps/protocols/run_socket.py",
        find="            await asyncio.sleep(self.recheck_seconds)\n",
        replace="            await asyncio.sleep(3600)\n",
        tests=f"{SOCKET}test_doors.py",
    ),
    Mutation(
        req="S04",
        file="apps/protocols/event_stream.py",
        find="                await rights.when_due()\n",
        replace="",
        tests=f"{SOCKET}test_doors.py",
    ),
]
