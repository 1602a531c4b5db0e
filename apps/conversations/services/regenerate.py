"""Another answer in place of the last one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.conversations.models import Block, Conversation, Message, Run
from apps.conversations.refusals import conflict, invalid, not_found
from apps.conversations.services.starting import Content
from apps.lib.clock import now
from apps.lib.problem import RefusedError

MEMBERS = ("messageId", "clientRequestId")
SUPERSEDED_BY = "supersededBy"


@dataclass(kw_only=True)
class Regeneration:
    """Answers the last user message once more; `data` is the decoded body.

    The old answer stays, marked as superseded, and so do the effects of its calls; the model is
    not told of it any more. That it is the last one is decided by `record`, under the
    conversation's lock.
    """

    data: Mapping[str, Any]
    _old: Message | None = field(default=None, init=False, repr=False)

    def find(self, conversation: Conversation) -> None:
        """RefusedError 404 for what is no answer of this conversation, 409 for an older one."""
        message_id = _id(self.data.get("messageId"))
        if message_id is None:
            return  # it names nothing; `content` says so
        answers = _answers(conversation.pk)
        self._old = answers.filter(pk=message_id).first()
        if self._old is None:
            raise not_found(_("没有这条回答。"))
        if answers.filter(pk__gt=message_id).exists():
            raise _superseded()

    def content(self) -> Content:
        """The user message that stands already; RefusedError 400 with errors by field."""
        errors = {
            name[:64]: [_("不认识的字段。")] for name in sorted(self.data) if name not in MEMBERS
        }
        if self._old is None:
            errors["messageId"] = [_("必须是消息编号。")]
        if errors or self._old is None:
            raise invalid(errors)
        asked = Message.objects.filter(
            conversation_id=self._old.conversation_id, role=Message.Role.USER, pk__lt=self._old.pk
        )
        said = asked.order_by("-pk").values_list("content", flat=True).first()
        if said is None:
            raise not_found(_("没有这条回答。"))
        request_id = str(self.data.get("clientRequestId", ""))
        metadata = {"clientRequestId": request_id, "supersedes": self._old.pk}
        return Content(text=said, metadata=metadata, again=True)

    def record(self, run: Run, message: Message | None) -> None:
        """Mark the old answer, and take it out of what the model is told."""
        if self._old is None:
            raise LookupError("find() comes first")
        between = _answers(run.conversation_id).filter(pk__gt=self._old.pk)
        if between.exclude(pk=run.message_id).exists():
            raise _superseded()
        old = Message.objects.select_for_update().get(pk=self._old.pk)
        old.metadata |= {SUPERSEDED_BY: run.message_id}
        old.save(update_fields=["metadata"])
        steps = Block.objects.filter(run_id=old.run_id, kind=Block.Kind.STEP, archived_at=None)
        steps.update(archived_at=now())


def parse_regenerate_body(body: Mapping[str, Any]) -> Regeneration:
    """The submission of `{messageId, clientRequestId}`; it is judged by `start_run`."""
    return Regeneration(data=body)


def _answers(conversation_id: str) -> QuerySet[Message]:
    rows = Message.objects.filter(conversation_id=conversation_id)
    return rows.filter(role=Message.Role.ASSISTANT)


def _id(value: object) -> int | None:
    return value if type(value) is int and 0 < value < 2**53 else None


def _superseded() -> RefusedError:
    return conflict("not_last_message", _("只能重新生成最后一条回答。"))
