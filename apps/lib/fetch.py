"""Asks an address that a person or a model named, through the guard (`apps.lib.egress`).

Guarantees, beside those of `GuardedTransport`:
- Every redirect is a new address and is checked as one; a different place gets no header of ours,
  and https never turns into http.
- One time for everything, name look-up and every hop and byte included; one size for the body,
  which is asked for unpacked. Proxies of the environment are not asked.
"""

import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

import httpx2

from apps.lib.egress import EgressRefusedError, Guard
from apps.lib.guarded_transport import GuardedTransport

_PLAIN = {"Accept-Encoding": "identity", "User-Agent": "Steward"}
_TURNS_TO_GET = (301, 302, 303)
_KEEPS_ITS_METHOD = (307, 308)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of one fetch: seconds for all of it, bytes of its body, hops after the first."""

    seconds: float = 10.0
    size: int = 1_000_000
    redirects: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The answer of `url`, where the redirects led; the names of headers in lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class FetchError(Exception):
    """There is no answer; `reason` is time, size, encoding, redirects or network."""

    def __init__(self, reason: str, what: str = "") -> None:
        super().__init__(f"{reason}: {what}" if what else reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """One hop."""

    url: str
    method: str
    headers: Mapping[str, str]
    content: bytes

    def after(self, status: int, location: str, guard: Guard) -> "_Asking":
        """The next hop; EgressRefusedError where it must not lead."""
        url = urljoin(self.url, location)
        here, there = guard.place(self.url), guard.place(url)
        if here.scheme == "https" and there.scheme == "http":
            raise EgressRefusedError("redirect", "from https to http")
        turns = status in _TURNS_TO_GET and self.method not in ("GET", "HEAD")
        return _Asking(
            url=url,
            method="GET" if turns else self.method,
            headers=self.headers if here == there else {},
            content=b"" if turns else self.content,
        )


def fetch(
    url: str,
    *,
    guard: Guard,
    limits: Limits = Limits(),
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    content: bytes = b"",
    verify: ssl.SSLContext | None = None,
) -> Fetched:
    """The answer, whatever its status; EgressRefusedError, or FetchError when there is none."""
    ends = time.monotonic() + limits.seconds
    asking = _Asking(url=url, method=method, headers=headers or {}, content=content)
    transport = GuardedTransport(guard, verify=verify, ends=ends)
    with httpx2.Client(transport=transport, trust_env=False, timeout=limits.seconds) as client:
        for _hop in range(limits.redirects + 1):
            found = _ask(client, asking, limits.size)
            location = found.headers.get("location", "")
            redirects = found.status in (*_TURNS_TO_GET, *_KEEPS_ITS_METHOD) and location
            if not redirects or not limits.redirects:
                return found
            asking = asking.after(found.status, location, guard)
    raise FetchError("redirects", f"more than {limits.redirects}")


def _ask(client: httpx2.Client, asking: _Asking, size: int) -> Fetched:
    try:
        with client.stream(
            asking.method,
            asking.url,
            headers={**asking.headers, **_PLAIN},
            content=asking.content or None,
        ) as response:
            body = _body(response, size)
    except httpx2.TimeoutException as error:
        raise FetchError("time", str(error)) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise FetchError("network", str(error)) from error
    return Fetched(
        url=asking.url, status=response.status_code, headers=dict(response.headers), body=body
    )


def _body(response: httpx2.Response, size: int) -> bytes:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise FetchError("encoding", "packed although it was asked for unpacked")
    body = bytearray()
    for piece in response.iter_raw():
        body += piece
        if len(body) > size:
            raise FetchError("size", f"more than {size} bytes")
    return bytes(body)
