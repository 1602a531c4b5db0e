"""Which snapshot a new run is pinned to."""

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.agents.models import Agent
from apps.agents.services import catalogue
from apps.agents.snapshot import Snapshot
from apps.conversations.models import Conversation
from apps.conversations.refusals import conflict, unavailable
from apps.conversations.services.admission import require_use


def pinned_snapshot(actor: Actor, conversation: Conversation) -> Snapshot:
    """The agent's live record, or its draft where that is what the conversation tries.

    RefusedError 409 when the agent is switched off, 503 when nothing is published: users never
    get the draft instead. A draft answers its editors only (403).
    """
    catalogue.ensure_fresh()
    agent = Agent.objects.select_related("live").get(pk=conversation.agent_id)
    if conversation.variant == Conversation.Variant.DRAFT:
        require_use(actor, agent, conversation.variant)
        return catalogue.draft_snapshot(agent)
    return published_snapshot(agent)


def published_snapshot(agent: Agent) -> Snapshot:
    """What is live; RefusedError 409 when switched off, 503 when there is nothing."""
    if agent.state in (Agent.State.DISABLED, Agent.State.RETIRED):
        raise conflict("agent_disabled", _("这个智能体已停用。以前的会话仍可查看。"))
    snapshot = catalogue.live_snapshot(agent)
    if snapshot is None:
        raise unavailable("agent_not_published", _("这个智能体还没有发布。"))
    return snapshot
