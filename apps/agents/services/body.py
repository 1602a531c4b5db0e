"""The whole configuration of an agent as one JSON value: what publishing freezes and compares.

Frozen: prompt and preamble, parameters, model name, modes, page, tool names with the digests of
their schemas. Named only, because live: the provider, whose address and key stay out of records.
"""

from collections.abc import Iterable
from typing import Any

from apps.agents.models import Agent
from apps.agents.preamble import PREAMBLE
from apps.lib.canonical import canonical_json, digest
from apps.tools.registry import catalogue
from apps.tools.registry.descriptor import ToolDescriptor

FORMAT = 1


def draft_body(agent: Agent) -> dict[str, Any]:
    """The draft as it stands in the database; a model left blank is the provider's default."""
    provider = agent.provider
    return {
        "format": FORMAT,
        "code": agent.code,
        "name": agent.name,
        "preamble": PREAMBLE,
        "prompt": agent.prompt,
        "provider": {"id": provider.pk, "name": provider.name},
        "model_name": agent.model_name or provider.default_model,
        "parameters": {
            "temperature": agent.temperature,
            "top_p": agent.top_p,
            "max_tokens": agent.max_tokens,
            "max_iters": agent.max_iters,
        },
        "permission_mode": agent.permission_mode,
        "plan_mode": agent.plan_mode,
        "page": {
            "icon": agent.icon,
            "welcome": agent.welcome,
            "suggestions": list(agent.suggestions),
        },
        "tools": _tools(agent.tools.values_list("name", flat=True)),
    }


def schema_digest(tool: ToolDescriptor) -> str:
    """sha256 of the canonical schema: what a record pins of a tool."""
    return digest(canonical_json(tool.schema))


def _tools(names: Iterable[str]) -> list[dict[str, str]]:
    found = ((name, catalogue.get(name)) for name in sorted(names))
    return [
        {"name": name, "schema_digest": schema_digest(tool) if tool else ""} for name, tool in found
    ]
