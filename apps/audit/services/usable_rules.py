"""The operators' rules as they stand in the database; a broken one takes no other with it."""

import logging

from apps.audit.models import SanitizerRule
from apps.audit.redaction.extra import ExtraRule, PatternError, extra_rule
from apps.audit.services.alerts import raise_alert

logger = logging.getLogger(__name__)
_told: set[tuple[str, str]] = set()


def usable() -> list[ExtraRule]:
    """Those that are on and can be read. Each broken one is alerted once by each process."""
    rows = SanitizerRule.objects.filter(is_on=True).order_by("pk")
    found = (_read(*row) for row in rows.values_list("name", "pattern"))
    return [rule for rule in found if rule is not None]


def _read(name: str, pattern: str) -> ExtraRule | None:
    try:
        return extra_rule(name, pattern)
    except PatternError as error:
        if (name, pattern) not in _told:
            logger.error("sanitizer rule %s is left out: %s", name, error)
            raise_alert(
                cause="sanitizer_rule_broken",
                severity="warning",
                object_kind="sanitizer_rule",
                object_key=name,
                detail=str(error),
            )
            _told.add((name, pattern))
        return None
