"""The one service behind tool, API and admin."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.students.errors import StudentRefusedError
from apps.students.models import SchoolClass, Student
from apps.students.services.change_student import change_student
from apps.students.services.create_student import create_student
from apps.students.services.saving import StudentValues

Values = Callable[..., StudentValues]


@pytest.mark.req("FORM-8")
def test_a_student_belongs_to_the_actors_organisation(
    actor: Actor, school_class: SchoolClass, values: Values
) -> None:
    given = values(name=" 王芳 ", phone="13800138000", class_id=school_class.pk, student_no="S-1")
    student = create_student(actor=actor, values=given)
    student.refresh_from_db()
    assert (student.name, student.gender) == ("王芳", "unknown")
    assert (student.organisation_id, student.created_by_id) == (
        actor.organisation_id,
        actor.user_id,
    )
    assert student.school_class == school_class


@pytest.mark.req("FORM-8")
@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("name", {"name": ""}),
        ("name", {"name": "  "}),
        ("name", {"name": "a" * 51}),
        ("name", {"name": "a\x00"}),
        ("name", {"name": "\ud83d"}),
        ("phone", {"phone": "1380013800"}),
        ("phone", {"phone": "23800138000"}),
        ("phone", {"phone": "13800138000\n1"}),
        ("phone", {"phone": "1\uff13800138000"}),
        ("gender", {"gender": "other"}),
        ("gender", {"gender": ""}),
        ("studentNo", {"student_no": "a" * 51}),
        ("classId", {"class_id": 10**30}),
        ("organizationId", {"organisation_id": 10**30}),
    ],
)
def test_a_broken_rule_names_its_field(
    actor: Actor, values: Values, field: str, given: dict[str, Any]
) -> None:
    with pytest.raises(StudentRefusedError) as caught:
        create_student(actor=actor, values=values(**given))
    assert list(caught.value.errors) == [field]
    assert not Student.objects.exists()


@pytest.mark.req("FORM-8")
def test_foreign_and_missing_answer_alike(
    actor: Actor, foreign_class: SchoolClass, values: Values
) -> None:
    def refusal(**given: Any) -> dict[str, str]:
        with pytest.raises(StudentRefusedError) as caught:
            create_student(actor=actor, values=values(**given))
        return caught.value.errors

    missing = foreign_class.pk + 1000
    assert refusal(class_id=foreign_class.pk) == refusal(class_id=missing)
    foreign = foreign_class.organisation_id
    assert refusal(organisation_id=foreign) == refusal(organisation_id=missing)


@pytest.mark.req("FORM-8")
def test_without_the_right_nothing_is_written(bob: User, values: Values) -> None:
    with pytest.raises(PermissionDenied):
        create_student(actor=Actor.of(bob), values=values())
    assert not Student.objects.exists()


@pytest.mark.req("FORM-8")
@pytest.mark.case("FORM-011")
def test_a_number_is_given_once(actor: Actor, values: Values) -> None:
    create_student(actor=actor, values=values(student_no="S-1"))
    for _ in range(2):
        with pytest.raises(StudentRefusedError) as caught:
            create_student(actor=actor, values=values(student_no="S-1"))
        assert caught.value.errors == {"studentNo": "该学号已存在"}
    create_student(actor=actor, values=values(student_no="S-2"))
    assert Student.objects.count() == 2


def test_many_students_have_no_number(actor: Actor, values: Values) -> None:
    create_student(actor=actor, values=values())
    create_student(actor=actor, values=values(student_no="  "))
    assert Student.objects.filter(student_no="").count() == 2


def test_two_organisations_may_use_one_number(actor: Actor, carol: User, values: Values) -> None:
    create_student(actor=actor, values=values(student_no="S-1"))
    create_student(actor=Actor.of(carol), values=values(student_no="S-1"))
    assert Student.objects.count() == 2


@pytest.mark.req("FORM-8")
@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_gets_the_number(actor: Actor, values: Values) -> None:
    def create(_: int) -> bool:
        try:
            create_student(actor=actor, values=values(student_no="S-1"))
        except StudentRefusedError:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(create, range(24))) == 1
    assert Student.objects.count() == 1


def test_a_foreign_student_cannot_be_changed(actor: Actor, carol: User, values: Values) -> None:
    theirs = create_student(actor=Actor.of(carol), values=values())
    with pytest.raises(PermissionDenied):
        change_student(actor=actor, student=theirs, values=values(name="X"))
