"""Which addresses this server may ask, when a person or a model named them.

Guarantees, for whatever is entered:
- http and https only, without a user, with a name or a plainly written address: no other way of
  writing numbers (`2130706433`, `0x7f.1`, `127.1`), no zone, nothing that two readers could read
  in two ways.
- Public addresses only, also of names: all that a name means are looked at, and one that is
  forbidden forbids the name. IPv4 inside IPv6 is looked at as IPv4.
- What the operator allows (`host`, `host:port`, CIDR) may be private; an address that gives out
  metadata of a cloud's machines never passes.
- A name is looked up once, and what was looked at is what is connected to (`apps.lib.fetch`).

No framework is known here; the allowances are handed in.
"""

import re
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

Address: TypeAlias = IPv4Address | IPv6Address
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
"""Host and port to addresses; OSError when the name means nothing."""

LONGEST_URL = 2048
PORTS = {"http": 80, "https": 443}
_METADATA = frozenset(
    map(
        ip_address,
        (
            "169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200",
            "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
        ),
    )
)  # fmt: skip
# Written out, for Python's own idea of `is_global` differs between its versions.
_NOT_PUBLIC = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
            "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
            "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
            "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
        ),
    )
)  # fmt: skip
_PUBLIC6 = IPv6Network("2000::/3")
_NOT_PUBLIC6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
# Where the last 32 bits are an address of IPv4; only the first is one for the public.
_TRANSLATED = IPv6Network("64:ff9b::/96")
_EMBEDDING = (
    _TRANSLATED,
    IPv6Network("::/96"),
    IPv6Network("::ffff:0:0/96"),
    IPv6Network("::ffff:0:0:0/96"),
    IPv6Network("64:ff9b:1::/48"),
)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z)(?:{_LABEL}\.)*{_LABEL}")
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
_UNREADABLE = re.compile(r"[\s\\\x00-\x20\x7f-\x9f\ud800-\udfff]")


class EgressRefusedError(Exception):
    """The address must not be asked; `reason` is one of REASONS."""

    REASONS = (
        "url", "scheme", "userinfo", "host", "port", "address", "metadata", "unresolvable",
        "redirect",
    )  # fmt: skip

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(f"{reason}: {what}")
        self.reason = reason


class Place(NamedTuple):
    """Where a request goes; the host in lower case ASCII, an IPv6 address without brackets."""

    scheme: str
    host: str
    port: int

    @property
    def allowance(self) -> str:
        """The entry of the operator's list that opens this place."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class _Allowance(NamedTuple):
    """One entry of the operator's list: a name, or addresses, at one port or (0) at all."""

    name: str
    network: IPv4Network | IPv6Network | None
    port: int

    def covers(self, host: str, port: int, address: Address) -> bool:
        if self.port not in (0, port):
            return False
        return address in self.network if self.network else host == self.name


def system_resolve(host: str, port: int) -> Sequence[str]:
    """What the system's resolver says."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Guard:
    """Decides about addresses; holds no state, so that one serves all threads."""

    def __init__(self, allow: Iterable[str] = (), *, resolve: Resolve = system_resolve) -> None:
        self._allowed = [_allowance(entry) for entry in allow]
        self._resolve = resolve

    def check(self, url: str) -> Place:
        """Where it leads, all its addresses looked at; raises EgressRefusedError."""
        place = self.place(url)
        self.addresses(place.host, place.port)
        return place

    def place(self, url: str) -> Place:
        """Where it leads, without asking for the addresses of a name."""
        place = read_place(url)
        if address := _literal(place.host):
            self._require(place.host, place.port, address)
        return place

    def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """What to connect to, in the resolver's order; a name is looked up exactly once."""
        host = _host(host)
        literal = _literal(host)
        found = [str(literal)] if literal else self._resolved(host, port)
        for text in found:
            try:
                address = ip_address(text)
            except ValueError as error:
                raise EgressRefusedError("address", f"{host} is {text}") from error
            self._require(host, port, address)
        return tuple(found)

    def _resolved(self, host: str, port: int) -> Sequence[str]:
        try:
            found = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise EgressRefusedError("unresolvable", f"{host}: {error}") from error
        if not found:
            raise EgressRefusedError("unresolvable", host)
        return found

    def _require(self, host: str, port: int, address: Address) -> None:
        forms = list(_forms(address))
        if any(form in _METADATA for form in forms):
            raise EgressRefusedError("metadata", f"{host} is {address}")
        if any(one.covers(host, port, form) for one in self._allowed for form in forms):
            return
        if not _is_public(address):
            raise EgressRefusedError("address", f"{host} is {address}")


def read_place(url: str) -> Place:
    """Where it leads as it is written; whether it may is another question."""
    if len(url) > LONGEST_URL or _UNREADABLE.search(url):
        raise EgressRefusedError("url", "too long, or with blanks, backslashes or controls")
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise EgressRefusedError("url", str(error)) from error
    if parts.scheme not in PORTS:
        raise EgressRefusedError("scheme", parts.scheme or "none")
    if "@" in parts.netloc:
        raise EgressRefusedError("userinfo", "a user or password in the address")
    host, port = _split(parts.netloc)
    return Place(parts.scheme, _host(host), _port(port) if port else PORTS[parts.scheme])


def _split(netloc: str) -> tuple[str, str]:
    """Host and port as they are written; the host of an IPv6 address without its brackets."""
    if netloc.startswith("["):
        host, _, rest = netloc[1:].partition("]")
        if rest and not rest.startswith(":"):
            raise EgressRefusedError("host", netloc)
        return (host if ":" in host else "", rest[1:])
    host, _, port = netloc.partition(":")
    if ":" in port:
        raise EgressRefusedError("host", netloc)
    return host, port


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 0 < number <= 65535:
        raise EgressRefusedError("port", text)
    return number


def _host(text: str) -> str:
    """In one form: lower case, ASCII, without the last dot."""
    if ":" in text:
        return str(_address(text))
    try:
        host = text.encode("idna").decode().lower().removesuffix(".")
    except UnicodeError as error:
        raise EgressRefusedError("host", repr(text)) from error
    if _NUMBER.fullmatch(host):
        return str(_address(host))
    if not _NAME.fullmatch(host):
        raise EgressRefusedError("host", repr(text))
    return host


def _address(text: str) -> Address:
    """Only as it is written plainly; a zone would lead elsewhere."""
    try:
        address = ip_address(text)
    except ValueError as error:
        raise EgressRefusedError("host", repr(text)) from error
    if "%" in text:
        raise EgressRefusedError("host", repr(text))
    return address


def _literal(host: str) -> Address | None:
    return ip_address(host) if ":" in host or _NUMBER.fullmatch(host) else None


def _forms(address: Address) -> Iterator[Address]:
    """The address, and what it leads to by translation."""
    yield address
    if isinstance(address, IPv4Address):
        return
    if any(address in network for network in _EMBEDDING):
        yield IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC)
    if address in _TRANSLATED:
        return _is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _PUBLIC6 and not any(address in network for network in _NOT_PUBLIC6)


def _allowance(entry: str) -> _Allowance:
    """ValueError for what is no host, host:port or CIDR."""
    if "/" in entry:
        return _Allowance("", ip_network(entry), 0)
    bare = entry.count(":") > 1 and not entry.startswith("[")
    host, port = (entry, "") if bare else _split(entry)
    try:
        name, number = _host(host), _port(port) if port else 0
    except EgressRefusedError as error:
        raise ValueError(f"{entry!r} is no host, host:port or CIDR") from error
    literal = _literal(name)
    return _Allowance(name, ip_network(literal) if literal else None, number)
