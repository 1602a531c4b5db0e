from django.apps import AppConfig


class ConversationsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.conversations"
    label = "conversations"
    default_auto_field = "django.db.models.BigAutoField"
