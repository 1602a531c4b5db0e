from django.contrib.admin.apps import AdminConfig


class ConsoleConfig(AdminConfig):
    """Stands in for `django.contrib.admin` in INSTALLED_APPS; same label, our site."""

    default_site = "config.admin_site.ConsoleSite"
