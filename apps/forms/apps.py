from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FormsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.forms"
    label = "agent_forms"
    verbose_name = _("智能体表单")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Offer the form tool under its skill, and say what becomes of the forms it asks for."""
        from apps.conversations.registry import ui_effects
        from apps.forms.choosing import ChoiceTools
        from apps.forms.effects import record_form
        from apps.forms.skills import ASSISTANT
        from apps.forms.tools import FormTools
        from apps.skills.registry import register_skills
        from apps.tools.registry import register_tools

        register_tools(FormTools, ChoiceTools)
        register_skills(ASSISTANT)
        ui_effects["form"] = record_form
