"""A typed text as the start of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.conversations.models import Conversation, Message, Run
from apps.conversations.refusals import invalid
from apps.conversations.services.starting import Content
from apps.runtime.text import clean_text

MAX_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSubmission:
    """What a person typed; `data` is the decoded body, judged only when `content` is asked.

    The body is `{content, clientRequestId, skillKey?, attachments?, parameters?}`. Whatever else
    a page claims (a position, a parent, an id) is the server's to say, and taken no notice of.
    """

    data: Mapping[str, Any]
    locked_skill_key: str = ""

    def find(self, conversation: Conversation) -> None:
        """A text is submitted to nothing but its conversation."""

    def content(self) -> Content:
        """The cleaned text; RefusedError 400 with the errors by field."""
        errors = _refused_content(self.data.get("content"))
        errors |= _refused_skill(self.data.get("skillKey"), self.locked_skill_key)
        errors |= _unsupported(self.data)
        if errors:
            raise invalid(errors)
        return Content(text=clean_text(self.data["content"]), metadata=self._metadata())

    def record(self, run: Run, message: Message | None) -> None:
        """Nothing stands beside the message."""

    def _metadata(self) -> dict[str, str]:
        metadata = {"clientRequestId": str(self.data.get("clientRequestId", ""))}
        skill_key = self.data.get("skillKey") or self.locked_skill_key
        return metadata | ({"skillKey": skill_key} if skill_key else {})


def parse_text_body(body: Mapping[str, Any], conversation: Conversation) -> TextSubmission:
    """The submission of a body; it is judged by `start_run`, in its turn."""
    return TextSubmission(data=body, locked_skill_key=conversation.locked_skill_key)


def _refused_content(content: object) -> dict[str, list[str]]:
    if not isinstance(content, str):
        return {"content": [_("请填写文字。")]}
    if not content.strip():
        return {"content": [_("内容不能为空。")]}
    if len(content) > MAX_CHARACTERS:
        return {"content": [_("内容最多 %(limit)d 个字符。") % {"limit": MAX_CHARACTERS}]}
    return {}


def _refused_skill(skill_key: object, locked: str) -> dict[str, list[str]]:
    if skill_key is None:
        return {}
    if not isinstance(skill_key, str) or len(skill_key) > 64 or clean_text(skill_key) != skill_key:
        return {"skillKey": [_("技能名称有误。")]}
    if locked and skill_key != locked:
        return {"skillKey": [_("这个会话已固定使用另一个技能。")]}
    return {}


def _unsupported(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Fields of the contract that nothing reads yet are refused, never silently ignored."""
    errors = {}
    for name, empty in (("attachments", []), ("parameters", {})):
        if data.get(name) not in (None, empty):
            errors[name] = [_("暂不支持。")]
    return errors
