"""Statements of databases, whole or in pieces."""

import re

from apps.audit.redaction.rule import Rule, rule

_NAME = r"[\w.\"`$\[\]]{1,160}"
SNAKE = r"[A-Za-z]\w{0,60}_\w{0,60}"
_LINE = r"[^\r\n]*"
_CONDITION = r"(?:=|<|>|!=|in\b|like\b|is\b|between\b|not\b|~)"


def _is_statement(match: re.Match[str], value: str) -> bool:
    """Names with underscores, dots or quotes stand in it, or a condition."""
    return bool(re.search(r"\w_\w|\w\.\w|[\"`*(]|=\s?\S|%s|\$\d|\bwhere\b", value[7:]))


def _is_shouted(_: re.Match[str], value: str) -> bool:
    """Key words in capitals, as programs write them."""
    return value[:6].isupper()


_MAPPED = re.compile(
    r"select\b.*\bfrom\b|insert into|update \w+ set|delete from|\[|/|\w_\w|\w\.\w", re.IGNORECASE
)


def _is_mapped(_: re.Match[str], value: str) -> bool:
    """What follows `SQL:` is one, or names a file or a table."""
    return _MAPPED.search(value, 4) is not None


SQL: tuple[Rule, ...] = (
    rule(
        "select",
        r"SELECT\b(?:[^\r\n]{0,600}?\s(?:FROM|FORM|INTO|WHERE|UNION|AS)\b|\s(?:\*"
        r"|COUNT\(|DISTINCT\b|\d|\w+\(|[\"`\[]|\w+\.|\w+,))[^\r\n]*",
        needs="select",
    ),
    rule(
        "select over lines",
        r"select\s+[^;]{1,1200}?\sfrom\s+[\w.\"`\[\]]*[_.\"`][^\r\n]*",
        needs="select",
        fold=True,
        accepts=_is_statement,
    ),
    rule(
        "plain select",
        r"select\s+(?:\*|count\s*\(|distinct\s"
        r"|(?>[\w.\"`]{1,80}(?:\s?,\s?[\w.\"`*]{1,80}){1,60})|\w{1,60}_\w{1,60}|\w+\.\w+"
        r"|\w+\(|1\b|id\b)"
        r"\s*[^\r\n]{0,400}?\bfrom\s+(?!(?:the|a|an|your|our|my|this|that|these|each|any|all)\b)"
        rf"{_NAME}{_LINE}",
        needs="select",
        fold=True,
    ),
    rule(
        "insert",
        rf"(?:INSERT|REPLACE|MERGE|UPSERT)(?: IGNORE| OR \w+)? INTO\b{_LINE}",
        needs="insert|replace|merge|upsert",
    ),
    rule(
        "plain insert",
        rf"(?:insert|replace|merge)\s+into\s+(?:{_NAME}\s*(?:\(|values\b|select\b)"
        rf"|[\w.]*_\w*){_LINE}",
        needs="insert|replace|merge",
        fold=True,
    ),
    rule(
        "update",
        rf"UPDATE\s+(?:ONLY\s+)?{_NAME}\s+(?:AS\s+\w+\s+)?SET\b{_LINE}",
        needs="update",
    ),
    rule(
        "plain update",
        rf"update\s+{_NAME}\s+set\s+{_NAME}\s*={_LINE}",
        needs="update",
        fold=True,
    ),
    rule(
        "delete",
        rf"DELETE\s+FROM\b{_LINE}",
        needs="delete",
    ),
    rule(
        "plain delete",
        rf"delete\s+from\s+(?:\w{{1,60}}_\w{{1,60}}|{_NAME}\s+where\s+\S{{1,80}}\s*{_CONDITION}|[\"`])"
        rf"{_LINE}",
        needs="delete",
        fold=True,
    ),
    rule(
        "definition",
        "(?:CREATE|ALTER|DROP|TRUNCATE|COMMENT ON|LOCK|ANALYZE|VACUUM|REINDEX"
        r"|EXPLAIN)\s+(?:OR REPLACE |UNIQUE |TEMP(?:ORARY)? |MATERIALIZED |CONCURRENTLY "
        "|EXTERNAL |VIRTUAL |IF EXISTS )?"
        "(?:TABLES?|INDEX|VIEW|DATABASE|SCHEMA|USER|ROLE|FUNCTION|TRIGGER|SEQUENCE|TYPE"
        rf"|EXTENSION|PROCEDURE|COLUMN|SELECT|LOGIN|KEYSPACE|TABLESPACE|POLICY)\b{_LINE}",
        needs="create|alter|drop|truncate|comment on|lock|analyze|vacuum|reindex|explain",
    ),
    rule(
        "plain definition",
        r"(?:create|alter|drop|truncate|lock)\s+(?:temp(?:orary)?\s+)?(?:tables?|view"
        rf"|index|database)\s+(?:if\s+(?:not\s+)?exists\s+)?(?:[\w.]*_\w*|[\"`]){_LINE}",
        needs="create|alter|drop|truncate|lock",
        fold=True,
    ),
    rule(
        "with",
        r"WITH\s+(?:RECURSIVE\s+)?\w{1,60}\s+AS\s+(?:MATERIALIZED\s+)?\([^\r\n]*"
        r"|with\s+\w{1,60}\s+as\s+\([^\r\n]*",
        needs="with",
    ),
    rule(
        "where",
        rf"WHERE\s+(?:NOT\s+)?[\w.\"`$\[\]()]{{1,160}}\s*(?i:{_CONDITION}){_LINE}",
        needs="where",
    ),
    rule(
        "plain where",
        rf"where\s+[\(\"`]?(?:\w{{1,60}}[_.]\w{{1,60}}|id)[\"`]?\s*{_CONDITION}{_LINE}",
        needs="where",
        fold=True,
    ),
    rule(
        "join",
        "(?:(?:INNER|LEFT|RIGHT|FULL|CROSS"
        rf"|OUTER)\s)*JOIN\s+{_NAME}\s+(?:AS\s+)?(?:\w+\s+)?(?:ON|USING)\b{_LINE}",
        needs="inner|left|right|full|cross|join",
    ),
    rule(
        "plain join",
        rf"join\s+[\w.]*_\w*\s+(?:as\s+)?(?:\w+\s+)?on\b{_LINE}",
        needs="join",
        fold=True,
    ),
    rule(
        "clauses",
        rf"(?:ORDER|GROUP|PARTITION) BY\s+{_NAME}{_LINE}|HAVING\s+\w+\({_LINE}"
        rf"|RETURNING\s+{_NAME}|ON (?:CONFLICT|DUPLICATE KEY)\b{_LINE}",
        needs="order by|group by|partition by|having|returning|on conflict|on duplicate",
    ),
    rule(
        "plain clauses",
        r"(?:order|group) by\s+[\w\"`]*[_.][\w\"`.]*[^\r\n]*",
        needs="order by|group by",
        fold=True,
    ),
    rule(
        "grants",
        rf"(?:GRANT|REVOKE)\s+[A-Z, ]{{3,80}}\s+ON\b{_LINE}"
        rf"|EXEC(?:UTE)?\s+(?:[\w.\[\]]*_[\w.\[\]]*|dbo\.){_LINE}|CALL\s+\w*_\w*\({_LINE}",
        needs="grant|revoke|exec|call",
    ),
    rule(
        "union",
        rf"union\s+(?:all\s+)?select\b{_LINE}",
        needs="union",
        fold=True,
    ),
    rule(
        "values",
        r"VALUES\s*\([^\r\n]*",
        needs="values",
    ),
    rule(
        "statement of a mapper",
        r"(?:\[(?:sql|parameters|statement|query)\s?:|\(sql:|###\s?(?:sql|cause"
        r"|the error)[^:\r\n]{0,40}:|(?<![a-z])sql\s?[:：=]\s?(?=[\"'\w(]))[^\r\n]*",
        needs="[sql|[param|[statement|[query|(sql:|###|sql",
        fold=True,
        accepts=_is_mapped,
    ),
    rule(
        "postgres detail",
        rf"(?:DETAIL|CONTEXT|HINT|STATEMENT|QUERY|WHERE|PL/pgSQL function):?\s{_LINE}",
        needs="detail:|context:|hint:|statement:|query:|where:|pl/pgsql",
    ),
    rule(
        "postgres line",
        rf"LINE \d+:{_LINE}",
        needs="line ",
    ),
    rule(
        "near",
        r"(?:right syntax to use|syntax error at or) near (?P<x>[^\r\n]*)",
        needs="right syntax|syntax error",
        fold=True,
    ),
    rule(
        "near and its line",
        r"near (?P<x>'[^\r\n]{1,400}?') at line \d|near (?P<y>\"[^\r\n]{1,400}?\"): syntax error",
        needs="near '|near \"",
        fold=True,
    ),
    rule(
        "key and row",
        r"Key \([^)\n]{1,200}\)=\([^)\n]{0,400}\)"
        r"|(?i:failing row contains) \([^)\n]{0,2000}\)?",
        needs="key (|failing row",
    ),
    rule(
        "bound values",
        r"(?:parameters|params|binds?|args)\s?[:=]\s?(?P<x>[\[({][^\r\n]*)",
        needs="parameters|params|bind",
        fold=True,
    ),
)
