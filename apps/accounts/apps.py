from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.accounts"
    label = "accounts"
    verbose_name = _("用户与组织")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.accounts import schema  # noqa: F401, found by its metaclass
