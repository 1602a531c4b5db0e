"""Endpoints of conversations; every right and rule is the services'."""

from typing import cast

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.conversations.api import serializers as shapes_of
from apps.conversations.api.pages import conversation_page, message_page, page_body
from apps.conversations.api.shapes import conversation_items, message_items
from apps.conversations.models import Conversation, Message
from apps.conversations.services.admission import own_conversation
from apps.conversations.services.conversations import (
    change_conversation,
    create_conversation,
    delete_conversation,
)
from apps.conversations.services.finding import find_conversations
from apps.conversations.services.stop_run import stop_run

TAGS = ["conversations"]


class ConversationView(APIView):
    """What the endpoints of conversations have in common: somebody is signed in."""

    permission_classes = (IsAuthenticated,)

    @property
    def actor(self) -> Actor:
        return Actor.of(cast(User, self.request.user))


class ConversationListView(ConversationView):
    """One's own conversations."""

    @extend_schema(
        operation_id="conversations_list",
        tags=TAGS,
        parameters=[shapes_of.ConversationQuerySerializer],
        responses=shapes_of.ConversationPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Newest first; `q` searches titles and messages."""
        query = shapes_of.ConversationQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        rows = find_conversations(actor=self.actor, text=query.validated_data["q"])
        page, cursor = conversation_page(rows, query.validated_data.get("cursor"))
        body = page_body(request, conversation_items(page), cursor)
        return Response(shapes_of.ConversationPageSerializer(body).data)

    @extend_schema(
        operation_id="conversations_create",
        tags=TAGS,
        request=shapes_of.NewConversationSerializer,
        responses={201: shapes_of.ConversationSerializer},
    )
    def post(self, request: Request) -> Response:
        """Begin a conversation with an agent."""
        body = shapes_of.NewConversationSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        conversation = create_conversation(
            actor=self.actor,
            agent_code=body.validated_data["agent"],
            variant=body.validated_data["variant"],
            locked_skill_key=body.validated_data["lockedSkillKey"],
        )
        return Response(_shown(conversation), status=201)


class ConversationDetailView(ConversationView):
    """One conversation."""

    @extend_schema(
        operation_id="conversations_retrieve",
        tags=TAGS,
        responses=shapes_of.ConversationSerializer,
    )
    def get(self, request: Request, conversation_id: str) -> Response:
        """The conversation and its open run."""
        return Response(_shown(own_conversation(self.actor, conversation_id)))

    @extend_schema(
        operation_id="conversations_change",
        tags=TAGS,
        request=shapes_of.ConversationChangeSerializer,
        responses=shapes_of.ConversationSerializer,
    )
    def patch(self, request: Request, conversation_id: str) -> Response:
        """Rename it, or tighten its modes."""
        own_conversation(self.actor, conversation_id)
        body = shapes_of.ConversationChangeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        conversation = change_conversation(
            actor=self.actor,
            conversation_id=conversation_id,
            title=body.validated_data.get("title"),
            permission_mode=body.validated_data.get("permissionMode"),
            plan_mode=body.validated_data.get("planMode"),
        )
        return Response(_shown(conversation))

    @extend_schema(operation_id="conversations_delete", tags=TAGS, responses={204: None})
    def delete(self, request: Request, conversation_id: str) -> Response:
        """Remove it with all that belongs to it."""
        delete_conversation(actor=self.actor, conversation_id=conversation_id)
        return Response(status=204)


class MessageListView(ConversationView):
    """What was said in a conversation."""

    @extend_schema(
        operation_id="conversations_messages",
        tags=TAGS,
        parameters=[shapes_of.MessageQuerySerializer],
        responses=shapes_of.MessagePageSerializer,
    )
    def get(self, request: Request, conversation_id: str) -> Response:
        """Oldest first, with forms, calls and interrupts."""
        conversation = own_conversation(self.actor, conversation_id)
        query = shapes_of.MessageQuerySerializer(data=request.query_params)
        query.is_valid(raise_exception=True)
        rows = Message.objects.filter(conversation_id=conversation.pk)
        page, cursor = message_page(rows, query.validated_data["cursor"])
        body = page_body(request, message_items(page), cursor)
        return Response(shapes_of.MessagePageSerializer(body).data)


class StopRunView(ConversationView):
    """The end of a run, asked for by its owner."""

    @extend_schema(
        operation_id="conversations_stop_run",
        tags=TAGS,
        request=None,
        responses={200: shapes_of.StopSerializer, 202: shapes_of.StopSerializer},
    )
    def post(self, request: Request, conversation_id: str, run_id: str) -> Response:
        """202 while the run is stopping, 200 when it has ended."""
        answer = stop_run(actor=self.actor, conversation_id=conversation_id, run_id=run_id)
        return Response({"status": answer.status}, status=200 if answer.ended else 202)


def _shown(conversation: Conversation) -> object:
    return shapes_of.ConversationSerializer(conversation_items([conversation])[0]).data
