"""Deletes a person with all that person said; fills the port of accounts.

What the person made for the organisation stays: agents, records and students, without their name
where they point at the account, with it where they copied it (records, audit). Tokens, object
rights, quotas and the console's history of the account go.
"""

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.services import config_log
from apps.audit.services.holds import refuse_if_held
from apps.conversations.models import Conversation, Message, Run
from apps.conversations.refusals import conflict, forbidden, invalid, not_found
from apps.conversations.services.erasing import erase
from apps.tools.models import ToolRun

RIGHT = "accounts.delete_user"
AT_ONCE = 500


@transaction.atomic
def delete(*, actor: Actor, user_id: int, reason: str) -> None:
    """RefusedError 403, 404 for who is missing or out of reach, 400 without a reason, 409.

    409: `own_account`, or `legal_hold` where person, organisation or a conversation is held.
    """
    user = _deletable(actor, user_id)
    if not reason.strip():
        raise invalid({"reason": [_("请写明理由。")]})
    # Conversations first, as whoever starts a run; once the account is locked, none is begun.
    gone = _erased(user_id)
    list(User.objects.filter(pk=user_id).select_for_update().values_list("pk"))
    gone |= _erased(user_id)
    if not user.delete()[0]:
        raise not_found(_("没有这个用户。"))
    refuse_if_held(organisation_id=user.organisation_id, user_id=user_id, conversation_ids=gone)
    config_log.record(
        actor=actor,
        action="delete_user",
        object_kind="user",
        object_key=str(user_id),
        reason=reason,
        before={"username": user.username, "conversations": len(gone)},
    )


def preview(*, user_id: int) -> Mapping[str, int]:
    """How much would go, by what people call it."""
    return {
        _("会话"): Conversation.objects.filter(user_id=user_id).count(),
        _("消息"): Message.objects.filter(conversation__user_id=user_id).count(),
        _("运行"): Run.objects.filter(user_id=user_id).count(),
        _("工具调用"): ToolRun.objects.filter(user_id=user_id).count(),
    }


def _erased(user_id: int) -> set[str]:
    ids = sorted(Conversation.objects.filter(user_id=user_id).values_list("pk", flat=True))
    for begin in range(0, len(ids), AT_ONCE):
        erase(ids[begin : begin + AT_ONCE])
    return set(ids)


def _deletable(actor: Actor, user_id: int) -> User:
    acting = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if acting is None or not acting.has_perm(RIGHT):
        raise forbidden(_("您没有删除用户的权限。"))
    reach = User.objects.filter(pk=user_id)
    if not acting.is_superuser:
        reach = reach.filter(organisation_id=acting.organisation_id, is_superuser=False)
    user = reach.first()
    if user is None:
        raise not_found(_("没有这个用户。"))
    if user.pk == acting.pk:
        raise conflict("own_account", _("不能删除自己的账号。"))
    return user
