"""The tool by which a model lets the person choose."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from apps.forms.faults import FormSchemaError
from apps.forms.fields import DESCRIPTION_LIMIT, TITLE_LIMIT
from apps.forms.schema import parse_form
from apps.tools.registry import (
    AgentContext,
    Availability,
    BusinessError,
    Presentation,
    ToolResult,
    UiEffect,
    agent_tool,
)

CHOICES = (2, 10)
OPTION_LIMIT = 100
FIELD_NAME = "choice"
DESCRIPTION = gettext_noop(
    "请用户在 2 到 10 个选项中选一个。需要用户做决定而选项可以列举时调用；"
    "用户选定后，系统会把选择发回给你继续执行。"
)
INPUT: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "question": {
            "type": "string",
            "description": f"要问的问题，最多 {DESCRIPTION_LIMIT} 个字符。",
        },
        "options": {
            "type": "array",
            "items": {"type": "string"},
            "description": f"2 到 10 个互不相同的选项，每个最多 {OPTION_LIMIT} 个字符。",
        },
    },
    "required": ["question", "options"],
    "additionalProperties": False,
}


class ChoiceTools:
    """One question with a few answers: a form of one field."""

    @agent_tool(
        "user_choose",
        DESCRIPTION,
        INPUT,
        permission="conversations.use_chat",
        write_action=False,
        control_tool=True,
        availability=Availability(capabilities=("forms",)),
        timeout=10,
        presentation=Presentation(title=gettext_lazy("请用户选择")),
    )
    def user_choose(self, input: Mapping[str, Any], ctx: AgentContext) -> ToolResult:
        """The run goes on and ends; the choice comes back as the submission of the form."""
        question, options = input["question"].strip(), [text.strip() for text in input["options"]]
        if faults := list(_faults(question, options)):
            raise BusinessError("\n".join(faults))
        try:
            form = parse_form(_form(question, options), form_id="")
        except FormSchemaError as error:
            raise BusinessError("\n".join(error.say(_).values())) from error
        data = {"status": "success", "message": _("选项已显示，等待用户选择")}
        return ToolResult(data, ui=(UiEffect(kind="form", payload=form.payload()),))


def _form(question: str, options: Sequence[str]) -> dict[str, Any]:
    """The question is the title, and what does not fit there the description."""
    short = len(question) <= TITLE_LIMIT
    title = question if short else _("请选择")
    field = {
        "name": FIELD_NAME,
        "label": _("您的选择"),
        "type": "select",
        "required": True,
        "options": [{"label": option, "value": option} for option in options],
    }
    return {"title": title, "fields": [field]} | ({} if short else {"description": question})


def _faults(question: str, options: Sequence[str]) -> Iterator[str]:
    least, most = CHOICES
    if not question:
        yield _("question: 请写出问题。")
    if len(question) > DESCRIPTION_LIMIT:
        yield _("question: 最多 {limit} 个字符，请缩短。").format(limit=DESCRIPTION_LIMIT)
    if not least <= len(options) <= most:
        count = _("options: 需要 {least} 到 {most} 个选项，现在有 {count} 个。")
        yield count.format(least=least, most=most, count=len(options))
    for place, option in enumerate(options):
        if not option or len(option) > OPTION_LIMIT:
            text = _("options[{place}]: 请写 1 到 {limit} 个字符。")
            yield text.format(place=place, limit=OPTION_LIMIT)
        elif option in options[:place]:
            yield _("options[{place}]: 与前面的选项重复，请改正。").format(place=place)
