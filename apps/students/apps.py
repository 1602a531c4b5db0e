from django.apps import AppConfig


class StudentsConfig(AppConfig):
    """Lists the tools of the students."""

    name = "apps.students"
    label = "students"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.students.tools import StudentTools
        from apps.tools.registry import register_tools

        register_tools(StudentTools)
