"""What must not pass unnoticed in audit, a change for each requirement."""

from tests.mutations import Mutation

LEDGER, RETENTION = "apps/audit/ledger.py", "apps/audit/retention.py"
TEST_VERIFY, TEST_PURGE = "tests/audit/test_verify.py", "tests/audit/test_purge.py"
PROTECTION = "apps/audit/migrations/0003_chains_and_operations.py"

MUTATIONS = [
    Mutation(
        req="MCP-6",
        file="apps/audit/admin/reading.py",
        find="return rows if user.is_superuser else self.scoped(rows, user)",
        replace="return rows if user.is_staff else self.scoped(rows, user)",
        tests="tests/audit/test_admin.py",
    ),
    Mutation(
        req="TOOL-11",
        file=PROTECTION,
        find='        ProtectRows("AuditEntry", BEHIND_ANCHOR),\n',
        replace="",
        tests="tests/audit/test_append_only.py",
    ),
    Mutation(
        req="TOOL-11",
        file=PROTECTION,
        find=" AND a.position >= OLD.position)",
        replace=")",
        tests="tests/audit/test_append_only.py",
    ),
    Mutation(
        req="TOOL-11",
        file=LEDGER,
        find="        if digest != link(previous, text_of(values)):",
        replace="        if not digest:",
        tests=TEST_VERIFY,
    ),
    Mutation(
        req="TOOL-11",
        file=LEDGER,
        find="        if previous != self.end.digest:",
        replace="        if not previous:",
        tests=TEST_VERIFY,
    ),
    Mutation(
        req="TOOL-28",
        file=RETENTION,
        find="    return young | is_open | _held(model)",
        replace="    return young | is_open",
        tests=TEST_PURGE,
    ),
    Mutation(
        req="TOOL-28",
        file=RETENTION,
        find="    return young | is_open | _held(model)",
        replace="    return young | _held(model)",
        tests=TEST_PURGE,
    ),
    Mutation(
        req="TOOL-28",
        file="apps/audit/services/purge.py",
        find="    if before is not None and before > latest:",
        replace="    if before is not None and before < latest and dry_run:",
        tests=TEST_PURGE,
    ),
]
