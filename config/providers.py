"""The provider row `default`: made once from the environment, then the row rules."""

from django.conf import settings

from apps.accounts.models import Organisation
from apps.agents.models import Provider
from apps.agents.services.providers import ensure_default_provider

FALLBACK_MODEL = "gpt-4o-mini"  # an address or a key alone must do


def default_provider(organisation: Organisation) -> Provider:
    """The organisation's; made now from the settings, if absent."""
    key: str = settings.OPENAI_API_KEY.reveal()
    fallback = FALLBACK_MODEL if key or settings.OPENAI_BASE_URL else ""
    return ensure_default_provider(
        organisation=organisation,
        api_key=key,
        base_url=settings.OPENAI_BASE_URL,
        model=settings.DEFAULT_MODEL or fallback,
    )
