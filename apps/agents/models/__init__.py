"""What an agent is made of."""

from apps.agents.models.agent import Agent, AgentQuerySet, AgentTool
from apps.agents.models.provider import Provider
from apps.agents.models.release import ConfigEpoch, PublishRecord, ReleaseEvent

__all__ = [
    "Agent",
    "AgentQuerySet",
    "AgentTool",
    "ConfigEpoch",
    "Provider",
    "PublishRecord",
    "ReleaseEvent",
]
