"""What was done, in rows that are written once and chained; and what it is kept in order by."""

from apps.audit.models.alert import AdminTask, Alert, AlertDelivery
from apps.audit.models.chained import ChainedRow, Place
from apps.audit.models.config_log import ConfigAuditLog
from apps.audit.models.dead_letter import DeadLetter
from apps.audit.models.entry import AuditEntry, SecurityEvent
from apps.audit.models.integrity import ChainHead, LegalHold, RetentionAnchor, Seal
from apps.audit.models.sanitizer_rule import SanitizerRule

__all__ = [
    "AdminTask",
    "Alert",
    "AlertDelivery",
    "AuditEntry",
    "ChainHead",
    "ChainedRow",
    "ConfigAuditLog",
    "DeadLetter",
    "LegalHold",
    "Place",
    "RetentionAnchor",
    "SanitizerRule",
    "Seal",
    "SecurityEvent",
]
