"""Shapes of the agents' API."""

from typing import Any

from rest_framework import serializers


class AgentSerializer(serializers.Serializer[Any]):
    """An agent as people meet it: its live snapshot."""

    code = serializers.CharField(source="agent_code")
    name = serializers.CharField()
    icon = serializers.CharField(source="page.icon")
    welcome = serializers.CharField(source="page.welcome")
    suggestions = serializers.ListField(source="page.suggestions", child=serializers.CharField())
    version = serializers.IntegerField()


class PublishSerializer(serializers.Serializer[Any]):
    """What publishing takes."""

    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=2000)


class PublishedSerializer(serializers.Serializer[Any]):
    """What publishing answers: the version now live."""

    version = serializers.IntegerField()
