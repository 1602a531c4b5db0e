"""Students, saved through the service that the tool uses too."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import ForeignKey
from django.forms import ModelForm
from django.http import HttpRequest

from apps.students.admin.scoped import ScopedAdmin, actor_of
from apps.students.errors import StudentRefusedError
from apps.students.models import SchoolClass, Student
from apps.students.services.change_student import change_student
from apps.students.services.create_student import create_student
from apps.students.services.saving import StudentValues

if TYPE_CHECKING:
    _StudentForm = ModelForm[Student]
else:
    _StudentForm = ModelForm
FIELDS = {
    "name": "name",
    "phone": "phone",
    "gender": "gender",
    "classId": "school_class",
    "studentNo": "student_no",
}


class StudentForm(_StudentForm):
    """Asks the service while it is cleaned, so that a refusal stands at its field."""

    class Meta:
        model = Student
        fields = ("name", "student_no", "gender", "phone", "school_class")

    request: HttpRequest

    def _post_clean(self) -> None:
        """Instead of the model's own validation: the service is the only rule book."""
        if self.errors:
            return
        try:
            self.instance = self._saved()
        except StudentRefusedError as error:
            for name, text in error.errors.items():
                self.add_error(FIELDS.get(name), forms.ValidationError(text))

    def _saved(self) -> Student:
        actor, values = actor_of(self.request), _values(self.cleaned_data)
        if self.instance.pk:
            return change_student(actor=actor, student=self.instance, values=values)
        return create_student(actor=actor, values=values)


class StudentAdmin(ScopedAdmin):
    """The students of the operator's organisation."""

    form = StudentForm
    list_display = ("name", "student_no", "school_class", "phone")
    list_filter = ("gender",)
    search_fields = ("name", "student_no", "phone")
    list_select_related = ("school_class",)

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, *args, **kwargs)
        form.request = request  # type: ignore[attr-defined]  # a class made for this request
        return form

    def save_model(self, request: HttpRequest, obj: Student, form: Any, change: bool) -> None:
        """The form has saved it already."""

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> Any:
        if db_field.name == "school_class":
            kwargs["queryset"] = SchoolClass.objects.for_actor(actor_of(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


def _values(given: dict[str, Any]) -> StudentValues:
    school_class: SchoolClass | None = given["school_class"]
    return StudentValues(
        name=given["name"],
        phone=given["phone"],
        gender=given["gender"],
        class_id=school_class.pk if school_class else None,
        student_no=given["student_no"],
    )
