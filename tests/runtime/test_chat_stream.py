"""One streamed answer, from recorded and from odd bytes."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from apps.runtime.chat_stream import ChatStream
from apps.runtime.errors import (
    BadAnswerError,
    ContextLengthError,
    ModelRateLimitError,
    ModelUnavailableError,
)
from apps.runtime.messages import TextDelta, Usage
from tests.runtime.hearing import calls, hear
from tests.runtime.wire import DONE, chunk, event, numbered

STOP = chunk({}, "stop")


def piece(**fields: Any) -> bytes:
    return chunk({"tool_calls": [fields]})


@pytest.mark.case("STR-016")
@pytest.mark.parametrize("choices", [{"choices": []}, {}, {"choices": None}])
def test_usage_chunk_needs_no_choices(choices: dict[str, Any]) -> None:
    last = event({**choices, "usage": {"prompt_tokens": 9, "completion_tokens": 4}})
    heard = hear([chunk({"content": "hi"}), STOP, last, DONE])
    assert (heard.text, heard.usage) == ("hi", Usage(prompt=9, completion=4))


@pytest.mark.parametrize("odd", [-1, 3_000_000_000, 2**31, 10**30, "-1", "3000000000", 1e300])
@pytest.mark.parametrize("other", [7, "7"])
def test_impossible_count_is_unknown(odd: Any, other: Any) -> None:
    usage = {"prompt_tokens": odd, "completion_tokens": other}
    assert hear([event({"usage": usage}), STOP]).usage == Usage(completion=7)
    swapped = {"prompt_tokens": other, "completion_tokens": odd}
    assert hear([event({"usage": swapped}), STOP]).usage == Usage(prompt=7)


def test_largest_count_that_a_column_holds_is_known() -> None:
    usage = {"prompt_tokens": 2**31 - 1, "completion_tokens": 0}
    known = hear([event({"usage": usage}), STOP]).usage
    assert known == Usage(prompt=2**31 - 1, completion=0)
    assert known + Usage(prompt=1, completion=1) == Usage(prompt=None, completion=1)


@pytest.mark.case("STR-017")
def test_last_usage_wins_over_earlier_ones() -> None:
    usages = [{"prompt_tokens": 100, "completion_tokens": n} for n in (1, 2, 3)]
    reads = [chunk({"content": "x"}, usage=usage) for usage in usages]
    assert hear([*reads, STOP]).usage == Usage(prompt=100, completion=3)


@pytest.mark.case("STR-001")
def test_random_cuts_keep_thirty_deltas_in_order() -> None:
    data = b"".join([*(chunk({"content": f"{n} "}) for n in range(1, 31)), STOP, DONE])
    expected = "".join(f"{n} " for n in range(1, 31))
    for seed in range(1000):
        places = [*random.Random(seed).sample(range(len(data)), 12), data.index(b"\n\n") + 2]
        edges = [0, *sorted(places), len(data)]
        assert hear(data[a:b] for a, b in pairwise(edges)).text == expected


@pytest.mark.case("STR-020")
def test_chinese_answer_survives_fixed_reads() -> None:
    text = "".join(chr(0x4E00 + number) for number in range(3000))
    data = b"".join([*(chunk({"content": text[n : n + 7]}) for n in range(0, 3000, 7)), STOP])
    assert hear(data[n : n + 4096] for n in range(0, len(data), 4096)).text == text


def test_two_pieces_of_one_call_in_a_chunk() -> None:
    first = {"index": 0, "id": "a", "function": {"name": "f", "arguments": '{"x"'}}
    second = {"index": 0, "function": {"arguments": ": 1}"}}
    assert calls(hear([chunk({"tool_calls": [first, second]}), STOP])) == [("f", {"x": 1})]


@pytest.mark.parametrize(
    "odd",
    [
        piece(index="0", id="a", function={"name": "f", "arguments": '{"x": 1}'}),
        piece(index=0, id=7, function={"name": "f", "arguments": {"x": 1}}),
        piece(id=None, function={"name": "f", "arguments": '{"x": 1}'}, index=None),
    ],
    ids=["index as text", "arguments as object", "all null"],
)
def test_odd_types_are_taken_for_their_meaning(odd: bytes) -> None:
    assert calls(hear([odd, STOP])) == [("f", {"x": 1})]


def test_content_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert hear([chunk({"content": parts}), STOP]).text == "ab"


@pytest.mark.case("TXT-003")
@pytest.mark.case("TXT-004")
def test_nul_and_half_characters_are_replaced() -> None:
    odd = json.dumps({"choices": [{"delta": {"content": "a\ud83db\x00"}}]}).encode()
    assert hear([b"data: " + odd + b"\n\n", STOP]).text == "a\ufffdb\ufffd"


@pytest.mark.parametrize(
    ("said", "meant"),
    [("stop", "stop"), ("length", "length"), ("content_filter", "filtered"), ("eos", "stop")],
)
def test_finish_reasons_have_our_names(said: str, meant: str) -> None:
    assert hear([chunk({"content": "x"}, said)]).finish.reason == meant


def test_refusal_is_shown_and_filtered() -> None:
    heard = hear([chunk({"refusal": "I can't "}), chunk({"refusal": "help."}), STOP])
    assert (heard.text, heard.finish.reason) == ("I can't help.", "filtered")


def test_filtered_answer_asks_for_no_calls() -> None:
    odd = piece(index=0, id="a", function={"name": "f", "arguments": "{}"})
    assert hear([odd, chunk({}, "content_filter")]).finish.calls == ()


@pytest.mark.parametrize("reads", [[], [DONE], [b": ping\n\n"], [chunk({"content": "x"}), DONE]])
def test_stream_without_finish_reason_is_bad(reads: list[bytes]) -> None:
    with pytest.raises(BadAnswerError):
        hear(reads)


@pytest.mark.parametrize("data", [b"{malformed", b"[1]", b'"x"', b"\xff", b"[" * 100_000])
def test_chunk_that_is_no_object_is_bad(data: bytes) -> None:
    with pytest.raises(BadAnswerError):
        hear([b"data: " + data + b"\n\n"])


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        ({"message": "boom"}, BadAnswerError),
        ({"message": "slow down", "code": 429}, ModelRateLimitError),
        ({"message": "x", "type": "rate_limit_error"}, ModelRateLimitError),
        ({"message": "x", "code": "context_length_exceeded"}, ContextLengthError),
        ({"message": "x", "code": "503"}, ModelUnavailableError),
        ("plain text", BadAnswerError),
    ],
)
def test_error_inside_stream_keeps_its_meaning(error: Any, meaning: type[Exception]) -> None:
    with pytest.raises(meaning):
        hear([chunk({"content": "Par"}), event({"error": error})])


def test_nothing_counts_after_done() -> None:
    assert hear([chunk({"content": "x"}, "stop"), DONE + chunk({"content": "late"})]).text == "x"


def test_one_read_makes_one_delta() -> None:
    stream = ChatStream(new_id=numbered())
    read = b"".join(chunk({"content": word}) for word in ("a", "b", "c"))
    assert stream.feed(read) == [TextDelta(text="abc")]


@pytest.mark.case("STR-026")
def test_text_before_a_fault_is_heard_however_cut() -> None:
    data = chunk({"content": "Par"}) + event({"error": {"message": "model unavailable"}})
    for place in range(len(data)):
        stream = ChatStream(new_id=numbered())
        heard = [*stream.feed(data[:place]), *stream.feed(data[place:])]
        assert heard == [TextDelta(text="Par")]
        with pytest.raises(BadAnswerError):
            stream.finish()


def test_broken_utf8_costs_one_letter() -> None:
    broken = chunk({"content": "aXb"}).replace(b"X", b"\xff")
    assert hear([broken, STOP]).text == "a\ufffdb"


def test_second_choice_is_not_heard() -> None:
    other = event({"choices": [{"index": 1, "delta": {"content": "other"}}]})
    assert hear([other, chunk({"content": "first"}), other, STOP]).text == "first"
