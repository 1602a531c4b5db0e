"""The one check of every address an operator enters for a provider."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


def check_address(url: str, *, field: str) -> None:
    """Raise a `ValidationError` on `field` unless it is http(s), with a host, without a secret."""
    if fault := address_fault(url):
        raise ValidationError({field: fault})


def address_fault(url: str) -> str:
    """Why this is no address to ask a model at; empty when it is one."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        return _("地址无法识别。")
    if parts.scheme not in {"http", "https"} or not host or any(c.isspace() for c in url):
        return _("地址必须以 http:// 或 https:// 开头，并写明主机。")
    if parts.username is not None or parts.password is not None:
        return _("地址里不能有用户名或密码，密钥请填入“密钥”。")
    if parts.query or parts.fragment:
        return _("地址里不能有“?”或“#”之后的部分。")
    return ""
