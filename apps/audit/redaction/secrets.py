"""Passwords, tokens, connection strings, cookies: by what stands beside them."""

from apps.audit.redaction.rule import Rule, rule

_WORD = (
    r"(?:passwo?r?d|passwd|passphrase|pwd|pw|secret|token|api[_-]?key|apikey|access[_-]?key"
    r"(?:[_-]?id)?|secret[_-]?(?:id|key)|private[_-]?key(?:[_-]?id)?|master[_-]?key|auth|credentials?"
    r"|signature|sig|[_-](?:key|pass|sid)|sessionid|session[_-]id|csrftoken|jsessionid|phpsessid|sid)"
)
_NAME = rf"(?i)(?<![\w-])[\w.-]{{0,40}}?{_WORD}"
_PLAIN = (
    r"(?!(?:required|missing|invalid|optional|expired|null|none|true|false|empty|weak|incorrect"
    r"|wrong|mismatch|unknown|revoked|string|str|bool|int|\[?redacted)\b)"
)
_NEEDS = (
    "pass",
    "pwd",
    "pw",
    "secret",
    "token",
    "key",
    "auth",
    "credential",
    "sig",
    "sid",
    "session",
)
_SCHEMES = (
    r"postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|kafka|mssql|sqlserver|oracle|sqlite"
    r"|ldaps?|smtps?|s?ftps?|clickhouse|nats|memcached?|db2|cassandra|neo4j|bolt|mqtts?|etcd"
)

SECRETS: tuple[Rule, ...] = (
    rule(
        "private key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
        r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
        "private key",
    ),
    rule("jwt", r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)*", "eyj"),
    rule("signed value", r"(?<![\w-])\.?eJ[\w-]{16,}:\w{4,8}:[\w-]{20,}", "ej"),
    rule("timestamped signature", r"(?<![\w-])[\w.-]{8,}:1[\w]{5}:[\w-]{26,}", ":1"),
    rule(
        "authorization header",
        r"(?i)\bauthorization\\*[\"']?\s*[:=]\s*\\*[\"']?(?P<x>[^\r\n\"'\\,;)}]{4,})",
        "authorization",
    ),
    rule(
        "bearer",
        r"(?i)\b(?:bearer|basic)(?:\s|%20|[:=+])+[\"']?"
        r"(?P<x>(?=[\w.~+/%=-]{0,80}[\d_=])[\w.~+/%=-]{10,})",
        "bearer",
        "basic",
    ),
    rule(
        "secret in quotes",
        _NAME
        + r"\\*[\"']?\s*(?:[:=]|=>)\s*\\*[\"']"
        + _PLAIN
        + r"(?P<x>(?:[^\s\"'\\]|\\[^\"']){3,})",
        *_NEEDS,
    ),
    rule(
        "secret after =",
        _NAME + r"\\*[\"']?\s*=\s*" + _PLAIN + r"(?P<x>[^\s\"'&;,)}\]<>]{3,})",
        *_NEEDS,
    ),
    rule(
        "secret after :",
        _NAME
        + r"\\*[\"']?\s*:\s*"
        + _PLAIN
        + r"(?P<x>(?=[^\s\"'&;,)}\]<>]{0,80}[\d#^*$!+/@_~])[^\s\"'&;,)}\]<>]{6,})",
        *_NEEDS,
    ),
    rule(
        "secret in Chinese",
        r"(?:密码|口令|密钥|密匙|令牌|秘钥|凭证)\s*(?:[:：=]|为|是)\s*[\"'“「]?(?P<x>[!-~]{4,})",
        "密",
        "口令",
        "令牌",
        "秘钥",
        "凭证",
    ),
    rule(
        "secret near its name",
        r"(?i)(?:\b|_)(?:key|token|secret|credentials?|password|hash|signature|sessionid|pin)\b"
        r"[^\r\n\w]{0,4}(?:(?:id|provided|mismatch|is|was|value|for|data|given)\b[^\r\n\w$.]{0,4}){0,2}"
        r"(?P<x>(?=[^\s\"',;)]{0,80}\d)[\w$.][^\s\"',;)]{11,})",
        *_NEEDS,
        "hash",
        "pin",
    ),
    rule("django secret", r"django-insecure-\S+", "django-insecure"),
    rule(
        "one-letter key", r"(?i)(?<![\w-])key\s*[=:]\s*(?P<x>(?=[\w.-]{0,80}\d)[\w.-]{12,})", "key"
    ),
    rule(
        "password on the command line",
        r"(?i)\b(?:redis-cli\b[^\r\n]{0,80}?\s-a|sshpass\s+-p|mysql(?:dump|admin)?\b[^\r\n]{0,80}?\s-p"
        r"|curl\b[^\r\n]{0,120}?\s(?:-u|--user)|psql\b[^\r\n]{0,80}?\s-W|--password|--token|--secret)"
        r"[\s=]*[\"']?(?P<x>[^\s\"']{3,})",
        " -a",
        " -p",
        " -u",
        " -w",
        "--user",
        "--password",
        "--token",
        "--secret",
    ),
    rule("connection string", rf"(?i)(?<![\w+])(?:{_SCHEMES})(?:\+\w+)*://[^\s\"'<>]+", "://"),
    rule("jdbc", r"(?i)\bjdbc:[^\s\"'<>]+", "jdbc:"),
    rule(
        "credentials in a URL",
        r"(?<=://)[^\s/@\"'<>]{0,200}:[^\s/@\"'<>]{1,200}@[^\s\"'<>,)]*",
        "://",
    ),
    rule(
        "connection fields",
        r"(?i)\b(?:server|data source)=[^\r\n]{0,200};[^\r\n\"']*",
        "server=",
        "source=",
    ),
    rule(
        "cookie header",
        r"(?i)\b(?:set-)?cookie\\*[\"']?\s*[:=]\s*(?P<x>[^\r\n=]{1,80}=[^\r\n]*)",
        "cookie",
    ),
    rule(
        "session cookie",
        r"(?i)\b(?:sessionid|csrftoken|jsessionid|phpsessid|connect\.sid|sid)[\s=:]+(?P<x>[^\s;,\"']{12,})",
        "session",
        "csrf",
        "sessid",
        "sid",
    ),
    rule("bcrypt", r"\$2[abxy]\$\d\d\$[./\w]{20,}", "$2"),
    rule("crypt", r"\$(?:1|5|6|y|7|argon2\w*|scrypt)\$[^\s\"',;]{12,}", "$"),
    rule(
        "stored hash",
        r"(?i)\b(?:pbkdf2|argon2|scrypt|bcrypt|md5|sha1|sha256)\w*\$[^\s\"',;]{8,}",
        "$",
    ),
    rule("ldap hash", r"\{S?(?:SHA|MD5|CRYPT)\d*\}[\w+/=]{12,}", "{"),
)
