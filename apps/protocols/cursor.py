"""Where a client goes on: the number of the last event that it saw."""

import re
from urllib.parse import parse_qs

from django.utils.translation import gettext as _

from apps.conversations.refusals import invalid
from apps.protocols.asgi import Scope, header

_NUMBER = re.compile(r"[0-9]{1,18}")  # any of them fits the column


def cursor_of(scope: Scope) -> int:
    """`Last-Event-ID`, which a browser sends by itself, else `?after=`, else the start."""
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    asked = [("Last-Event-ID", text) for text in [header(scope, b"last-event-id")] if text]
    asked += [("after", text) for text in query.get("after", [])]
    if not asked:
        return 0
    name, text = asked[0]
    if _NUMBER.fullmatch(text) is None:
        raise invalid({name: [_("必须是事件编号。")]})
    return int(text)
