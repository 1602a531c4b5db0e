"""What a new tool begins as: something small that works, to be rewritten."""

from string import Template

SERVICE = Template('''\
"""The tool `$name`."""

from dataclasses import dataclass, field
from typing import Any

from apps.tools.registry import AgentContext, BusinessError, agent_tool

DESCRIPTION = "重复一段文字。改写这里：何时调用本工具，它返回什么。"


@dataclass(frozen=True, slots=True, kw_only=True)
class ${stem}Input:
    """What the model fills in."""

    text: str = field(metadata={"description": "文字，不超过 200 个字符", "maxLength": 200})


class ${stem}Tools:
    """Listed in `apps.py`; keep the method thin and let a service do the work."""

    @agent_tool("$name", DESCRIPTION, ${stem}Input, write_action=$writes)
    def ${method}(self, input: ${stem}Input, ctx: AgentContext) -> dict[str, Any]:
        text = input.text.strip()
        if not text:
            raise BusinessError("text: 不能为空")
        return {"status": "success", "text": text}
''')

TEST = Template('''\
"""`$name`, through the whole gateway."""

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.tools.testing import invoke_tool

pytestmark = pytest.mark.django_db(transaction=True)


def test_${name}_answers(alice: User) -> None:
    result = invoke_tool("$name", {"text": " hello "}, Actor.of(alice))
    assert result.ok, result.error
    assert result.data == {"status": "success", "text": "hello"}


@pytest.mark.parametrize("arguments", [{}, {"text": " "}, {"text": "x" * 201}])
def test_${name}_says_what_to_mend(alice: User, arguments: dict[str, str]) -> None:
    result = invoke_tool("$name", arguments, Actor.of(alice))
    assert not result.ok
    assert "text" in result.error
''')
