"""Names of tables, columns, databases and their users, where a database's error names them."""

import re

from apps.audit.redaction.rule import WORD, Rule, rule
from apps.audit.redaction.sql import SNAKE
from apps.audit.redaction.stores import is_identifier

_Q = r"\\{0,4}[\"'`]"
_OWN_WORDS = ("constraint", "for key", "foreign key", "identifier")
_IN = r"[^\"'`\r\n\\]{1,200}"


def _is_snake(_: re.Match[str], value: str) -> bool:
    return bool(re.match(r"[\w.]*[A-Za-z]_\w|\w+\.\w+", value))


def _is_object(match: re.Match[str], value: str) -> bool:
    """After words that only databases use whatever the name is, else a name of several parts."""
    if match.group().startswith(_OWN_WORDS):
        return True
    return is_identifier(match, value) and (_is_snake(match, value) or "role" in match.group()[:4])


def _is_faulty(match: re.Match[str], value: str) -> bool:
    """What a database complains of; fields, users, keys and types need more than that."""
    told = match.string[match.end() : match.end() + 30]
    doubtful = match.group()[0] in "uftk" and not (_is_snake(match, value) or "default" in told)
    return is_identifier(match, value) and not doubtful


def _is_quoted(match: re.Match[str], value: str) -> bool:
    """Between backticks: a name, a path of names, or whatever stands beside a constraint."""
    named = is_identifier(match, value.removesuffix("()")) or match["y"] is not None
    return (
        named or "constraint" in match.string[max(0, match.start() - 400) : match.start()].lower()
    )


def _is_chinese(match: re.Match[str], value: str) -> bool:
    """A name of a database in a Chinese sentence; a form has columns and fields, too."""
    missing = "不存在" in match.string[match.end() : match.end() + 6]
    return bool(re.search(r"_|\.|\d{6}", value)) and (match.group()[0] not in "字列" or missing)


