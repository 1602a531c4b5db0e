"""What must turn a test of host, stream and units red."""

from tests.mutations import Mutation

HOST = "tests/conversations/host/"
MUTATIONS = [
    Mutation(
        req="RUN-1",
        file="apps/conversations/host/ending.py",
        find="return PARAGRAPH + text if text and telling.content() else text",
        replace='return ""',
        tests=HOST + "test_tools_in_a_turn.py",
    ),
    Mutation(
        req="RUN-1",
        file="apps/conversations/host/loading.py",
        find="spec=spec_of(snapshot, tool_specs(session)),",
        replace="spec=__import__('dataclasses').replace(spec_of(snapshot, tool_specs(session)),"
        " limits=type(snapshot.limits)(repeats=9)),",
        tests=HOST + "test_tools_in_a_turn.py",
    ),
    Mutation(
        req="RUN-5",
        file="apps/conversations/host/telling.py",
        find='self._ring.delta("message.delta", self._message_id, text)',
        replace='self._ring.fact("message.delta", b\'{"messageId":0,"delta":"x"}\')\n'
        "        self._active.kick()",
        tests=HOST + "test_counters.py",
    ),
    Mutation(
        req="RUN-9",
        file="apps/conversations/stream/ring.py",
        find="while self._size > self._window and self.floor + drop < self._saved:",
        replace="while self._size > self._window and self.floor + drop < self.last:",
        tests=HOST + "test_ring.py",
    ),
    Mutation(
        req="RUN-9",
        file="apps/conversations/stream/events.py",
        find="if after < seq <= upto",
        replace="if after <= seq <= upto",
        tests=HOST + "test_following.py",
    ),
    Mutation(
        req="RUN-10",
        file="apps/conversations/host/reaping.py",
        find="asyncio.create_task(every(REAP_S, bridge.reap))",
        replace="asyncio.create_task(asyncio.sleep(3600))",
        tests=HOST + "test_reaper.py",
    ),
    Mutation(
        req="RUN-10",
        file="apps/conversations/services/stop_run.py",
        find="if fail_expired(Fence(run.pk, run.epoch, run.owner)):",
        replace="if False:",
        tests=HOST + "test_reaper.py",
    ),
    Mutation(
        req="RUN-3",
        file="apps/conversations/host/ending.py",
        find="retry_after=error.retry_after",
        replace="retry_after=None",
        tests=HOST + "test_failures.py",
    ),
]
