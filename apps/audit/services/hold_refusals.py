"""Why a hold is not placed or lifted, and what it stops."""

from django.utils.translation import gettext as _

from apps.lib.problem import Problem, RefusedError


def held() -> RefusedError:
    """Deletion of what is held; the reason of the hold is not for everybody."""
    text = _("这里的内容正在依法保全，解除之前不能删除。")
    return RefusedError(Problem(status=409, code="legal_hold", title=_("已保全"), detail=text))


def forbidden() -> RefusedError:
    text = _("您没有管理保全令的权限。")
    return RefusedError(
        Problem(status=403, code="permission_denied", title=_("没有权限"), detail=text)
    )


def not_found() -> RefusedError:
    text = _("没有这个对象。")
    return RefusedError(Problem(status=404, code="not_found", title=_("不存在"), detail=text))


def without_reason() -> RefusedError:
    errors = {"reason": [_("请写明理由。")]}
    return RefusedError(Problem(status=400, code="validation", title=_("内容有误"), errors=errors))


def changed() -> RefusedError:
    """Somebody else was first."""
    text = _("这个对象的保全状态已被改动。")
    return RefusedError(
        Problem(status=409, code="state_conflict", title=_("已被改动"), detail=text)
    )
