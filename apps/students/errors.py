"""How the students' services say no."""

from collections.abc import Mapping

from apps.tools.registry import BusinessError


class StudentRefusedError(BusinessError):
    """The values cannot be a student; `errors` says it by the interface's field names."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = dict(errors)
