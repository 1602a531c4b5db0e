"""Staff see and save the students of their own organisation, by the same rules."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.students.models import SchoolClass, Student
from apps.students.services.create_student import create_student
from apps.students.services.saving import StudentValues


@pytest.fixture
def staff(alice: User, client: Client) -> User:
    """Alice on the console, with every right on students and classes."""
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    alice.user_permissions.set(Permission.objects.filter(content_type__app_label="students"))
    client.force_login(User.objects.get(pk=alice.pk))
    return alice


def student_of(owner: User, name: str) -> Student:
    return create_student(actor=Actor.of(owner), values=StudentValues(name=name))


FORM = {"name": "王芳", "student_no": "S-1", "gender": "female", "phone": "", "school_class": ""}


@pytest.mark.case("FORM-011")
def test_a_refusal_stands_at_its_field(staff: User, client: Client) -> None:
    url = reverse("admin:students_student_add")
    assert client.post(url, FORM).status_code == 302
    again = client.post(url, FORM)
    assert again.status_code == 200
    assert again.context["adminform"].form.errors == {"student_no": ["该学号已存在"]}
    assert client.post(url, {**FORM, "student_no": "S-2"}).status_code == 302
    assert Student.objects.count() == 2


def test_a_change_goes_through_the_service(staff: User, client: Client) -> None:
    student = student_of(staff, "王芳")
    url = reverse("admin:students_student_change", args=[student.pk])
    assert client.post(url, {**FORM, "phone": "12"}).status_code == 200
    assert client.post(url, {**FORM, "name": "李雷"}).status_code == 302
    student.refresh_from_db()
    assert (student.name, student.student_no) == ("李雷", "S-1")


@pytest.mark.req("MCP-6")
def test_another_organisation_is_out_of_reach(
    staff: User, client: Client, carol: User, foreign_class: SchoolClass
) -> None:
    theirs = student_of(carol, "别人")
    listing = client.get(reverse("admin:students_student_changelist"))
    assert "别人" not in listing.content.decode()
    opened = client.get(reverse("admin:students_student_change", args=[theirs.pk]))
    assert opened.status_code == 302
    form = client.get(reverse("admin:students_student_add")).content.decode()
    assert foreign_class.name not in form
    chosen = {**FORM, "school_class": str(foreign_class.pk)}
    refused = client.post(reverse("admin:students_student_add"), chosen)
    assert refused.status_code == 200
    assert not Student.objects.filter(name="王芳").exists()


def test_a_class_belongs_to_who_makes_it(staff: User, client: Client) -> None:
    url = reverse("admin:students_schoolclass_add")
    assert client.post(url, {"name": "五年一班"}).status_code == 302
    assert SchoolClass.objects.get().organisation_id == staff.organisation_id
