"""What must not pass unnoticed between a call's end and its audit.after."""

from tests.mutations import Mutation

AFTER, SWEEP, HANDOVER = "apps/tools/after.py", "apps/tools/sweep.py", "apps/tools/handover.py"
TEST_AFTER, TEST_SWEEP = "tests/tools/test_after.py", "tests/tools/test_sweep.py"

MUTATIONS = [
    Mutation(
        req="TOOL-14",
        file="apps/tools/local_calls.py",
        find="if time.monotonic() > until:",
        replace="if time.monotonic() > until + 3600:",
        tests="tests/tools/test_races.py",
    ),
    Mutation(
        req="TOOL-17",
        file="apps/audit/sanitizer.py",
        find="    if shadow.text:\n",
        replace="    if not shadow.text:\n",
        tests="tests/audit/test_sanitizer.py",
    ),
    Mutation(
        req="TOOL-12",
        file=AFTER,
        find='audit_attempts=F("audit_attempts") + 1, ',
        replace="",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-12",
        file=AFTER,
        find="        bury_run(run, reason_of(error))\n",
        replace="",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-12",
        file=AFTER,
        find="        alone = len(runs) == 1\n",
        replace="",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-12",
        file=AFTER,
        find="    rows.update(audit_due_at=clock.now() + timedelta(seconds=pause))\n",
        replace="    rows.update(audit_due_at=clock.now())\n",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-12",
        file="apps/lib/attempts.py",
        find="    if starts >= STARTS or isinstance(error, PERMANENT):",
        replace="    if starts >= STARTS:",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-12",
        file=HANDOVER,
        find="            while len(audit_ids) < BATCH and not self._queue.empty():",
        replace="            while False:",
        tests="tests/tools/test_handover.py",
    ),
    Mutation(
        req="TOOL-12",
        file=HANDOVER,
        find="    except (KombuError, OSError) as error:",
        replace="    except OSError as error:",
        tests="tests/tools/test_handover.py",
    ),
    Mutation(
        req="TOOL-12",
        file="apps/tools/after_letters.py",
        find="chain.append([AuditEntry(phase=AuditEntry.Phase.AFTER, at=clock.now(), **fields)])",
        replace="return",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-12",
        file="apps/audit/services/dead_letters.py",
        find="        if is_new:\n            _alert(letter)\n",
        replace="",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-13",
        file=SWEEP,
        find=" if not held.get(run.run_id, run.created_at > newest)]",
        replace="]",
        tests=TEST_SWEEP,
    ),
    Mutation(
        req="TOOL-13",
        file="apps/tools/settling.py",
        find='    end: Status = "unknown" if outside and started else "not_executed"',
        replace='    end: Status = "not_executed"',
        tests=TEST_SWEEP,
    ),
    Mutation(
        req="TOOL-13",
        file="apps/tools/orphans.py",
        find="~Exists(AuditEntry.objects.filter(audit_id=same, phase=phase.AFTER)),",
        replace="Exists(AuditEntry.objects.filter(audit_id=same, phase=phase.AFTER)),",
        tests=TEST_SWEEP,
    ),
    Mutation(
        req="TOOL-13",
        file="apps/conversations/services/erasing.py",
        find="    after.write_now(calls.filter(Exists(opened)))\n",
        replace="",
        tests=TEST_AFTER,
    ),
    Mutation(
        req="TOOL-13",
        file="apps/tools/after_entries.py",
        find="SYSTEM_ERROR.value if run.audit_id in system_errors else run.status",
        replace="run.status",
        tests=TEST_AFTER,
    ),
]
