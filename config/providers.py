"""The provider row `default`: made once from the environment, then the row rules."""

from django.conf import settings

from apps.accounts.models import Organisation
from apps.agents.models import Provider

FALLBACK_MODEL = "gpt-4o-mini"  # an address or a key alone must do


def default_provider(organisation: Organisation) -> Provider:
    """The organisation's; made now, if absent: OpenAI-compatible with a key or address, else demo.

    An address alone is enough: many servers of one's own ask for no key.
    """
    provider, _made = Provider.objects.get_or_create(
        organisation=organisation, name="default", defaults=_from_environment()
    )
    return provider


def _from_environment() -> dict[str, object]:
    key: str = settings.OPENAI_API_KEY.reveal()
    if not key and not settings.OPENAI_BASE_URL:
        return {"kind": Provider.Kind.DEMO, "default_model": settings.DEFAULT_MODEL}
    return {
        "kind": Provider.Kind.OPENAI,
        "base_url": settings.OPENAI_BASE_URL,
        "api_key": key,
        "default_model": settings.DEFAULT_MODEL or FALLBACK_MODEL,
    }
