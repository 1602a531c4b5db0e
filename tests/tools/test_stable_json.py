"""Any result becomes the same short JSON each time."""

import enum
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from apps.lib.canonical import canonical_json
from apps.tools.stable_json import LIMIT, cut, present, stable

ID = UUID("00000000-0000-4000-8000-000000000001")


class Size(enum.Enum):
    """Two sizes."""

    SMALL = "s"


@dataclass
class Pair:
    """Two values."""

    left: int
    right: Any


@pytest.mark.case("TOOL-013")
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        ([1, "a"], [1, "a"]),
        ((1, 2), [1, 2]),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02T03:04:00+00:00"),
        (time(3, 4), "03:04:00"),
        (timedelta(minutes=1), 60.0),
        (Decimal("1.10"), "1.10"),
        (ID, str(ID)),
        ({"b", "a"}, ["a", "b"]),
        ({1: "x", None: "y"}, {"1": "x", "null": "y"}),
        (Size.SMALL, "s"),
        (Pair(1, {2}), {"left": 1, "right": [2]}),
        (float("nan"), "nan"),
        ("a\x00\ud83d", "a\ufffd\ufffd"),
        (object(), {"type": "object"}),
    ],
)
def test_a_value_becomes_stable_json(value: Any, shown: Any) -> None:
    assert stable(value) == shown
    assert canonical_json(stable(value)) == canonical_json(stable(value))


@pytest.mark.case("TOOL-013")
def test_bytes_become_a_reference() -> None:
    size = 3 * 1024 * 1024
    assert stable(b"\x89PNG" + bytes(size)) == {"type": "image/png", "size": size + 4}
    assert stable(bytearray(2)) == {"type": "application/octet-stream", "size": 2}


@pytest.mark.case("TOOL-013")
def test_one_long_line_is_cut_by_characters() -> None:
    shown = present({"rows": ["x" * 1_000_000]})
    assert shown["truncated"] is True
    assert shown["characters"] > 1_000_000
    assert len(shown["text"]) == LIMIT


@pytest.mark.case("TOOL-013")
@pytest.mark.parametrize("value", [None, [1], "text", b"x"])
def test_what_is_no_object_is_wrapped(value: Any) -> None:
    shown = present(value)
    assert isinstance(shown, dict)
    assert "b'" not in canonical_json(shown)


def test_deep_nesting_ends() -> None:
    value: Any = []
    for _ in range(5_000):
        value = [value]
    assert canonical_json(stable(value)).count("[") <= 33


@pytest.mark.case("TXT-004")
@pytest.mark.parametrize("cluster", ["👩‍👩‍👧", "é", "🇨🇳", "👍🏽", "❤️", "1️⃣"])
def test_cutting_keeps_a_cluster_whole(cluster: str) -> None:
    text = "ab" + cluster + "cd"
    for limit in range(2, len(text)):
        rest = cut(text, limit).removeprefix("ab")
        assert rest == "" or rest.startswith(cluster)
