"""The students' tools, through the whole gateway."""

import json
from dataclasses import replace
from typing import Any

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.students.models import SchoolClass, Student
from apps.students.tools import CreateStudentInput, StudentTools
from apps.tools.registry import catalogue
from apps.tools.testing import fake_context, invoke_tool

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.req("FORM-11")
def test_the_description_is_that_of_the_contract() -> None:
    create = catalogue.get("create_student")
    assert create is not None
    assert create.description == "新增学生。仅在用户通过表单或消息明确提交了新增学生资料后调用。"
    assert (create.write_action, create.destructive) == (True, False)
    assert create.permission == "students.add_student"
    assert list(create.schema["properties"]) == [
        "name", "phone", "gender", "classId", "organizationId", "studentNo",
    ]  # fmt: skip


def test_the_labels_come_first_in_the_descriptions() -> None:
    create = catalogue.get("create_student")
    assert create is not None
    texts = [item["description"].split("，")[0] for item in create.schema["properties"].values()]
    assert texts == ["姓名", "电话", "性别", "班级", "组织", "学号"]


@pytest.mark.req("FORM-8", "TOOL-23")
def test_create_student_answers_with_the_student(actor: Actor, school_class: SchoolClass) -> None:
    arguments = {"name": "王芳", "phone": "13800138000", "classId": school_class.pk}
    result = invoke_tool("create_student", {**arguments, "gender": "female"}, actor)
    student = Student.objects.get()
    assert result.ok
    assert result.data["status"] == "success"
    assert result.data["student"] == {
        "id": student.pk,
        "name": "王芳",
        "studentNo": "",
        "phone": "13800138000",
        "gender": "female",
        "classId": school_class.pk,
        "className": "三年一班",
        "organizationId": student.organisation_id,
    }
    assert "王芳" in result.data["message"]


@pytest.mark.req("FORM-8")
def test_blank_optionals_are_not_given(actor: Actor) -> None:
    blank = {"phone": "", "gender": "", "classId": "", "organizationId": None, "studentNo": " "}
    assert invoke_tool("create_student", {"name": "王芳", **blank}, actor).ok
    student = Student.objects.get()
    assert (student.phone, student.gender, student.student_no) == ("", "unknown", "")


@pytest.mark.req("FORM-8")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "name"),
        ({"name": " "}, "姓名不能为空"),
        ({"name": "王芳", "phone": "123"}, "phone"),
        ({"name": "王芳", "gender": "男"}, "gender"),
        ({"name": "王芳", "classId": 0}, "classId"),
        ({"name": "王芳", "classId": 999_999}, "班级不存在"),
        ({"name": "王芳", "organizationId": 999_999}, "组织不存在"),
        ({"name": "王芳", "age": 9}, "age: 未知字段"),
    ],
)
def test_wrong_arguments_are_told_to_the_model(
    actor: Actor, arguments: dict[str, Any], told: str
) -> None:
    result = invoke_tool("create_student", arguments, actor)
    assert not result.ok
    assert told in result.content
    assert not Student.objects.exists()


@pytest.mark.req("FORM-8")
def test_a_used_number_is_a_business_error(actor: Actor) -> None:
    assert invoke_tool("create_student", {"name": "王芳", "studentNo": "S-1"}, actor).ok
    again = invoke_tool("create_student", {"name": "李雷", "studentNo": "S-1"}, actor)
    assert (again.ok, again.error) == (False, "学号: 该学号已存在")
    assert json.loads(again.content)["error"] == "studentNo: 该学号已存在"


@pytest.mark.req("FORM-8")
@pytest.mark.parametrize(
    ("locale", "model", "person"),
    [
        ("zh-hans", "phone: 手机号应为 1 开头的 11 位数字", "电话: 手机号应为 1 开头的 11 位数字"),
        (
            "en",
            "phone: A phone number has 11 digits and starts with 1",
            "Phone: A phone number has 11 digits and starts with 1",
        ),
    ],
)
def test_a_fault_is_told_to_people_in_their_words(
    actor: Actor, locale: str, model: str, person: str
) -> None:
    caller = replace(actor, locale=locale)
    result = invoke_tool("create_student", {"name": "王芳", "phone": "12"}, caller)
    assert json.loads(result.content)["error"].endswith(model)
    assert result.error == person


@pytest.mark.req("TOOL-15")
def test_bob_may_not_create(bob: User) -> None:
    result = invoke_tool("create_student", {"name": "王芳"}, Actor.of(bob))
    assert (result.ok, result.error) == (False, "权限不足")


def test_a_method_can_be_called_alone(actor: Actor) -> None:
    ctx = fake_context(user_id=actor.user_id, organization_id=actor.organisation_id)
    result = StudentTools().create_student(CreateStudentInput(name="王芳"), ctx)
    assert result["status"] == "success"


@pytest.fixture
def many(organisation: Organisation, school_class: SchoolClass, alice: User) -> None:
    """25 in the class, one without."""
    actor = Actor.of(alice)
    for number in range(25):
        given = {"name": f"学生{number}", "studentNo": f"N-{number}", "classId": school_class.pk}
        assert invoke_tool("create_student", given, actor).ok
    assert invoke_tool("create_student", {"name": "王芳", "phone": "13800138000"}, actor).ok


@pytest.mark.req("TOOL-23")
def test_search_students_finds_and_counts(
    actor: Actor, many: None, school_class: SchoolClass
) -> None:
    def found(**search: Any) -> tuple[int, int]:
        data = invoke_tool("search_students", search, actor).data
        return data["count"], len(data["students"])

    assert found() == (26, 20)
    assert found(className="三年一班") == (25, 20)
    assert found(classId=school_class.pk) == (25, 20)
    assert found(name="王") == (1, 1)
    assert found(phone="13800138000") == (1, 1)
    assert found(studentNo="n-3") == (1, 1)
    assert found(keyword="N-3") == (1, 1)
    assert found(keyword="三年一班", name="学生7") == (1, 1)
    assert found(keyword="nobody") == (0, 0)


def test_search_students_stays_at_home(actor: Actor, carol: User) -> None:
    assert invoke_tool("create_student", {"name": "王芳"}, actor).ok
    assert invoke_tool("search_students", {}, Actor.of(carol)).data["count"] == 0
