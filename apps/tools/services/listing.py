"""Tool runs as the history shows them."""

import json
from collections import defaultdict
from collections.abc import Collection
from typing import Any

from apps.tools.models import ToolRun
from apps.tools.records import told_of


def tool_runs_of(message_ids: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """By message: its tool runs in the order of their calls, in the interface's shape."""
    rows = ToolRun.objects.filter(message_id__in=message_ids).order_by("run_id", "step", "index")
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row.message_id is not None:
            found[row.message_id].append(_shown(row))
    return dict(found)


def _shown(row: ToolRun) -> dict[str, Any]:
    return {
        "toolCallId": row.tool_call_id,
        "name": row.name,
        "arguments": json.loads(row.arguments),
        "status": row.status,
        "ok": row.ok,
        "result": told_of(row),
        "errorMessage": row.error_message,
        "durationMs": row.duration_ms,
    }
