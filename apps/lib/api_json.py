"""Request bodies of the API, read as strictly as those of the streaming endpoints."""

from collections.abc import Mapping
from typing import IO, Any, ClassVar

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from apps.lib.json_body import read_object
from apps.lib.problem import Problem, RefusedError


class JsonParser(BaseParser):
    """A JSON object of at most `DATA_UPLOAD_MAX_MEMORY_SIZE` bytes; an empty body is `{}`."""

    media_type = "application/json"
    empty: ClassVar[dict[str, Any]] = {}

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        content = stream.read(limit + 1)
        if len(content) > limit:
            raise too_large()
        return read_object(content) if content.strip() else dict(self.empty)


def too_large() -> RefusedError:
    return RefusedError(
        Problem(
            status=413,
            code="payload_too_large",
            title=_("内容过大"),
            detail=_("请求内容超过 1 MB。"),
        )
    )
