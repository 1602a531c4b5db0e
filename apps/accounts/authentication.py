"""Who calls the API: a token in the header, or the session of a signed-in page."""

from rest_framework import authentication, exceptions
from rest_framework.request import Request

from apps.accounts.models import User
from apps.accounts.services.tokens import user_of_token
from apps.lib.api_problems import csrf_failed
from apps.lib.problem import RefusedError

SCHEME = "Token"


def names_a_token(header: str) -> bool:
    return header.partition(" ")[0].lower() == SCHEME.lower()


def authenticate_token(header: str) -> User | None:
    """The user of an `Authorization: Token KEY` header; None for any other header or a dead key."""
    return user_of_token(header.partition(" ")[2].strip()) if names_a_token(header) else None


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Token KEY`."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        header = request.headers.get("Authorization", "")
        if not names_a_token(header):
            return None
        user = authenticate_token(header)
        if user is None:
            raise exceptions.AuthenticationFailed
        return user, None

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


class SessionAuthentication(authentication.SessionAuthentication):
    """Django's session; a request that changes something needs the CSRF token."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise RefusedError(csrf_failed()) from error
