"""What must turn a test of the runtime red."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="RUN-1",
        file="apps/runtime/progress.py",
        find="if len(self._steps) >= limits.iterations:",
        replace="if len(self._steps) > 10 * limits.iterations:",
        tests="tests/runtime/test_loop_bounds.py",
    ),
    Mutation(
        req="RUN-1",
        file="apps/runtime/progress.py",
        find="if times >= limits.repeats:",
        replace="if times >= 10 * limits.repeats:",
        tests="tests/runtime/test_loop_bounds.py",
    ),
    Mutation(
        req="RUN-1",
        file="apps/runtime/progress.py",
        find="if sum(step.tokens() for step in self._steps) >= limits.tokens:",
        replace="if sum(step.tokens() for step in self._steps) >= 10 * limits.tokens:",
        tests="tests/runtime/test_loop_bounds.py",
    ),
    Mutation(
        req="RUN-1",
        file="apps/runtime/progress.py",
        find="if self.place(call).index < allowed:",
        replace="if self.place(call).index < 10 * allowed:",
        tests="tests/runtime/test_loop_bounds.py",
    ),
    Mutation(
        req="RUN-1",
        file="apps/runtime/assembler.py",
        find="return ToolCall(id=self._new_id(), name=name,",
        replace="return ToolCall(id=call.vendor_id, name=name,",
        tests="tests/runtime/test_openai_chat.py",
    ),
    Mutation(
        req="AGENT-13",
        file="apps/runtime/openai_chat.py",
        find="return error.retry_after if error.retry_after <= patience.longest_wait else None",
        replace="return None",
        tests="tests/runtime/test_openai_faults.py",
    ),
    Mutation(
        req="AGENT-13",
        file="apps/runtime/openai_chat.py",
        find="error.retryable and not isinstance(error, ModelTimeoutError)",
        replace="error.retryable",
        tests="tests/runtime/test_openai_faults.py",
    ),
    Mutation(
        req="AGENT-13",
        file="apps/runtime/openai_chat.py",
        find="extra_body=dialect.extra_body,",
        replace="extra_body={},",
        tests="tests/runtime/test_openai_request.py",
    ),
    Mutation(
        req="RUN-10",
        file="apps/runtime/progress.py",
        find="self._steps = [item.step for item in recorded]",
        replace="self._steps = [item.step for item in recorded[:0]]",
        tests="tests/runtime/test_resume.py",
    ),
    Mutation(
        req="FORM-10",
        file="apps/runtime/demo_model.py",
        find="wanted = self._form(request, *mend) if mend else ()",
        replace="wanted = ()",
        tests="tests/runtime/test_demo_flow.py",
    ),
    Mutation(
        req="RUN-4",
        file="apps/agents/demo_texts.py",
        find="if text not in closed)",
        replace="if text or text not in closed)",
        tests="tests/conversations/pages/test_suggestions.py",
    ),
]
