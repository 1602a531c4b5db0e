"""What makes two requests the same: their id, and a digest of what they ask for."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from apps.conversations.refusals import invalid

FIELD = "clientRequestId"
_CANONICAL = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def request_id_of(body: Mapping[str, Any]) -> UUID:
    """The client's id of this request; RefusedError 400 unless it is a UUID with its hyphens."""
    given = body.get(FIELD)
    if not isinstance(given, str) or _CANONICAL.fullmatch(given) is None:
        raise invalid({FIELD: [_("必须是 UUID。")]})
    return UUID(given)


def digest_of(kind: str, target: str, body: Mapping[str, Any]) -> str:
    """sha256 of what is asked (`kind`) of what (`target`), whatever the order of the members.

    A member that is null is one that is not there.
    """
    asked = {k: value for k, value in body.items() if k != FIELD and value is not None}
    # Escaped, so that a lone surrogate, refused or replaced later, has bytes too.
    text = json.dumps([kind, target, asked], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
