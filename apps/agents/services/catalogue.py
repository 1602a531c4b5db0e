"""What this process has loaded of agents: snapshots and providers, kept right by the epoch.

A record never changes, so its snapshot is loaded once. Drafts and providers are forgotten when
`ConfigEpoch` has moved; `ensure_fresh` compares, which is one small query.
"""

from apps.agents.errors import ProviderNotConfiguredError, ProviderUnavailableError
from apps.agents.models import Agent, Provider, PublishRecord
from apps.agents.provider_config import ProviderConfig
from apps.agents.services.epoch import current_epoch
from apps.agents.services.memory import Epochal, Kept
from apps.agents.services.snapshots import snapshot_of_draft, snapshot_of_record
from apps.agents.snapshot import Snapshot
from apps.lib.encryption import UndecryptableError
from apps.lib.secret import Secret

CAPACITY = 256
_records: Kept[int, Snapshot] = Kept(CAPACITY)
_drafts: Epochal[tuple[int, int], Snapshot] = Epochal()
_providers: Epochal[int, ProviderConfig] = Epochal()


def live_snapshot(agent: Agent) -> Snapshot | None:
    """What people meet under this agent's code; None when nothing is published."""
    return None if agent.live_id is None else snapshot_of(agent.live_id)


def snapshot_of(record_id: int) -> Snapshot:
    """The snapshot of one publish record; raises `PublishRecord.DoesNotExist`."""
    return _records.get(
        record_id, lambda: snapshot_of_record(PublishRecord.objects.get(pk=record_id))
    )


def draft_snapshot(agent: Agent) -> Snapshot:
    """The agent's draft, at the version this row was read with."""
    return _drafts.get((agent.pk, agent.version), lambda: snapshot_of_draft(agent))


def snapshot_for_run(*, agent_code: str, record_id: int | None) -> Snapshot:
    """The snapshot a run is pinned to: its record, or the draft for a run without one."""
    if record_id is not None:
        return snapshot_of(record_id)
    return draft_snapshot(Agent.objects.get(code=agent_code))


def provider_config(provider_id: int) -> ProviderConfig:
    """The provider as it is now; raises a `RunError` when it is gone or its key cannot be read."""
    return _providers.get(provider_id, lambda: _load_provider(provider_id))


def known_provider(provider_id: int, *, within: float) -> ProviderConfig | None:
    """The provider from memory alone, if memory was compared in the last `within` seconds."""
    return _providers.known(provider_id) if _providers.age() <= within else None


def ensure_fresh() -> None:
    """Forget what another transaction has changed; one small query."""
    epoch = current_epoch()
    _drafts.compare(epoch)
    _providers.compare(epoch)


def reset() -> None:
    """Forget everything; between tests, since a rolled-back row's id is given out again."""
    _records.clear()
    _drafts.clear()
    _providers.clear()


def _load_provider(provider_id: int) -> ProviderConfig:
    try:
        row = Provider.objects.get(pk=provider_id)
    except Provider.DoesNotExist:
        raise ProviderUnavailableError(f"provider {provider_id} does not exist") from None
    except UndecryptableError as error:
        raise ProviderNotConfiguredError(f"provider {provider_id}: {error}") from error
    return ProviderConfig(
        id=row.pk,
        version=row.version,
        name=row.name,
        kind=row.kind,
        base_url=row.base_url,
        api_key=Secret(row.api_key),
        default_model=row.default_model,
        options=row.options,
        enabled=row.enabled,
    )
