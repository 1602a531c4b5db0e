"""Where coroutines meet the agents' tables."""

from apps.agents.provider_config import ProviderConfig
from apps.agents.services import catalogue
from apps.lib import bridge

FRESH_S = 1.0
"""How long memory is trusted without comparing the epoch again, in seconds."""


async def provider_config(provider_id: int) -> ProviderConfig:
    """The provider: from memory while it is fresh, else with one hop to the database."""
    known = catalogue.known_provider(provider_id, within=FRESH_S)
    return await bridge.call(_fresh, provider_id) if known is None else known


def _fresh(provider_id: int) -> ProviderConfig:
    catalogue.ensure_fresh()
    return catalogue.provider_config(provider_id)
