"""Request ids, digests, cursors and trace ids: small readings of what clients send."""

import re
from typing import Any
from uuid import UUID

import pytest

from apps.lib.problem import RefusedError
from apps.lib.trace import trace_id_of
from apps.protocols.cursor import cursor_of
from apps.protocols.request_identity import digest_of, request_id_of

ID = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.mark.req("RUN-7")
def test_request_id_is_a_uuid_in_either_case() -> None:
    assert request_id_of({"clientRequestId": ID.upper()}) == UUID(ID)


@pytest.mark.parametrize("given", [None, 1, "", ID.replace("-", ""), f"{{{ID}}}", ID + "\n"])
def test_other_request_ids_are_refused(given: Any) -> None:
    with pytest.raises(RefusedError) as caught:
        request_id_of({"clientRequestId": given})
    assert list(caught.value.problem.errors) == ["clientRequestId"]


@pytest.mark.req("RUN-7")
def test_digest_knows_contents_not_order() -> None:
    one = digest_of("text", "", {"content": "x", "skillKey": "a", "clientRequestId": ID})
    two = digest_of("text", "", {"skillKey": "a", "clientRequestId": "other", "content": "x"})
    assert one == two
    assert one != digest_of("text", "", {"content": "y", "skillKey": "a"})
    assert one != digest_of("form", "", {"content": "x", "skillKey": "a"})
    assert digest_of("form", "f1", {}) != digest_of("form", "f2", {})


@pytest.mark.req("RUN-7")
def test_null_member_is_a_missing_one() -> None:
    without = digest_of("text", "", {"content": "x"})
    assert digest_of("text", "", {"content": "x", "skillKey": None}) == without
    values = digest_of("form", "f", {"values": {"a": None}})
    assert values != digest_of("form", "f", {"values": {}})


def test_digest_takes_half_characters() -> None:
    assert len(digest_of("text", "", {"content": "\ud800"})) == 64


def scope(query: str = "", last: str = "") -> dict[str, Any]:
    headers = [(b"last-event-id", last.encode("latin-1"))] if last else []
    return {"headers": headers, "query_string": query.encode("latin-1")}


@pytest.mark.req("RUN-9")
def test_cursor_comes_from_header_then_query() -> None:
    assert cursor_of(scope()) == 0
    assert cursor_of(scope("after=7")) == 7
    assert cursor_of(scope("after=7", "10000005")) == 10_000_005


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "1e3", "²", "9" * 40, "0x10", " 1"])
def test_bad_cursor_is_refused(text: str) -> None:
    with pytest.raises(RefusedError) as caught:
        cursor_of(scope(last=text))
    assert list(caught.value.problem.errors) == ["Last-Event-ID"]
    with pytest.raises(RefusedError):
        cursor_of(scope("after="))


def test_only_a_valid_traceparent_is_taken() -> None:
    trace_id, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    assert trace_id_of(f"00-{trace_id}-{parent}-01") == trace_id
    bad = ["", f"ff-{trace_id}-{parent}-01", f"00-{'0' * 32}-{parent}-01", f"00-{trace_id}-x-01"]
    fresh = {trace_id_of(text) for text in bad}
    assert len(fresh) == len(bad)
    assert all(re.fullmatch("[0-9a-f]{32}", found) for found in fresh)
