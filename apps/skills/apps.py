from django.apps import AppConfig


class SkillsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.skills"
    label = "skills"
    default_auto_field = "django.db.models.BigAutoField"
