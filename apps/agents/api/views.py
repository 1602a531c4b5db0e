"""GET /api/agents/ and POST /api/agents/{code}/publish/."""

import re
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.api.serializers import AgentSerializer, PublishedSerializer, PublishSerializer
from apps.agents.models import Agent
from apps.agents.services.catalogue import live_snapshot
from apps.agents.services.publish import publish_agent

_ID = re.compile(r"[0-9]{1,18}")


class AgentPages(CursorPagination):
    """Newest first, a hundred a page."""

    page_size = 100
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """A cursor we gave; any other text is a 400, as in every list."""
        given = request.query_params.get(self.cursor_query_param)
        try:
            cursor: Cursor | None = super().decode_cursor(request)
        except NotFound:
            raise _bad_cursor() from None
        if given is not None and (cursor is None or not _is_place(cursor.position)):
            raise _bad_cursor()
        return cursor

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data, "next": self.get_next_link()})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        following = {"type": "string", "format": "uri", "nullable": True}
        return {
            "type": "object",
            "required": ["results", "next"],
            "properties": {"results": schema, "next": following},
        }


def _is_place(position: object) -> bool:
    """Whether it is an id that any database can compare."""
    return isinstance(position, str) and _ID.fullmatch(position) is not None


def _bad_cursor() -> ValidationError:
    return ValidationError({"cursor": [_("无效的游标。")]})


class AgentList(ListAPIView[Agent]):
    """The agents this user may use, as they are live."""

    permission_classes = (IsAuthenticated,)
    pagination_class = AgentPages
    serializer_class = AgentSerializer

    def get_queryset(self) -> Any:
        return Agent.objects.for_actor(actor_of(self.request)).filter(
            state=Agent.State.PUBLISHED, live__isnull=False
        )

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset) or []
        return [live_snapshot(agent) for agent in page]


class AgentPublish(APIView):
    """Make the draft live."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=PublishSerializer, responses=PublishedSerializer)
    def post(self, request: Request, code: str) -> Response:
        actor = actor_of(request)
        agent = get_object_or_404(Agent.objects.visible_to(actor), code=code)
        asked = PublishSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        record = publish_agent(agent=agent, actor=actor, note=asked.validated_data["note"])
        return Response({"version": record.version})


def actor_of(request: Request) -> Actor:
    """The signed-in user of this request as an actor."""
    user = request.user
    if not isinstance(user, User):
        raise TypeError("this view needs IsAuthenticated")
    return Actor.of(user)
