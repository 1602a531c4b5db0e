"""The identity that every service takes as an argument, never from a global."""

from dataclasses import dataclass
from typing import Self

from apps.accounts.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who asks. Rights are not in it: they are looked up live, at each check."""

    user_id: int
    organisation_id: int
    username: str
    locale: str = ""

    @classmethod
    def of(cls, user: User) -> Self:
        return cls(
            user_id=user.pk,
            organisation_id=user.organisation_id,
            username=user.username,
            locale=user.locale,
        )
