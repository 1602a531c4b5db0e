"""How a submission is refused; the words of 404 and 409 are those of the contract."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from apps.forms.faults import FormValuesError
from apps.lib.problem import Problem, RefusedError


def form_not_found() -> RefusedError:
    """Missing, and in another conversation, alike."""
    problem = Problem(
        status=404, code="not_found", title=_("不存在"), detail=_("表单不存在或已过期")
    )
    return RefusedError(problem)


def form_submitted() -> RefusedError:
    problem = Problem(
        status=409, code="form_submitted", title=_("现在不能这样做"), detail=_("表单已提交")
    )
    return RefusedError(problem)


def invalid_values(error: FormValuesError) -> RefusedError:
    return _invalid(error.say(_))


def unknown_members(names: tuple[str, ...]) -> RefusedError:
    """The body of a submission has members that nobody knows."""
    return _invalid(dict.fromkeys(names, _("不认识的字段，请删除。")))


def _invalid(errors: Mapping[str, str]) -> RefusedError:
    problem = Problem(
        status=400,
        code="validation",
        title=_("内容有误"),
        detail=_("请按各项提示修改后重新提交。"),
        errors={path: [text] for path, text in errors.items()},
    )
    return RefusedError(problem)
