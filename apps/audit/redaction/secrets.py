"""Headers, cookies, private keys, connection strings, passwords on command lines and in stores."""

import re

from apps.audit.redaction.rule import QUOTE, START, WORD, Rule, is_tangled, rule

_SCHEMES = (
    "postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|valkey|amqp|amqps|kafka|mssql"
    "|sqlserver|oracle|sqlite|ldap|ldaps|smtp|smtps|ftp|ftps|sftp|clickhouse|nats"
    "|memcache|db2|cassandra|neo4j|bolt|mqtt|mqtts|etcd|influxdb|snowflake|hive|presto"
    "|trino|redshift|impala|cockroachdb|dm|kingbase|oceanbase|opengauss|tidb|taos|ssh"
    "|socks|socks4|socks5|socks5h|imap|imaps|pop3|rtmp|rtsp|zookeeper|zk|dubbo|nacos"
    "|consul|milvus|doris|starrocks|elasticsearch|pulsar|stomp|teradata|vertica|bigquery"
    "|athena|databricks|sb|mem"
)
_ANY_SCHEME = "|".join(sorted(_SCHEMES.split("|"), key=len, reverse=True))


def _has_token(match: re.Match[str], value: str) -> bool:
    """A header with a value, and no sentence about the header."""
    return any(sign.isdigit() for sign in value) or match["scheme"] is not None


def _has_digit(_: re.Match[str], value: str) -> bool:
    return any(sign.isdigit() for sign in value)


def _is_basic(_: re.Match[str], value: str) -> bool:
    return is_tangled(value, 10) or (
        len(value) >= 10 and any(sign in "_=0123456789" for sign in value)
    )


def _is_password(_: re.Match[str], value: str) -> bool:
    return any(not sign.isalpha() for sign in value)


