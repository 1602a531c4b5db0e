"""Streams recorded from two independent servers, cut everywhere."""

from pathlib import Path

import pytest

from apps.runtime.errors import (
    BadAnswerError,
)
from apps.runtime.messages import Usage
from tests.runtime.hearing import calls, hear

RECORDINGS = sorted((Path(__file__).parents[1] / "data" / "recordings").glob("*.sse"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recording_survives_every_cut(path: Path) -> None:
    data = path.read_bytes()
    whole = hear([data])
    assert whole.text or whole.finish.calls
    for place in range(len(data)):
        assert hear([data[:place], data[place:]]) == whole


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recording_cut_short_is_never_whole(path: Path) -> None:
    data = path.read_bytes()
    end = data.index(b"\n\n", data.rindex(b'"finish_reason":"')) + 2
    for place in range(end):
        with pytest.raises(BadAnswerError):
            hear([data[:place]])


def test_recordings_say_what_was_scripted() -> None:
    heard = {path.stem: hear([path.read_bytes()]) for path in RECORDINGS}
    assert heard["aimock_text"].text == "Hi from the mock, 你好！"
    assert heard["aimock_text"].usage == Usage(prompt=10, completion=5)
    assert heard["aimock_reasoning"].reasoning == "First I consider the options."
    cities = [("get_weather", {"city": "Paris"}), ("get_weather", {"city": "伦敦"})]
    assert calls(heard["aimock_two_calls"]) == cities
