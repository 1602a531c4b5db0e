"""Strict reading of bodies: every odd one is a clear 400, the plain ones arrive unchanged."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.lib.json_body import MAX_DEPTH, read_object
from apps.lib.problem import RefusedError


def refused(content: bytes) -> str:
    with pytest.raises(RefusedError) as caught:
        read_object(content)
    problem = caught.value.problem
    assert (problem.status, problem.code) == (400, "validation")
    assert list(problem.errors) == [""]
    return problem.detail


def nested(depth: int) -> bytes:
    """An object of so many levels, the outermost counted."""
    return b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


def test_plain_object_arrives_unchanged() -> None:
    body = {"content": "你好 🙂", "n": [1, -2.5, 1e300, None, True], "o": {"": {}}}
    assert read_object(json.dumps(body).encode()) == body


def test_last_of_two_equal_names_counts() -> None:
    assert read_object(b'{"a":1,"a":2}') == {"a": 2}


@pytest.mark.parametrize("content", [b"", b" ", b"{", b"{}x", b"{'a':1}", b'{"a":01}', b'{"a"}'])
def test_broken_json_tells_its_place(content: bytes) -> None:
    assert "1" in refused(content)


@pytest.mark.parametrize("content", [b"[]", b"1", b'"x"', b"null", b"true"])
def test_only_objects_are_taken(content: bytes) -> None:
    assert "对象" in refused(content)


@pytest.mark.parametrize("content", [b'{"a":"\xff"}', b"\x80", '{"a":1}'.encode("utf-16")])
def test_only_utf_8_is_read(content: bytes) -> None:
    refused(content)


@pytest.mark.case("FORM-012")
@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" * 5000])
def test_numbers_must_be_finite(number: str) -> None:
    refused(f'{{"a":[{number}]}}'.encode())


def test_depth_is_limited() -> None:
    read_object(nested(MAX_DEPTH))
    assert str(MAX_DEPTH) in refused(nested(MAX_DEPTH + 1))


@pytest.mark.parametrize("content", [b"[" * 900_000, b'{"a":' * 150_000, nested(100_000)])
def test_bottomless_bodies_are_no_error_of_ours(content: bytes) -> None:
    refused(content)


@pytest.mark.parametrize("name", ["\\u0000", "\\ud800", "a\\udfff"])
def test_names_must_be_storable(name: str) -> None:
    refused(f'{{"o":{{"{name}":1}}}}'.encode())


def test_unusable_characters_in_values_are_left_to_the_field() -> None:
    assert read_object(b'{"a":"\\u0000\\ud800"}') == {"a": "\x00\ud800"}


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with suppress(RefusedError):
        assert isinstance(read_object(content), dict)
