"""What values a student may have, by the interface's field names; pure functions."""

import re
from collections.abc import Callable, Iterator, Mapping

from django.utils.translation import gettext as _

from apps.students.models import Student

NAME_LIMIT = STUDENT_NO_LIMIT = 50
PHONE = re.compile(r"1[0-9]{10}")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def faults_in(*, name: str, phone: str, gender: str, student_no: str) -> Iterator[tuple[str, str]]:
    """Field and text of each rule that is broken; the values are stripped already."""
    values = {"name": name, "phone": phone, "gender": gender, "studentNo": student_no}
    for field, check in _CHECKS.items():
        if _UNSTORABLE.search(values[field]):
            yield field, _("含有无效字符")
        elif text := check(values[field]):
            yield field, text


def _name(value: str) -> str:
    if not value:
        return _("姓名不能为空")
    return _("姓名不能超过 50 个字符") if len(value) > NAME_LIMIT else ""


def _phone(value: str) -> str:
    return _("手机号应为 1 开头的 11 位数字") if value and not PHONE.fullmatch(value) else ""


def _gender(value: str) -> str:
    return "" if value in Student.Gender.values else _("性别只能是 male、female 或 unknown")


def _student_no(value: str) -> str:
    return _("学号不能超过 50 个字符") if len(value) > STUDENT_NO_LIMIT else ""


_CHECKS: Mapping[str, Callable[[str], str]] = {
    "name": _name,
    "phone": _phone,
    "gender": _gender,
    "studentNo": _student_no,
}
