from django.apps import AppConfig


class LibConfig(AppConfig):
    """Joins every database connection to the queue at SQLite's write lock."""

    name = "apps.lib"

    def ready(self) -> None:
        from django.db.backends.signals import connection_created

        from apps.lib.writer.fairness import watch

        connection_created.connect(watch, dispatch_uid="apps.lib.writer.fairness")
