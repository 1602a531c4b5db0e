"""Secrets at rest: a text column encrypted with the keys of `FIELD_ENCRYPTION_KEYS`.

The first key encrypts, all decrypt, so a key is rotated by putting a new one in front.
"""

from typing import TYPE_CHECKING, Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    _TextField = models.TextField[str, str]
else:
    _TextField = models.TextField


class UndecryptableError(Exception):
    """None of the configured keys opens this value; put the key that wrote it back."""


def encrypt(text: str) -> str:
    """The text under the first key, as printable text."""
    return _keys().encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """The text that `encrypt` was given; raises `UndecryptableError`."""
    try:
        return _keys().decrypt(token.encode()).decode()
    except InvalidToken as error:
        raise UndecryptableError("no key of FIELD_ENCRYPTION_KEYS opens this value") from error


def _keys() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.FIELD_ENCRYPTION_KEYS])


class EncryptedTextField(_TextField):
    """Text in Python, ciphertext in the database; empty stays empty. Not to be searched."""

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return encrypt(value) if value else value

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return decrypt(value) if value else value
