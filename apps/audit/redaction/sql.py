"""Statements and names of databases."""

from apps.audit.redaction.rule import Rule, rule

_NAME = r"[\w.\"`$\[\]]"
_QUOTE = r"\\*[\"'`]"
_SNAKE = r"[A-Za-z]\w*_\w*"

SQL: tuple[Rule, ...] = (
    rule(
        "select",
        r"\bSELECT\b[^\r\n]*?\bFROM\b[^\r\n]*|\bSELECT (?:\*|COUNT\(|DISTINCT|\d|\w+\()[^\r\n]*",
        "select",
    ),
    rule(
        "plain select",
        r"(?i)\bselect\s+(?:\*|count\s*\(|distinct\s|(?>[\w.\"`]{1,80}(?:\s?,\s?[\w.\"`*]{1,80}){1,60})"
        rf"|{_SNAKE}|\w+\.\w+)\s*[^\r\n]{{0,200}}?\bfrom\s+{_NAME}+[^\r\n]*",
        "from",
    ),
    rule(
        "insert",
        rf"\b(?:INSERT|REPLACE|MERGE) INTO\b[^\r\n]*|(?i:\binsert\s+into\s+{_NAME}+\s*\()[^\r\n]*",
        "insert",
        "replace into",
        "merge into",
    ),
    rule(
        "update",
        rf"\bUPDATE\s+{_NAME}+\s+SET\b[^\r\n]*|(?i:\bupdate\s+{_NAME}+\s+set\s+{_NAME}+\s*=)[^\r\n]*",
        "update",
    ),
    rule(
        "delete",
        rf"\bDELETE FROM\b[^\r\n]*|(?i:\bdelete\s+from\s+(?:{_SNAKE}|{_NAME}+\s+where\b))[^\r\n]*",
        "delete",
    ),
    rule(
        "definition",
        r"\b(?:CREATE|ALTER|DROP|TRUNCATE)\s+(?:OR REPLACE |UNIQUE |TEMP(?:ORARY)? |MATERIALIZED )?"
        r"(?:TABLE|INDEX|VIEW|DATABASE|SCHEMA|USER|ROLE|FUNCTION|TRIGGER|SEQUENCE|TYPE|EXTENSION|PROCEDURE)\b[^\r\n]*"
        rf"|(?i:\b(?:create|alter|drop|truncate)\s+table\s+(?:if\s+(?:not\s+)?exists\s+)?(?:{_SNAKE}|[\"`]))[^\r\n]*",
        "create",
        "alter",
        "drop",
        "truncate",
    ),
    rule(
        "where", rf"\bWHERE\s+{_NAME}+\s*(?:=|<|>|!=|IN\b|LIKE\b|IS\b|BETWEEN\b)[^\r\n]*", "where"
    ),
    rule("plain where", rf"(?i)\bwhere\s+{_SNAKE}\s*(?:=|<|>|in\b|like\b|is\b)[^\r\n]*", "where"),
    rule(
        "join",
        rf"\b(?:INNER|LEFT|RIGHT|FULL|CROSS)?\s?JOIN\s+{_NAME}+\s+(?:AS\s+\w+\s+|\w+\s+)?ON\b[^\r\n]*",
        "join",
    ),
    rule(
        "clauses",
        rf"\b(?:ORDER|GROUP) BY\s+{_NAME}+[^\r\n]*|\bHAVING\s+\w+\([^\r\n]*|\bRETURNING\s+{_NAME}+",
        "order by",
        "group by",
        "having",
        "returning",
    ),
    rule(
        "grants",
        r"\b(?:GRANT|REVOKE)\s+[A-Z, ]{3,80}\s+ON\b[^\r\n]*"
        r"|\bEXEC(?:UTE)?\s+[\w.\[\]]*_[\w.\[\]]*[^\r\n]*",
        "grant",
        "revoke",
        "exec",
    ),
    rule("union", r"(?i)\bunion\s+(?:all\s+)?select\b[^\r\n]*", "union"),
    rule(
        "postgres detail",
        r"\b(?:DETAIL|CONTEXT|HINT|STATEMENT|QUERY|WHERE):[^\r\n]*",
        "detail:",
        "context:",
        "hint:",
        "statement:",
        "query:",
        "where:",
    ),
    rule("postgres line", r"\bLINE \d+:[^\r\n]*", "line "),
    rule(
        "key and row",
        r"Key \([^)\n]{1,200}\)=\([^)\n]{0,400}\)|Failing row contains \([^)\n]{0,2000}\)?",
        "key (",
        "failing row",
    ),
    rule(
        "named object",
        r"(?i)\b(?:relation|constraint|schema|database|role|sequence|tablespace|partition|trigger|policy"
        rf"|index|foreign key|for key|entry|table|for user)\s+{_QUOTE}(?P<x>[^\"'`\n]{{1,200}})",
        "relation",
        "constraint",
        "schema",
        "database",
        "role",
        "sequence",
        "tablespace",
        "partition",
        "trigger",
        "policy",
        "index",
        "key",
        "entry",
        "table",
        "user",
    ),
    rule(
        "column",
        rf"(?i)\b(?:column|field|attribute)\s+{_QUOTE}(?P<x>(?:\w+\.)?{_SNAKE}(?:\.\w+)?)",
        "column",
        "field",
        "attribute",
    ),
    rule(
        "known by its column",
        r"(?i)(?:unknown|invalid|ambiguous|missing) column (?:name )?"
        + _QUOTE
        + r"(?P<x>[^\"'`\n]{1,100})|column "
        + _QUOTE
        + r"(?P<y>[^\"'`\n]{1,100})(?=[\"'`] (?:of relation|does not exist|cannot be null|in ))",
        "column",
    ),
    rule(
        "unquoted object",
        rf"(?i)\b(?:relation|constraint|no such (?:table|column|index|view):?|constraint failed:"
        rf"|references|table or view)\s+(?P<x>{_SNAKE}[\w.,` ]*|\w+\.\w+(?:, \w+\.\w+)*)",
        "relation",
        "constraint",
        "no such",
        "references",
        "table or view",
    ),
    rule(
        "backticks",
        r"`[^`\n]{1,128}`(?:\.`[^`\n]{1,128}`)?",
        "constraint",
        "foreign key",
        "references",
        "select",
        "table",
        "column",
    ),
    rule(
        "oracle object",
        r"\"[A-Z][A-Z0-9_$#]*\.[\"A-Z0-9_$#.]+\"|\([A-Z][A-Z0-9_$#]*\.[A-Z0-9_$#]*_[A-Z0-9_$#]*\)",
        ".",
    ),
    rule(
        "oracle value", r"\"[A-Z][A-Z0-9_$#]{2,}\"\.\"[A-Z0-9_$#]+\"(?:\.\"[A-Z0-9_$#]+\")?", '"."'
    ),
    rule(
        "brackets",
        r"\[[a-z_]\w*\]\.\[[^\]\n]{1,128}\](?:\.\[[^\]\n]{1,128}\])?"
        r"|\bobject 'dbo\.[^'\n]+'|\bdbo\.\w+",
        "].[",
        "dbo.",
    ),
    rule(
        "connection field",
        r"(?i)(?<![\w-])(?:initial catalog|database|dbname|db|user id|uid|user|username"
        r"|hostaddr|host|service_name)"
        r"\s*=\s*[\"']?(?P<x>[^\s;,&\"')}>\]]{2,})",
        "catalog",
        "database",
        "dbname",
        "db",
        "user",
        "uid",
        "host",
        "service_name",
    ),
    rule(
        "database of a stage",
        r"(?<![\w.])(?:prod|prd|uat|pre|dev|test|stage|staging|sit)_[a-z]{2,30}_?\d{1,4}(?!\w)",
        "prod_",
        "prd_",
        "uat_",
        "pre_",
        "dev_",
        "test_",
        "stage_",
        "staging_",
        "sit_",
    ),
    rule(
        "mongo",
        r"(?i)\bcollection:?\s+[\w-]+\.[\w.$-]+|\bdup key:?\s*\{[^}\n]*\}?"
        r"|\bindex:\s*\w+_-?1\b[\w-]*|\bns:?\s+\w+\.\w+",
        "collection",
        "dup key",
        "index:",
        "ns",
    ),
    rule(
        "mongo call",
        r"\bdb\.\w+\.(?:find|insert|update|delete|aggregate|remove)\w*\([^\r\n]*",
        "db.",
    ),
    rule(
        "elastic",
        r"(?i)\b(?:no such index|index(?:_uuid)?|shard)\s*\[[^\]\n]{1,200}\](?:\[[^\]\n]{0,40}\])*",
        "index",
        "shard",
    ),
    rule(
        "redis key",
        r"(?i)\b(?:GET|SET|HGET|HSET|DEL|LPUSH|EXPIRE|INCR|KEYS)\s+[\w-]+:[\w:.*-]+",
        ":",
    ),
)
