"""Stack traces and places in source, of many languages."""

import re

from apps.audit.redaction.rule import DOTTED, QUOTE, WORD, Rule, rule

_PLACE = re.compile(
    r"\w\(|\((?:[^)\r\n]{0,200}[/:<]|native|index|Unknown)|[A-Za-z_]\w*:\d|->|::|0x"
    r"|<>|\.<|/\w+\.\w| in [A-Z/]"
)
_DEBUGGER = re.compile(r"\([0-9]{1,5}\)(?=[a-z_<])")


def _has_place(match: re.Match[str], value: str) -> bool:
    """A frame names a file, a call or an address."""
    return _PLACE.search(value) is not None


def _is_method(_: re.Match[str], value: str) -> bool:
    """Of a class named in several words, and no name of a file or a site."""
    head, __, tail = value.partition(".")
    return any(sign.isupper() for sign in head[1:]) and (
        any(sign.isupper() or sign in "_(" for sign in tail) or len(tail) > 5
    )


def _is_module(_: re.Match[str], value: str) -> bool:
    return "." in value or "_" in value or "/" in value


def _is_place(match: re.Match[str], value: str) -> bool:
    """A name of a function; a plain word only where a file was named before."""
    if re.search(r"_|\d|<|\w\.\w|[a-z][A-Z]", value):
        return True
    before = match.string[max(0, match.start() - 80) : match.start()]
    return re.search(r"\.\w{1,4}[\"'\])]*,? ?$|file ", before, re.IGNORECASE) is not None


