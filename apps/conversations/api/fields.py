"""Reading what clients send: strings are strings, and no field goes unnoticed."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers


class TextField(serializers.CharField):
    """A string of JSON, never a number that looks like one; NUL and half characters are refused."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class MomentField(serializers.DateTimeField):
    """A time in UTC, whatever the zone of the server."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default_timezone=UTC, **options)


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know, by name."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(str(name) for name in data if name not in self.fields)
            if unknown:
                raise serializers.ValidationError({name: [_("不认识的字段。")] for name in unknown})
        return super().to_internal_value(data)
