"""What must not pass unnoticed on the wire, a change for each requirement."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="RUN-3",
        file="apps/conversations/services/admission.py",
        find="    require_use(actor, conversation.agent, conversation.variant)\n",
        replace="",
        tests="tests/protocols/test_refusals.py",
    ),
    Mutation(
        req="RUN-3",
        file="apps/protocols/admission.py",
        find="            _require_csrf(request)\n",
        replace="            pass\n",
        tests="tests/protocols/test_refusals.py",
    ),
    Mutation(
        req="RUN-3",
        file="apps/protocols/starting.py",
        find='        locale=get_language() or "",\n',
        replace="",
        tests="tests/scenarios/test_refused_student.py",
    ),
    Mutation(
        req="RUN-7",
        file="apps/protocols/request_identity.py",
        find="[kind, target, asked]",
        replace="[asked]",
        tests="tests/protocols/test_identity.py",
    ),
    Mutation(
        req="RUN-7",
        file="apps/protocols/request_identity.py",
        find="if k != FIELD and value is not None}",
        replace="if k != FIELD}",
        tests="tests/protocols/test_identity.py",
    ),
    Mutation(
        req="RUN-8",
        file="apps/conversations/services/start_run.py",
        find='    return conflict("run_in_progress"',
        replace='    return conflict("run_was_here"',
        tests="tests/protocols/test_refusals.py",
    ),
    Mutation(
        req="RUN-9",
        file="apps/protocols/cursor.py",
        find="    return int(text)\n",
        replace="    return 0\n",
        tests="tests/protocols/test_identity.py",
    ),
    Mutation(
        req="FORM-3",
        file="apps/conversations/registry.py",
        find="    return ui_effects[effect.kind](target, effect)\n",
        replace='    return dict(ui_effects[effect.kind](target, effect)) | {"id": "another"}\n',
        tests="tests/scenarios/test_add_a_student.py",
    ),
    Mutation(
        req="FORM-5",
        file="apps/forms/services/submit.py",
        find="            raise form_not_found()\n",
        replace="            raise form_submitted()\n",
        tests="tests/protocols/test_refusals.py",
    ),
    Mutation(
        req="FORM-6",
        file="apps/forms/services/submit.py",
        find='"uiFormSubmission": {"formId": form.pk, "values": self._cleaned},',
        replace='"uiFormSubmission": {"formId": form.pk, "values": {}},',
        tests="tests/scenarios/test_add_a_student.py",
    ),
    Mutation(
        req="OPS-2",
        file="apps/protocols/server.py",
        find="        late = await _unfinished(self._tasks.values(), self.drain_seconds)\n",
        replace="        late = set(self._tasks.values())\n",
        tests="tests/protocols/test_server.py",
    ),
]
