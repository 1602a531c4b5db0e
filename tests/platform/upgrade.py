"""An installation from before the chains, with rows, is migrated; prints what became of it."""

import json
import os

import django
from django.core.management import call_command
from django.db import IntegrityError, connection

BEFORE = "0002_protect"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from apps.lib.immutable import standing_triggers  # noqa: PLC0415, once Django is set up

    call_command("migrate", "audit", BEFORE, verbosity=0)
    insert_rows()
    before = standing_triggers(connection)
    call_command("migrate", verbosity=0)
    print(json.dumps({"triggers before": sorted(OLD - before)} | after()))  # noqa: T201


OLD = {
    f"audit_{table}_{kind}"
    for table in ("auditentry", "securityevent")
    for kind in ("no_update", "no_delete")
}


def insert_rows() -> None:
    """As the first release wrote them."""
    with connection.cursor() as cursor:
        for number in range(6):
            cursor.execute(
                "INSERT INTO audit_auditentry (audit_id, phase, at, user_id, username,"
                " organisation_id, agent, tool, run_id, tool_call_id, surface, trace_id, outcome,"
                " body) VALUES (%s, %s, '2026-01-01 10:00:00.5+00:00', 1, '张三', 1, 'assistant',"
                " 'create_student', 'r', 'c', 'chat', '0', '', '{}')",
                [f"audit{number // 2}", ("before", "after")[number % 2]],
            )


def after() -> dict[str, object]:
    from apps.audit import ledger, seals  # noqa: PLC0415
    from apps.audit.models import AuditEntry  # noqa: PLC0415
    from apps.lib.immutable import missing_triggers  # noqa: PLC0415

    seals.seal()
    rows = AuditEntry.objects.order_by("position")
    refused = []
    for name, act in (("update", lambda: rows.update(body="x")), ("delete", rows.all().delete)):
        try:
            act()
        except IntegrityError:
            refused.append(name)
    return {
        "triggers missing": missing_triggers(connection),
        "positions": list(rows.values_list("position", flat=True)),
        "chains": rows.order_by().values("chain").distinct().count(),
        "breaks": [str(bad) for bad in ledger.verify()],
        "refused": refused,
    }


if __name__ == "__main__":
    main()
