"""What another process does in the tests of alerts: it raises the same alert when told to."""

import sys

import django

django.setup()

from apps.audit.services.alerts import raise_alert  # noqa: E402


def tell(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    tell("ready")
    for line in sys.stdin:
        key = line.strip()
        alert = raise_alert(cause="dead_letter", severity="critical", object_key=key)
        tell(str(alert.pk))
