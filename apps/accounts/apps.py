from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.accounts"
    label = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.accounts import schema  # noqa: F401, found by its metaclass
