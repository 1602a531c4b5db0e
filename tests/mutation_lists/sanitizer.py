"""What must not leave, and the operators' own rules of it."""

from tests.mutations import Mutation

SERVICE, TESTS_BEFORE = (
    "apps/audit/services/sanitizer_rules.py",
    "apps/audit/services/sanitizer_rule_tests.py",
)
CORPUS, RULES = "tests/audit/test_sanitizer.py", "tests/audit/test_sanitizer_rules.py"

MUTATIONS = [
    Mutation(
        req="TOOL-17",
        file="apps/audit/sanitizer.py",
        find="    *KEYS, *NETWORK,",
        replace="    *NETWORK,",
        tests=CORPUS,
    ),
    Mutation(
        req="TOOL-17",
        file="apps/audit/redaction/named.py",
        find='(match["x"] is not None or len(value) >= 3)',
        replace='match["x"] is not None',
        tests=CORPUS,
    ),
    Mutation(
        req="TOOL-17",
        file="apps/audit/redaction/rule.py",
        find="        if self.accepts and not self.accepts(",
        replace="        if self.accepts and self.name == self.accepts(",
        tests=CORPUS,
    ),
    Mutation(
        req="TOOL-17",
        file="apps/audit/sanitizer.py",
        find="    for extra in _Extra.rules:",
        replace="    for extra in _Extra.rules[:0]:",
        tests=RULES,
    ),
    Mutation(
        req="TOOL-17",
        file="apps/audit/sanitizer.py",
        find="    return MARK\n\n\ndef _inner",
        replace="    return _value(value, redact, depth)\n\n\ndef _inner",
        tests=RULES,
    ),
    Mutation(
        req="TOOL-17",
        file=SERVICE,
        find="        set_extra_rules(usable())\n",
        replace="",
        tests=RULES,
    ),
    Mutation(
        req="TOOL-17",
        file=SERVICE,
        find="    if errors := faults(row):\n        raise refusals.invalid(errors)\n    row.",
        replace="    row.",
        tests=RULES,
    ),
    Mutation(
        req="TOOL-17",
        file=TESTS_BEFORE,
        find="    for line in plain_texts():",
        replace="    for line in plain_texts()[:0]:",
        tests=RULES,
    ),
    Mutation(
        req="TOOL-17",
        file=TESTS_BEFORE,
        find="    if any(rule.spans(row.keep)):",
        replace="    if not any(rule.spans(row.hit)):",
        tests=RULES,
    ),
    Mutation(
        req="TOOL-17",
        file="apps/audit/services/usable_rules.py",
        find="    except PatternError as error:\n        if (name, pattern)",
        replace="    except KeyError as error:\n        if (name, pattern)",
        tests=RULES,
    ),
]
