"""What must not pass unnoticed in the tools of the house, and in beginning new ones."""

from tests.mutations import Mutation

READING, WEB = "apps/tools/builtin/reading.py", "tests/tools/builtin/test_web.py"

MUTATIONS = [
    Mutation(
        req="TOOL-23",
        file=READING,
        find="if not any(_covers(entry, place.host) for entry in self._hosts):",
        replace="if False:",
        tests=WEB,
    ),
    Mutation(
        req="TOOL-23",
        file=READING,
        find="ReadingGuard(hosts, settings.EGRESS_ALLOW)",
        replace='ReadingGuard(hosts, ["127.0.0.1"])',
        tests=WEB,
    ),
    Mutation(
        req="TOOL-25",
        file=READING,
        find="headers=trace.headers(trace_id)",
        replace="headers={}",
        tests=WEB,
    ),
    Mutation(
        req="TOOL-23",
        file="apps/tools/builtin/web.py",
        find='"trust": "untrusted"',
        replace='"trust": "trusted"',
        tests=WEB,
    ),
    Mutation(
        req="TOOL-23",
        file="apps/tools/builtin/expressions.py",
        find='decimal.getcontext().create_decimal(piece.text.replace("_", ""))',
        replace="Decimal(float(piece.text))",
        tests="tests/tools/builtin/test_maths.py",
    ),
    Mutation(
        req="TOOL-23",
        file="apps/tools/builtin/numbers.py",
        find="            decimal.Underflow,\n",
        replace="",
        tests="tests/tools/builtin/test_maths.py",
    ),
    Mutation(
        req="TOOL-23",
        file="apps/tools/builtin/spans.py",
        find="if _months_on(first, months) > last:",
        replace="if False:",
        tests="tests/tools/builtin/test_dates.py",
    ),
    Mutation(
        req="TOOL-23",
        file="apps/tools/builtin/times.py",
        find="clock.now().astimezone(zone).replace(microsecond=0)",
        replace="clock.now().replace(tzinfo=zone, microsecond=0)",
        tests="tests/tools/builtin/test_times.py",
    ),
    Mutation(
        req="TOOL-23",
        file="apps/conversations/tools.py",
        find="rows = found.exclude(pk=ctx.session_id)",
        replace="rows = found",
        tests="tests/conversations/store/test_tools.py",
    ),
    Mutation(
        req="TOOL-20",
        file="apps/conversations/tools.py",
        find="        availability=Availability(surfaces=OWN_SURFACES),\n",
        replace="",
        tests="tests/conversations/store/test_tools.py",
    ),
    Mutation(
        req="TOOL-20",
        file="apps/forms/choosing.py",
        find='        availability=Availability(capabilities=("forms",)),\n',
        replace="",
        tests="tests/forms/test_choosing.py",
    ),
    Mutation(
        req="FORM-2",
        file="apps/forms/choosing.py",
        find="elif option in options[:place]:",
        replace="elif False:",
        tests="tests/forms/test_choosing.py",
    ),
    Mutation(
        req="TOOL-1",
        file="apps/tools/scaffold/listing.py",
        find='    yield _Change(_end(ready), _end(ready), [f"{_BODY}{LISTING}({service})"])\n',
        replace="    yield _Change(_end(ready), _end(ready), [])\n",
        tests="tests/tools/test_new_tool.py",
    ),
    Mutation(
        req="TOOL-3",
        file="apps/tools/static_check.py",
        find="if node.name not in listed",
        replace="if node.name in listed",
        tests="tests/tools/test_startup.py",
    ),
    Mutation(
        req="TOOL-10",
        file="apps/tools/units.py",
        find='if decision.kind == "unreadable":',
        replace="if False:",
        tests="tests/tools/test_policy.py",
    ),
]
