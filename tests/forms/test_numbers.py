"""Numbers are printed as JavaScript prints them."""

import json
import random
import shutil
import struct
import subprocess

import pytest

from apps.forms.numbers import as_double, print_number

PRINTED = {
    5.0: "5",
    0.1: "0.1",
    -0.0: "0",
    100: "100",
    1.5: "1.5",
    -2.25: "-2.25",
    1e21: "1e+21",
    1e20: "100000000000000000000",
    123456789012345680000: "123456789012345680000",
    9223372036854775808: "9223372036854776000",
    1e-6: "0.000001",
    1e-7: "1e-7",
    1.25e-7: "1.25e-7",
    1.7976931348623157e308: "1.7976931348623157e+308",
    5e-324: "5e-324",
    9007199254740993: "9007199254740992",
    123456.789: "123456.789",
}


@pytest.mark.req("FORM-7")
@pytest.mark.parametrize(("value", "text"), PRINTED.items(), ids=str)
def test_a_number_is_printed_as_in_javascript(value: float, text: str) -> None:
    assert print_number(value) == text


@pytest.mark.parametrize(
    ("value", "double"),
    [
        (5.0, 5),
        (-0.0, 0),
        (2**53, 2**53),
        (2**53 + 1, 2**53),
        (2**63, float(2**63)),
        (10**400, None),
        (float("inf"), None),
        (float("nan"), None),
    ],
)
def test_a_number_becomes_the_nearest_double(value: float, double: float | None) -> None:
    got = as_double(value)
    assert (got, type(got)) == (double, type(double))


@pytest.mark.skipif(shutil.which("node") is None, reason="compares with node where it is there")
def test_random_doubles_print_as_node_prints_them() -> None:
    chance = random.Random(7)
    raw = [struct.unpack("<d", chance.randbytes(8))[0] for _ in range(2_000)]
    plain = [chance.uniform(-1, 1) * 10 ** chance.randint(-9, 24) for _ in range(2_000)]
    numbers = [x for x in raw + plain if as_double(x) is not None] + list(PRINTED)
    script = "let s='';process.stdin.on('data',d=>s+=d).on('end',()=>console.log(JSON.stringify("
    script += "JSON.parse(s).map(String))))"
    answer = subprocess.run(
        ["node", "-e", script],
        input=json.dumps(numbers),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [print_number(number) for number in numbers] == json.loads(answer.stdout)
