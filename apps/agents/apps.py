from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.agents"
    label = "agents"
    default_auto_field = "django.db.models.BigAutoField"
