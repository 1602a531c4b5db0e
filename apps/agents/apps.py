from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AgentsConfig(AppConfig):
    """See the package's docstring."""

    name = "apps.agents"
    label = "agents"
    verbose_name = _("智能体与发布")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from apps.agents.rights import owns_agent, owns_provider
        from apps.tools.services.switches import register_reach

        register_reach("agent", owns_agent)
        register_reach("provider", owns_provider)
