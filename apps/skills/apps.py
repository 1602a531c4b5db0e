from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SkillsConfig(AppConfig):
    """Adds the catalogue of skills to the surface document."""

    name = "apps.skills"
    label = "skills"
    verbose_name = _("技能目录")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.skills.section import skills_section
        from apps.tools.surface import sections

        sections["Skills"] = skills_section
