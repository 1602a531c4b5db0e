"""What the console's pages show in these tests: audit rows, letters, alerts, quotas, switches.

`seed` runs in a process of the server's environment, over `manage.py shell`.
"""

import json
from datetime import timedelta
from typing import Any

from tests.server import RunningServer, manage

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLS = (
    ("search_students", "succeeded", 0, 420, ""),
    ("render_form", "succeeded", 500, 60, ""),
    ("create_student", "refused", 700, 5, "permission students.add_student is missing"),
    ("fetch_page", "timed_out", 900, 3_000, ""),
    ("create_student", "system_error", 4_100, 250, "OperationalError: database is locked"),
)


def add_rows(server: RunningServer) -> None:
    """Write them into the server's database."""
    manage(
        server.environment, "shell", "-v", "0", "-c",
        "from tests.browser.console import seed; seed()",
    )  # fmt: skip


def seed() -> None:
    from apps.accounts.actor import Actor  # noqa: PLC0415, only with this environment
    from apps.accounts.models import User  # noqa: PLC0415

    root = User.objects.get(username="admin")
    _calls(root.organisation_id)
    _waiting(root.organisation_id)
    _limits(Actor.of(root))


def _calls(home: int) -> None:
    from apps.audit.models import AuditEntry  # noqa: PLC0415
    from apps.lib import clock  # noqa: PLC0415
    from tests.audit.rows import append, entry, event, pair  # noqa: PLC0415

    began = clock.now() + timedelta(minutes=10)  # what is older, the sweeper ends
    rows: list[AuditEntry] = []
    for step, (tool, outcome, after_ms, lasted_ms, said) in enumerate(CALLS, start=1):
        given: dict[str, Any] = {"organisation_id": home, "trace_id": TRACE, "tool": tool}
        given["at"] = began + timedelta(milliseconds=after_ms)
        body = {"arguments": {"name": "Li Ming", "phone": "[REDACTED]"}, "step": step}
        before, after = pair(outcome, body=json.dumps(body), **given)
        after.body = json.dumps({"durationMs": lasted_ms})
        rows += [before, after]
        if said:
            kind = "refused" if outcome == "refused" else "system_error"
            append(event(kind=kind, audit_id=before.audit_id, detail=said, **given))
    last = began + timedelta(seconds=1, milliseconds=200)
    rows.append(entry(organisation_id=home, trace_id=TRACE, tool="send_message", at=last))
    append(*rows)


def _waiting(home: int) -> None:
    from apps.audit.services.admin_tasks import open_task  # noqa: PLC0415
    from apps.audit.services.alerts import raise_alert  # noqa: PLC0415
    from apps.audit.services.dead_letters import bury  # noqa: PLC0415

    for key in ("8hJk2LmN4pQ", "3kTq0Zb9xYa"):
        bury(
            kind="audit_after", key=key, reason="OperationalError: disk I/O error", attempts=4,
            payload=json.dumps({"auditId": key, "outcome": "succeeded"}), organisation_id=home,
            trace_id=TRACE,
        )  # fmt: skip
    raise_alert(
        cause="alert_channel_failed", severity="warning", object_kind="alert_channel",
        object_key="webhook", detail="503 Service Unavailable",
    )  # fmt: skip
    open_task(key="parse-errors", title="Look at the parse errors", detail="4 % of 1,200 calls")


def _limits(actor: Any) -> None:
    from apps.audit.services import sanitizer_rules  # noqa: PLC0415
    from apps.tools.models import Quota  # noqa: PLC0415
    from apps.tools.services.quotas import save_quota  # noqa: PLC0415
    from apps.tools.services.switches import switch_off  # noqa: PLC0415

    quota = Quota(name="Forms", tool="render_form", limit=600, window_s=3_600)
    save_quota(quota=quota, actor=actor, reason="too many forms")
    mine = Quota(name="All of us", each_user=False, limit=9_000)
    save_quota(quota=mine, actor=actor, reason="as agreed")
    switch_off(actor=actor, kind="tool", key="fetch_page", reason="the proxy is down")
    rule = {
        "name": "case number",
        "pattern": "CASE-[0-9]{4}",
        "hit": "CASE-1234",
        "keep": "in case",
    }
    sanitizer_rules.save(actor=actor, values=rule)
