"""Mutations of alerts, of what leads outside, and of what is measured daily."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="OBS-4",
        file="apps/audit/services/alerts.py",
        find="count = audit_alert.count + 1",
        replace="count = 1",
        tests="tests/audit/test_alerts.py",
    ),
    Mutation(
        req="OBS-4",
        file="apps/audit/services/deliver.py",
        find="        thread.join(max(0.0, ends - time.monotonic()))",
        replace="        thread.join()",
        tests="tests/audit/test_deliveries.py",
    ),
    Mutation(
        req="OBS-4",
        file="apps/audit/channels/webhook.py",
        find="(message_id.encode(), sent_at.encode(), body)",
        replace="(message_id.encode(), body)",
        tests="tests/audit/test_deliveries.py",
    ),
    Mutation(
        req="MCP-5",
        file="apps/lib/egress.py",
        find="        if any(form in _METADATA for form in forms):",
        replace="        if address in _METADATA:",
        tests="tests/lib/test_egress.py",
    ),
    Mutation(
        req="MCP-5",
        file="apps/lib/egress.py",
        find="        if not _is_public(address):",
        replace="        if address.is_loopback:",
        tests="tests/lib/test_egress.py",
    ),
    Mutation(
        req="MCP-5",
        file="apps/lib/guarded_transport.py",
        find="address, port, wait, local_address, socket_options or ()",
        replace="host, port, wait, local_address, socket_options or ()",
        tests="tests/lib/test_fetch.py",
    ),
    Mutation(
        req="MCP-5",
        file="apps/lib/fetch.py",
        find="            headers=self.headers if here == there else {},",
        replace="            headers=self.headers,",
        tests="tests/lib/test_fetch.py",
    ),
    Mutation(
        req="TOOL-8",
        file="apps/tools/triggers/json_in_string.py",
        find="met=len(found) >= BOUND",
        replace="met=len(found) > BOUND",
        tests="tests/tools/test_upgrade_triggers.py",
    ),
    Mutation(
        req="TOOL-8",
        file="apps/tools/triggers/parse_errors.py",
        find="return calls >= SAMPLE and errors > calls * RATE",
        replace="return calls > SAMPLE and errors > calls * RATE * 2",
        tests="tests/tools/test_upgrade_triggers.py",
    ),
    Mutation(
        req="TOOL-8",
        file="apps/tools/triggers/session_lookups.py",
        find="                return name in _HOLDERS\n",
        replace="                return False\n",
        tests="tests/tools/test_upgrade_triggers.py",
    ),
    Mutation(
        req="TOOL-8",
        file="apps/tools/services/upgrade_triggers.py",
        find="    if alerts.exclude(state=Alert.State.RESOLVED).exists():",
        replace="    if alerts.none().exists():",
        tests="tests/tools/test_upgrade_triggers.py",
    ),
]
