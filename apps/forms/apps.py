from django.apps import AppConfig


class FormsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.forms"
    label = "agent_forms"
    default_auto_field = "django.db.models.BigAutoField"
