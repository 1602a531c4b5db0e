"""Add a student."""

from apps.accounts.actor import Actor
from apps.lib import clock
from apps.students.models import Student
from apps.students.services.rights import require
from apps.students.services.saving import StudentValues, save_student


def create_student(*, actor: Actor, values: StudentValues) -> Student:
    """The new student of the actor's organisation; PermissionDenied or StudentRefusedError."""
    require(actor, "students.add_student")
    student = Student(created_by_id=actor.user_id, created_at=clock.now())
    return save_student(actor, student, values)
