"""What must not pass unnoticed in audit, a change for each requirement."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="TOOL-17",
        file="apps/audit/sanitizer.py",
        find="(*KEYS, *NETWORK,",
        replace="(*NETWORK,",
        tests="tests/audit/test_sanitizer.py",
    ),
    Mutation(
        req="MCP-6",
        file="apps/audit/admin/reading.py",
        find="return rows if user.is_superuser else rows.filter(",
        replace="return rows if user.is_staff else rows.filter(",
        tests="tests/audit/test_admin.py",
    ),
]
