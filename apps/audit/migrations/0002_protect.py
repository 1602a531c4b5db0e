from django.db import migrations

from apps.lib.immutable import ProtectRows


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]
    operations = [ProtectRows("AuditEntry"), ProtectRows("SecurityEvent")]
