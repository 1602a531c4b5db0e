"""The shapes of the contract, in camelCase."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.conversations.api.fields import MomentField, StrictSerializer, TextField
from apps.conversations.models import Conversation, Message, Run
from apps.conversations.services.conversations import PERMISSION_MODES, PLAN_MODES


class NewConversationSerializer(StrictSerializer):
    """Body of the POST that begins a conversation."""

    agent = TextField(max_length=63)
    variant = serializers.ChoiceField(
        choices=Conversation.Variant.choices, default=Conversation.Variant.PUBLISHED
    )
    lockedSkillKey = TextField(max_length=64, default="", allow_blank=True)  # noqa: N815


class ConversationChangeSerializer(StrictSerializer):
    """Body of the PATCH: what is absent stays; modes only get tighter."""

    title = TextField(max_length=200, required=False)
    permissionMode = serializers.ChoiceField(choices=PERMISSION_MODES, required=False)  # noqa: N815
    planMode = serializers.ChoiceField(choices=PLAN_MODES, required=False)  # noqa: N815


class ConversationQuerySerializer(serializers.Serializer[Any]):
    """Query of the list."""

    q = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    cursor = serializers.CharField(max_length=200, required=False)


class MessageQuerySerializer(serializers.Serializer[Any]):
    """Query of the messages: those behind a message id."""

    cursor = serializers.IntegerField(min_value=0, max_value=2**53, required=False, default=0)


class ActiveRunSerializer(serializers.Serializer[Any]):
    """The run that is queued, running or waiting."""

    runId = serializers.CharField()  # noqa: N815
    status = serializers.ChoiceField(choices=[status.value for status in Run.OPEN])


class ConversationSerializer(serializers.Serializer[Any]):
    """A conversation as its owner sees it."""

    id = serializers.CharField()
    agent = serializers.CharField(help_text="Code of the agent.")
    title = serializers.CharField()
    variant = serializers.ChoiceField(choices=Conversation.Variant.choices)
    permissionMode = serializers.ChoiceField(choices=PERMISSION_MODES)  # noqa: N815
    planMode = serializers.ChoiceField(choices=PLAN_MODES)  # noqa: N815
    lockedSkillKey = serializers.CharField()  # noqa: N815
    createdAt = MomentField()  # noqa: N815
    lastMessageAt = MomentField(allow_null=True)  # noqa: N815
    activeRun = ActiveRunSerializer(allow_null=True)  # noqa: N815


class ToolRunSerializer(serializers.Serializer[Any]):
    """One governed call."""

    toolCallId = serializers.CharField()  # noqa: N815
    name = serializers.CharField()
    arguments = serializers.JSONField()
    status = serializers.CharField()
    ok = serializers.BooleanField(allow_null=True)
    result = serializers.JSONField(allow_null=True)
    errorMessage = serializers.CharField(allow_null=True)  # noqa: N815
    durationMs = serializers.IntegerField(allow_null=True)  # noqa: N815


class PartSerializer(serializers.Serializer[Any]):
    """One item of an answer, in the order in which it was streamed."""

    type = serializers.ChoiceField(choices=["text", "tool"])
    text = serializers.CharField(required=False)
    toolCallId = serializers.CharField(required=False)  # noqa: N815


@extend_schema_field({"type": "object", "additionalProperties": True})
class ObjectField(serializers.JSONField):
    """A JSON object whose members others define."""


class MessageSerializer(serializers.Serializer[Any]):
    """One message; its id is its place in the conversation, given by the server."""

    id = serializers.IntegerField()
    role = serializers.ChoiceField(choices=Message.Role.choices)
    content = serializers.CharField()
    html = serializers.CharField()
    status = serializers.ChoiceField(choices=Message.Status.choices)
    createdAt = MomentField()  # noqa: N815
    runId = serializers.CharField(allow_null=True)  # noqa: N815
    agentVersion = serializers.CharField(allow_null=True)  # noqa: N815
    metadata = ObjectField()
    toolRuns = serializers.ListField(child=ObjectField())  # noqa: N815
    interrupts = serializers.ListField(child=ObjectField())
    parts = PartSerializer(many=True)


class ConversationPageSerializer(serializers.Serializer[Any]):
    """Newest first."""

    results = ConversationSerializer(many=True)
    next = serializers.URLField(allow_null=True)


class MessagePageSerializer(serializers.Serializer[Any]):
    """Oldest first."""

    results = MessageSerializer(many=True)
    next = serializers.URLField(allow_null=True)


class StopSerializer(serializers.Serializer[Any]):
    """`stopping` (202), or the status in which the run has ended (200)."""

    status = serializers.CharField()
