"""Hostile and ordinary model text through the one way to HTML."""

import re
import time

import pytest

from apps.lib.markdown import MAX_BYTES, render_markdown

SAFE_TAG = re.compile(
    r"</?(blockquote|br|code|em|h[1-6]|hr|li|ol|p|pre|s|strong|table|tbody|td|th|thead|tr|ul)"
    r'( (class="language-[\w+#.-]+"|start="\d+"))?( ?/)?>|</a>'
    r'|<a( (href="(https?|mailto):[^"<>]*"|title="[^"<>]*"|target="_blank"'
    r'|rel="noopener noreferrer nofollow"))*>'
)
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](//evil.example/x)",
    "[x](/admin/logout/)",
    "[x](\\\\evil.example)",
    "![x](javascript:alert(1))",
    '![x](http://e.example/"onerror="alert(1))',
    '![" onmouseover="alert(1)](http://e.example)',
    '[x](http://e.example "\\" onmouseover=\\"alert(1)")',
    "```js onload=x\n</code></pre><script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "<style>*{display:none}</style>",
    "<iframe src=http://e.example></iframe>",
    "<!-- --><script>alert(1)</script>",
    "[a]: javascript:alert(1)\n\n[a]",
    "<javascript:alert(1)>",
    "| <script>x</script> |\n|---|\n| <b onclick=x>y |",
    "<form action=http://e.example><input name=p>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\x00<script\x00>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_only_safe_tags_survive(text: str) -> None:
    left = SAFE_TAG.sub("", render_markdown(text))
    assert "<" not in left
    assert ">" not in left.replace("&gt;", "")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("# Title", "<h1>Title</h1>"),
        ("**bold** and *soft*", "<strong>bold</strong> and <em>soft</em>"),
        ("~~gone~~", "<s>gone</s>"),
        ("|a|\n|-|\n|1|", "<td>1</td>"),
        ("3. x", '<ol start="3">'),
        ("```python\nx < 1\n```", '<pre><code class="language-python">x &lt; 1\n</code></pre>'),
        ("<b>raw</b>", "&lt;b&gt;raw&lt;/b&gt;"),
        ("学生**已新增**。", "<strong>已新增</strong>"),
    ],
)
def test_ordinary_text_is_rendered(text: str, part: str) -> None:
    assert part in render_markdown(text)


@pytest.mark.parametrize(
    "text", ["[x](https://a.example/p?q=1&r=2)", "<https://a.example>", "[x](mailto:a@b.example)"]
)
def test_links_tell_nothing_and_open_beside(text: str) -> None:
    html = render_markdown(text)
    assert 'rel="noopener noreferrer nofollow"' in html
    assert 'target="_blank"' in html


def test_bare_addresses_stay_text() -> None:
    assert "<a" not in render_markdown("see https://a.example or www.a.example")


def test_images_become_links() -> None:
    html = render_markdown("![a cat](https://a.example/cat.png)")
    assert "<img" not in html
    assert 'href="https://a.example/cat.png"' in html
    assert ">a cat</a>" in html


def test_image_without_label_shows_address() -> None:
    assert ">https://a.example/c.png</a>" in render_markdown("![](https://a.example/c.png)")


def test_long_text_is_shown_as_it_is() -> None:
    text = "**&<" + "x" * MAX_BYTES
    assert render_markdown(text) == "<pre>**&amp;&lt;" + "x" * MAX_BYTES + "</pre>"


def test_bytes_are_counted_not_characters() -> None:
    assert render_markdown("学" * (MAX_BYTES // 3 + 1)).startswith("<pre>")


def test_lone_surrogates_do_not_break_it() -> None:
    assert render_markdown("a\ud83db").startswith("<p>a")


@pytest.mark.parametrize("unit", ["[", "![[", "[a](", "*a ", "> ", "<a ", "`", "~~a ", "|a"])
def test_hostile_repetition_costs_linear_time(unit: str) -> None:
    """A ratio in one run: four times the text may not cost twelve times as much."""
    short, long = (_cpu_seconds((unit * MAX_BYTES)[:size]) for size in (8_000, 32_000))
    assert long < 12 * short + 0.2


def _cpu_seconds(text: str) -> float:
    """The best of three: a busy machine makes one figure worse, never better."""
    return min(_once(text) for _ in range(3))


def _once(text: str) -> float:
    started = time.process_time()
    render_markdown(text)
    return time.process_time() - started
