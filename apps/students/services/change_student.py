"""Change a student."""

from apps.accounts.actor import Actor
from apps.students.models import Student
from apps.students.services.rights import require
from apps.students.services.saving import StudentValues, save_student


def change_student(*, actor: Actor, student: Student, values: StudentValues) -> Student:
    """The student with these values; one of another organisation does not exist."""
    require(actor, "students.change_student")
    known = Student.objects.for_actor(actor).get(pk=student.pk)
    return save_student(actor, known, values)
