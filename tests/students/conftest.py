"""Classes, and values that are right."""

from collections.abc import Callable

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.students.models import SchoolClass
from apps.students.services.saving import StudentValues


@pytest.fixture
def school_class(organisation: Organisation) -> SchoolClass:
    return SchoolClass.objects.create(organisation=organisation, name="三年一班")


@pytest.fixture
def foreign_class(other_organisation: Organisation) -> SchoolClass:
    return SchoolClass.objects.create(organisation=other_organisation, name="四年一班")


@pytest.fixture
def actor(alice: User) -> Actor:
    return Actor.of(alice)


@pytest.fixture
def values() -> Callable[..., StudentValues]:
    return lambda **given: StudentValues(**{"name": "王芳", **given})
