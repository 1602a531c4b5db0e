"""Mutations of accounts, configuration and the contracts."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="CARD-1",
        file="config/settings.py",
        find='    "apps.students",\n',
        replace="",
        tests="tests/platform/test_card.py",
    ),
    Mutation(
        req="MCP-6",
        file="apps/accounts/admin.py",
        find="        return rows.filter(organisation_id=_home(request), is_superuser=False)",
        replace="        return rows",
        tests="tests/accounts/test_admin.py",
    ),
    Mutation(
        req="TOOL-24",
        file="pyproject.toml",
        find='source_modules = ["apps.students", "apps.forms"]',
        replace='source_modules = ["apps.forms"]',
        tests="tests/platform/test_layers.py",
    ),
    Mutation(
        req="OPS-1",
        file="Procfile",
        find="worker: celery -A config.celery worker --queues audit,memory,skills,default",
        replace="worker: celery -A config.celery worker --queues audit",
        tests="tests/platform/test_processes.py",
        services=True,
    ),
]
