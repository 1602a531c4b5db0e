"""What must not pass unnoticed in tools, a change for each requirement."""

from tests.mutations import Mutation

GATEWAY, POLICY = "apps/tools/gateway.py", "apps/tools/policy.py"
CATALOGUE, BUILDING = "apps/tools/registry/catalogue.py", "apps/tools/registry/building.py"
TEST_GATEWAY, TEST_POLICY = "tests/tools/test_gateway.py", "tests/tools/test_policy.py"
TEST_REGISTRY = "tests/tools/test_registry.py"

MUTATIONS = [
    Mutation(
        req="TOOL-7",
        file="apps/tools/arguments.py",
        find='return wording.no_json["other"]',
        replace="return reason",
        tests="tests/tools/test_arguments.py",
    ),
    Mutation(
        req="TOOL-1",
        file="apps/tools/registry/building.py",
        find="if isinstance(mark, Mark):",
        replace="if isinstance(mark, Mark) and name != 'run':",
        tests=TEST_REGISTRY,
    ),
    Mutation(
        req="TOOL-2",
        file=CATALOGUE,
        find="return tuple(self._descriptors[name] for name in sorted(self._descriptors))",
        replace="return tuple(self._descriptors[name] for name in sorted(self._descriptors)[1:])",
        tests=TEST_REGISTRY,
    ),
    Mutation(
        req="TOOL-3",
        file=CATALOGUE,
        find="if missing := self.unlisted():",
        replace="if (missing := self.unlisted()) and False:",
        tests="tests/tools/test_startup.py tests/tools/test_registry.py",
    ),
    Mutation(
        req="TOOL-4",
        file=CATALOGUE,
        find="if known := self._descriptors.get(descriptor.name):",
        replace="if known := None:",
        tests=TEST_REGISTRY,
    ),
    Mutation(
        req="TOOL-5",
        file=BUILDING,
        find="if list(parameters) != SIGNATURE or any(",
        replace="if any(",
        tests=TEST_REGISTRY,
    ),
    Mutation(
        req="TOOL-6",
        file=BUILDING,
        find='NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")',
        replace='NAME = re.compile(r"[a-z][a-z0-9_.]*")',
        tests=TEST_REGISTRY,
    ),
    Mutation(
        req="TOOL-7",
        file="apps/tools/arguments.py",
        find="    if faults:\n",
        replace="    if not faults and given is None:\n",
        tests="tests/tools/test_arguments.py",
    ),
    Mutation(
        req="TOOL-9",
        file="apps/tools/registry/context.py",
        find="    return _Source.current(ctx)",
        replace="    return _Source.current(None)  # type: ignore[arg-type]",
        tests="tests/tools/test_context.py",
    ),
    Mutation(
        req="TOOL-10",
        file=GATEWAY,
        find="if error := asked.exception():",
        replace="if (error := asked.exception()) and False:",
        tests=TEST_POLICY,
    ),
    Mutation(
        req="TOOL-11",
        file="apps/tools/ledger.py",
        find='raise ToolboxError("audit.before could not be written", retryable=True) from error',
        replace='return Opened(audit_id="unwritten", fresh=True)',
        tests=TEST_GATEWAY,
    ),
    Mutation(
        req="TOOL-12",
        file="apps/tools/records.py",
        find="rows.filter(status__in=states).update(",
        replace="rows.update(",
        tests="tests/tools/test_races.py",
    ),
    Mutation(
        req="TOOL-13",
        file="apps/tools/records.py",
        find="    chain.append([after_entry(run, _before(run), outcome)])\n",
        replace="",
        tests=TEST_GATEWAY,
    ),
    Mutation(
        req="TOOL-14",
        file=GATEWAY,
        find='return Failure(status="failed", outcome="failed", text=safe(reason))',
        replace='return Failure(status="failed", outcome="failed", text=reason)',
        tests=TEST_GATEWAY,
    ),
    Mutation(
        req="TOOL-15",
        file="apps/tools/tiers.py",
        find="        return Forbidden(detail=_named(error))\n",
        replace="        return Mendable(reason=str(error))\n",
        tests=TEST_GATEWAY,
    ),
    Mutation(
        req="TOOL-16",
        file=GATEWAY,
        find='if isinstance(ended, Failure) and ended.security == "system_error":',
        replace='if isinstance(ended, Failure) and ended.security == "never":',
        tests=TEST_GATEWAY,
    ),
    Mutation(
        req="TOOL-18",
        file=POLICY,
        find='if tool.destructive and rules.permission_mode == "READ_ONLY":',
        replace='if tool.destructive and rules.permission_mode == "NEVER":',
        tests=TEST_POLICY,
    ),
    Mutation(
        req="TOOL-19",
        file=POLICY,
        find='if tool.writes and rules.plan_mode == "REQUIRED":',
        replace='if tool.destructive and rules.plan_mode == "REQUIRED":',
        tests=TEST_POLICY,
    ),
    Mutation(
        req="TOOL-20",
        file=POLICY,
        find="if rules.surface not in tool.availability.surfaces:",
        replace="if rules.surface == 'nowhere':",
        tests=TEST_POLICY,
    ),
    Mutation(
        req="TOOL-22",
        file="apps/tools/management/commands/export_surface_area.py",
        find="        if found == wanted:",
        replace="        if found:",
        tests="tests/tools/test_surface.py",
    ),
    Mutation(
        req="TOOL-23",
        file="apps/tools/registry/schema.py",
        find='        "additionalProperties": False,\n',
        replace='        "additionalProperties": True,\n',
        tests="tests/tools/test_surface.py",
    ),
    Mutation(
        req="TOOL-25",
        file="apps/tools/local_calls.py",
        find="trace=Trace(trace_id=session.trace_id),",
        replace='trace=Trace(trace_id=""),',
        tests=TEST_GATEWAY,
    ),
]
