"""Secrets known by the name beside them: `db_password = …`, `"apiKey": "…"`, `密码：…`."""

import re

from apps.audit.redaction.rule import QUOTE, Rule, is_tangled, is_uuid, rule

# What follows such a name in a message about it, and is no secret.
_PLAIN = re.compile(
    r"\[?redacted|\*+$|x+$|<|\$?\{|none\b|null\b|true\b|false\b|nil\b|undefined\b|empty|required"
    r"|missing|invalid|optional|expired?|weak|incorrect|wrong|mismatch|unknown|revoked|string\b|str\b"
    r"|bool|int\b|integer|number\b|text\b|hidden|forbidden|denied|unauthori[sz]ed|not[ _]"
    r"|must\b|should\b|cannot|can't|is\b|was\b|has\b|at least|too\b|this\b|the\b|please|enter"
    r"|ensure|your\b|field|failed"
    r"|error|bearer$|basic$|password$|token$|secret$|key$|yes$|no$|ok$|disabled|enabled|default$"
    r"|hmac|rsa|aes|sha-?\d|md5|utf-?8|rs256|hs256|es256|ed25519|base64",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\d{1,3}(?:\s*(?:-|~|to)\s*\d{1,3})?(?:[,.]\d{3})*\s*(?:[a-z]{0,12}|位.*)\.?$")
_SIGN = re.compile(r"[\d#^*$!+/@~%&=]")

_STRONG = (
    r"(?:pass(?:words?|wd|wrd|phrase|code|key)|passwd"
    r"|(?:(?<![a-z])|(?<=db)|(?<=user)|(?<=smtp)|(?<=root)|(?<=bind)|(?<=admin)|(?<=ldap))pass(?![a-z])"
    r"|pwd|(?<![a-z])pw(?![a-z])|secret|token|api[_.-]?key|access[_.-]?key|account[_-]?key|app[_-]?key"
    r"|private[_-]?key|master[_-]?key|encryption[_-]?key|encrypt[_-]?key|signing[_-]?key|shared[_-]?key"
    r"|subscription[_-]?key|credentials?|app[_-]?secret|requirepass)"
)
_WEAK = (
    r"(?:(?<![a-z])key|(?<=[a-z0-9])key|signature|(?<![a-z])sign?(?![a-z])|(?<![a-z])(?:auth|oauth)(?![a-z])"
    r"|authtoken|session(?:id)?|sess(?:id)?|(?<![a-z])sid(?![a-z])|sessid|csrf(?:token)?|xsrf|(?<![a-z])code"
    r"|ticket|nonce|(?<![a-z])salt|(?<![a-z])otp|passport|jwt|cookie|(?<![a-z])[as]k(?![a-z])|hmac|digest"
    r"|(?<![a-z])hash|assertion|samlresponse|samlrequest|aspxauth|remember_me|refresh)"
)
_SUFFIX = (
    r"(?:[_.-]?(?!count|limit|type|usage|used|len|expir|ttl|polic|min|max|ur[il]|name|field|requir|reset"
    r"|strength|rule|hint|format|error|status|state|size|version|method|age\b|valid)[a-z0-9]{1,12}+){0,3}+"
)
_BETWEEN = rf"{QUOTE}?\]?\s{{0,4}}(?P<sep>:=|=>|[:：\uff1d=]|%3[ad]|>|\s+value=)\s{{0,4}}(?:\[\s?)?"
_QUOTED = (
    r"(?P<q>\\{0,4}[\"'`]|&quot;|&#39;|&#x27;|%22|\\u0022|[“「『])(?P<x>[ -~]{1,400}?)"
    r"(?:(?<!\\)(?P=q)|[”」』]|(?=[\r\n])|\Z)"
)
_BARE = r"(?P<y>[!-~]{1,400}?)(?=[\s\"'`,;)}\]<>&\\]|[^!-~]|\Z)"
_NEEDS = (
    "pass|pwd|pw|secret|token|api|access|account|app|private|master|encrypt|signing"
    "|shared|subscription|credential|requirepass"
)
_WEAK_NEEDS = (
    "key|sig|auth|oauth|sess|sid|csrf|xsrf|code|ticket|nonce|salt|otp|jwt|cookie|ak|sk"
    "|hmac|digest|hash|assertion|saml|aspxauth|remember|refresh"
)


def _is_told(value: str) -> bool:
    """Words about the secret, or a bare measure, instead of it."""
    return not value.strip() or bool(_PLAIN.match(value.lstrip()) or _RANGE.match(value))


def _is_secret(match: re.Match[str], value: str) -> bool:
    """After a name that always holds a secret."""
    if match["x"] is None and match["sep"] in (":", "：", ">"):
        return len(value) >= 4 and bool(_SIGN.search(value)) and not _is_told(value)
    if value.isdigit() and not match.group().startswith(("pass", "pw", "pin")):
        return len(value) > 12
    return not _is_told(value) and (match["x"] is not None or len(value) >= 3)


def _is_key(_: re.Match[str], value: str) -> bool:
    """After a name that now and then holds one."""
    return is_tangled(value, 8) and not (_is_told(value) or is_uuid(value))


def _is_given(match: re.Match[str], value: str) -> bool:
    """Named in a sentence: `the API key … is not valid`."""
    if is_uuid(value):
        return re.search(r"api|access|secret|auth|app", match.group()) is not None
    if match.group().startswith("pass"):
        return is_tangled(value, 6) or (len(value) >= 6 and _mixed(value))
    least = 8 if match.group().startswith("auth") else 12
    return is_tangled(value, least) and not _is_told(value)


def _mixed(value: str) -> bool:
    """Letters together with digits or signs, as passwords are asked to have."""
    letters = any(sign.isalpha() for sign in value)
    return letters and any(sign.isdigit() or sign in "!#$%^*+~&@" for sign in value)


def _is_mixed(_: re.Match[str], value: str) -> bool:
    return _mixed(value) and not (_is_told(value) or is_uuid(value))


def _is_signed(_: re.Match[str], value: str) -> bool:
    return not _is_told(value) and bool(_SIGN.search(value))


NAMED: tuple[Rule, ...] = (
    rule(
        "secret by its name",
        _STRONG
        + _SUFFIX
        + _BETWEEN
        + rf"(?:{_QUOTED}|(?P<y>[!-~]+?)(?=[\s\"'`,;)}}\]<>&\\]|[^!-~]|\Z))",
        needs=_NEEDS,
        fold=True,
        accepts=_is_secret,
    ),
    rule(
        "key by its name",
        _WEAK + _SUFFIX + _BETWEEN + f"(?:{_QUOTED}|{_BARE})",
        needs=_WEAK_NEEDS,
        fold=True,
        accepts=_is_key,
    ),
    rule(
        "secret in a sentence",
        "(?:api[ _-]?key|access[ _-]?key|secret[ _-]?key|auth[ _-]?token|app[ _-]?key"
        "|key|token|secret"
        "|credentials?|password|passwd|passphrase|hash|signature|session(?:id)?"
        "|csrftoken|csrfmiddlewaretoken|phpsessid|jsessionid|cookie|nonce|ticket|auth)"
        r"(?![a-z])[^\r\n\w$]{0,4}(?:(?:id|provided|mismatch|is|was|value|for|data|given"
        "|key|token|number|header"
        "|secret|named|invalid|supplied|of|with|failed|because|the"
        r"|:)\b[^\r\n\w$.]{0,4}){0,4}"
        r"(?P<x>[\w$.#!+/~^*=-][^\s\"'`,;)}\]<>，。；！？、（）「」“”【】]{5,160})",
        needs=(
            "api|access|secret|auth|app|key|token|credential|pass|hash|sign|session"
            "|csrf|phpsessid|jsessionid|cookie|nonce|ticket"
        ),
        fold=True,
        accepts=_is_given,
    ),
    rule(
        "secret that is told",
        r"(?:secret|token|credential|passphrase|password|passcode|api[ _-]?key|access[ _-]?key)"
        r"\s(?:is|was|value is|equals)(?:\s?[:=]\s{0,3}|\s)[\"'`]?"
        r"(?P<x>[^\s\"'`,;)}\]<>，。；！？、（）「」“”【】]{8,160})",
        needs="secret|token|credential|pass|api|access",
        fold=True,
        accepts=_is_mixed,
    ),
    rule(
        "secret in quotes",
        r"(?:password|passwd|passphrase|pwd|secret|token|api_?key|secret_?key|access_?key)"
        r"\s{1,3}(?P<q>[\"'`])(?P<x>[^\r\n]{4,200}?)(?P=q)",
        needs="pass|pwd|secret|token|api|access",
        fold=True,
        accepts=_is_signed,
    ),
    rule(
        "secret in Chinese",
        r"(?:密[ \u3000]{0,2}[码钥匙]|口[ \u3000]{0,2}令|[秘私][ \u3000]{0,2}钥"
        r"|令[ \u3000]{0,2}牌|授权码|访问凭证|登录凭证|密码短语)"
        r"(?:\s?(?:值|内容|原文|错误|不正确|无效|有误|已?过期"
        r"|校验失败|太弱|不匹配))?\s{0,3}"
        r"(?:[:：=]|为|是|「|“|『|【)?\s{0,3}[\"'“「『《【`(（]?(?P<x>[!#-&*-~]{4,400})",
        needs="密|口|秘|私|令|授权码|访问凭证|登录凭证",
        accepts=_is_signed,
    ),
    rule(
        "escaped Chinese name",
        rf"\\u5bc6\\u(?:7801|94a5){QUOTE}\s?[:=]\s?(?P<q>\\{{0,4}}[\"'])"
        f"(?P<x>[ -~]{{1,200}}?)(?P=q)",
        needs=r"\u5bc6",
        fold=True,
    ),
    rule(
        "one-time code",
        "(?:验证码|校验码|动态码|动态口令|pin ?码|verification code|one-time (?:code|password)|otp"
        "|pin)"
        r"\s{0,2}(?:[:：=]|为|是|is)?\s{0,2}[\"'“「【]?(?P<x>\d{4,8}(?!\d)(?:[#!$%^&*+~@][^\s\"'`,;)}\]<>，。；！？、）」】]{1,60})?)"
        r"(?!\d|位| digits)",
        needs="验证码|校验码|动态|pin|verification code|one-time|otp",
        fold=True,
    ),
)
