"""Addresses of machines and people's mail."""

from apps.audit.redaction.rule import Rule, rule

_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_TAIL = r"(?:/\d{1,2}(?!\d)|:\d{1,5}(?::\w+)?)?"
_VERSION = (
    r"(?i)(?:版本|固件|version|firmware|upgrade|build|release|chapter|section|驱动|driver|章节|条款"
    r"|编号|\bv\.?|升级|clause)"
)
_INTERNAL = (
    r"(?:internal|intra|intranet|local|localdomain|lan|corp|svc|cluster|consul|private|idc|k8s|prod"
    r"|staging|uat|mesh|rabbit|home\.arpa)"
)
_PLACE = r"[^\s\"'<>()\[\]{}，。；！？、（）]*"

NETWORK: tuple[Rule, ...] = (
    rule(
        "private ipv4",
        rf"(?<![\w.])(?:10|127|172\.(?:1[6-9]|2\d|3[01])|192\.168|169\.254)(?:\.{_OCTET}){{2,3}}"
        rf"(?![\w]|\.\d){_TAIL}",
        "10.",
        "127.",
        "172.",
        "192.",
        "169.",
        unless=_VERSION + r"[\s:：号为是]*$",
    ),
    rule(
        "ipv4",
        rf"(?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?![\w]|\.\d){_TAIL}",
        ".",
        unless=_VERSION,
    ),
    rule(
        "ipv6",
        r"(?i)(?<![\w:.])(?=[0-9a-f:]{0,40}\d)(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}"
        r"|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}|(?:[0-9a-f]{1,4}:){1,7}:(?![\w:])"
        r"|::(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})(?:\.\d{1,3}){0,3}(?:%\w{1,16})?(?![\w:])",
        ":",
    ),
    rule("mac", r"(?i)(?<![\w:-])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:-])", ":", "-"),
    rule(
        "internal host",
        rf"(?i)(?<![\w.-])(?:[a-z0-9_][a-z0-9_-]{{0,62}}\.){{1,10}}{_INTERNAL}(?:\.[a-z0-9-]{{1,63}}){{0,6}}"
        r"(?![\w-])(?::\d{1,5})?(?:/" + _PLACE + r")?",
        "internal",
        "intra",
        "local",
        "lan",
        "corp",
        "svc",
        "cluster",
        "consul",
        "private",
        "idc",
        "k8s",
        "prod",
        "staging",
        "uat",
        "mesh",
        "rabbit",
        "arpa",
    ),
    rule("internal URL", r"(?i)(?<=://)[a-z0-9_-]{1,63}(?::\d{1,5})(?:/" + _PLACE + r")?", "://"),
    rule("localhost", r"(?i)(?<![\w.-])localhost:\d{1,5}(?:/" + _PLACE + r")?", "localhost:"),
    rule(
        "named host",
        r"(?i)\b(?:host(?:name)?|hostaddr|upstream|endpoint|server|peer)\s*[=:]\s*[\"']?"
        r"(?P<x>[a-z0-9_-]+(?:[.-][a-z0-9_-]+)+(?::\d{1,5})?)",
        "host",
        "upstream",
        "endpoint",
        "server",
        "peer",
    ),
    rule(
        "host looked up",
        r"(?:host name|lookup|resolve|ENOTFOUND|to host|on host)\s+"
        r"[\"']?(?P<x>[\w-]+(?:\.[\w-]+)+)",
        "host",
        "lookup",
        "resolve",
        "enotfound",
    ),
    rule(
        "machine name",
        r"\b(?:WIN|DESKTOP|LAPTOP|EC2AMAZ|ip)-(?=[A-Z0-9-]*\d|[A-Z0-9]{8})[A-Z0-9][A-Z0-9-]{5,}",
        "win-",
        "desktop-",
        "laptop-",
        "ec2amaz-",
        "ip-",
    ),
    rule(
        "email",
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}",
        "@",
    ),
    rule(
        "encoded email",
        r"(?i)(?<![\w.%+-])[\w.+-]{1,64}%40[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}",
        "%40",
    ),
    rule("user at a quoted host", r"'(?P<x>[\w.$-]{1,64}'@'[\w.%-]{1,128})'", "'@'"),
)
