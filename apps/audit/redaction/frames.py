"""Frames and places in source that no class or module names."""

import re

from apps.audit.redaction.rule import DIGITS, DOTTED, WORD, Rule, rule

EXTENSIONS = (
    r"(?:pyc?|pyx|java|kts?|scala|groovy|jsx?|mjs|cjs|tsx?|vue|svelte|go|rb|cs|fs|vb|php|rs|cpp|cxx|cc|hpp|hxx|c|h|m|mm|swift|dart|lua|pl"
    r"|pm|exs?|erl|clj|hs|jl|r|sh|bash|ps1|psm1|bat|sql|ipynb)"
)
_FRAME = re.compile(r"->|::|0x|\(\d+\)|\{main\}|\.\w{1,4}:\d+|\) at | from /|\(\)")


def _is_frame(_: re.Match[str], value: str) -> bool:
    """And no numbered point of a list."""
    return _FRAME.search(value) is not None


def _is_scoped(_: re.Match[str], value: str) -> bool:
    return "::" in value or "0x" in value


FRAMES: tuple[Rule, ...] = (
    rule(
        "source and line",
        rf"(?<![\w/.-])[\w$.@-]{{1,80}}\.{EXTENSIONS}:\d+(?::\d+)?"
        rf"(?::in [`'][^'\n]{{1,100}}')?",
        needs=":1|:2|:3|:4|:5|:6|:7|:8|:9",
        left=WORD + "$.@-",
    ),
    rule(
        "node internals",
        r"node:[\w/]{1,60}:\d+(?::\d+)?",
        needs="node:",
    ),
    rule(
        "bundler",
        r"webpack(?:-internal)?:///?[^\s\"'<>)]+|(?:vite|ng|parcel)://[^\s\"'<>)]+",
        needs="webpack|vite://|ng://|parcel://",
    ),
    rule(
        "goroutine",
        r"goroutine \d+ \[[^\]\n]{1,60}\]:?",
        needs="goroutine",
    ),
    rule(
        "created by",
        r"created by (?:(?:main|[\w.]+/[\w./]+)\.[\w.()*]+|[\w./]+\.[\w.()*]+ in goroutine \d+)",
        needs="created by",
    ),
    rule(
        "signal",
        r"\[signal [^\]\n]{1,200}\]",
        needs="[signal",
    ),
    rule(
        "go call",
        r"(?<![\w.])[\w./-]{1,120}\.(?:\(\*?\w{1,60}\)\.)?\w{1,60}\("
        r"(?:0x[0-9a-f][^)\n]{0,200}|\.\.\.)\)",
        needs="(0x|(...)",
        left=WORD + "./-()*",
    ),
    rule(
        "go method",
        r"(?<![\w.])[\w./-]{1,120}\.\(\*\w{1,60}\)\.\w{1,60}(?:\([^)\n]{0,200}\))?",
        needs=".(*",
        left=WORD + "./-",
    ),
    rule(
        "go main",
        r"(?<![\w.])main\.\w{1,60}\(\)",
        needs="main.",
    ),
    rule(
        "address in memory",
        r"(?<!\w)0x(?![8cC][0-9a-fA-F]{7}(?!\w))[0-9a-fA-F]{5,}(?!\w)",
        needs="0x",
    ),
    rule(
        "offset",
        r"\+0x[0-9a-f]{1,8}\b",
        needs="+0x",
    ),
    rule(
        "ruby frame",
        r":in [`'][^'\n]{1,100}'",
        needs=":in ",
    ),
    rule(
        "numbered frame",
        r"(?m:^)[ \t]*#\d+:? +[^\r\n]{3,300}|#\d+ 0x[^\r\n]{3,300}",
        needs="#",
        left=" \t",
        accepts=_is_frame,
    ),
    rule(
        "rust frame",
        r"(?m:^) {2,8}\d{1,3}: (?P<x>\S[^\r\n]{2,300})",
        needs=": ",
        left=" " + DIGITS,
        accepts=_is_scoped,
    ),
    rule(
        "rust panic",
        r"panicked at [^\r\n]{3,400}",
        needs="panicked at",
    ),
    rule(
        "erlang arity",
        r"(?<![\w.])[A-Z]\w{1,40}(?:\.[A-Za-z]\w{0,40}){1,8}/\d{1,2}(?!\w)",
        anchor=DOTTED,
    ),
    rule(
        "php place",
        r"(?:in|thrown in) (?P<x>\S{2,300}\.php)(?:\(\d+\)|:\d+| on line \d+)",
        needs="in ",
    ),
    rule(
        "object",
        r"<[\w.]{1,120} (?:object )?at (?:0x)?[0-9a-f]{4,}>",
        needs="<",
    ),
    rule(
        "connection id",
        "clientconnectionid:[0-9a-f-]{36}",
        needs="clientconnectionid",
        fold=True,
    ),
    rule(
        "debugging identifiers",
        r"(?:core dumped|pid[ =:]\d+|thread 0x\w+|pc=0x\w+)",
        needs="pc=0x|thread 0x",
    ),
)
