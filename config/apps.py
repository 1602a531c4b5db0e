from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class StewardConfig(AppConfig):
    """The composition root, an app for its commands and pages."""

    name = "config"
    label = "config"
    verbose_name = _("系统")

    def ready(self) -> None:
        """Before the admin modules load: this app stands before the admin's in the settings."""
        from django.contrib.admin.options import BaseModelAdmin
        from django.forms.models import BaseModelForm, ModelChoiceField

        from config import celery  # noqa: F401, so that tasks are bound to our Celery

        for kind in (BaseModelAdmin, BaseModelForm, ModelChoiceField):
            kind.__class_getitem__ = classmethod(_unparametrised)  # type: ignore[union-attr]


def _unparametrised(kind: type, *_parameters: Any) -> type:
    """`ModelAdmin[Student]` tells the type checker something and is `ModelAdmin` at run time."""
    return kind
