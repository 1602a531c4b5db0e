from django.apps import AppConfig


class ToolsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.tools"
    label = "tools"
    default_auto_field = "django.db.models.BigAutoField"
