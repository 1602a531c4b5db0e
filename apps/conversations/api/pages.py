"""Pages behind a cursor: stable while rows are added, and a bad cursor is a 400."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from apps.conversations.models import Conversation, Message
from apps.conversations.refusals import invalid

CONVERSATIONS = 30
MESSAGES = 100
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a page of conversations ended: by time, then by id."""

    active_at: datetime
    id: str

    def encode(self) -> str:
        text = f"{self.active_at.astimezone(UTC).isoformat()} {self.id}"
        return base64.urlsafe_b64encode(text.encode()).decode()

    @classmethod
    def decode(cls, cursor: str) -> "Place":
        """The place of a cursor we gave; RefusedError 400 for any other text."""
        try:
            moment, _blank, row_id = base64.urlsafe_b64decode(cursor).decode().partition(" ")
            active_at = datetime.fromisoformat(moment)
        except (ValueError, binascii.Error) as error:
            raise invalid({"cursor": [_("无效的游标。")]}) from error
        if active_at.tzinfo is None or not row_id.isalnum():
            raise invalid({"cursor": [_("无效的游标。")]})
        return cls(active_at=active_at, id=row_id)


def conversation_page(
    rows: QuerySet[Any], cursor: str | None, size: int | None = None
) -> tuple[list[Conversation], str | None]:
    """Newest first, of rows annotated with `active_at`; and the cursor of the next page."""
    if cursor:
        place = Place.decode(cursor)
        same_time = Q(active_at=place.active_at, id__lt=place.id)
        rows = rows.filter(Q(active_at__lt=place.active_at) | same_time)
    page, more = _cut(rows.order_by("-active_at", "-id"), size or CONVERSATIONS)
    last: Any = page[-1] if more else None
    return page, last and Place(active_at=last.active_at, id=last.pk).encode()


def message_page(rows: QuerySet[Message], cursor: int) -> tuple[list[Message], str | None]:
    """Oldest first, from behind a message id; and the cursor of the next page."""
    page, more = _cut(rows.filter(pk__gt=cursor).order_by("pk"), MESSAGES)
    return page, str(page[-1].pk) if more else None


def page_body(request: Request, results: Sequence[object], cursor: str | None) -> dict[str, object]:
    """`{results, next}`; `next` is a URL, or null on the last page."""
    url = request.build_absolute_uri()
    return {"results": results, "next": cursor and replace_query_param(url, "cursor", cursor)}


def _cut(rows: "QuerySet[Row]", size: int) -> tuple[list[Row], bool]:
    page = list(rows[: size + 1])
    return page[:size], len(page) > size
