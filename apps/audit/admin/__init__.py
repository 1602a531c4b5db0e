"""The console's pages of the audit and of what waits for operators."""

from django.contrib import admin

from apps.audit.admin.alerts import AdminTaskAdmin, AlertAdmin
from apps.audit.admin.changes import ConfigAuditLogAdmin
from apps.audit.admin.entries import AuditEntryAdmin
from apps.audit.admin.events import SecurityEventAdmin
from apps.audit.admin.letters import DeadLetterAdmin
from apps.audit.admin.rules import SanitizerRuleAdmin
from apps.audit.models import (
    AdminTask,
    Alert,
    AuditEntry,
    ConfigAuditLog,
    DeadLetter,
    SanitizerRule,
    SecurityEvent,
)

admin.site.register(AuditEntry, AuditEntryAdmin)
admin.site.register(SecurityEvent, SecurityEventAdmin)
admin.site.register(ConfigAuditLog, ConfigAuditLogAdmin)
admin.site.register(DeadLetter, DeadLetterAdmin)
admin.site.register(Alert, AlertAdmin)
admin.site.register(AdminTask, AdminTaskAdmin)
admin.site.register(SanitizerRule, SanitizerRuleAdmin)
