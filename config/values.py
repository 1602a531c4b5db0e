"""What single values of the environment may look like; beyond yes and no, numbers and addresses."""

import base64
import ipaddress
import math
import re
from collections.abc import Callable

from apps.lib import failpoint
from apps.lib.egress import EgressRefusedError, Guard, read_place
from config import environment as env
from config.environment import SettingError

SECRET_LENGTH, SECRET_VARIETY = 50, 5
RETENTION_DAYS = (183, 36_500)  # six months, a hundred years
SIGNING_REMEDY = (
    "Set it to the output of: python3 -c 'import secrets; print(secrets.token_urlsafe(48))' "
    "and keep it."
)
ENCRYPTION_REMEDY = (
    "Set it to the output of: python3 -c 'import base64, secrets; "
    "print(base64.urlsafe_b64encode(secrets.token_bytes(32)).decode())' and keep it."
)
WEBHOOK_SECRET_LENGTH = 24
WEBHOOK_REMEDY = (
    "Set it to the output of: python3 -c 'import base64, secrets; "
    'print("whsec_" + base64.b64encode(secrets.token_bytes(32)).decode())\' and keep it.'
)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*\.?", re.IGNORECASE)
_MAILBOX = re.compile(r"[^@\s<>,;\"]{1,64}@[^@\s<>,;\"]{1,255}")
_VISIBLE = re.compile(r"[\x21-\x7e]*")


def require_strong_secret(name: str, value: str) -> None:
    """Long enough and varied enough that nobody guesses it."""
    if len(value) < SECRET_LENGTH:
        wrong = f"has {len(value)} characters, fewer than {SECRET_LENGTH}."
        raise SettingError(name, wrong, SIGNING_REMEDY)
    if len(set(value)) < SECRET_VARIETY:
        wrong = f"has fewer than {SECRET_VARIETY} different characters."
        raise SettingError(name, wrong, SIGNING_REMEDY)


def host_names(name: str, default: list[str], *, any_host: bool) -> list[str]:
    """Names or addresses without scheme and port; `*` and `.example.com` as Django means them."""
    remedy = "Write the names people type, as in: steward.example.com,10.0.0.5."
    found = env.words(name, default)
    for word in found:
        if word == "*" and not any_host:
            raise SettingError(name, "'*' answers to any name, and APP_MODE is production.", remedy)
        if word != "*" and not _is_host(word.removeprefix("."), bracketed=True):
            raise SettingError(name, f"{word!r} is not a host name.", remedy)
    return found


def egress(name: str) -> list[str]:
    """Hosts, host:port or CIDR."""
    remedy = "Write hosts, host:port or CIDR, as in: models.lan,10.0.0.5:8080,10.1.0.0/16."
    found = env.words(name)
    for word in found:
        if not (_is_network(word) if "/" in word else _is_host_and_port(word)):
            raise SettingError(name, f"{word!r} is no host, host:port or CIDR.", remedy)
    return found


def origins(name: str) -> list[str]:
    """Schemes with hosts, as browsers send them."""
    remedy = "Write origins, as in: https://steward.example.com."
    found = env.words(name)
    for word in found:
        scheme, _parted, rest = word.partition("://")
        host = rest.removeprefix("*.")
        if scheme not in ("http", "https") or not _is_host_and_port(host):
            raise SettingError(name, f"{word!r} is not an origin.", remedy)
    return found


def mailboxes(name: str) -> list[str]:
    """Addresses of people, parted by commas."""
    found = env.words(name)
    for word in found:
        if not _MAILBOX.fullmatch(word):
            remedy = "Write addresses, as in: ops@example.com,on-call@example.com."
            raise SettingError(name, f"{word!r} is no address of a person.", remedy)
    return found


def outside(name: str) -> str:
    """An address that the environment gives: a place that can be asked, and none of metadata."""
    value = env.url(name, "http", "https")
    try:
        for place in trusted_places(value):
            Guard([place]).place(value)
    except EgressRefusedError as error:
        remedy = "Write http://… or https://… with a host, without user and password."
        raise SettingError(name, f"{error.reason} cannot be used.", remedy) from error
    return value


def trusted_places(*urls: str) -> list[str]:
    """Host and port of such addresses, as entries of EGRESS_ALLOW."""
    return [read_place(url).allowance for url in urls if url]


def webhook_secret(name: str) -> str:
    """At least 24 characters, or bytes in base64 behind `whsec_`."""
    value = credential(name)
    if value and _secret_bytes(value) < WEBHOOK_SECRET_LENGTH:
        raise SettingError(name, "too short, or not base64 behind whsec_.", WEBHOOK_REMEDY)
    return value


def _secret_bytes(value: str) -> int:
    if not value.startswith("whsec_"):
        return len(value)
    try:
        return len(base64.b64decode(value.removeprefix("whsec_"), validate=True))
    except ValueError:
        return 0


def credential(name: str) -> str:
    """What goes into a header: visible ASCII characters without blanks."""
    value = env.text(name)
    if not _VISIBLE.fullmatch(value):
        remedy = "Write visible ASCII characters without blanks."
        raise SettingError(name, "a header cannot carry this value.", remedy)
    return value


def retention_days(name: str, *, default: int) -> int:
    """How long audit rows must stay."""
    days, (least, most) = env.number(name, default=default), RETENTION_DAYS
    if not least <= days <= most:
        wrong = f"{days} days; audit rows must be kept for {least} at least, and {most} at most."
        remedy = f"Write {least} or more, or leave it unset for {default}."
        raise SettingError(name, wrong, remedy)
    return days


def check_test_bed() -> None:
    """The variables that count in test beds alone."""
    offset = env.text("CLOCK_OFFSET_S", "0")
    try:
        finite = math.isfinite(float(offset)) and abs(float(offset)) < 1e9
    except ValueError:
        finite = False
    if not finite:
        remedy = "Write seconds, as in: 86400 or -1.5."
        raise SettingError("CLOCK_OFFSET_S", f"{offset!r} is not a usable number.", remedy)
    try:
        failpoint.parse(env.text("FAILPOINTS"))
    except ValueError as error:
        remedy = f"Write NAME=kill|raise|sleep:MS[@N] of: {', '.join(failpoint.NAMES)}."
        raise SettingError("FAILPOINTS", f"{error}.", remedy) from error


def _is_host(text: str, *, bracketed: bool = False) -> bool:
    """A name, an IPv4 address, or an IPv6 address (where `bracketed`, in brackets only)."""
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else ""
    if inner or (":" in text and not bracketed):
        return _reads(ipaddress.IPv6Address, inner or text)
    if re.fullmatch(r"[\d.]+", text):
        return _reads(ipaddress.IPv4Address, text)
    return _NAME.fullmatch(text) is not None


def _is_host_and_port(text: str) -> bool:
    if _is_host(text):
        return True
    host, colon, port = text.rpartition(":")
    usable = port.isascii() and port.isdigit() and 0 < int(port) <= 65535
    return bool(colon) and usable and _is_host(host, bracketed=True)


def _is_network(text: str) -> bool:
    return _reads(ipaddress.ip_network, text)


def _reads(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True
