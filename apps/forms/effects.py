"""What becomes of a tool's wish to show a form."""

from collections.abc import Mapping
from typing import Any

from apps.conversations.registry import EffectTarget
from apps.conversations.services.refused_call import refused_call
from apps.forms.models import FormInstance
from apps.forms.schema import parse_form
from apps.forms.services.projection import project
from apps.lib.canonical import canonical_json
from apps.lib.clock import now
from apps.tools.registry import UiEffect


def record_form(target: EffectTarget, effect: UiEffect) -> Mapping[str, Any]:
    """Store the form in the transaction of the call's outcome; returns what `ui.form` carries.

    A form that follows a refused call begins with what was given there: `filled`, and `faults`.
    A form that is already there stays as it is, with what was submitted.
    """
    asked = parse_form(effect.payload, target.tool_call_id)
    form, _created = FormInstance.objects.get_or_create(
        pk=target.tool_call_id,
        defaults={
            "conversation_id": target.conversation_id,
            "message_id": target.message_id,
            "schema": canonical_json(asked.payload()),
            "created_at": now(),
        },
    )
    refused = refused_call(target.run_id, target.message_id, [field.name for field in asked.fields])
    again = {"filled": dict(refused.given), "faults": dict(refused.faults)}
    return project(form, {key: told for key, told in again.items() if told})
