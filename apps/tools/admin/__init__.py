"""The console's pages of tools: calls, quotas, switches, and the catalogue."""

from django.contrib import admin

from apps.tools.admin.quotas import QuotaAdmin
from apps.tools.admin.runs import ToolRunAdmin
from apps.tools.admin.switches import SwitchAdmin
from apps.tools.models import Quota, Switch, ToolRun

admin.site.register(ToolRun, ToolRunAdmin)
admin.site.register(Quota, QuotaAdmin)
admin.site.register(Switch, SwitchAdmin)
