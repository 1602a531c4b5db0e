"""In which language a person is answered."""

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation


def language_of(request: HttpRequest, locale: str) -> str:
    """What was chosen in this browser, else the account's own `locale`, else what is accepted.

    Pages and streams ask here alike, so that what a run says is in the language of its page.
    """
    if locale and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        return locale
    return translation.get_language_from_request(request)
