"""The one check of every address an operator enters for a provider."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


def check_address(url: str) -> None:
    """Raise a `ValidationError` unless it is an http(s) address with a host and no credentials."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise ValidationError(_("地址无法识别。")) from None
    if parts.scheme not in {"http", "https"} or not host or any(c.isspace() for c in url):
        raise ValidationError(_("地址必须以 http:// 或 https:// 开头，并写明主机。"))
    if parts.username is not None or parts.password is not None:
        raise ValidationError(_("地址里不能有用户名或密码，密钥请填入“密钥”。"))
    if parts.query or parts.fragment:
        raise ValidationError(_("地址里不能有“?”或“#”之后的部分。"))
