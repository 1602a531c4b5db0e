"""What `bin/start` runs, from an empty folder to a served page, and again."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.serve_options import add_options

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("APP_MODE", "DATABASE_URL", "REDIS_URL", "DEMO_PASSWORD", "FAILPOINTS")


def environment(var: Path) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    return {**clean, "STEWARD_VAR": str(var), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def interruptible() -> Iterator[None]:
    """What a shell runs in its background ignores Ctrl-C, and so does all that this starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@contextmanager
def starting(var: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "config.start", *arguments],
        cwd=ROOT,
        env=environment(var),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def lines_until_served(process: "subprocess.Popen[str]") -> list[str]:
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if "http://" in line:
            return said
    raise AssertionError("".join(said))


@pytest.mark.fault
@pytest.mark.usefixtures("interruptible")
def test_a_start_serves_and_a_second_one_keeps(tmp_path: Path) -> None:
    logins = []
    for _ in range(2):
        with starting(tmp_path, "--port", "0") as process:
            said = lines_until_served(process)
            logins.append([line for line in said if line.startswith("Sign in as admin, alice")])
            port = re.findall(r"127\.0\.0\.1:(\d+)/", said[-1])[0]
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer:
                assert answer.status == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(40) == 0
    assert len(logins[0]) == 1
    assert logins[0] == logins[1]
    refused = subprocess.run(
        [sys.executable, "-m", "config.start", "--host", "0.0.0.0", "--port", "0"],  # noqa: S104
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert "Refusing to listen on 0.0.0.0" in refused.stderr
    production = subprocess.run(
        [sys.executable, "manage.py", "serve", "--port", "0"],
        cwd=ROOT,
        env={**environment(tmp_path), "APP_MODE": "production", "DJANGO_ALLOWED_HOSTS": "a"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert production.returncode == 1
    assert "demo password" in production.stderr


@pytest.mark.parametrize("port", ["99999", "65536", "-1", "http", "1e3", "٣", ""])
def test_what_is_no_port_is_a_usage_error(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    add_options(parser)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args([f"--port={port}"])
    assert ended.value.code == 2
    assert "write a number from 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["-m", "config.start"], ["manage.py", "serve"]])
def test_options_are_read_before_anything_is_done(tmp_path: Path, command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *command, "--port=65536"],
        cwd=ROOT,
        env={**environment(tmp_path), "APP_MODE": "test"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "write a number from 0 to 65535" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "env").exists()
