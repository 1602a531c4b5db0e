from django.apps import AppConfig


class StewardConfig(AppConfig):
    """The composition root, an app for its commands; binds Celery's tasks to our Celery."""

    name = "config"
    label = "config"

    def ready(self) -> None:
        from config import celery  # noqa: F401
