"""Public ids: 11 characters of base62 from 64 random bits, short enough for every frame."""

import secrets
import string

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
LENGTH = 11


def new_id() -> str:
    """A fresh id; uniqueness is held by the column's constraint."""
    number, letters = secrets.randbits(64), []
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)
