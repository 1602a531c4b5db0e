from django.apps import AppConfig


class SkillsConfig(AppConfig):
    """Adds the catalogue of skills to the surface document."""

    name = "apps.skills"
    label = "skills"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.skills.section import skills_section
        from apps.tools.surface import sections

        sections["Skills"] = skills_section
