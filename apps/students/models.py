"""Students and their classes."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User


class SchoolClassQuerySet(models.QuerySet["SchoolClass"]):
    """Reads of classes."""

    def for_actor(self, actor: Actor) -> "SchoolClassQuerySet":
        return self.filter(organisation_id=actor.organisation_id)


class SchoolClass(models.Model):
    """A class of an organisation."""

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="classes", verbose_name=_("组织")
    )
    name = models.CharField(_("名称"), max_length=50)

    objects = SchoolClassQuerySet.as_manager()

    class Meta:
        verbose_name = _("班级")
        verbose_name_plural = _("班级")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation", "name"], name="school_class_name")
        ]

    def __str__(self) -> str:
        return self.name


class StudentQuerySet(models.QuerySet["Student"]):
    """Reads of students."""

    def for_actor(self, actor: Actor) -> "StudentQuerySet":
        return self.filter(organisation_id=actor.organisation_id)


class Student(models.Model):
    """A student of an organisation; the number, when given, is unique there."""

    class Gender(models.TextChoices):
        MALE = "male", _("男")
        FEMALE = "female", _("女")
        UNKNOWN = "unknown", _("未知")

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="students", verbose_name=_("组织")
    )
    school_class = models.ForeignKey(
        SchoolClass,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="students",
        verbose_name=_("班级"),
    )
    name = models.CharField(_("姓名"), max_length=50)
    phone = models.CharField(_("电话"), max_length=11, blank=True)
    gender = models.CharField(_("性别"), max_length=7, choices=Gender, default=Gender.UNKNOWN)
    student_no = models.CharField(_("学号"), max_length=50, blank=True)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+", verbose_name=_("创建人")
    )
    created_at = models.DateTimeField(_("创建时间"))

    objects = StudentQuerySet.as_manager()

    class Meta:
        verbose_name = _("学生")
        verbose_name_plural = _("学生")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["organisation", "student_no"],
                condition=~models.Q(student_no=""),
                name="student_no_in_organisation",
            )
        ]

    def __str__(self) -> str:
        return self.name
