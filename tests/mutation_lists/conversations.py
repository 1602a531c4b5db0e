"""What must not pass unnoticed in the store of conversations, a change for each requirement."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="RUN-3",
        file="apps/conversations/services/limits.py",
        find="if len(starts) >= per_minute:",
        replace="if len(starts) > per_minute:",
        tests="tests/conversations/store/test_limits.py",
    ),
    Mutation(
        req="RUN-3",
        file="apps/conversations/services/limits.py",
        find="limit.starts = [*starts, moment]",
        replace="limit.starts = starts",
        tests="tests/conversations/store/test_limits.py",
    ),
    Mutation(
        req="RUN-5",
        file="apps/conversations/services/erasing.py",
        find="    calls.delete()\n",
        replace="",
        tests="tests/conversations/store/test_conversations.py",
    ),
    Mutation(
        req="RUN-5",
        file="apps/conversations/services/conversations.py",
        find="    if not erase([conversation.pk]):",
        replace="    if erase([conversation.pk]) is None:",
        tests="tests/conversations/store/test_races.py",
        services=True,
    ),
    Mutation(
        req="RUN-5",
        file="apps/conversations/history.py",
        find="answers_of(sorted(called)) if called else {}",
        replace="{key: one for run in called for key, one in answers_of([run]).items()}",
        tests="tests/conversations/store/test_history.py",
    ),
    Mutation(
        req="TOOL-28",
        file="apps/conversations/services/erasing.py",
        find="    after.write_now(calls.filter(Exists(opened)))\n",
        replace="",
        tests="tests/conversations/store/test_erasing.py",
    ),
    Mutation(
        req="TOOL-28",
        file="apps/conversations/services/conversations.py",
        find="    refuse_if_held(\n",
        replace="    dict(\n",
        tests="tests/conversations/store/test_erasing.py",
    ),
    Mutation(
        req="TOOL-28",
        file="apps/conversations/services/delete_user.py",
        find="    refuse_if_held(organisation_id",
        replace="    dict(organisation_id",
        tests="tests/conversations/store/test_delete_user.py",
    ),
    Mutation(
        req="RUN-7",
        file="apps/conversations/services/start_run.py",
        find="runs.filter(client_request_id=request.client_request_id).first()",
        replace="runs.none().first()",
        tests="tests/conversations/store/test_start_run.py",
    ),
    Mutation(
        req="RUN-7",
        file="apps/conversations/services/start_run.py",
        find="if run.body_digest != request.body_digest:",
        replace="if not run.body_digest:",
        tests="tests/conversations/store/test_start_run.py",
    ),
    Mutation(
        req="RUN-8",
        file="apps/conversations/services/start_run.py",
        find="if open_run.status == Run.Status.WAITING:",
        replace="if open_run.status == Run.Status.FAILED:",
        tests="tests/conversations/store/test_start_run.py",
    ),
    Mutation(
        req="RUN-11",
        file="apps/conversations/services/stop_run.py",
        find=".update(cancel_requested=True):",
        replace=".update(cancel_requested=False):",
        tests="tests/conversations/store/test_api.py",
    ),
    Mutation(
        req="RUN-11",
        file="apps/conversations/services/finding.py",
        find="Q(title__icontains=text.strip()) | Exists(said)",
        replace="Q(title__icontains=text.strip())",
        tests="tests/conversations/store/test_api.py",
    ),
]
