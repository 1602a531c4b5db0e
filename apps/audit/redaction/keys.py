"""Names of fields whose value is a secret, whatever it looks like: `api_key`, `密码`.

Names that only speak of one (`token_count`, `password_policy`, `nextPageToken`) are plain.
"""

import re
from functools import lru_cache

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LAST = frozenset(
    (
        "password", "passwords", "passwd", "pwd", "passphrase", "passcode", "secret", "secrets",
        "authorization", "cookie", "cookies", "credential", "credentials", "jwt", "apikey",
        "apikeys", "accesskey", "privatekey", "secretkey", "accesstoken", "authtoken",
        "refreshtoken", "idtoken", "sessionid", "clientsecret",
    )
)  # fmt: skip
_KEY_OF = frozenset(
    (
        "api", "access", "private", "secret", "signing", "encryption", "master", "shared",
        "subscription", "account", "app",
    )
)  # fmt: skip
_PLAIN_TOKEN = frozenset(("page", "next", "previous", "continuation", "sync", "cursor"))
_HAN = ("密码", "口令", "密钥", "私钥", "令牌")


@lru_cache(4096)
def is_secret_key(name: str) -> bool:
    """Whether the value under this name must not be shown."""
    if any(word in name for word in _HAN):
        return True
    words = [word.lower() for word in _WORDS.findall(name)]
    if words and words[-1] in ("hash", "value"):
        words.pop()
    if not words:
        return False
    *before, last = words
    if last in ("key", "keys"):
        return bool(before) and before[-1] in _KEY_OF
    if last in ("token", "tokens"):
        return last == "token" and not _PLAIN_TOKEN & set(before)
    return last in _LAST or (last == "id" and before[-1:] == ["session"] and len(before) == 1)
