"""Addresses of machines and people's mail."""

import ipaddress
import re

from apps.audit.redaction.rule import DIGITS, LETTERS, PAIRS, QUOTE, START, WORD, Rule, rule

_HAN_BOX = re.compile(r"[\u4e00-\u9fff]{1,4}@(?=[\u4e00-\u9fffA-Za-z0-9])")
# What numbers with three dots are counted as, right before them or right after.
_VERSION = (
    r"(?:(?<![a-z])(?:version|firmware|upgrad(?:e|ed|ing)|updated?|build|release|chapter|section|driver|article|kernel|patch|clause"
    r"|paragraph|revision|chrome|firefox|safari|edge|android|ios|windows|macos|app|sdk|requires?|minimum|least|appendix|figure|rule|rev\.?|ver\.?)"
    r"|版本|固件|内核|驱动|补丁|系统|章节|条款|编号|升级|第|更新|低于|高于|规范|标准|规则|附录|§|==|>=|<=|~=)"
)
_JOINED = r"(?:v?[\d.]+\s*(?:to|and|or|->|→|到|至|和|与|或|/|,|、|-|~)\s*)"
_BEFORE = re.compile(
    rf"{_VERSION}(?:\s|号|为|是|到|至|:|：|「|“|\"|'|\(|（|from|to|of|is|than|v|节|第|the|least|version){{0,6}}{_JOINED}{{0,2}}v?$"
)
_AFTER = re.compile(
    r"\s{0,2}(?:版本|及以上|以上|以下|or (?:newer|later|above|higher)|节|条|version|\+)"
)
_ADDRESS = re.compile(
    r"(?<![a-z])ip(?![a-z])|addr|host|client|server|from|connect|dial|remote|upstream|proxy|dns|peer|ping"
    r"|node|route|listen|to |地址|来自|节点|主机|客户端|服务器|连接|访问|请求|登录|网关"
)
_PRIVATE = re.compile(
    r"(?:10|127|172\.(?:1[6-9]|2\d|3[01])|192\.168|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\."
)
_INTERNAL = (
    r"(?:internal|intra|intranet|local|localdomain|lan|corp|svc|cluster|consul|private|idc|k8s|prod|prd"
    r"|staging|stage|uat|sit|mesh|rabbit|home|inner|nonprod|dmz|vpc|pvt|onprem|arpa)"
)
_CLOUD = (
    r"(?:amazonaws\.com(?:\.cn)?|aliyuncs\.com|aliyun-inc\.com|windows\.net|mongodb\.net|azure\.com|myqcloud\.com|tencentcdb\.com"
    r"|tencentyun\.com|myhuaweicloud\.com|volces\.com|ivolces\.com|bcebos\.com|baidubce\.com|cloudapp\.net|googleusercontent\.com|redislabs\.com"
    r"|redis-cloud\.com|upstash\.io|neon\.tech|supabase\.co|planetscale\.com|cockroachlabs\.cloud|aivencloud\.com"
    r"|elastic-cloud\.com|confluent\.cloud|ts\.net|ngrok\.io|ngrok-free\.app|compute\.internal|ksyuncs\.com|ctyun\.cn)"
)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,62})"
_PLACE = r"[^\s\"'<>()\[\]{}\\，。；！？、（）「」]*"
_REST = rf"(?::\d{{1,5}})?(?:/{_PLACE})?"
_HOSTS = WORD + ".-"
_OCTETS = re.compile(r"(?<![0-9.])[0-9]{1,3}\.[0-9]{1,3}\.(?=[0-9])")
_PORTS = ":1|:2|:3|:4|:5|:6|:7|:8|:9"
_NUMBERED = re.compile(r"-[0-9]{1,3}\.[a-z0-9-]{1,40}\.")
_REPLICA = re.compile(r"-[0-9a-f]{8,10}-[a-z0-9]{5}(?![a-z0-9])")


def _is_ipv4(match: re.Match[str], value: str) -> bool:
    """Four octets, and no version or section; small ones only where an address is spoken of."""
    if any(int(part) > 255 for part in match["ip"].split(".")):
        return False
    text, start = match.string, match.start("ip")
    if _BEFORE.search(text[max(0, start - 40) : start].lower()):
        return False
    if _PRIVATE.match(match["ip"]):
        return True
    if _AFTER.match(text[match.end() : match.end() + 12].lower()):
        return False
    small = all(int(part) < 32 for part in match["ip"].split("."))
    return (
        not small
        or value != match["ip"]
        or bool(_ADDRESS.search(text[max(0, start - 30) : start].lower()))
    )


