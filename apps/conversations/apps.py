from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.conversations"
    label = "conversations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.conversations.session_source import details_of
        from apps.tools.registry.context import set_session_source

        set_session_source(details_of)
