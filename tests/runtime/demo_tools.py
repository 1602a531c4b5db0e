"""The three tools of the main job, as the product offers them to the demo model."""

import json
from typing import Any

from apps.runtime.messages import ToolSpec

FORM = ToolSpec(
    name="render_form",
    description="当用户需要提供结构化数据（如新增学生、录入资料）时，调用本工具渲染一个表单收集信息。"
    "用户填写并提交后，系统会把表单结果发回给你继续执行。",
    parameters={
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "description": {"type": "string"},
            "fields": {"type": "array"},
        },
        "required": ["title", "fields"],
    },
)
CREATE = ToolSpec(
    name="create_student",
    description="新增学生。仅在用户通过表单或消息明确提交了新增学生资料后调用。",
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "姓名，必填，不超过 50 个字符"},
            "phone": {"type": "string", "description": "电话，1 开头的 11 位手机号，可留空"},
            "gender": {
                "type": "string",
                "description": "性别，不清楚时为 unknown",
                "enum": ["male", "female", "unknown"],
            },
            "classId": {"type": ["integer", "null"], "description": "班级，班级的编号"},
            "organizationId": {"type": ["integer", "null"], "description": "组织，组织的编号"},
            "studentNo": {"type": "string", "description": "学号，组织内唯一"},
        },
        "required": ["name"],
    },
)
SEARCH = ToolSpec(
    name="search_students",
    description="查询学生。按姓名、学号、电话或班级查找本组织的学生，最多返回 20 条，并给出总数。",
    parameters={
        "type": "object",
        "properties": {
            "keyword": {"type": "string", "description": "关键词，姓名的一部分，或学号、电话"},
            "classId": {"type": ["integer", "null"], "description": "班级编号，正整数"},
        },
        "required": [],
    },
)
TOOLS = (FORM, CREATE, SEARCH)
FORM_RESULT = json.dumps(
    {"status": "success", "message": "表单已生成，等待用户填写提交"}, ensure_ascii=False
)


def student(**fields: Any) -> dict[str, Any]:
    """A student as the tools show one."""
    blank = {"id": 7, "studentNo": "", "phone": "", "gender": "unknown", "classId": None}
    return {**blank, "className": "", "organizationId": 1, **fields}


def created(**fields: Any) -> str:
    result = {"status": "success", "student": student(**fields), "message": "已新增学生"}
    return json.dumps(result, ensure_ascii=False)


def found(*students: dict[str, Any]) -> str:
    result = {"status": "success", "count": len(students), "students": [*students], "message": ""}
    return json.dumps(result, ensure_ascii=False)
