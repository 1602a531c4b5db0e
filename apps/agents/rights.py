"""Who may do what with an agent: looked up live, at each check."""

from typing import Literal, TypeAlias

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent, Provider
from apps.lib.problem import Problem, RefusedError

Right: TypeAlias = Literal[
    "use_agent", "edit_agent", "publish_agent", "canary_agent", "approve_agent"
]


def may(actor: Actor, agent: Agent, right: Right) -> bool:
    """Whether the actor, as of now, holds the right on this agent.

    A superuser holds every right everywhere; anybody else needs to be active, in reach of the
    agent (own organisation, or a shared agent), and the right on the object or on the model.
    """
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None:
        return False
    if user.is_superuser:
        return True
    if not agent.shared and agent.organisation_id != user.organisation_id:
        return False
    permission = f"agents.{right}"
    return user.has_perm(permission, agent) or user.has_perm(permission)


def require(actor: Actor, agent: Agent, right: Right) -> None:
    """Raise `RefusedError` 403 unless the actor holds the right on this agent."""
    if not may(actor, agent, right):
        raise RefusedError(
            Problem(
                status=403,
                code="permission_denied",
                title=_("没有权限"),
                detail=_("您没有这个智能体的所需权限。"),
            )
        )


def owns_agent(actor: Actor, code: str) -> bool:
    """Whether the agent is of the actor's organisation."""
    return Agent.objects.filter(code=code, organisation_id=actor.organisation_id).exists()


def owns_provider(actor: Actor, key: str) -> bool:
    """The same of a provider, by its primary key."""
    own = Provider.objects.filter(organisation_id=actor.organisation_id)
    return key.isdecimal() and own.filter(pk=int(key)).exists()
