"""One text for one JSON value: what is stored as text, hashed as stored, and compared."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Keys sorted, no blanks, Unicode as it is; raises ValueError for NaN and infinities."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def digest(text: str) -> str:
    """sha256 of the text in UTF-8, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
