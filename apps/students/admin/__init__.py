"""Students and classes, for staff of the organisation they belong to."""

from django.contrib import admin

from apps.students.admin.school_class import SchoolClassAdmin
from apps.students.admin.student import StudentAdmin
from apps.students.models import SchoolClass, Student

admin.site.register(SchoolClass, SchoolClassAdmin)
admin.site.register(Student, StudentAdmin)
