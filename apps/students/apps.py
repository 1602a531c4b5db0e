from django.apps import AppConfig


class StudentsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.students"
    label = "students"
    default_auto_field = "django.db.models.BigAutoField"
