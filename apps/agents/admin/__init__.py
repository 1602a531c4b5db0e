"""The console's pages of agents, providers and releases."""

from apps.agents.admin.agents import AgentAdmin
from apps.agents.admin.providers import ProviderAdmin
from apps.agents.admin.releases import PublishRecordAdmin, ReleaseEventAdmin

__all__ = ["AgentAdmin", "ProviderAdmin", "PublishRecordAdmin", "ReleaseEventAdmin"]
