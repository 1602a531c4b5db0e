"""A table for the tests of `transition`: no table of the product is moved by it yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from django.apps import apps
from django.db import connection, models

from apps.lib.transitions import Stateful


class Lamp(Stateful):
    """Something with a state."""

    owner = models.CharField(max_length=40, blank=True)

    objects: ClassVar[models.Manager["Lamp"]] = models.Manager()

    class Meta:
        app_label = "lib"
        db_table = "lib_test_lamp"

    def __str__(self) -> str:
        return self.state


# No migration, no check and no flush of tables shall know it.
del apps.all_models["lib"]["lamp"]
apps.clear_cache()


@contextmanager
def lamps() -> Iterator[None]:
    """The table, while the block runs."""
    with connection.schema_editor() as editor:
        editor.create_model(Lamp)
    try:
        yield
    finally:
        with connection.schema_editor() as editor:
            editor.delete_model(Lamp)