DATABASE: tuple[Rule, ...] = (
    rule(
        "named object",
        "(?:relation|table|view|constraint|index|sequence|schema|database|role"
        "|tablespace|partition|trigger|policy|function|procedure|package(?: body)?"
        "|collection|namespace"
        "|keyspace|identifier|object(?: name)?|foreign key|primary key|unique key"
        "|for key|data file|column family|materialized view|extension|synonym|catalog"
        "|publication|slot|topic|queue|bucket|stream)"
        rf"\s+{_Q}(?P<x>{_IN})",
        needs=(
            "relation|table|view|constraint|index|sequence|schema|database|role|partition"
            "|trigger|policy|function|procedure|package|collection|namespace|keyspace"
            "|identifier|object|foreign key|primary key|unique key|for key|column family"
            "|materialized view|extension|synonym|catalog|publication|slot|topic|queue"
            "|bucket|stream"
        ),
        fold=True,
        accepts=_is_object,
    ),
    rule(
        "duplicate entry",
        rf"duplicate (?:entry|key value|key)\s+{_Q}(?P<x>{_IN}){_Q} for (?:key"
        f"|index) {_Q}(?P<y>{_IN})|duplicate entry {_Q}(?P<z>{_IN})",
        needs="duplicate",
        fold=True,
    ),
    rule(
        "object and its fault",
        "(?:table|view|relation|database|schema|column|field|index|key|collection|user"
        rf"|role|function|type)\s+{_Q}(?P<x>{_IN}){_Q}"
        "(?= (?:doesn'?t|does not|already|has no|of relation|cannot be null|in '"
        "|is not present|doesn't have|at row|in (?:where|field|on|order)|violates"
        "|is ambiguous|not found in|specified|could))",
        needs=(
            "table|view|relation|database|schema|column|field|index|key|collection|user"
            "|role|function|type"
        ),
        fold=True,
        accepts=_is_faulty,
    ),
    rule(
        "column",
        rf"(?:columns?|attribute)\s+(?:name\s+)?{_Q}(?P<x>(?:\w+\.)*\w*_\w*(?:\.\w+)?)",
        needs="column|attribute",
        fold=True,
    ),
    rule(
        "known by its column",
        "(?:unknown|invalid|ambiguous|missing|undefined|duplicate"
        rf"|unrecognized) column (?:name )?:?\s?{_Q}?(?P<x>[\w.]{{2,100}})"
        rf"|null into (?:column )?\(?{_Q}(?P<y>[^\s)]{{2,200}})"
        rf"|for column (?P<z>[\w.`\"]{{2,200}})",
        needs=(
            "unknown|invalid|ambiguous|missing|undefined|duplicate|unrecognized|null into"
            "|for column"
        ),
        fold=True,
    ),
    rule(
        "unquoted object",
        "(?:relation|constraint|table|tables|view|index|schema|sequence|database"
        "|no such (?:table|column|index|view|function):?|constraint failed:|references"
        "|table or view|column|function|procedure|into|from|collection:?|on|keyspace"
        rf"|topic:?|queue:?|owner of \w{{2,12}})\s+{_Q}?(?P<x>(?:[\w$]+\.)*{SNAKE}"
        rf"(?:\.\w+)*(?:, ?[\w.]+)*)(?:\([^)\r\n]{{0,80}}\))?"
        r"(?=[\s'\"`),;:.]|\Z)",
        needs=(
            "relation|constraint|table|view|index|schema|sequence|database|no such"
            "|references|keyspace|topic|queue|owner of"
        ),
        fold=True,
    ),
    rule(
        "failed constraint",
        "(?:constraint failed|no such (?:table|column|index|view|function|collection"
        r"|keyspace)):\s+(?P<x>[\w.]{2,120}(?:, ?[\w.]{2,120}){0,12})",
        needs="constraint failed|no such",
        fold=True,
    ),
    rule(
        "missing object",
        r"(?:(?:table|view|synonym|sequence|object|relation) does not exist"
        r"|(?:表或视图|对象|序列)不存在)"
        r"\s?[:：]\s{0,3}(?P<x>\"?[a-z][\w$#.\"]{1,160})",
        needs="table does|view does|synonym does|sequence does|object does|relation does"
        "|表或视图|对象|序列",
        fold=True,
    ),
    rule(
        "object of a column",
        r"column (?P<x>(?:\w+\.)?\w+)(?= (?:does not exist|of |must appear|is of type"
        r"|reference|named|already))|has no column named (?P<y>\w+)"
        rf"|column reference {_Q}?(?P<z>\w+)",
        needs="column |has no column",
        fold=True,
    ),
    rule(
        "called function",
        r"function (?P<x>[\w.]{2,100})\([^)\r\n]{0,100}\)",
        needs="function ",
        fold=True,
    ),
    rule(
        "row for a column",
        r"mapping (?:found )?for \[(?P<x>[^\]\r\n]{1,120})\]"
        r"|field \[(?P<y>[^\]\r\n]{1,120})\]"
        r"|fielddata[^\[\r\n]{0,40}\[(?P<z>[^\]\r\n]{1,120})\]",
        needs="mapping |field [|fielddata",
        fold=True,
    ),
    rule(
        "backticks",
        r"`(?P<x>[^`\r\n]{1,128})`(?:\.`(?P<y>[^`\r\n]{1,128})`)?(?:\.`"
        r"(?P<z>[^`\r\n]{1,128})`)?",
        needs="`",
        accepts=_is_quoted,
    ),
    rule(
        "oracle object",
        r"\"[A-Z][A-Z0-9_$#]*\.[\"A-Z0-9_$#.]+\"|\([A-Z][A-Z0-9_$#]*\.[A-Z0-9_$#]+\)",
        needs='"|(',
    ),
    rule(
        "oracle value",
        r"\"[A-Z][A-Z0-9_$#]{1,}\"\.\"[A-Z0-9_$#]+\"(?:\.\"[A-Z0-9_$#]+\")?",
        needs='"',
    ),
    rule(
        "oracle identifier",
        r"\"(?P<x>[A-Z][A-Z0-9_$#]*)\"(?=: invalid identifier| is an undefined|: 标识符无效)"
        r"|\b(?:identifier|object) '(?P<y>[^'\r\n]{1,120})'",
        needs='"|identifier|object',
    ),
    rule(
        "oracle descriptor",
        r"\(\s?(?:description|address|connect_data|service_name|sid|host)\s?=[^\r\n]*",
        needs="(description|(address|(connect_data|(service_name|(sid|(host",
        fold=True,
    ),
    rule(
        "sid",
        r"(?<=\d:)\d{4,5}:(?P<x>\w{2,60})",
        needs="1521:",
        left="0",
    ),
    rule(
        "brackets",
        r"\[[A-Za-z_]\w*\]\.\[[^\]\n]{1,128}\](?:\.\[[^\]\n]{1,128}\])?",
        needs="[",
    ),
    rule(
        "object in Chinese",
        "(?:关系|表(?:或视图)?名?|视图名?|字段|列名?|对象名?|索引|约束|数据库|模式|序列|存储过程|键|条目|用户"
        r"|角色)\s{0,2}[\"'“\[`](?P<x>[\w.$-]{2,160})[\"'”\]`]",
        needs="关系|表|视图|字段|列|对象|索引|约束|数据库|模式|序列|存储过程|键|条目|用户|角色",
        accepts=_is_chinese,
    ),
    rule(
        "dbo",
        r"(?:(?<![\w.])|(?<=\.))(?:\w{1,60}\.)?dbo\.\w+",
        needs="dbo.",
        left=WORD + ".",
    ),
)
