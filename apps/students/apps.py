from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StudentsConfig(AppConfig):
    """Lists the tools of the students."""

    name = "apps.students"
    label = "students"
    verbose_name = _("学生与班级")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.students.tools import StudentTools
        from apps.tools.registry import register_tools

        register_tools(StudentTools)
