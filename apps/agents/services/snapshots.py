"""From a frozen body to the value that runs use."""

import json
from collections.abc import Mapping
from typing import Any

from apps.agents.models import Agent, PublishRecord
from apps.agents.services.body import draft_body, schema_digest
from apps.agents.snapshot import AgentPage, Snapshot
from apps.lib.canonical import canonical_json, digest
from apps.runtime.messages import ModelParameters
from apps.runtime.steps import Limits
from apps.tools.registry import catalogue
from apps.tools.registry.descriptor import ToolDescriptor


def snapshot_of_record(record: PublishRecord) -> Snapshot:
    """What the record says, and nothing of the draft."""
    return _snapshot(
        json.loads(record.body),
        organisation_id=record.organisation_id,
        version=record.version,
        record_id=record.pk,
        body_digest=record.digest,
    )


def snapshot_of_draft(agent: Agent) -> Snapshot:
    """The draft as it stands in the database."""
    body = draft_body(agent)
    return _snapshot(
        body,
        organisation_id=agent.organisation_id,
        version=None,
        record_id=None,
        body_digest=digest(canonical_json(body)),
    )


def _snapshot(
    body: Mapping[str, Any],
    *,
    organisation_id: int,
    version: int | None,
    record_id: int | None,
    body_digest: str,
) -> Snapshot:
    parameters, page = body["parameters"], body["page"]
    tools, absent = _resolve(body["tools"])
    return Snapshot(
        agent_code=body["code"],
        organisation_id=organisation_id,
        name=body["name"],
        version=version,
        record_id=record_id,
        digest=body_digest,
        preamble=body["preamble"],
        prompt=body["prompt"],
        provider_id=body["provider"]["id"],
        model_name=body["model_name"],
        parameters=ModelParameters(
            temperature=parameters["temperature"],
            top_p=parameters["top_p"],
            max_tokens=parameters["max_tokens"],
        ),
        limits=Limits(iterations=parameters["max_iters"]),
        tools=tools,
        absent_tools=absent,
        permission_mode=body["permission_mode"],
        plan_mode=body["plan_mode"],
        page=AgentPage(
            icon=page["icon"],
            welcome=page["welcome"],
            suggestions=tuple(page["suggestions"]),
        ),
    )


def _resolve(
    bound: list[dict[str, str]],
) -> tuple[tuple[ToolDescriptor, ...], Mapping[str, str]]:
    """The tools as this process has them; what is gone or has changed is named with the reason."""
    tools: list[ToolDescriptor] = []
    absent: dict[str, str] = {}
    for entry in bound:
        tool = catalogue.get(entry["name"])
        if tool is None:
            absent[entry["name"]] = "missing"
        elif schema_digest(tool) != entry["schema_digest"]:
            absent[entry["name"]] = "changed"
        else:
            tools.append(tool)
    return tuple(tools), absent
