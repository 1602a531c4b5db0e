"""What must not pass unnoticed in forms, a change for each requirement."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="FORM-1",
        file="apps/forms/schema.py",
        find="if not NAME.fullmatch(name):",
        replace="if not NAME.match(name):",
        tests="tests/forms/test_corpora.py",
    ),
    Mutation(
        req="FORM-2",
        file="apps/forms/effects.py",
        find="pk=target.tool_call_id,",
        replace="pk=target.run_id,",
        tests="tests/forms/test_effects.py",
    ),
    Mutation(
        req="FORM-3",
        file="apps/forms/services/projection.py",
        find="list(entries.values())",
        replace="[*message.metadata.get(KEY, []), shown]",
        tests="tests/forms/test_effects.py",
    ),
    Mutation(
        req="FORM-4",
        file="apps/forms/services/submit.py",
        find="        project(form)\n",
        replace="",
        tests="tests/forms/test_submit.py",
    ),
    Mutation(
        req="FORM-5",
        file="apps/forms/services/submit.py",
        find="if hits != 1:",
        replace="if hits > 1:",
        tests="tests/forms/test_submit.py",
    ),
    Mutation(
        req="FORM-6",
        file="apps/forms/services/submit.py",
        find='"uiFormSubmission": {"formId": form.pk, "values": self._cleaned},',
        replace="",
        tests="tests/forms/test_submit.py",
    ),
    Mutation(
        req="FORM-7",
        file="apps/forms/numbers.py",
        find="len(digits) <= point <= 21",
        replace="len(digits) <= point <= 22",
        tests="tests/forms/test_numbers.py",
    ),
    Mutation(
        req="FORM-11",
        file="apps/forms/refusals.py",
        find="表单不存在或已过期",
        replace="表单不存在",
        tests="tests/forms/test_contract_texts.py",
    ),
    Mutation(
        req="FORM-6",
        file="apps/conversations/services/start_run.py",
        find='return {"values": form["values"]} if form else {}',
        replace="return {}",
        tests="tests/forms/test_submit.py",
    ),
    Mutation(
        req="FORM-10",
        file="apps/forms/effects.py",
        find="for key, told in again.items() if told}",
        replace="for key, told in again.items() if not told}",
        tests="tests/forms/test_effects.py",
    ),
    Mutation(
        req="FORM-10",
        file="apps/runtime/demo_words.py",
        find="if (values := said.values) is not None:",
        replace="if (values := said.values) is not None and len(values) > 99:",
        tests="tests/runtime/test_demo_flow.py",
    ),
    Mutation(
        req="FORM-10",
        file="apps/runtime/demo_model.py",
        find="self._form(request, *mend) if mend else ()",
        replace="self._form(request, mend[0]) if mend else ()",
        tests="tests/runtime/test_demo_flow.py",
    ),
]
