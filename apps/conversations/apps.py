from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConversationsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.conversations"
    label = "conversations"
    verbose_name = _("会话与运行")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.accounts.registry import set_user_deletion
        from apps.audit.holding import set_held_conversations
        from apps.conversations import held
        from apps.conversations.services import delete_user
        from apps.conversations.services.held_runs import held_runs
        from apps.conversations.session_source import details_of
        from apps.conversations.tools import ConversationTools
        from apps.tools.registry import register_tools
        from apps.tools.registry.context import set_session_source
        from apps.tools.sweep import register_runs

        set_session_source(details_of)
        set_held_conversations(held)
        set_user_deletion(delete_user)
        register_runs(held_runs)
        register_tools(ConversationTools)
