"""Operational switches: off means off within two seconds in every process, whatever is published.

One action with a reason, one conditional update, one row in the log of changes. Who looks: the
start of a run, and every call.
"""

from collections.abc import Callable, Collection, Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.services import config_log
from apps.lib import clock
from apps.lib.problem import Problem, RefusedError
from apps.tools.models import Switch

Reach = Callable[[Actor, str], bool]
"""Whether the object with that key is the actor's to switch."""
_reach: dict[str, Reach] = {}


def register_reach(kind: str, reach: Reach) -> None:
    """Whoever owns the objects of a kind says who reaches them; in an `AppConfig.ready`."""
    _reach[kind] = reach


def switch_off(*, actor: Actor, kind: str, key: str, reason: str) -> Switch:
    """Raises RefusedError 403, 404, 400 without a reason, 409 when it is off already."""
    return _turn(actor, kind, key, reason, is_off=True)


def switch_on(*, actor: Actor, kind: str, key: str, reason: str) -> Switch:
    """Raises RefusedError 403, 404, 400 without a reason, 409 when it is not off."""
    return _turn(actor, kind, key, reason, is_off=False)


def off(kind: str, key: str) -> Switch | None:
    """The switch, when it is off now."""
    return Switch.objects.filter(kind=kind, key=key, is_off=True).first()


def off_among(objects: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], Switch]:
    """Those of these that are off now, by kind and key; one statement."""
    keys = [key for _kind, key in objects]
    found = {(row.kind, row.key): row for row in Switch.objects.filter(key__in=keys, is_off=True)}
    return {each: found[each] for each in objects if each in found}


def reaches(user: User, kind: str, key: str) -> bool:
    """Whether the object is this person's to see and to switch, given the right."""
    reach = _reach.get(kind)
    return user.is_superuser or reach is None or reach(Actor.of(user), key)


def _turn(actor: Actor, kind: str, key: str, reason: str, *, is_off: bool) -> Switch:
    reason = reason.strip()
    _require(actor, kind, key)
    if not reason:
        raise _invalid({"reason": [_("请写明理由。")]})
    with transaction.atomic():
        rows = Switch.objects.filter(kind=kind, key=key)
        blank = Switch(kind=kind, key=key, is_off=False, changed_at=clock.now())
        Switch.objects.bulk_create([blank], ignore_conflicts=True)
        changes = {"is_off": is_off, "reason": reason, "changed_by": actor.username}
        if not rows.filter(is_off=not is_off).update(changed_at=clock.now(), **changes):
            raise _stale(is_off=is_off)
        config_log.record(
            actor=actor,
            action="switch_off" if is_off else "switch_on",
            object_kind=kind,
            object_key=key,
            reason=reason,
            before={"is_off": not is_off},
            after={"is_off": is_off},
        )
    return rows.get()


def _require(actor: Actor, kind: str, key: str) -> None:
    user = User.objects.filter(pk=actor.user_id).first()
    if user is None or not user.has_perm("tools.change_switch"):
        raise _refused(403, "permission_denied", _("没有权限"), _("您没有操作运行开关的权限。"))
    if kind not in Switch.Kind.values:
        raise _invalid({"kind": [_("没有这种运行开关。")]})
    if not key or len(key) > 128:
        raise _invalid({"key": [_("请写明要停用或启用的对象。")]})
    if not reaches(user, kind, key):
        raise _refused(404, "not_found", _("不存在"), _("没有这个对象。"))


def _reaches_user(actor: Actor, key: str) -> bool:
    own = User.objects.filter(organisation_id=actor.organisation_id)
    return key.isdecimal() and own.filter(pk=int(key)).exists()


def _stale(*, is_off: bool) -> RefusedError:
    text = _("这个对象已经停用。") if is_off else _("这个对象没有停用。")
    return _refused(409, "state_conflict", _("现在不能这样做"), text)


def _refused(status: int, code: str, title: str, detail: str) -> RefusedError:
    return RefusedError(Problem(status=status, code=code, title=title, detail=detail))


def _invalid(errors: Mapping[str, list[str]]) -> RefusedError:
    problem = Problem(status=400, code="validation", title=_("内容有误"), errors=errors)
    return RefusedError(problem)


register_reach(Switch.Kind.USER, _reaches_user)
