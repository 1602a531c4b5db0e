"""What agents may do with students: thin methods over the services."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.students.models import Student
from apps.students.services.create_student import create_student
from apps.students.services.saving import StudentValues
from apps.students.services.search_students import LIMIT, StudentSearch, search_students
from apps.tools.registry import AgentContext, Presentation, agent_tool

CREATE_DESCRIPTION = gettext_noop("新增学生。仅在用户通过表单或消息明确提交了新增学生资料后调用。")
SEARCH_DESCRIPTION = gettext_noop(
    "查询学生。按姓名、学号、电话或班级查找本组织的学生，最多返回 20 条，并给出总数。"
)

LABELS = {"gender": dict(Student.Gender.choices)}
FIELDS = {
    "name": gettext_lazy("姓名"),
    "phone": gettext_lazy("电话"),
    "gender": gettext_lazy("性别"),
    "classId": gettext_lazy("班级"),
    "className": gettext_lazy("班级"),
    "organizationId": gettext_lazy("组织"),
    "studentNo": gettext_lazy("学号"),
}
FORMATS = {"phone": gettext_lazy("手机号应为 1 开头的 11 位数字")}


def _told(text: str, **keywords: Any) -> Mapping[str, Any]:
    """The metadata of an input's field."""
    return {"description": text, **keywords}


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateStudentInput:
    """The fields of document 002."""

    name: str = field(metadata=_told("姓名，必填，不超过 50 个字符", minLength=1, maxLength=50))
    phone: str = field(
        default="", metadata=_told("电话，1 开头的 11 位手机号，可留空", pattern=r"^1\d{10}$")
    )
    gender: str = field(
        default="unknown",
        metadata=_told("性别，不清楚时为 unknown", enum=["male", "female", "unknown"]),
    )
    classId: int | None = field(  # noqa: N815
        default=None, metadata=_told("班级，班级的编号，正整数", minimum=1)
    )
    organizationId: int | None = field(  # noqa: N815
        default=None, metadata=_told("组织，组织的编号，正整数，默认为当前用户的组织", minimum=1)
    )
    studentNo: str = field(  # noqa: N815
        default="", metadata=_told("学号，组织内唯一，不超过 50 个字符", maxLength=50)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStudentsInput:
    """Everything that is given must hold."""

    keyword: str = field(default="", metadata=_told("关键词，姓名的一部分，或学号、电话、班级名称"))
    name: str = field(default="", metadata=_told("姓名，可以是一部分"))
    studentNo: str = field(default="", metadata=_told("学号，完整学号"))  # noqa: N815
    phone: str = field(default="", metadata=_told("电话，完整号码"))
    className: str = field(default="", metadata=_told("班级，班级名称"))  # noqa: N815
    classId: int | None = field(  # noqa: N815
        default=None, metadata=_told("班级编号，正整数", minimum=1)
    )


class StudentTools:
    """The students' tools, listed in `apps.py`."""

    @agent_tool(
        "create_student",
        CREATE_DESCRIPTION,
        CreateStudentInput,
        permission="students.add_student",
        write_action=True,
        destructive=False,
        presentation=Presentation(
            title=gettext_lazy("新增学生"), labels=LABELS, fields=FIELDS, formats=FORMATS
        ),
    )
    def create_student(self, input: CreateStudentInput, ctx: AgentContext) -> dict[str, Any]:
        values = StudentValues(
            name=input.name,
            phone=input.phone,
            gender=input.gender,
            class_id=input.classId,
            organisation_id=input.organizationId,
            student_no=input.studentNo,
        )
        student = create_student(actor=_actor(ctx), values=values)
        message = _("已新增学生{name}").format(name=student.name)
        return {"status": "success", "student": _shown(student), "message": message}

    @agent_tool(
        "search_students",
        SEARCH_DESCRIPTION,
        SearchStudentsInput,
        permission="students.view_student",
        write_action=False,
        presentation=Presentation(title=gettext_lazy("查找学生"), labels=LABELS, fields=FIELDS),
    )
    def search_students(self, input: SearchStudentsInput, ctx: AgentContext) -> dict[str, Any]:
        search = StudentSearch(
            keyword=input.keyword,
            name=input.name,
            student_no=input.studentNo,
            phone=input.phone,
            class_name=input.className,
            class_id=input.classId,
        )
        found = search_students(actor=_actor(ctx), search=search)
        message = _("共找到 {count} 名学生").format(count=found.count)
        if found.count > LIMIT:
            message += _("，仅列出前 {limit} 名").format(limit=LIMIT)
        students = [_shown(student) for student in found.students]
        return {"status": "success", "count": found.count, "students": students, "message": message}


def _actor(ctx: AgentContext) -> Actor:
    """Who acts, as of now; an account that is gone raises DoesNotExist."""
    return Actor.of(User.objects.get(pk=ctx.user_id, organisation_id=ctx.organization_id))


def _shown(student: Student) -> dict[str, Any]:
    school_class = student.school_class
    return {
        "id": student.pk,
        "name": student.name,
        "studentNo": student.student_no,
        "phone": student.phone,
        "gender": student.gender,
        "classId": student.school_class_id,
        "className": school_class.name if school_class else "",
        "organizationId": student.organisation_id,
    }