TRACES: tuple[Rule, ...] = (
    rule(
        "python trace",
        r"(?:exception group )?traceback \(most recent call last\)[\s\S]*",
        needs="exception group|traceback (",
        fold=True,
    ),
    rule(
        "python frame",
        r"file \\*\"[^\"\n]{1,300}\", line \d+(?:, in [^\s,;]+)?",
        needs="file ",
        fold=True,
    ),
    rule(
        "place in source",
        r"line \d+,? in (?P<x>[\w.<>]+)",
        needs="line ",
        accepts=_is_place,
    ),
    rule(
        "debugger frame",
        r"\(\d{1,5}\)(?P<x>[a-z_<]\w{1,60}>?\(\))",
        anchor=_DEBUGGER,
    ),
    rule(
        "coroutine",
        r"(?:coro=<|coroutine ['\"]?|function |method |object "
        r"|task:? )<?(?P<x>[\w.]{2,120}(?:\(\))?)(?=['\"]? (?:at |was never|running|done"
        "|of <))",
        needs="coro=|coroutine |function |method |object |task",
    ),
    rule(
        "arguments of a function",
        r"(?P<x>[\w.]{2,120}\(\)) (?=missing |takes |got |argument|expected)",
        needs="() ",
        left=WORD + ".",
    ),
    rule(
        "python name",
        "(?:keyerror|attributeerror|nameerror|importerror|modulenotfounderror"
        "|unboundlocalerror|notregistered|fielderror|fielddoesnotexist"
        "|unresolved reference|exception value:"
        r"|nameerror: name)[^\r\n\w]{0,6}[\"'](?P<x>[^\"'\r\n]{1,120})",
        needs=(
            "keyerror|attributeerror|nameerror|importerror|modulenotfounderror"
            "|unboundlocalerror|notregistered|fielderror|fielddoesnotexist|exception value:"
        ),
        fold=True,
    ),
    rule(
        "name that is missing",
        "(?:has no attribute|no module named|cannot import name|cannot find (?:module"
        "|package)|could not (?:find|load) (?:module|class|file or assembly|package)"
        "|undefined (?:reference to|method|symbol:?|variable|function)"
        "|unresolved external symbol|no such (?:module|package)|bean with name"
        "|not find or load main class)"
        rf"\s{{1,2}}{QUOTE}?(?P<x>[\w.@$:\\/-]{{2,160}}){QUOTE}?(?=\W|\Z)",
        needs=(
            "has no attribute|no module named|cannot import name|cannot find "
            "|could not find |could not load |undefined |unresolved external|no such module"
            "|no such package|bean with name|not find or load"
        ),
        fold=True,
        accepts=_is_module,
    ),
    rule(
        "place in parentheses",
        r"in (?P<x>\w{2,80}) \((?P<y>[\w./-]{2,120}\.\w{1,4}), line \d+",
        needs="in ",
    ),
    rule(
        "function of a record",
        r"\"(?:func|funcname|caller|stack|frame"
        r"|pathname)\"\s?:\s?\"(?P<x>[^\"\r\n]{2,300})",
        needs='"func|"caller|"stack|"frame|"pathname',
        fold=True,
    ),
    rule(
        "bean",
        r"(?:bean with name|bean named|through (?:field|constructor parameter|method)) "
        r"['\"](?P<x>\w{2,120})['\"]",
        needs="bean |through ",
        fold=True,
    ),
    rule(
        "imported from",
        r"cannot import name '(?P<x>[^'\r\n]{1,100})' from '(?P<y>[^'\r\n]{1,160})'",
        needs="cannot import",
    ),
    rule(
        "attribute",
        r"has no attribute '(?P<x>[^'\r\n]{1,120})'"
        r"|no module named '(?P<y>[^'\r\n]{1,160})'",
        needs="has no attribute|no module named",
        fold=True,
    ),
    rule(
        "dotted module",
        r"(?<![\w./@-])(?:apps|config|src|core|django|celery|backend|server|service"
        r"|services|lib|internal|main|project)(?:\.[a-z_]\w{0,60}){2,8}"
        r"(?:\.[A-Z]\w{0,60})?(?:\.\w{1,60})?",
        needs=(
            "apps.|config.|src.|core.|django.|celery.|backend.|server.|service.|services."
            "|lib.|internal.|main.|project."
        ),
    ),
    rule(
        "lists of modules",
        r"(?:python path|sys\.path|classpath"
        r"|require stack):?[\t ]{0,4}(?P<x>[^\r\n]{4,}(?:[\r\n]+[-\[' ][^\r\n]*){0,20})",
        needs="python path|sys.path|classpath|require stack",
        fold=True,
    ),
    rule(
        "frame on a line",
        r"(?:(?m:^)|(?<=\\[nrt]))[ \t|]{0,40}at (?P<x>[^\r\n]{3,400})",
        needs="at ",
        left=" \t|",
        accepts=_has_place,
    ),
    rule(
        "frame",
        r"at (?P<x>(?:async )?[\w.$<>/@\[\]` ]{1,200}\([^()\r\n]{1,200}\))",
        needs="at ",
        accepts=_has_place,
    ),
    rule(
        "dotnet frame",
        r"at (?P<x>[A-Z][\w`]{0,80}(?:\.[\w`<>+\[\]]{1,80}){1,12}\([^)\r\n]{0,200}\)"
        r"(?: in [^\r\n]+)?)",
        needs="at ",
    ),
    rule(
        "caused by",
        r"(?:caused by|suppressed|nested exception is):? (?P<x>[^\r\n]{1,400})",
        needs="caused by|suppressed:|nested exception",
        fold=True,
        accepts=_is_module,
    ),
    rule(
        "java class",
        r"(?<![\w.@/-])(?:[a-z_]\w{0,40}\.){2,10}[A-Z]\w{0,80}(?:[.$]\w{1,80}){0,6}"
        r"(?:\([^)\r\n]{0,120}\))?",
        anchor=DOTTED,
    ),
    rule(
        "method of a class",
        r"(?<![\w.])[A-Z][a-z0-9]\w{1,80}\.[a-z]\w{1,60}(?:\(\))?(?![\w.])",
        anchor=DOTTED,
        accepts=_is_method,
    ),
    rule(
        "dotnet class",
        r"(?<![\w.])[A-Z][a-z]\w{0,60}(?:\.[A-Z][a-z]\w{0,60}){2,8}(?:/\d)?",
        anchor=DOTTED,
    ),
    rule(
        "archive",
        r"(?<![\w/.-])[\w.-]{2,80}\.(?:jar|war|dll|so(?:\.\d+)*|dylib|exe|whl|egg|gem"
        r"|nupkg)(?![\w])(?::[\w.]+)?",
        needs=".jar|.war|.dll|.so|.dylib|.whl|.egg|.gem",
        left=WORD + ".-",
    ),
    rule(
        "scope",
        r"(?<![\w:])[A-Za-z_]\w{1,60}(?:::(?:<[^>\r\n]{0,60}>)?[A-Za-z_]\w{1,60}){1,8}"
        r"(?:\(\))?(?:[#]\w+)?",
        needs="::",
        left=WORD,
    ),
    rule(
        "ruby method",
        r"(?<![\w#])[A-Z]\w{1,60}#[a-z_]\w{1,60}[!?]?",
        needs="#",
        left=WORD,
    ),
    rule(
        "namespace",
        r"(?<![\w\\])\\{0,2}[A-Z]\w{1,60}(?:\\{1,2}[A-Z]\w{1,60}){1,8}(?:(?:::"
        r"|->)\w+(?:\(\))?)?",
        needs="\\",
        left=WORD,
    ),
)
