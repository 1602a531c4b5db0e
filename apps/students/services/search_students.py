"""Find students."""

from dataclasses import dataclass

from django.db.models import Q

from apps.accounts.actor import Actor
from apps.students.models import Student, StudentQuerySet
from apps.students.services.rights import require

LIMIT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentSearch:
    """What is looked for; everything given must hold. `keyword` is any of the texts."""

    keyword: str = ""
    name: str = ""
    student_no: str = ""
    phone: str = ""
    class_name: str = ""
    class_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundStudents:
    """The first of them, and how many there are."""

    students: tuple[Student, ...]
    count: int


def search_students(*, actor: Actor, search: StudentSearch) -> FoundStudents:
    """At most 20 students of the actor's organisation, by name; PermissionDenied."""
    require(actor, "students.view_student")
    found = _filtered(Student.objects.for_actor(actor), search)
    rows = found.select_related("school_class").order_by("name", "pk")[:LIMIT]
    return FoundStudents(students=tuple(rows), count=found.count())


def _filtered(rows: StudentQuerySet, search: StudentSearch) -> StudentQuerySet:
    if keyword := search.keyword.strip():
        rows = rows.filter(
            Q(name__icontains=keyword)
            | Q(student_no__iexact=keyword)
            | Q(phone=keyword)
            | Q(school_class__name=keyword)
        )
    exact = {
        "name__icontains": search.name.strip(),
        "student_no__iexact": search.student_no.strip(),
        "phone": search.phone.strip(),
        "school_class__name__icontains": search.class_name.strip(),
        "school_class_id": search.class_id,
    }
    return rows.filter(**{name: value for name, value in exact.items() if value})
