"""What may be typed, and what is kept of it."""

from typing import Any

import pytest

from apps.conversations.services.text import MAX_CHARACTERS, TextSubmission
from tests.conversations.store.support import refusal

REQUEST_ID = "6e8a4d5e-6f5d-4b58-9a47-0c1d7d0a8f11"


def submission(*, locked: str = "", **body: Any) -> TextSubmission:
    return TextSubmission(data={"clientRequestId": REQUEST_ID, **body}, locked_skill_key=locked)


def refused_fields(**body: Any) -> list[str]:
    problem = refusal(submission(**body).content)
    assert (problem.status, problem.code) == (400, "validation")
    return sorted(problem.errors)


@pytest.mark.parametrize(
    "content", [None, 5, True, [], {}, "", " \n\t", "x" * (MAX_CHARACTERS + 1)]
)
def test_unusable_content_is_refused(content: Any) -> None:
    assert refused_fields(content=content) == ["content"]


def test_missing_content_is_refused() -> None:
    assert refused_fields() == ["content"]


def test_longest_content_is_kept_whole() -> None:
    assert submission(content="学" * MAX_CHARACTERS).content().text == "学" * MAX_CHARACTERS


@pytest.mark.case("TXT-003", "TXT-004")
@pytest.mark.parametrize("damaged", ["a\x00b", "a\ud83db"])
def test_unstorable_characters_are_replaced(damaged: str) -> None:
    assert submission(content=damaged).content().text == "a\ufffdb"


def test_surrounding_blanks_are_kept() -> None:
    assert submission(content="  code\n").content().text == "  code\n"


@pytest.mark.case("STR-030")
def test_claims_of_an_old_view_count_for_nothing() -> None:
    said = submission(content="x", position=2, role="assistant").content()
    assert said.text == "x"
    assert said.metadata.keys() == {"clientRequestId"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("attachments", ["a1"]),
        ("attachments", "a1"),
        ("parameters", {"temperature": 0}),
        ("parameters", []),
    ],
)
def test_what_nothing_reads_is_refused(name: str, value: Any) -> None:
    assert refused_fields(content="x", **{name: value}) == [name]


@pytest.mark.parametrize(
    "empty", [{}, {"attachments": []}, {"parameters": {}}, {"attachments": None}]
)
def test_empty_extras_are_accepted(empty: dict[str, Any]) -> None:
    assert submission(content="x", **empty).content().text == "x"


@pytest.mark.parametrize("key", ["other", 5, "", "bad\x00key"])
def test_other_skill_than_locked_is_refused(key: Any) -> None:
    assert refused_fields(locked="mine", content="x", skillKey=key) == ["skillKey"]


@pytest.mark.parametrize(
    ("locked", "given", "kept"),
    [
        ("", {}, {}),
        ("", {"skillKey": "a"}, {"skillKey": "a"}),
        ("", {"skillKey": None}, {}),
        ("a", {}, {"skillKey": "a"}),
        ("a", {"skillKey": "a"}, {"skillKey": "a"}),
    ],
)
def test_skill_travels_with_the_message(
    locked: str, given: dict[str, Any], kept: dict[str, str]
) -> None:
    content = submission(locked=locked, content="x", **given).content()
    assert content.metadata == {"clientRequestId": REQUEST_ID, **kept}


def test_all_errors_come_at_once() -> None:
    named = refused_fields(content="", skillKey=1, parameters=[1])
    assert named == ["content", "parameters", "skillKey"]
