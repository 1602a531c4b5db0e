from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ToolsConfig(AppConfig):
    """See the package's docstring.

    The business apps list their tools in their `ready`, which may come later than ours: the
    catalogue is frozen by the system check of every command, by `serve` and `run_host` before
    they serve, and at the latest when it is first read. A faulty one can never be read.
    """

    name = "apps.tools"
    label = "tools"
    verbose_name = _("工具调用")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.core.checks import register

        from apps.audit.registry import register_replay
        from apps.tools import after_letters, gauges
        from apps.tools.builtin import DateTools, MathTools, TimeTools, WebTools
        from apps.tools.checks import check_registry, check_sources
        from apps.tools.registry import register_tools

        register_tools(DateTools, MathTools, TimeTools, WebTools)
        gauges.register()
        register_replay(after_letters.KIND, after_letters.replay)
        register(check_registry, "tools")
        register(check_sources, "tools")
