"""How a draft stands to what is live."""

from enum import Enum

from apps.agents.models import Agent
from apps.agents.services.body import draft_body
from apps.lib.canonical import canonical_json, digest


class Standing(Enum):
    """Compared by the digest of the whole configuration, not by who saved when."""

    NEVER_PUBLISHED = "never_published"
    IN_SYNC = "in_sync"
    CHANGED = "changed"


def standing_of(agent: Agent) -> Standing:
    """Whether publishing would change anything."""
    if agent.live is None:
        return Standing.NEVER_PUBLISHED
    same = agent.live.digest == digest(canonical_json(draft_body(agent)))
    return Standing.IN_SYNC if same else Standing.CHANGED
