"""Create and change providers; every process knows within the poll of the epoch."""

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Provider
from apps.agents.services.epoch import raise_epoch
from apps.lib.problem import Problem, RefusedError

FIELDS = ("name", "kind", "base_url", "default_model", "options", "shared", "enabled")
DEFAULT = "default"


def save_provider(*, provider: Provider, actor: Actor, clear_key: bool = False) -> Provider:
    """Insert it, or change it if nobody did since it was read.

    `provider.version` is the version it was read with. An empty `api_key` keeps the stored one,
    unless `clear_key` says to forget it. Raises RefusedError 403 or 409
    `stale_version`; a ValidationError for an address or options that cannot be.
    """
    _require(actor, provider)
    provider.full_clean()
    with transaction.atomic():
        if provider._state.adding:
            provider.save(force_insert=True)
        else:
            _update(provider, clear_key)
        raise_epoch()
    return provider


def ensure_default_provider(
    *, organisation: Organisation, api_key: str, base_url: str, model: str
) -> Provider:
    """The row `default`, made from the environment if it is absent; after that the row rules.

    A key or an address selects the openai provider, neither the demo model.
    """
    kind = Provider.Kind.OPENAI if api_key or base_url else Provider.Kind.DEMO
    values = {"kind": kind, "base_url": base_url, "api_key": api_key, "default_model": model}
    with transaction.atomic():
        row, made = Provider.objects.get_or_create(
            organisation=organisation, name=DEFAULT, defaults=values
        )
        if made:
            raise_epoch()
    return row


def _update(provider: Provider, clear_key: bool) -> None:
    values = {name: getattr(provider, name) for name in FIELDS}
    if provider.api_key or clear_key:
        values["api_key"] = provider.api_key
    unchanged = Provider.objects.filter(pk=provider.pk, version=provider.version)
    if unchanged.update(**values, version=F("version") + 1) != 1:
        text = _("您打开之后，别人已经保存过。请先查看新的内容，再决定是否保存您的改动。")
        raise RefusedError(
            Problem(status=409, code="stale_version", title=_("已被改动"), detail=text)
        )
    provider.version += 1


def _require(actor: Actor, provider: Provider) -> None:
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    act = "add" if provider._state.adding else "change"
    if user is None or not _holds(user, f"agents.{act}_provider", provider):
        text = _("您没有管理模型服务的权限。")
        raise RefusedError(
            Problem(status=403, code="permission_denied", title=_("没有权限"), detail=text)
        )


def _holds(user: User, permission: str, provider: Provider) -> bool:
    own = user.is_superuser or provider.organisation_id == user.organisation_id
    return own and user.has_perm(permission)
