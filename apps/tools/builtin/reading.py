"""Which web addresses may be read, and what is fetched from them."""

from collections.abc import Iterable

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from apps.lib import trace
from apps.lib.egress import EgressRefusedError, Guard, Place, Resolve, system_resolve
from apps.lib.fetch import Fetched, FetchError, Limits, fetch
from apps.tools.registry import BusinessError

LIMITS = Limits(seconds=10.0, size=1_000_000, redirects=3)
ANY = "*"
_NOT_ALLOWED = ("address", "metadata")


class UnlistedError(EgressRefusedError):
    """The operator has not named this host for reading."""


class ReadingGuard(Guard):
    """Two locks: the host must be named for reading, and the server must be allowed to ask it.

    `hosts` holds names, `.example.com` for a name with all below it, or `*`. That opens public
    addresses alone; a private one needs its entry in `allow` besides, so that whoever rules a
    public name cannot point it at our own network. Every redirect is asked about anew.
    """

    def __init__(
        self, hosts: Iterable[str], allow: Iterable[str], *, resolve: Resolve = system_resolve
    ) -> None:
        super().__init__(allow, resolve=resolve)
        self._hosts = [host.lower().strip("[]").removesuffix(".") for host in hosts]

    def place(self, url: str) -> Place:
        """Where it leads; UnlistedError where nobody opened it for reading."""
        place = super().place(url)
        if not any(_covers(entry, place.host) for entry in self._hosts):
            raise UnlistedError("host", place.host)
        return place


def read(url: str, trace_id: str) -> Fetched:
    """A page that answers; BusinessError with what to do, PermissionDenied for what is forbidden.

    The request carries no cookie and no name of a person; it carries the trace.
    """
    hosts: list[str] = settings.WEB_READ_ALLOW
    if not hosts:
        raise BusinessError(_("管理员尚未允许读取任何网页（WEB_READ_ALLOW）。"))
    guard = ReadingGuard(hosts, settings.EGRESS_ALLOW)
    try:
        found = fetch(url.strip(), guard=guard, limits=LIMITS, headers=trace.headers(trace_id))
    except EgressRefusedError as error:
        raise _refused(error) from error
    except FetchError as error:
        raise BusinessError(_failed(error)) from error
    if not 200 <= found.status < 300:
        raise BusinessError(_("网页返回状态 {status}。").format(status=found.status))
    return found


def _covers(entry: str, host: str) -> bool:
    if entry.startswith("."):
        return host == entry[1:] or host.endswith(entry)
    return entry in (ANY, host)


def _refused(error: EgressRefusedError) -> Exception:
    if error.reason in _NOT_ALLOWED:
        return PermissionDenied(f"web_read: {error}")
    if isinstance(error, UnlistedError):
        return BusinessError(_("管理员未允许读取这个网站，请换一个来源或告知用户。"))
    if error.reason == "unresolvable":
        return BusinessError(_("找不到这个网站，请检查网址。"))
    return BusinessError(_("网址有误，请使用完整的 http 或 https 网址。"))


def _failed(error: FetchError) -> str:
    if error.reason == "time":
        return _("网页未在 {seconds} 秒内返回。").format(seconds=f"{LIMITS.seconds:g}")
    if error.reason == "size":
        return _("网页太大，无法读取。")
    return _("无法读取这个网页。")
