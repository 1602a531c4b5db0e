"""The state of governed calls, and what limits them."""

from apps.tools.models.quota import Quota, QuotaUse
from apps.tools.models.switch import Switch
from apps.tools.models.tool_run import ToolRun

__all__ = ["Quota", "QuotaUse", "Switch", "ToolRun"]
