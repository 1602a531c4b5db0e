"""A filled-in form as the start of a run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.conversations.models import Conversation, Message, Run
from apps.conversations.services.regenerate import SUPERSEDED_BY
from apps.conversations.services.starting import Content
from apps.forms.models import FormInstance
from apps.forms.reading import shown_key
from apps.forms.refusals import form_not_found, form_submitted, invalid_values, unknown_members
from apps.forms.schema import FormValuesError, parse_form
from apps.forms.services.projection import project
from apps.lib.canonical import canonical_json
from apps.lib.clock import now
from apps.lib.failpoint import hit

MEMBERS = ("values", "clientRequestId", "formId")


@dataclass(kw_only=True)
class FormSubmission:
    """What a person filled in; `find`, `content` and `record` are called in this order.

    `values` is any JSON value, judged only when `content` is asked; `unknown` are members of the
    body that nobody knows. That the form is submitted once is decided by `record`'s update.
    """

    form_id: str
    values: Any
    client_request_id: str = ""
    unknown: tuple[str, ...] = ()
    _form: FormInstance | None = field(default=None, init=False, repr=False)
    _cleaned: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def find(self, conversation: Conversation) -> None:
        """RefusedError 404 `not_found`, 409 `form_submitted`."""
        forms = FormInstance.objects.filter(conversation_id=conversation.pk)
        known = self.form_id.isascii() and self.form_id.isalnum()
        form = forms.select_related("message").filter(pk=self.form_id).first() if known else None
        if form is None or SUPERSEDED_BY in form.message.metadata:
            raise form_not_found()
        if form.state != FormInstance.State.PENDING:
            raise form_submitted()
        self._form = form

    def content(self) -> Content:
        """The summary as the text of the user message; RefusedError 400 with errors by field."""
        if self.unknown:
            raise unknown_members(self.unknown)
        form = self._found()
        schema = parse_form(json.loads(form.schema), form.pk)
        try:
            self._cleaned = schema.clean(self.values)
        except FormValuesError as error:
            raise invalid_values(error) from error
        form.summary = schema.summary(self._cleaned)
        return Content(text=form.summary, metadata=self._metadata(form))

    def record(self, run: Run, message: Message | None) -> None:
        """Make the form submitted, once; RefusedError 409 when somebody else was first."""
        form = self._found()
        form.state = FormInstance.State.SUBMITTED
        pending = FormInstance.objects.filter(pk=form.pk, state=FormInstance.State.PENDING)
        hits = pending.update(
            state=form.state,
            values=canonical_json(self._cleaned),
            summary=form.summary,
            submitted_at=now(),
        )
        if hits != 1:
            raise form_submitted()
        project(form)
        hit("form.submitted")

    def _found(self) -> FormInstance:
        if self._form is None:
            raise LookupError("find() comes first")
        return self._form

    def _metadata(self, form: FormInstance) -> dict[str, Any]:
        """`skillKey` is that of the message in which the form stands."""
        metadata: dict[str, Any] = {
            "clientRequestId": self.client_request_id,
            "uiFormSubmission": {"formId": form.pk, "values": self._cleaned},
        }
        skill_key = _skill_key(form)
        return metadata | ({"skillKey": skill_key} if skill_key else {})


def parse_submit_body(body: Mapping[str, Any], form_id: str) -> FormSubmission:
    """The submission of `{values, clientRequestId, formId?}`; the path's form id wins.

    Nothing is refused here: `start_run` asks in the order of the contract.
    """
    return FormSubmission(
        form_id=form_id,
        values=body.get("values"),
        client_request_id=str(body.get("clientRequestId", "")),
        unknown=tuple(shown_key(name) for name in sorted(body) if name not in MEMBERS),
    )


def _skill_key(form: FormInstance) -> str:
    """Of the assistant message, else of what it answers, else the conversation's own."""
    message = form.message
    asked = Message.objects.filter(started_run__message_id=message.pk).first()
    told = message.metadata.get("skillKey") or (asked.metadata.get("skillKey") if asked else "")
    return str(told or form.conversation.locked_skill_key)