def _is_ipv6(match: re.Match[str], value: str) -> bool:
    """What the standard library reads as one; `::` alone and times are none."""
    address = match["ip"]
    if not any(sign.isdigit() for sign in address) or address.count(":") < 2:
        return False
    try:
        ipaddress.IPv6Address(address.rstrip("."))
    except ValueError:
        return False
    return True


def _is_name(_: re.Match[str], value: str) -> bool:
    """Of a machine, and no word of a sentence."""
    return any(sign in "0123456789-_." for sign in value)


def _is_node(match: re.Match[str], value: str) -> bool:
    return any(sign.isdigit() for sign in value)


NETWORK: tuple[Rule, ...] = (
    rule(
        "ipv4",
        r"(?:(?<![\w.])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})"
        r"|(?<=_))(?P<ip>[0-9]{1,3}(?:\.[0-9]{1,3}){3})"
        r"(?![0-9]|\.[0-9]|[A-Za-z_])(?:/[0-9]{1,2}(?![0-9])|(?::"
        r"|%3[aA])[0-9]{1,5}(?::\w+)?)?",
        anchor=_OCTETS,
        accepts=_is_ipv4,
    ),
    rule(
        "network",
        r"(?<![\w.])(?:10|172|192\.168)(?:\.\d{1,3}){1,2}\.(?:x|\*)(?:\.(?:x|\*))?",
        needs="10.|172.|192.",
    ),
    rule(
        "ipv6",
        r"(?<![0-9a-z:.])(?P<ip>[0-9a-f]{0,4}:[0-9a-f:]{1,40}(?:\.\d{1,3}){0,3})"
        r"(?:%\w{1,16})?(?:/\d{1,3})?(?![0-9a-z:])",
        needs=":",
        left=DIGITS + "abcdefABCDEF",
        fold=True,
        accepts=_is_ipv6,
    ),
    rule(
        "mac",
        r"(?<![\w:-])[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}(?![\w:-])",
        anchor=PAIRS,
    ),
    rule(
        "internal host",
        rf"(?<![a-z0-9_.-])(?:{_LABEL}\.){{1,10}}{_INTERNAL}"
        rf"(?:\.[a-z0-9-]{{1,63}}){{0,6}}(?![a-z0-9_-]){_REST}",
        needs=(
            ".internal|.intra|.local|.lan|.corp|.svc|.cluster|.consul|.private|.idc|.k8s"
            "|.prod|.prd|.stag|.uat|.sit|.mesh|.rabbit|.home|.inner|.nonprod|.dmz|.vpc|.pvt"
            "|.onprem|.arpa"
        ),
        left=_HOSTS,
        fold=True,
    ),
    rule(
        "host of a cloud",
        rf"(?<![a-z0-9_.-])(?:{_LABEL}\.){{1,10}}{_CLOUD}(?![a-z0-9_-]){_REST}",
        needs=(
            ".amazonaws|.aliyun|.windows.net|.mongodb.net|.azure.com|.myqcloud|.tencent"
            "|.myhuaweicloud|.volces|.ivolces|.bcebos|.baidubce|.cloudapp|.googleuser"
            "|.redis|.upstash|.neon.|.supabase|.planetscale|.cockroach|.aiven|.elastic-"
            "|.confluent|.ts.net|.ngrok|.compute|.ksyuncs|.ctyun"
        ),
        left=_HOSTS,
        fold=True,
    ),
    rule(
        "internal URL",
        rf"://(?P<x>[a-z0-9_-]{{1,63}}(?::\d{{1,5}}(?:/{_PLACE})?|/{_PLACE}"
        r"|(?![\w.:@/%-])))",
        needs="://",
        fold=True,
    ),
    rule(
        "localhost",
        rf"(?<![a-z0-9_.-])localhost:\d{{1,5}}(?:/{_PLACE})?",
        needs="localhost:",
        fold=True,
    ),
    rule(
        "encoded URL",
        r"https?%3a%2f%2f[^\s\"'<>&]+",
        needs="http",
        fold=True,
    ),
    rule(
        "host with a port",
        r"(?<![\w./-])[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){1,6}"
        r"(?:\.[a-z0-9-]{1,40}){0,6}:\d{3,5}(?!\d)",
        needs=_PORTS,
        left=_HOSTS,
    ),
    rule(
        "node with a port",
        r"(?<![\w./-])(?:[a-z0-9-]{1,40}\.){1,6}[a-z]{2,12}:\d{2,5}(?![\d:])",
        needs=_PORTS,
        left=_HOSTS,
    ),
    rule(
        "numbered host",
        r"(?<![\w./@-])[a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,4}-\d{1,3}"
        r"(?:\.[a-z0-9-]{1,40}){2,8}(?![\w-])",
        anchor=_NUMBERED,
        left=_HOSTS,
    ),
    rule(
        "named host",
        "(?:host(?:name)?|hostaddr|upstream|endpoint|server|peer|relay|node"
        "|bootstrap[._]servers?|brokers?|remote|master|slave|replica)"
        rf"{QUOTE}?\s{{0,2}}[=:]\s{{0,2}}[\"'\[]?(?P<x>[a-z0-9_]+(?:[.-][a-z0-9_]+)+"
        rf"(?::\d{{1,5}})?)",
        needs=(
            "host|upstream|endpoint|server|peer|relay|node|bootstrap|broker|remote|master"
            "|slave|replica"
        ),
        fold=True,
        accepts=_is_node,
    ),
    rule(
        "host looked up",
        "(?:host ?name|lookup|(?:resolve|resolving)(?: host(?:name)?)?:?|enotfound"
        "|eai_again|etimedout|econnrefused|(?:to|on|for|unknown) host:?|known:"
        "|unknownhostexception:|not valid for|open server|host|domain:|server at"
        "|解析(?:主机|域名)|主机(?:名)?|域名)"
        r"\s{0,2}\\?[\"'「“]?(?P<x>[a-z0-9][\w-]{0,62}(?:\.[\w-]{1,63}){0,8})(?![\w.])",
        needs=(
            "host|lookup|resolv|enotfound|eai_again|etimedout|econnrefused|to host|on host"
            "|for host|unknown host|known:|unknownhost|not valid for|open server|domain:"
            "|server at|解析|主机|域名"
        ),
        fold=True,
        accepts=_is_name,
    ),
    rule(
        "machine name",
        r"(?<![\w-])(?:(?:WIN|DESKTOP|LAPTOP|EC2AMAZ|MSI|PC|SRV|SERVER"
        r"|VM)-(?=[A-Z0-9-]*\d|[A-Z0-9]{8})[A-Z0-9][A-Z0-9-]{5,}|ip-\d+(?:-\d+){3}"
        "|[a-z]{2,12}-(?:iZ|i-)[0-9a-z]{10,})",
        needs="win-|desktop-|laptop-|ec2amaz-|msi-|pc-|srv-|server-|vm-|ip-",
    ),
    rule(
        "instance",
        r"(?<![\w-])(?:iZ[0-9a-z]{12,}Z?|i-0?[0-9a-f]{8,17}|rm-[0-9a-z]{12,}"
        r"|r-[0-9a-z]{14,})(?![\w-])",
        needs="iz|i-|rm-|r-",
        accepts=_is_node,
    ),
    rule(
        "pod",
        r"(?<![\w-])(?:[a-z0-9]{1,20}-){1,6}[a-f0-9]{8,10}-[a-z0-9]{5}(?![\w-])",
        anchor=_REPLICA,
        left=_HOSTS,
        accepts=_is_node,
    ),
    rule(
        "email",
        "(?<![A-Za-z0-9._%+'-])[A-Za-z0-9._%+'!#$&*/=?^`{"
        r"|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}"
        r"|[\u4e00-\u9fffA-Za-z0-9-]{1,20}\.(?:中国|公司|网络|集团|网站|[A-Za-z]{2,10})"
        r"|\[[0-9a-fA-F.:]{3,45}\])",
        needs="@",
        left=LETTERS + DIGITS + "._%+'-",
    ),
    rule(
        "email of Han signs",
        r"[\u4e00-\u9fff]{1,4}@[\u4e00-\u9fffA-Za-z0-9-]{1,63}"
        r"(?:\.[A-Za-z0-9-]{1,63}){0,8}\.(?:中国|公司|网络|集团|网站|[A-Za-z]{2,10})",
        anchor=_HAN_BOX,
    ),
    rule(
        "encoded email",
        r"[\w.+%-]{1,64}(?:%40|\\u0040|&#64;|&commat;)[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}",
        needs=r"%40|\u0040|&#64;|&commat;",
        left=LETTERS + DIGITS + "._%+-",
    ),
    rule(
        "user at a quoted host",
        r"['`\"](?P<x>[\w.$-]{1,64}['`\"]@['`\"][\w.%:-]{1,128})['`\"]",
        needs="'@'|`@`|\"@\"",
        left=WORD + ".$-'`\"",
    ),
    rule(
        "user at a host",
        rf"{START}[\w.-]{{2,32}}@[a-z0-9][\w.-]{{1,100}}(?=[\s:;,'\")]|\Z)",
        needs="@",
        left=WORD + ".-",
        accepts=_is_node,
    ),
)
