from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LibConfig(AppConfig):
    """Joins every database connection to the queue at SQLite's write lock."""

    name = "apps.lib"
    verbose_name = _("基础")

    def ready(self) -> None:
        from django.db.backends.signals import connection_created

        from apps.lib.writer.fairness import watch

        connection_created.connect(watch, dispatch_uid="apps.lib.writer.fairness")
