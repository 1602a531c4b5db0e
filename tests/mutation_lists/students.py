"""What must not pass unnoticed in students, a change for each requirement."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="FORM-8",
        file="apps/students/services/saving.py",
        find="    if organisation_id not in (None, actor.organisation_id):\n",
        replace="    if organisation_id == -1:\n",
        tests="tests/students/test_create_student.py",
    ),
    Mutation(
        req="FORM-11",
        file="apps/students/tools.py",
        find="新增学生。仅在用户",
        replace="新增学生。 仅在用户",
        tests="tests/students/test_tools.py",
    ),
    Mutation(
        req="MCP-6",
        file="apps/students/admin/scoped.py",
        find="return rows.filter(organisation_id=actor_of(request).organisation_id)",
        replace="return rows",
        tests="tests/students/test_admin.py",
    ),
    Mutation(
        req="FORM-8",
        file="apps/students/tools.py",
        find='FORMATS = {"phone": gettext_lazy("手机号应为 1 开头的 11 位数字")}',
        replace="FORMATS: dict[str, object] = {}",
        tests="tests/students/test_tools.py",
    ),
    Mutation(
        req="FORM-8",
        file="apps/tools/wordings.py",
        find="        text = text.removeprefix(",
        replace="        return text or text.removeprefix(",
        tests="tests/students/test_tools.py",
    ),
]
