"""From a snapshot's provider to the model that answers.

Adding a vendor: a kind on `Provider`, its options in `options.py`, one branch in `chat_model`.
The clients are kept per event loop and provider version, so connections are reused; a client whose
provider has changed stays open for the runs that still use it, until `close_models`.
"""

import asyncio
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakKeyDictionary

from django.conf import settings

from apps.agents import bridge
from apps.agents.demo_texts import in_english
from apps.agents.errors import ProviderNotConfiguredError, ProviderUnavailableError
from apps.agents.lazy_openai import load_adapter, openai_model
from apps.agents.options import DemoOptions, OptionsError
from apps.agents.provider_config import ProviderConfig
from apps.agents.script import ProviderScript, parse_script
from apps.agents.snapshot import Snapshot
from apps.lib.ids import new_id
from apps.runtime.demo_model import DemoModel
from apps.runtime.ports import ChatModel

if TYPE_CHECKING:
    from apps.runtime.openai_chat import OpenAIChatModel

Clients: TypeAlias = "dict[tuple[int, int], OpenAIChatModel]"
_clients: "WeakKeyDictionary[asyncio.AbstractEventLoop, Clients]" = WeakKeyDictionary()
_scripts: dict[tuple[int, int], ProviderScript] = {}


async def chat_model(snapshot: Snapshot) -> ChatModel:
    """The model of the snapshot's provider, as the provider is now; raises a `RunError`."""
    provider = await bridge.provider_config(snapshot.provider_id)
    if not provider.enabled:
        raise ProviderUnavailableError(f"provider {provider.name} is disabled")
    try:
        return await _model(provider, snapshot)
    except OptionsError as error:
        raise ProviderNotConfiguredError(f"provider {provider.name}: {error}") from error


async def close_models() -> None:
    """Close the clients of this event loop; at the end of a process."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.close()


async def _model(provider: ProviderConfig, snapshot: Snapshot) -> ChatModel:
    match provider.kind:
        case "demo":
            return _demo(provider, snapshot)
        case "openai":
            return await _openai(provider)
        case "scripted":
            return _scripted(provider)
        case _:
            raise ProviderNotConfiguredError(f"provider {provider.name}: kind {provider.kind}")


def forget_scripts() -> None:
    """Start every script anew; between tests."""
    _scripts.clear()


def _demo(provider: ProviderConfig, snapshot: Snapshot) -> ChatModel:
    if not settings.ALLOW_DEMO_MODEL:
        raise ProviderNotConfiguredError("the demo model is refused in this mode")
    options = DemoOptions.parse(provider.options)
    return DemoModel(
        agent=snapshot.name,
        english=in_english(snapshot.name),
        version=snapshot.version_label,
        new_id=new_id,
        pace=options.pace,
    )


def _scripted(provider: ProviderConfig) -> ChatModel:
    if settings.APP_MODE != "test":
        raise ProviderNotConfiguredError("a scripted provider answers in APP_MODE=test only")
    key = (provider.id, provider.version)
    if key not in _scripts:
        _scripts[key] = parse_script(provider.options)
    return _scripts[key]


async def _openai(provider: ProviderConfig) -> ChatModel:
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    key = (provider.id, provider.version)
    if key in clients:
        return clients[key]
    if not provider.api_key and not provider.base_url:
        raise ProviderNotConfiguredError(f"provider {provider.name} has no key")
    await load_adapter()
    if key not in clients:
        clients[key] = openai_model(provider)
    return clients[key]
