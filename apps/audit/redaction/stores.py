"""Accounts of databases and machines, and names in stores that are no SQL."""

import re

from apps.audit.redaction.rule import QUOTE, START, WORD, Rule, rule


def is_identifier(match: re.Match[str], value: str) -> bool:
    """Lower case, underscores, dots: what people do not call things."""
    if match.group().startswith(("role", "user")):
        return is_account(match, value)
    return bool(re.fullmatch(r"[\w.$-]+", value)) and (
        "_" in value or "." in value or "$" in value or (value.isascii() and value.islower())
    )


def is_account(_: re.Match[str], value: str) -> bool:
    return bool(re.search(r"_|\d|^(?:root|admin|postgres|sa|sys|system|default|dba)$", value))


def _is_qualified(_: re.Match[str], value: str) -> bool:
    return any(sign.isalpha() for sign in value.split(".")[1])


STORES: tuple[Rule, ...] = (
    rule(
        "database by its user",
        "(?:authentication failed for|authenticate|login failed for|logon denied for"
        "|denied for|denied to|for|role|granted to|owner|to|unknown|invalid|acl"
        r"|noperm)\s+(?:user|role|login|principal)\s+(?:name\s+)?[\[\"'`]?"
        r"(?P<x>[\w.$\\@-]{1,100})",
        needs=(
            "authentication failed|authenticate|login failed|logon denied|denied for"
            "|denied to|for user|role|granted to|unknown user|for role|for login|to user"
            "|noperm"
        ),
        fold=True,
        accepts=is_account,
    ),
    rule(
        "failing user",
        rf"(?:user|username|login)\s+{QUOTE}?(?P<x>[a-z]\w{{1,60}}){QUOTE}?(?= (?:has no"
        r"|is not allowed|cannot|does not have|lacks|\(using|failed authentication"
        r"|is locked|for REST))|\]\s(?:for rest)",
        needs="user |username |login ",
        fold=True,
        accepts=is_account,
    ),
    rule(
        "clickhouse user",
        r"exception: (?P<x>\w{2,60}): authentication failed",
        needs="exception: ",
        fold=True,
    ),
    rule(
        "denied object",
        "(?:denied for|denied on|access to|privilege on|command denied to user"
        "|permission on) (?:the )?(?:table|relation|schema|sequence|view|function"
        r"|database|column|object) [\[\"'`]?(?P<x>[\w.$-]{2,120})",
        needs="denied|access to|privilege on|permission on",
        fold=True,
    ),
    rule(
        "not authorised on",
        r"not authorized on (?P<x>\w{2,60})",
        needs="not authorized on",
        fold=True,
    ),
    rule(
        "command",
        "(?:find|aggregate|insert|update|delete|count|distinct"
        r"|findandmodify)\"?: \"(?P<x>[\w.-]{2,100})\"",
        needs="find|aggregate|insert|update|delete|count|distinct",
        fold=True,
    ),
    rule(
        "connection field",
        "(?<![a-z0-9])(?:initial catalog|database(?:name)?|dbname|db(?:_?name)?"
        "|user(?:[ _]?(?:id|name))?|uid|login|owner|schema|hostaddr|host|service_name"
        r"|sid|principal|account)\s?=\s?[\"']?(?P<x>[^\s;,&\"'`)}>\]，。；]{2,})",
        needs=(
            "initial catalog|database|dbname|db|user|uid|login|schema|host|service_name|sid"
            "|principal|account"
        ),
        fold=True,
        accepts=is_account,
    ),
    rule(
        "connection value",
        "(?<![a-z])(?:user(?:_?name)?|uid|login|account|db_user|dbname|database|db"
        rf"|schema|host(?:name)?){QUOTE}\s?:\s?{QUOTE}(?P<x>[a-z]\w*(?:_\w+|\d)|root"
        f"|postgres|admin|sa){QUOTE}",
        needs="user|uid|login|account|db|database|schema|host",
        fold=True,
    ),
    rule(
        "service account",
        rf"{START}(?:svc|app|etl|ro|rw|dba|usr|sa|adm|srv)_[a-z]{{2,20}}_?\d{{1,4}}(?!\w)",
        needs="svc_|app_|etl_|ro_|rw_|dba_|usr_|sa_|adm_|srv_",
        fold=True,
    ),
    rule(
        "database of a stage",
        f"{START}(?:prod|prd|uat|pre|dev|test|stage|staging|stg"
        rf"|sit)_[a-z]{{2,30}}_?\d{{1,4}}(?!\w)",
        needs="prod_|prd_|uat_|pre_|dev_|test_|stage_|staging_|stg_|sit_",
        fold=True,
    ),
    rule(
        "constraint by its form",
        rf"{START}(?:(?:uq|uk|fk|ck|pk|idx|ix|uix|chk)_\w{{3,100}}"
        rf"|\w{{2,80}}_(?:[0-9a-f]{{8}}_(?:uniq|fk|pk|like|idx|fk_\w+)|(?:pkey|fkey|ukey"
        r"|uniq|idx|check|excl|seq)\b))",
        needs="uq_|uk_|fk_|ck_|pk_|idx_|ix_|uix_|chk_",
        fold=True,
    ),
    rule(
        "suffixed constraint",
        r"(?<![\w.])\w{2,80}_(?:[0-9a-f]{8}_(?:uniq|pk|like|idx|fk(?:_\w+)?)|(?:pkey"
        r"|fkey|uniq|idx|excl|seq)(?!\w))",
        needs="_uniq|_pk|_like|_idx|_fk|_excl|_seq",
        left=WORD,
    ),
    rule(
        "shard",
        r"\[(?P<x>[a-z][\w.-]{2,100})\]\[\d{1,4}\]",
        needs="[",
        fold=True,
    ),
    rule(
        "table by its form",
        f"{START}(?:tbl|tb|t|sys|ods|dwd|dws|dim|fact|stg|tmp|auth|django"
        rf"|celery)_[a-z]{{2,30}}(?:_[a-z0-9]{{1,30}}){{1,6}}(?!\w)"
        rf"|(?<![\w.])[a-z]{{2,20}}(?:_[a-z0-9]{{1,20}}){{1,6}}_(?:tmp|his|hist|bak|old"
        rf"|v\d|log_\d+|20\d{{4,6}})(?!\w)",
        needs="_",
        left=WORD,
    ),
    rule(
        "mongo",
        r"(?:collection:?\s+[\w-]+\.[\w.$-]+|dup key:?\s*\{[^}\n]*\}?"
        r"|index:\s*\w+_-?1\b[\w-]*|ns(?: not found)?:?\s+\w+\.\w+)",
        needs="collection|dup key|index:|ns",
        fold=True,
    ),
    rule(
        "mongo call",
        r"db\.\w+\.(?:find|insert|update|delete|aggregate|remove)\w*\([^\r\n]*",
        needs="db.",
    ),
    rule(
        "elastic",
        "(?:no such index|index(?:_uuid)?|shard|type|alias|pipeline"
        r"|unable to authenticate user|user)\s{0,2}\[[^\]\n]{1,200}\]"
        r"(?:\[[^\]\n]{0,40}\])*",
        needs="no such index|index|shard|type|alias|pipeline|unable to authenticate|user",
        fold=True,
    ),
    rule(
        "elastic value",
        rf"(?:index|_index|resource\.id|index_uuid){QUOTE}\s?:\s?{QUOTE}"
        rf"(?P<x>[\w.*-]{{2,120}})",
        needs="index|_index|resource.id",
        fold=True,
        accepts=is_identifier,
    ),
    rule(
        "redis key",
        "(?:GET|SET|HGET|HSET|HGETALL|DEL|LPUSH|RPUSH|EXPIRE|INCR|KEYS|SETEX|EVAL|ZADD"
        r"|SADD|XADD|PUBLISH|SUBSCRIBE)\s+[\w-]+:[\w:.*{}-]+",
        needs=(
            "get |set |hget|hset|del |lpush|rpush|expire|incr|keys |setex|eval |zadd|sadd"
            "|xadd|publish|subscribe"
        ),
    ),
    rule(
        "key of a store",
        r"(?:key|channel|lock) ['\"](?P<x>[\w-]{1,80}(?::[\w.-]{1,80}){1,10})['\"]",
        needs="key |channel |lock ",
        fold=True,
    ),
    rule(
        "master of a store",
        r"(?:master found for|master name:?|sentinel master) ['\"]?(?P<x>[\w.-]{3,100})",
        needs="master |sentinel master",
        fold=True,
    ),
    rule(
        "hive",
        r"table not found:? '?(?P<x>[\w.]+)",
        needs="table not found",
        fold=True,
    ),
    rule(
        "plain table",
        r"(?:table|collection|view|keyspace)\s+(?P<x>\w+\.\w+)(?= )",
        needs="table |collection |view |keyspace ",
        fold=True,
        accepts=_is_qualified,
    ),
)
