"""The way into the table for new and changed students: rules, scope, and the database's word."""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.students.errors import StudentRefusedError
from apps.students.models import SchoolClass, Student
from apps.students.services.rules import faults_in

NUMBER_COLUMN = "student_no"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentValues:
    """What a caller gives for a student; None is not given, text may be blank."""

    name: str
    phone: str = ""
    gender: str = Student.Gender.UNKNOWN.value
    class_id: int | None = None
    organisation_id: int | None = None
    student_no: str = ""


def save_student(actor: Actor, student: Student, values: StudentValues) -> Student:
    """Check the values, put them on the row and save it; raises StudentRefusedError by field."""
    organisation_id = _organisation(actor, values.organisation_id)
    student.name, student.phone = values.name.strip(), values.phone.strip()
    student.gender, student.student_no = values.gender, values.student_no.strip()
    faults = faults_in(
        name=student.name,
        phone=student.phone,
        gender=student.gender,
        student_no=student.student_no,
    )
    if errors := dict(faults):
        raise StudentRefusedError(errors)
    student.school_class = _school_class(actor, organisation_id, values.class_id)
    student.organisation_id = organisation_id
    return _stored(student)


def _organisation(actor: Actor, organisation_id: int | None) -> int:
    """The actor's own; any other is answered as if it did not exist."""
    if organisation_id not in (None, actor.organisation_id):
        raise StudentRefusedError({"organizationId": _("组织不存在")})
    return actor.organisation_id


def _school_class(actor: Actor, organisation_id: int, class_id: int | None) -> SchoolClass | None:
    if class_id is None:
        return None
    classes = SchoolClass.objects.for_actor(actor).filter(organisation_id=organisation_id)
    found = classes.filter(pk=class_id).first()
    if found is None:
        raise StudentRefusedError({"classId": _("班级不存在")})
    return found


def _stored(student: Student) -> Student:
    """Nobody asks first whether the number is free: the constraint decides."""
    try:
        with transaction.atomic():
            student.save()
    except IntegrityError as error:
        if NUMBER_COLUMN not in str(error):
            raise
        raise StudentRefusedError({"studentNo": _("该学号已存在")}) from error
    return student
