"""The catalogue entry under which the form tool is presented."""

from apps.skills.registry import SkillEntry

ASSISTANT = SkillEntry(
    key="assistant",
    name="助手工具",
    description="生成交互式表单，用于收集用户结构化输入。",
    examples=("帮我新增一个学生", "录入一笔费用"),
)
