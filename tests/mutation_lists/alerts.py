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
        req="S05",
        file="apps/lib/egress.py",
        find="        if any(form in _METADATA for form in forms):",
        replace="        if address in _METADATA:",
        tests="tests/lib/test_egress.py",
    ),
    Mutation(
        req="S05",
        file="apps/lib/egress.py",
        find="        if not _is_public(address):",
        replace="        if address.is_loopback:",
        tests="tests/lib/test_egress.py",
    ),
    Mutation(
        req="S05",
        file="apps/lib/guarded_transport.py",
        find="                    address, port, wait, local_address, socket_options or ()",
        replace="                    addresses and host, port, wait, local_address, socket_options or ()",
        tests="tests/lib/test_fetch.py",
    ),
    Mutation(
        req="S05",
        file="apps/lib/fetch.py",
        find="            headers=self.headers if here == there else {},",
        replace="            headers=self.headers,",
        tests="tests/lib/test_fetch.py",
    ),
]
