"""Begin, rename, tighten and remove one's own conversations."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.agents.models import Agent
from apps.agents.rights import may
from apps.agents.services import catalogue
from apps.audit.services.holds import refuse_if_held
from apps.conversations.models import Conversation
from apps.conversations.refusals import forbidden, invalid, not_found
from apps.conversations.services.admission import own_conversation, require_chat
from apps.conversations.services.erasing import erase
from apps.conversations.services.pinning import published_snapshot
from apps.lib.clock import now

PERMISSION_MODES = ("DEFAULT", "CONFIRM_ALL", "READ_ONLY")
PLAN_MODES = ("OFF", "OPTIONAL", "REQUIRED")
"""From loose to tight."""


def create_conversation(
    *,
    actor: Actor,
    agent_code: str,
    variant: str = Conversation.Variant.PUBLISHED,
    locked_skill_key: str = "",
    surface: str = Conversation.Surface.CHAT,
) -> Conversation:
    """An empty conversation under the agent's modes.

    RefusedError 404 for an agent that is missing, foreign or not the actor's to use; 403 for a
    draft he may not edit; 409 or 503 for an agent that takes no new runs.
    """
    require_chat(actor)
    agent = _reachable_agent(actor, agent_code, variant)
    draft = variant == Conversation.Variant.DRAFT
    snapshot = catalogue.draft_snapshot(agent) if draft else published_snapshot(agent)
    return Conversation.objects.create(
        user_id=actor.user_id,
        agent=agent,
        variant=variant,
        surface=surface,
        permission_mode=snapshot.permission_mode,
        plan_mode=snapshot.plan_mode,
        locked_skill_key=locked_skill_key,
        created_at=now(),
    )


@transaction.atomic
def change_conversation(
    *,
    actor: Actor,
    conversation_id: str,
    title: str | None = None,
    permission_mode: str | None = None,
    plan_mode: str | None = None,
) -> Conversation:
    """Rename, or tighten the modes; None leaves as it is; all of it or nothing.

    RefusedError 404, or 400 for a mode looser than the one in force.
    """
    conversation = own_conversation(actor, conversation_id)
    if title is not None:
        Conversation.objects.filter(pk=conversation.pk).update(title=title)
    _tighten(conversation, "permission_mode", permission_mode, PERMISSION_MODES)
    _tighten(conversation, "plan_mode", plan_mode, PLAN_MODES)
    return own_conversation(actor, conversation_id)


@transaction.atomic
def delete_conversation(*, actor: Actor, conversation_id: str) -> None:
    """Remove it with all that belongs to it; what the audit keeps stays.

    RefusedError 404, or 409 `legal_hold`. A run in progress loses its row, and with it the lease:
    its host stops at the next renewal, and no call of it can commit an outcome any more.
    """
    conversation = own_conversation(actor, conversation_id)
    # The row's own removal decides between many at once; who comes late undoes nothing.
    if not erase([conversation.pk]):
        raise not_found(_("没有这个会话。"))
    refuse_if_held(
        organisation_id=actor.organisation_id,
        user_id=actor.user_id,
        conversation_ids=[conversation.pk],
    )


def _reachable_agent(actor: Actor, code: str, variant: str) -> Agent:
    agent = Agent.objects.select_related("live").filter(code=code).first()
    editable = agent is not None and may(actor, agent, "edit_agent")
    if agent is None or not (editable or may(actor, agent, "use_agent")):
        raise not_found(_("没有这个智能体。"))
    if variant == Conversation.Variant.DRAFT and not editable:
        raise forbidden(_("试用草稿需要编辑权限。"))
    if variant == Conversation.Variant.PUBLISHED and not may(actor, agent, "use_agent"):
        raise forbidden(_("您没有使用这个智能体的权限。"))
    return agent


def _tighten(
    conversation: Conversation, field: str, wanted: str | None, modes: Sequence[str]
) -> None:
    if wanted is None:
        return
    no_tighter = modes[: modes.index(wanted) + 1]
    rows = Conversation.objects.filter(pk=conversation.pk, **{f"{field}__in": no_tighter})
    if rows.update(**{field: wanted}) == 0:
        path = {"permission_mode": "permissionMode", "plan_mode": "planMode"}[field]
        raise invalid({path: [_("只能收紧，不能放宽。")]})
