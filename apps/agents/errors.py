"""Why a provider cannot serve a run; `code` is what the run row keeps and the client gets."""

from apps.runtime.errors import RunError


class ProviderUnavailableError(RunError):
    """The provider that the agent names is gone or switched off."""

    code = "provider_unavailable"
    message = "The agent's model service is switched off."


class ProviderNotConfiguredError(RunError):
    """The provider cannot be asked as it is set up: no key, or a kind this mode refuses."""

    code = "provider_not_configured"
    message = "The agent's model service is not set up."
