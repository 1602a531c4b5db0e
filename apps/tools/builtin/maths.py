"""Arithmetic that does not depend on a model's own."""

import decimal
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from apps.tools.builtin.expressions import CountError, UnknownNameError, Worked, work_out
from apps.tools.builtin.numbers import CONSTANTS, FUNCTIONS, shown
from apps.tools.builtin.tokens import UnreadableError
from apps.tools.builtin.told import CHAT, told
from apps.tools.registry import AgentContext, BusinessError, Presentation, agent_tool

LENGTH = 300
DESCRIPTION = gettext_noop(
    "计算一个算式，按十进制精确计算（0.1 + 0.2 = 0.3）。凡需要算数都调用本工具，不要心算。"
    "结果是文本形式的数字；exact 为 false 时末位经过四舍五入。"
)
EXPRESSION = (
    "算式，可用 + - * / //（整除） **（乘方） %（后面跟数时为取余，否则为百分号） 括号，"
    "常数 pi、e，以及函数 abs avg ceil exp floor ln log(x, 底) max min mod round(x, 位数) "
    "sqrt sum；数字不写千分位"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MathCalculateInput:
    """One expression."""

    expression: str = field(metadata=told(EXPRESSION, minLength=1, maxLength=LENGTH))


class MathTools:
    """A calculator; whatever is typed, it ends at once and runs nothing."""

    @agent_tool(
        "math_calculate",
        DESCRIPTION,
        MathCalculateInput,
        permission=CHAT,
        write_action=False,
        timeout=5,
        presentation=Presentation(title=gettext_lazy("计算")),
    )
    def math_calculate(self, input: MathCalculateInput, ctx: AgentContext) -> dict[str, Any]:
        worked = _worked(input.expression)
        result = shown(worked.value, exact=worked.exact)
        return {"status": "success", "result": result, "exact": worked.exact}


def _worked(expression: str) -> Worked:
    try:
        return work_out(expression)
    except UnreadableError as error:
        raise BusinessError(_unreadable(error)) from error
    except UnknownNameError as error:
        names = ", ".join([*FUNCTIONS, *CONSTANTS])
        text = _("没有 {name}。可用的有：{names}").format(name=str(error)[:32], names=names)
        raise BusinessError(text) from error
    except CountError as error:
        text = _("{name} 需要 {least} 到 {most} 个数。")
        raise BusinessError(
            text.format(name=error.name, least=error.least, most=error.most)
        ) from error
    except (decimal.Overflow, decimal.Underflow) as error:
        raise BusinessError(_("结果过大或过小，无法计算。")) from error
    except RecursionError as error:
        raise BusinessError(_("算式嵌套过深，请拆开计算。")) from error
    except decimal.DivisionByZero as error:
        raise BusinessError(_("除数不能为零。")) from error
    except decimal.InvalidOperation as error:
        raise BusinessError(_invalid(error)) from error


def _unreadable(error: UnreadableError) -> str:
    if not error.text:
        return _("算式不完整，请补全。")
    text = _("第 {place} 个字符处的 {sign} 无法理解，请改正。")
    return text.format(place=error.place, sign=error.text[:16])


def _invalid(error: decimal.InvalidOperation) -> str:
    signals = error.args[0] if error.args and isinstance(error.args[0], list) else []
    if decimal.DivisionUndefined in signals:
        return _("除数不能为零。")
    return _("这个算式没有实数结果，例如负数不能开平方。")
