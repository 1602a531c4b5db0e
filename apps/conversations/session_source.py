"""What tools may ask about the session they are called in."""

from django.conf import settings

from apps.accounts.models import User
from apps.conversations.models import Conversation, Run
from apps.tools.registry.context import AgentContext, SessionDetails


def details_of(ctx: AgentContext) -> SessionDetails:
    """As it is now: the person's rights, the conversation's modes, the language of the run.

    A call outside any conversation (a tool's own test) has the default modes, and speaks the
    person's language.
    """
    user = User.objects.get(pk=ctx.user_id)
    conversation = Conversation.objects.filter(pk=ctx.session_id, user_id=user.pk).first()
    run = Run.objects.filter(pk=ctx.turn_id, user_id=user.pk).only("locale").first()
    modes = conversation or Conversation()
    return SessionDetails(
        locale=(run and run.locale) or user.locale or settings.LANGUAGE_CODE,
        permission_mode=modes.permission_mode,
        plan_mode=modes.plan_mode,
        permissions=frozenset(user.get_all_permissions()),
        department=user.department,
        region=user.region,
    )
