"""What must not pass unnoticed in agents, a change for each requirement."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        req="AGENT-1",
        file="apps/agents/services/drafts.py",
        find='for right in ("use_agent", "edit_agent"):',
        replace="for right in ():",
        tests="tests/agents/test_admin.py",
    ),
    Mutation(
        req="AGENT-2",
        file="apps/agents/services/catalogue.py",
        find="return None if agent.live_id is None else snapshot_of(agent.live_id)",
        replace="return None if agent.live_id is None else draft_snapshot(agent)",
        tests="tests/agents/test_publish.py",
    ),
    Mutation(
        req="AGENT-3",
        file="apps/agents/services/diff.py",
        find='in sorted(body["parameters"].items())',
        replace='in body["parameters"].items()',
        tests="tests/agents/test_admin.py",
    ),
    Mutation(
        req="AGENT-3",
        file="apps/agents/admin/publishing.py",
        find="live is not None and live.digest == digest(canonical_json(body))",
        replace="False",
        tests="tests/agents/test_admin.py",
    ),
    Mutation(
        req="AGENT-3",
        file="apps/agents/services/publish.py",
        find='"live").filter(version=agent.version)',
        replace='"live")',
        tests="tests/agents/test_publish.py",
    ),
    Mutation(
        req="AGENT-7",
        file="apps/agents/models/agent.py",
        find='RegexValidator("_published", inverse_match=True)',
        replace='RegexValidator("_published$", inverse_match=True)',
        tests="tests/agents/test_drafts.py",
    ),
    Mutation(
        req="AGENT-8",
        file="apps/agents/services/catalogue.py",
        find="    return _records.get(\n",
        replace="    return Kept[int, Snapshot](1).get(\n",
        tests="tests/agents/test_catalogue.py",
    ),
    Mutation(
        req="AGENT-12",
        file="apps/agents/admin/providers.py",
        find='return (*FIELDS, "key", "shared", "enabled")',
        replace='return (*FIELDS, "api_key", "shared", "enabled")',
        tests="tests/agents/test_admin.py",
    ),
    Mutation(
        req="AGENT-13",
        file="apps/agents/providers.py",
        find="key = (provider.id, provider.version)\n    if key in clients:",
        replace="key = (provider.id, 1)\n    if key in clients:",
        tests="tests/agents/test_providers.py",
    ),
    Mutation(
        req="FORM-9",
        file="apps/agents/services/spec.py",
        find="(part for part in (snapshot.preamble, snapshot.prompt) if part)",
        replace="(part for part in (snapshot.prompt,) if part)",
        tests="tests/agents/test_catalogue.py",
    ),
]
