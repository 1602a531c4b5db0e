"""Change a draft: what the admin form saves, under the version it was read with."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from guardian.shortcuts import assign_perm

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent, AgentTool
from apps.agents.rights import require
from apps.agents.services.epoch import raise_epoch
from apps.lib.clock import now
from apps.lib.problem import Problem, RefusedError

FIELDS = (
    "name", "shared", "prompt", "provider", "model_name", "temperature", "top_p",
    "max_tokens", "max_iters", "permission_mode", "plan_mode", "icon", "welcome", "suggestions",
)  # fmt: skip


def create_draft(*, agent: Agent, tools: Collection[str], actor: Actor) -> Agent:
    """Insert an unsaved agent; who made it may use and edit it. Raises RefusedError 403."""
    user = User.objects.get(pk=actor.user_id)
    if not user.has_perm("agents.add_agent"):
        raise RefusedError(_forbidden())
    with transaction.atomic():
        agent.updated_at, agent.updated_by = now(), user
        agent.full_clean()
        agent.save(force_insert=True)
        _bind(agent, tools)
        for right in ("use_agent", "edit_agent"):
            assign_perm(f"agents.{right}", user, agent)
        raise_epoch()
    return agent


def save_draft(*, agent: Agent, tools: Collection[str], actor: Actor) -> Agent:
    """Write the draft's fields and tools if nobody else did since it was read.

    `agent.version` is the version it was read with. Raises RefusedError: 403, or 409
    `stale_version`; a ValidationError for values that cannot be.
    """
    require(actor, agent, "edit_agent")
    agent.full_clean()
    with transaction.atomic():
        unchanged = Agent.objects.filter(pk=agent.pk, version=agent.version)
        values: dict[str, Any] = {name: getattr(agent, name) for name in FIELDS}
        written = unchanged.update(
            **values, version=F("version") + 1, updated_at=now(), updated_by_id=actor.user_id
        )
        if written != 1:
            raise RefusedError(_stale())
        _bind(agent, tools)
        raise_epoch()
    agent.version += 1
    return agent


def _bind(agent: Agent, tools: Collection[str]) -> None:
    bound = set(agent.tools.values_list("name", flat=True))
    agent.tools.exclude(name__in=tools).delete()
    AgentTool.objects.bulk_create(
        AgentTool(agent=agent, name=name) for name in sorted(set(tools) - bound)
    )


def _forbidden() -> Problem:
    text = _("您没有新建智能体的权限。")
    return Problem(status=403, code="permission_denied", title=_("没有权限"), detail=text)


def _stale() -> Problem:
    text = _("您打开之后，别人已经保存过。请先查看新的内容，再决定是否保存您的改动。")
    return Problem(status=409, code="stale_version", title=_("已被改动"), detail=text)
