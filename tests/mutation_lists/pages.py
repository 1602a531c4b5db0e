"""What must not pass unnoticed on the chat page, a change for each requirement."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="RUN-4",
        file="apps/conversations/pages/message_cards.py",
        find='            yield part["toolCallId"]\n',
        replace="            pass\n",
        tests="tests/conversations/pages/test_history.py",
    ),
    Mutation(
        req="RUN-17",
        file="templates/chat/message.html",
        find="<span>AI · ",
        replace="<span>",
        tests="tests/conversations/pages/test_history.py",
    ),
    Mutation(
        req="FORM-4",
        file="apps/conversations/pages/form_cards.py",
        find='state=form.get("status", "pending"),',
        replace='state="pending",',
        tests="tests/conversations/pages/test_forms.py",
    ),
    Mutation(
        req="FORM-10",
        file="templates/chat/control.html",
        find='aria-describedby="{{ field.control }}-help {{ field.control }}-error"',
        replace="",
        tests="tests/conversations/pages/test_forms.py",
    ),
    Mutation(
        req="RUN-4",
        file="apps/conversations/pages/tool_cards.py",
        find="name=title_of(name),",
        replace="name=name,",
        tests="tests/conversations/pages/test_history.py",
    ),
    Mutation(
        req="RUN-4",
        file="apps/conversations/pages/message_cards.py",
        find="Q(status=Run.Status.FAILED) | Q(finish_reason__in=end_texts())",
        replace="Q(status=Run.Status.FAILED)",
        tests="tests/conversations/pages/test_history.py",
    ),
    Mutation(
        req="FORM-4",
        file="apps/conversations/pages/message_cards.py",
        find='submission_text(form, submission["values"]) if form else ',
        replace="",
        tests="tests/conversations/pages/test_forms.py",
    ),
    Mutation(
        req="RUN-4",
        file="apps/agents/demo_texts.py",
        find="return _(text) if text in _OURS else text",
        replace="return text",
        tests="tests/conversations/pages/test_addresses.py",
    ),
    Mutation(
        req="FORM-10",
        file="apps/conversations/pages/form_cards.py",
        find='{"filled": filled} if filled else {}',
        replace="{}",
        tests="tests/conversations/pages/test_forms.py",
    ),
]
