from django.apps import AppConfig


class ProtocolsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.protocols"
    label = "protocols"
    default_auto_field = "django.db.models.BigAutoField"
