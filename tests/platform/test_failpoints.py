"""Failpoints fail only where a test bed asked, and write down that they were reached first."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from apps.lib.failpoint import NAMES, Point, parse

ROOT = Path(__file__).parents[2]

SCRIPT = """
from apps.lib import failpoint
for round in (1, 2, 3):
    try:
        failpoint.hit("step.committed")
    except failpoint.FailpointError as error:
        print("raised", error, round)
    failpoint.hit("not.asked")
print("end")
"""


def run(
    tmp_path: Path, points: str, mode: str = "test"
) -> tuple[subprocess.CompletedProcess[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={"APP_MODE": mode, "FAILPOINTS": points, "STEWARD_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    log = tmp_path / "failpoints.log"
    return done, log.read_text("utf-8") if log.exists() else ""


def test_parts_are_read_as_documented() -> None:
    assert parse("run.claimed=kill, call.opened=raise@3,flush.committed=sleep:200") == {
        "run.claimed": Point(action="kill"),
        "call.opened": Point(action="raise", only=3),
        "flush.committed": Point(action="sleep", ms=200),
    }


@pytest.mark.parametrize("act", ["", "=stop", "=sleep", "=sleep:x", "=kill@x", "=kill:3"])
def test_a_bad_part_is_refused(act: str) -> None:
    with pytest.raises(ValueError, match="is not name="):
        parse(f"run.claimed{act}")


@pytest.mark.parametrize("name", ["no.such", "run.claim", "Run.claimed"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no failpoint"):
        parse(f"{name}=kill")


def test_code_and_document_have_the_same_names() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "apps").rglob("*.py"))
    assert set(re.findall(r"\bhit\(\s*\"([\w.]+)\"", code)) == set(NAMES)
    table = (ROOT / "docs" / "failpoints.md").read_text("utf-8")
    assert re.findall(r"^\| `([\w.]+)` \|", table, re.MULTILINE) == list(NAMES)


def test_the_numbered_hit_alone_acts(tmp_path: Path) -> None:
    done, log = run(tmp_path, "step.committed=raise@2")
    assert done.stdout.splitlines() == ["raised step.committed 2", "end"]
    assert [line.split()[:2] for line in log.splitlines()] == [
        ["step.committed", "1"],
        ["step.committed", "2"],
        ["step.committed", "3"],
    ]


@pytest.mark.fault
def test_a_kill_is_logged_before_it_strikes(tmp_path: Path) -> None:
    done, log = run(tmp_path, "step.committed=kill@2")
    assert done.returncode == -9
    assert "end" not in done.stdout
    assert log.splitlines()[-1].startswith("step.committed 2 ")


@pytest.mark.parametrize("mode", ["production", "demo"])
def test_outside_test_beds_nothing_fails(tmp_path: Path, mode: str) -> None:
    done, log = run(tmp_path, "step.committed=kill", mode)
    assert (done.stdout, log) == ("end\n", "")
