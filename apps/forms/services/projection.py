"""The form as page and history know it: an entry of `metadata.uiForms` of the assistant message."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from apps.conversations.models import Message
from apps.forms.models import FormInstance

KEY = "uiForms"


def shown_form(form: FormInstance) -> dict[str, Any]:
    """`{id, title, description?, fields, status, submittedSummary?}`."""
    shown = {"id": form.pk, **json.loads(form.schema), "status": form.state}
    if form.state == FormInstance.State.SUBMITTED:
        shown["submittedSummary"] = form.summary
    return shown


def project(form: FormInstance, again: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Write the form's entry, new or in its old place; call it where the form is written.

    `again` is what a form that comes again begins with, kept until it is submitted. The
    message is locked until the transaction ends, so that two forms of one message both stay.
    """
    messages = Message.objects.filter(pk=form.message_id)
    message = messages.select_for_update(no_key=True).only("metadata").get()
    shown = {**(again if form.state == FormInstance.State.PENDING else {}), **shown_form(form)}
    entries = {entry["id"]: entry for entry in message.metadata.get(KEY, [])} | {form.pk: shown}
    messages.update(metadata=message.metadata | {KEY: list(entries.values())})
    return shown
