"""What must not pass unnoticed in the console, a change for each requirement."""

from tests.mutations import Mutation

OPERATING, TOOLS = "tests/audit/test_operating_pages.py", "tests/tools/test_console.py"

MUTATIONS = [
    Mutation(
        req="MCP-6",
        file="apps/audit/search.py",
        find="return Q() if user.is_superuser else",
        replace="return Q() if user.is_staff else",
        tests="tests/audit/test_trace_page.py",
    ),
    Mutation(
        req="MCP-6",
        file="apps/tools/services/quotas.py",
        find="return Quota.objects.filter(own | everybody)",
        replace="return Quota.objects.all()",
        tests=TOOLS,
    ),
    Mutation(
        req="MCP-6",
        file="apps/tools/admin/switches.py",
        find=" if switches.reaches(user, row.kind, row.key)]",
        replace="]",
        tests=TOOLS,
    ),
    Mutation(
        req="MCP-6",
        file="apps/tools/admin/catalogue.py",
        find="    if not may_look(user):\n        raise PermissionDenied\n",
        replace="",
        tests=TOOLS,
    ),
    Mutation(
        req="OBS-4",
        file="apps/audit/services/waiting.py",
        find='        "audit.alert": alerts_of(actor).filter(state=Alert.State.OPEN).count(),\n',
        replace="",
        tests=OPERATING,
    ),
    Mutation(
        req="OBS-4",
        file="apps/audit/admin/settling.py",
        find="        alerts.resolve(alert_id=alert.pk, actor=actor, reason=reason)\n",
        replace="",
        tests=OPERATING,
    ),
    Mutation(
        req="TOOL-21",
        file="apps/tools/admin/quota_form.py",
        find="self.instance.organisation = organisation",
        replace="self.instance.organisation = None",
        tests=TOOLS,
    ),
    Mutation(
        req="TOOL-21",
        file="apps/tools/services/quotas.py",
        find='window_start__gt=now - F("quota__window_s")',
        replace="window_start__gt=0",
        tests=TOOLS,
    ),
    Mutation(
        req="TOOL-27",
        file="apps/tools/admin/switches.py",
        find='return bool(request.user.has_perm("tools.change_switch"))',
        replace="return True",
        tests=TOOLS,
    ),
    Mutation(
        req="TOOL-27",
        file="apps/tools/admin/switching.py",
        find="switches.switch_on(actor=actor, kind=switch.kind, key=switch.key, reason=reason)",
        replace="pass",
        tests=TOOLS,
    ),
]
