"""The tool by which a model asks for structured input."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from apps.forms.faults import FormSchemaError
from apps.forms.fields import FIELD_TYPES, LABEL_LIMIT, NAME, OPTIONS
from apps.forms.schema import parse_form
from apps.tools.registry import (
    AgentContext,
    BusinessError,
    Presentation,
    ToolResult,
    UiEffect,
    agent_tool,
)

DESCRIPTION = gettext_noop(
    "当用户需要提供结构化数据（如新增学生、录入资料）时，调用本工具渲染一个表单收集信息。"
    "用户填写并提交后，系统会把表单结果发回给你继续执行。"
)
RESULT: Mapping[str, Any] = {"status": "success", "message": "表单已生成，等待用户填写提交"}
# For people, and true also when the form has long been submitted.
LABELS = {"message": {RESULT["message"]: gettext_lazy("表单已生成")}}

OPTION: Mapping[str, Any] = {
    "type": "object",
    "properties": {"label": {"type": "string"}, "value": {"type": ["string", "number"]}},
    "required": ["label", "value"],
    "additionalProperties": False,
}
FIELD: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "name": {
            "type": "string",
            "pattern": f"^{NAME.pattern}$",
            "description": "提交结果中的键，表单内不得重复。",
        },
        "label": {"type": "string", "description": f"最多 {LABEL_LIMIT} 个字符。"},
        "type": {"type": "string", "enum": list(FIELD_TYPES)},
        "required": {"type": "boolean"},
        "placeholder": {"type": "string"},
        "options": {
            "type": "array",
            "items": OPTION,
            "description": f"仅用于 select，必填，{OPTIONS[0]} 到 {OPTIONS[1]} 项。",
        },
        "min": {"type": "number", "description": "仅用于 number。"},
        "max": {"type": "number", "description": "仅用于 number，不小于 min。"},
    },
    "required": ["name", "label", "type"],
    "additionalProperties": False,
}
INPUT: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "description": {"type": "string"},
        "fields": {"type": "array", "items": FIELD},
    },
    "required": ["title", "fields"],
    "additionalProperties": False,
}


class FormTools:
    """Forms that are filled in by a person; rendering one writes no business data."""

    @agent_tool(
        "render_form",
        DESCRIPTION,
        INPUT,
        permission="conversations.use_chat",
        destructive=False,
        write_action=False,
        presentation=Presentation(title=gettext_lazy("显示表单"), labels=LABELS),
    )
    def render_form(self, input: Mapping[str, Any], ctx: AgentContext) -> ToolResult:
        """The fixed answer; the form itself travels as an effect, under the id of the call."""
        try:
            form = parse_form(input, form_id="")
        except FormSchemaError as error:
            raise BusinessError(_remedy(error)) from error
        return ToolResult(dict(RESULT), ui=(UiEffect(kind="form", payload=form.payload()),))


def _remedy(error: FormSchemaError) -> str:
    """Every fault with its path, so that the model can mend all of them at once."""
    lines = [f"- {path or 'input'}: {text}" for path, text in error.say(_).items()]
    return "\n".join([_("表单描述有误，请按下列提示修改后重新调用："), *lines])
