"""What stands between a draft and its being live, in the words of the operator."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.agents.models import Agent, Provider
from apps.agents.suggestions import suggestion_faults
from apps.tools.registry import catalogue

Faults = dict[str, list[str]]


def publish_faults(agent: Agent, body: Mapping[str, Any]) -> Faults:
    """By part of the draft, each thing that is missing; empty when it can go live."""
    faults = {
        "state": _state(agent),
        "prompt": [] if agent.prompt.strip() else [_("没有提示词。")],
        "provider": _provider(agent, agent.provider),
        "model_name": _model(agent.provider, body["model_name"]),
        "tools": _tools([tool["name"] for tool in body["tools"]]),
        "suggestions": suggestion_faults(agent.suggestions),
    }
    return {part: texts for part, texts in faults.items() if texts}


def _state(agent: Agent) -> list[str]:
    if agent.state in {Agent.State.DISABLED, Agent.State.RETIRED}:
        return [_("智能体已停用或已下线，不能发布。")]
    return []


def _provider(agent: Agent, provider: Provider) -> list[str]:
    faults = []
    if not provider.enabled:
        faults.append(_("模型服务“%(name)s”已停用。") % {"name": provider.name})
    if not provider.usable_by(agent.organisation_id):
        faults.append(_("这个模型服务属于另一个组织，不能使用。"))
    return faults


def _model(provider: Provider, model_name: str) -> list[str]:
    if model_name or provider.kind != Provider.Kind.OPENAI:
        return []
    text = _("没有选择模型，模型服务“%(name)s”也没有默认模型。")
    return [text % {"name": provider.name}]


def _tools(names: list[str]) -> list[str]:
    text = _("工具“%(name)s”没有注册。")
    return [text % {"name": name} for name in names if catalogue.get(name) is None]
