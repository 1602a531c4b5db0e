from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from apps.lib.immutable import ProtectRows


def first_epoch(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("agents", "ConfigEpoch").objects.create(pk=1, number=1)


class Migration(migrations.Migration):
    dependencies = [("agents", "0001_initial")]
    operations = [
        migrations.RunPython(first_epoch, migrations.RunPython.noop),
        ProtectRows("PublishRecord"),
        ProtectRows("ReleaseEvent"),
    ]
