"""Arithmetic in decimals, bounded, and never executed."""

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.tools.builtin.maths import LENGTH, MathCalculateInput, MathTools
from apps.tools.registry import BusinessError
from apps.tools.testing import fake_context, invoke_tool


def result(expression: str) -> tuple[str, bool]:
    asked = MathCalculateInput(expression=expression)
    data = MathTools().math_calculate(asked, fake_context())
    return data["result"], data["exact"]


@pytest.mark.req("TOOL-23")
@pytest.mark.django_db(transaction=True)
def test_the_result_comes_through_the_gateway(alice: User) -> None:
    answer = invoke_tool("math_calculate", {"expression": "0.1 + 0.2"}, Actor.of(alice))
    assert answer.data == {"status": "success", "result": "0.3", "exact": True}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("-2 ** 2", "-4"),
        ("2 ^ 3 ^ 2", "512"),
        ("2 ** -1", "0.5"),
        ("7 % 3", "1"),
        ("-7 % 3", "2"),
        ("-7 // 2", "-4"),
        ("200 * 15%", "30"),
        ("100 - 10%", "99.9"),
        ("\uff11\uff19\uff0e9 × 3 ÷ （2 \u2212 1）", "59.7"),
        ("2 ** 100", "1267650600228229401496703205376"),
        ("round(2.5)", "3"),
        ("round(1.005, 2)", "1.01"),
        ("round(1234, -2)", "1200"),
        ("max(1, 2, 3) - min(4, 5) + sum(1, 2) + abs(-1)", "3"),
        ("avg(1, 2) + mod(7, 4) + floor(-1.5) + ceil(1.2)", "4.5"),
        ("sqrt(16) + log(1000) + 1_000 + .5 + 1e3", "2007.5"),
        ("-0", "0"),
    ],
)
def test_what_people_write_is_worked_out(expression: str, value: str) -> None:
    assert result(expression) == (value, True)


def test_long_growth_is_worked_out() -> None:
    assert result("1.01 ** 2000")[0].startswith("439286205.0500")


def test_rounding_is_said() -> None:
    assert result("1 / 3") == ("0.3333333333333333333333333333", False)
    assert result("sqrt(2) ** 2") == ("2", False)
    assert result("pi") == ("3.141592653589793238462643383", False)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("1 / 0", "零"),
        ("0 / 0", "零"),
        ("5 % 0", "零"),
        ("sqrt(-1)", "实数"),
        ("ln(0)", "实数"),
        ("9 ** 9 ** 9", "过大"),
        ("1e999 * 10 ** 10", "过大"),
        ("10 ** 1000 * 10", "过大"),
        ("0.5 ** 5000", "过小"),
        ("1e-999 / 1e999", "过小"),
        ("(" * 120 + "1" + ")" * 120, "过深"),
        ("2 **" * 60 + "1", "过深"),
        ("(1 + 2", "不完整"),
        ("1 2", "第 3 个"),
        ("1,000", "第 2 个"),
        ("2 + x", "sqrt"),
        ("mod(1)", "2 到 2"),
        ("__import__('os').system('id')", "第 1 个"),
        ("[i for i in (1,)]", "第 1 个"),
        ("٣ + 1", "第 1 个"),
    ],
)
def test_what_has_no_value_is_explained(expression: str, told: str) -> None:
    with pytest.raises(BusinessError, match=told):
        result(expression)


@settings(max_examples=300, deadline=None)
@given(st.text("0123456789.+-*/%^(), eplnsqrt", max_size=LENGTH))
def test_every_text_ends_soon_in_a_value_or_a_reason(expression: str) -> None:
    begun = time.perf_counter()
    with contextlib.suppress(BusinessError):
        assert len(result(expression)[0]) < 80
    assert time.perf_counter() - begun < 2
