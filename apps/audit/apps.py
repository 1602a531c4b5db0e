from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.audit"
    label = "audit"
    verbose_name = _("审计")
    default_auto_field = "django.db.models.BigAutoField"