SECRETS: tuple[Rule, ...] = (
    rule(
        "private key",
        r"-----begin [a-z0-9 ]{0,40}(?:private key|certificate)[a-z ]{0,12}-----[\s\S]*?"
        r"(?:-----end [a-z0-9 ]{0,40}-----|\Z)",
        needs="-----begin ",
        fold=True,
    ),
    rule(
        "putty key",
        r"putty-user-key-file[\s\S]*",
        needs="putty-user-key-file",
        fold=True,
    ),
    rule(
        "xml key",
        r"<rsakeyvalue>[\s\S]*",
        needs="<rsakeyvalue>",
        fold=True,
    ),
    rule(
        "public key with its owner",
        r"(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S{1,20}) AAAA[^\r\n]*",
        needs="ssh-|ecdsa-",
    ),
    rule(
        "key number",
        r"\"[dpqk]\"\s?:\s?\"(?P<x>[\w-]{20,})\"",
        needs='"d"|"p"|"q"|"k"',
    ),
    rule(
        "jwt",
        r"eyJ[\w-]{8,}(?:\.[\w=-]+)*",
        needs="eyj",
    ),
    rule(
        "paseto",
        r"v[1-4]\.(?:local|public)\.[\w-]{20,}(?:\.[\w-]+)?",
        needs="v1.|v2.|v3.|v4.",
    ),
    rule(
        "saml",
        r"(?:PHNhbWxw|PD94bWwg|nVLB)[\w+/=%]{16,}",
        needs="phnhbwxw|pd94bwwg|nvlb",
    ),
    rule(
        "signed value",
        r"(?:(?<=\.)|(?<![\w.-]))eJ[\w-]{16,}(?:[:.][\w-]{4,}){0,3}",
        needs="ej",
    ),
    rule(
        "timestamped signature",
        r"(?<![\w-])[\w.-]{8,400}:1\w{5}:[\w-]{26,}",
        needs=":1",
        left=WORD + ".-",
    ),
    rule(
        "authorization header",
        rf"authorization{QUOTE}?\]?\s{{0,3}}(?:[:=]|=>|%3a)(?:\s|%20){{0,3}}{QUOTE}?"
        r"(?P<x>(?P<scheme>bearer|basic|token|apikey|digest|aws4-\S{1,20}|negotiate|ntlm"
        "|oauth|hmac|signature|key)?"
        r"(?:(?<=digest)[^\r\n]{4,}|(?<=sha256)[^\r\n]{4,}|[^\r\n\"'\\,;)}，。；]{4,400}))",
        needs="authorization",
        fold=True,
        accepts=_has_token,
    ),
    rule(
        "bearer",
        rf"(?:bearer|basic)(?:\s|%20|[:=+]){{1,3}}(?:token[:= ]{{1,2}})?{QUOTE}?"
        rf"(?P<x>[\w.~+/%=|-]{{8,}})",
        needs="bearer|basic",
        fold=True,
        accepts=_is_basic,
    ),
    rule(
        "cookie header",
        rf"cookies?{QUOTE}?\]?\s{{0,3}}(?:[:=]"
        rf"|=>)\s{{0,3}}(?P<x>{QUOTE}?\s?[^\r\n=;\"']{{1,80}}=[^\r\n]*)",
        needs="cookie",
        fold=True,
    ),
    rule(
        "cookie option",
        r"(?:--cookie|-b)[\s=]{1,2}[\"'](?P<x>[^\"'\r\n]{4,})",
        needs="--cookie|-b ",
        fold=True,
    ),
    rule(
        "connect.sid",
        r"s%3a[\w%.+/-]{20,}|s:[\w-]{20,}\.[\w%+/-]{20,}",
        needs="s%3a|s:",
        fold=True,
    ),
    rule(
        "django secret",
        r"django-insecure-\S+",
        needs="django-insecure",
    ),
    rule(
        "secret key given",
        r"(?:secret_key|signing_key|fernet_key)\s{1,2}(?P<x>[!-~]{20,})",
        needs="secret_key|signing_key|fernet_key",
        fold=True,
    ),
    rule(
        "password on a command line",
        r"(?:redis-cli\b[^\r\n]{0,120}?\s(?:-a|--pass)|sshpass\s{1,2}-p|mysql(?:dump"
        r"|admin|import)?\b[^\r\n]{0,120}?\s-p"
        r"|(?:curl|wget)\b[^\r\n]{0,160}?\s(?:-u|--user)|psql\b[^\r\n]{0,80}?\s-w"
        r"|mongo(?:sh|dump)?\b[^\r\n]{0,80}?\s-p"
        r"|net use\b[^\r\n]{0,160}?/user:\S{1,80}|docker login\b[^\r\n]{0,80}?\s-p"
        r"|sqlcmd\b[^\r\n]{0,80}?\s-p"
        r"|ldapsearch\b[^\r\n]{0,120}?\s-w|zip\b[^\r\n]{0,40}?\s-p|requirepass"
        "|masterauth)"
        r"[\s=]{0,2}[\"']?(?P<x>[^\s\"']{3,})",
        needs=(
            "redis-cli|sshpass|mysql|curl|wget|psql|mongo|net use|docker login|sqlcmd"
            "|ldapsearch|zip|requirepass|masterauth"
        ),
        fold=True,
    ),
    rule(
        "password option",
        "--(?:[a-z]{1,20}-)?(?:password|passwd|pass|pwd|token|secret|api-key|apikey|key"
        r"|auth)[\s=]{1,2}[\"']?"
        r"(?P<x>[^\s\"']{3,})",
        needs="--",
        fold=True,
        accepts=_is_password,
    ),
    rule(
        "user option",
        r"--?u(?:ser(?:name)?)?[\s=]{0,2}(?P<x>[a-z]{2,12}_[a-z]{2,20}\d{0,4})\b",
        needs="-u",
        fold=True,
    ),
    rule(
        "auth command",
        r"AUTH\s+(?P<x>\S{3,}(?:\s+\S{6,})?)",
        needs="auth ",
        accepts=_has_digit,
    ),
    rule(
        "logon with a slash",
        r"(?:login|logon|connect|user) (?P<x>\w{2,40}/\S{4,100})",
        needs="login |logon |connect |user ",
        fold=True,
        accepts=_has_digit,
    ),
    rule(
        "netrc",
        r"machine\s+(?P<x>\S+)\s+login\s+(?P<y>\S+)\s+password\s+(?P<z>\S+)",
        needs="machine ",
        fold=True,
    ),
    rule(
        "password in a statement",
        r"(?:identified\s+(?:with\s+\w+\s+)?by|with\s+password|password\s*\("
        r"|set\s+password\s*=)\s{0,3}'(?P<x>[^'\r\n]{1,200})",
        needs="identified|with password|password|set password",
        fold=True,
    ),
    rule(
        "connection string",
        rf"(?<![a-z0-9])(?:{_ANY_SCHEME})(?:\+[\w+]{{1,30}})?(?:://|%3a%2f%2f"
        rf"|:\\{{1,4}}/\\{{1,4}}/)[^\s\"'<>，。；！？（）「」]+",
        needs=_SCHEMES,
        fold=True,
    ),
    rule(
        "jdbc",
        r"(?:jdbc|r2dbc|odbc):[^\s\"'<>，。；]+",
        needs="jdbc:|r2dbc:|odbc:",
        fold=True,
    ),
    rule(
        "credentials in a URL",
        r"://(?P<x>[^\s/@\"'<>]{0,200}:[^\s/@\"'<>]{1,200}@[^\s\"'<>,)，。；]*)",
        needs="://",
    ),
    rule(
        "name in a URL",
        r"://(?P<x>[\w.~%-]{1,200}@[^\s\"'<>,)，。；]*)",
        needs="://",
    ),
    rule(
        "credentials before an address",
        r"(?P<x>[\w.$-]{1,64}:[^\s@/\"'<>]{3,100}+)@(?:(?:tcp|udp"
        r"|unix)\([^\s)]{0,200}\)[^\s\"'<>]*|[\w.-]{1,100}(?::\d{2,5}|/))",
        needs=":",
        left=WORD + ".$-",
    ),
    rule(
        "oracle logon",
        r"[\w$]{2,40}/[^\s/@\"']{3,60}+@/{0,2}[\w.-]{2,100}(?::\d+(?:[:/][\w.]+)?|/\w+)"
        r"|[\w$]{2,40}@//[\w.-]{2,100}(?::\d+)?/[\w.]+",
        needs="/|@//",
        left=WORD + "$",
    ),
    rule(
        "connection fields",
        "(?:server|data source|driver|endpoint|defaultendpointsprotocol"
        r"|provider)\s?=[^\r\n;]{0,200};[^\r\n\"']*",
        needs="server|data source|driver|endpoint|defaultendpoints|provider",
        fold=True,
    ),
    rule(
        "bcrypt",
        r"\$2[abxy]\$\d\d\$[./\w]{20,}",
        needs="$2",
    ),
    rule(
        "crypt",
        r"\$(?:1|5|6|y|7|apr1|argon2\w*|scrypt|pbkdf2[\w-]*|sm3)\$[^\s\"',;]{8,}",
        needs="$",
    ),
    rule(
        "stored hash",
        "(?:pbkdf2|argon2|scrypt|bcrypt|md5|sha1|sha256"
        r"|sha512)[\w:]{0,40}\$[^\s\"',;]{8,}",
        needs="pbkdf2|argon2|scrypt|bcrypt|md5|sha",
        fold=True,
    ),
    rule(
        "ldap hash",
        r"\{s?(?:sha|md5|crypt|pbkdf2)[\w-]*\}[\w+/=$.]{12,}",
        needs="{s|{md5|{crypt|{pbkdf2",
        fold=True,
    ),
    rule(
        "distinguished name",
        rf"{START}(?P<x>(?:uid|cn)=[^,\s]{{1,80}}),\s?(?P<y>(?:ou|dc|cn|o)=[^\s\"';)]*)",
        needs="uid=|cn=",
        fold=True,
    ),
    rule(
        "signature header",
        "(?:x-hub-signature|x-signature|x-hmac|digest"
        r"|signature)[\w-]{0,20}\s?[:=]\s?(?P<x>\"?(?:sha\d{1,3}|v\d|t"
        r"|keyid)=[^\r\n]{8,})",
        needs="x-hub-signature|x-signature|x-hmac|digest|signature",
        fold=True,
    ),
)
