"""The assembler against pieces as vendors were seen to send them."""

from typing import Any

import pytest

from apps.runtime.assembler import ToolCallAssembler, parse_arguments
from apps.runtime.chunks import CallPiece
from tests.runtime.wire import numbered


def assemble(*pieces: tuple[int | None, str, str, str]) -> list[tuple[str, str, Any]]:
    """Pieces are (index, id, name, arguments); answers (our id, name, arguments or error)."""
    assembler = ToolCallAssembler(new_id=numbered())
    for index, id_, name, arguments in pieces:
        assembler.feed(CallPiece(index=index, id=id_, name=name, arguments=arguments))
    calls = assembler.finish()
    return [(call.id, call.name, call.arguments_error or call.arguments) for call in calls]


ONE, TWO = "our00000001", "our00000002"
BOTH = [(ONE, "f", {"x": 1}), (TWO, "g", {"y": 2})]


@pytest.mark.case("TOOL-001")
@pytest.mark.parametrize("raw", ["", "  ", None, "null", "{}"])
def test_no_arguments_are_an_empty_object(raw: str | None) -> None:
    assert parse_arguments(raw) == ({}, None)


@pytest.mark.case("TOOL-004")
def test_new_id_at_same_index_starts_call() -> None:
    pieces = [(0, "a", "read", '{"p":"x"}'), (0, "b", "read", '{"p":"y"}')]
    assert assemble(*pieces) == [(ONE, "read", {"p": "x"}), (TWO, "read", {"p": "y"})]


@pytest.mark.case("TOOL-005")
def test_interleaved_pieces_find_their_calls() -> None:
    started = [(0, "a", "f", '{"x":'), (1, "b", "g", '{"y":')]
    assert assemble(*started, (0, "", "", "1}"), (1, "", "", "2}")) == BOTH


ODD = {
    "no index": [(None, "a", "f", '{"x":'), (None, "a", "", "1}"), (None, "b", "g", '{"y":2}')],
    "no index, no id": [(None, "", "f", '{"x":'), (None, "", "", "1}"), (None, "", "g", '{"y":2}')],
    "no id, name again": [(0, "", "f", '{"x":'), (0, "", "f", "1}"), (1, "", "g", '{"y":2}')],
    "same id twice": [(0, "a", "f", ""), (0, "a", "f", '{"x":1}'), (1, "a", "g", '{"y":2}')],
    "index reused": [(0, "a", "f", '{"x":1}'), (0, "a", "f", ""), (0, "", "g", '{"y":2}')],
    "late id": [(0, "", "f", '{"x":1}'), (1, "", "", ""), (1, "late", "g", '{"y":2}')],
    "by id alone": [
        (None, "a", "f", ""),
        (None, "b", "g", ""),
        (None, "a", "", '{"x":1}'),
        (None, "b", "", '{"y":2}'),
    ],
}


@pytest.mark.parametrize("pieces", ODD.values(), ids=ODD.keys())
def test_odd_pieces_still_make_both_calls(pieces: list[tuple[int | None, str, str, str]]) -> None:
    assert assemble(*pieces) == BOTH


def test_whole_calls_without_ids_stay_apart() -> None:
    pieces = [(0, "", "f", '{"x":1}'), (0, "", "f", '{"x":2}')]
    assert assemble(*pieces) == [(ONE, "f", {"x": 1}), (TWO, "f", {"x": 2})]


def test_other_name_without_id_starts_call() -> None:
    pieces = [(0, "", "ping", ""), (0, "", "pong", "")]
    assert assemble(*pieces) == [(ONE, "ping", {}), (TWO, "pong", {})]


@pytest.mark.case("TXT-006")
def test_escaped_and_plain_letters_are_equal() -> None:
    escaped, _ = parse_arguments('{"name":"\\u5f20\\u4f1f"}')
    assert escaped == parse_arguments('{"name":"张伟"}')[0] == {"name": "张伟"}


@pytest.mark.case("TXT-003")
@pytest.mark.case("TXT-004")
def test_nul_and_half_characters_are_replaced() -> None:
    arguments, error = parse_arguments('{"a\\u0000": ["\\ud83d", {"b": "\\u0000"}]}')
    assert (arguments, error) == ({"a\ufffd": ["\ufffd", {"b": "\ufffd"}]}, None)


@pytest.mark.case("TOOL-002")
@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ('{"a":', "not valid JSON at character 6"),
        ("{}{}", "not valid JSON at character 3"),
        ('{"a": NaN}', "not valid JSON: NaN"),
        ('{"a": -Infinity}', "not valid JSON: -Infinity"),
        ('{"a": 1e999}', "a number is too large"),
        ('{"a": %s}' % ("9" * 5000), "a number is too large"),
        ("[1]", "must be an object, not an array"),
        ('"x"', "must be an object, not a string"),
        ("7", "must be an object, not a number"),
        ("true", "must be an object, not a boolean"),
    ],
)
def test_other_than_object_is_an_error(raw: str, told: str) -> None:
    assert parse_arguments(raw) == ({}, told)


@pytest.mark.parametrize("levels", [120, 600, 100_000])
def test_deep_arguments_are_an_error(levels: int) -> None:
    raw = '{"a":' + "[" * levels + "]" * levels + "}"
    assert parse_arguments(raw) == ({}, "nested too deeply")


def test_no_pieces_are_no_calls() -> None:
    assert assemble() == []
