"""The one way to the model SDK: imported when a run first needs it, since that takes seconds."""

import asyncio
from typing import TYPE_CHECKING

from apps.agents.options import OpenAIOptions
from apps.agents.provider_config import ProviderConfig
from apps.lib.ids import new_id

if TYPE_CHECKING:
    from apps.runtime.openai_chat import OpenAIChatModel

OFFICIAL = "https://api.openai.com/v1"
NO_KEY = "none"
"""What is sent to a server of one's own that asks for no key; the client insists on one."""


async def load_adapter() -> None:
    """Import the SDK in a thread, so that the loop goes on meanwhile."""
    await asyncio.to_thread(_import)


def openai_model(provider: ProviderConfig) -> "OpenAIChatModel":
    """A client for the provider, for the running loop; raises `OptionsError`."""
    from apps.runtime.openai_chat import Endpoint, OpenAIChatModel, Patience  # noqa: PLC0415

    options = OpenAIOptions.parse(provider.options)
    endpoint = Endpoint(
        base_url=provider.base_url or OFFICIAL,
        api_key=provider.api_key.reveal() or NO_KEY,
        dialect=options.dialect(),
        patience=Patience(
            connect=options.connect_timeout,
            silence=options.silence_timeout,
            attempts=options.attempts,
        ),
    )
    return OpenAIChatModel(endpoint, new_id=new_id)


def _import() -> None:
    from apps.runtime import openai_chat  # noqa: F401, PLC0415
