"""Markup of any kind becomes text, in time that grows with the page alone."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.tools.builtin.pages import decoded, page_text

URL = "https://example.com/a/"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("a<br>b", "a\nb"),
        ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
        ("<script>x</script>a<style>y</style>", "a"),
        ("<SCRIPT>a < b </SCRIPT >c", "c"),
        ("<svg><title>no</title></svg>a", "a"),
        ("a<!-- b -- c -->d", "ad"),
        ("a <b", "a"),
        ("1 < 2 &amp; 3", "1 < 2 & 3"),
        ("&lt;b&gt;", "<b>"),
        ('<p title="a > b">c</p>', "c"),
        ('<a href="b">c</a>', "c (https://example.com/a/b)"),
        ("<a href=/b>c</a>", "c (https://example.com/b)"),
        ('<a href="#d">c</a> <a href="javascript:x">e</a>', "c e"),
        ('<a href="https://[bad">c</a>', "c"),
        ("<script>never closed", ""),
        ("<!-- never closed", ""),
    ],
)
def test_markup_becomes_text(markup: str, text: str) -> None:
    assert page_text(markup, URL).text == text


@pytest.mark.parametrize(
    "piece",
    ["<div>", "<", "<!--", "<a ", '<a href="', "<script>", "<svg>x</svg ", "<p a=1 ", "&lt", "<b/"],
)
def test_no_page_takes_long(piece: str) -> None:
    begun = time.process_time()
    page_text(piece * (300_000 // len(piece)), URL)
    assert time.process_time() - begun < 5


@given(st.text("<>/!-\"' abhref=scriptle&;#", max_size=200))
def test_every_text_can_be_read(markup: str) -> None:
    page_text(markup, URL)


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        ("好".encode(), "", "好"),
        ("好".encode("gb18030"), "gb18030", "好"),
        ('<meta charset="gbk">好'.encode("gbk"), "", '<meta charset="gbk">好'),
        ("好".encode(), "no-such", "好"),
        (b"\xff", "", "\ufffd"),
        ("\ufeff好".encode(), "utf-8", "好"),
        (b"ab", "rot13", "ab"),
    ],
)
def test_bytes_are_read_as_they_were_meant(body: bytes, charset: str, text: str) -> None:
    assert decoded(body, charset, is_markup=True) == text
