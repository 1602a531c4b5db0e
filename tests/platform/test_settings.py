"""A bad environment stops start-up and says which variable, and what to do."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from config import values
from config.environment import SettingError

ROOT = Path(__file__).parents[2]
GOOD = {
    "APP_MODE": "production",
    "DJANGO_SECRET_KEY": "abcde" * 10,
    "FIELD_ENCRYPTION_KEYS": "c3Rld2FyZC10ZXN0LWJlZHMtb25seS0wMDAwMDAwMDA=",
    "DJANGO_ALLOWED_HOSTS": "steward.example.com",
}


def load(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What loading the settings alone says, in an environment of nothing else."""
    code = "from config import settings as s; print(s.APP_MODE, s.ALLOWED_HOSTS, s.DEBUG)"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"STEWARD_VAR": str(tmp_path), "PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_production_starts_when_all_is_set(tmp_path: Path) -> None:
    assert load(tmp_path, **GOOD).stdout == "production ['steward.example.com'] False\n"


@pytest.mark.parametrize(
    "name", ["DJANGO_SECRET_KEY", "FIELD_ENCRYPTION_KEYS", "DJANGO_ALLOWED_HOSTS"]
)
def test_production_misses_what_it_needs(tmp_path: Path, name: str) -> None:
    loaded = load(tmp_path, **{key: value for key, value in GOOD.items() if key != name})
    assert loaded.returncode == 1
    assert f"SettingError: {name}: not set" in loaded.stderr


def test_production_is_the_default(tmp_path: Path) -> None:
    assert "APP_MODE is production" in load(tmp_path).stderr


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("APP_MODE", "staging", "Write one of: production, demo, test."),
        ("DJANGO_DEBUG", "maybe", "Write true or false."),
        ("ALLOW_DEMO_MODEL", "2", "Write true or false."),
        ("RUNS_PER_MINUTE", "-1", "Write a whole number, 0 or more."),
        ("RUNS_PER_MINUTE", "٣", "Write a whole number, 0 or more."),
        ("OPEN_RUNS_PER_USER", "three", "Write a whole number, 0 or more."),
        ("LOGIN_ATTEMPTS_PER_MINUTE", "1.5", "Write a whole number, 0 or more."),
        ("DATABASE_URL", "mysql://h/db", "Write sqlite://… or postgres://… or postgresql://…."),
        ("DATABASE_URL", "postgres", "Write sqlite://… or postgres://… or postgresql://…."),
        ("REDIS_URL", "http://h", "Write redis://… or rediss://… or unix://…."),
        ("OPENAI_BASE_URL", "api.example.com", "Write http://… or https://…."),
        ("LANGUAGE_CODE", "de", "Write one of: zh-hans, en."),
        ("FIELD_ENCRYPTION_KEYS", "short", "python3 -c 'import base64, secrets;"),
        ("DJANGO_DEBUG", "true", "Leave it unset"),
        ("DJANGO_SECRET_KEY", "abcde" * 9, "python3 -c 'import secrets;"),
        ("DJANGO_SECRET_KEY", "abcd" * 20, "python3 -c 'import secrets;"),
        ("DJANGO_ALLOWED_HOSTS", "*", "Write the names people type"),
        ("DJANGO_ALLOWED_HOSTS", "a,*", "Write the names people type"),
        ("DJANGO_ALLOWED_HOSTS", "http://x", "Write the names people type"),
        ("EGRESS_ALLOW", "http://models.lan", "Write hosts, host:port or CIDR"),
        ("CSRF_TRUSTED_ORIGINS", "steward.example.com", "Write origins"),
        ("METRICS_TOKEN", "two words", "Write visible ASCII characters"),
        ("OPENAI_API_KEY", "sk-密钥", "Write visible ASCII characters"),
        ("OPENAI_BASE_URL", "http://:80/v1", "Write http://… or https://…."),
        ("REDIS_URL", "redis://h:99999/0", "Write redis://… or rediss://…"),
        ("EMAIL_URL", "gopher://h", "Write smtp://…"),
        ("OPENAI_BASE_URL", "http://u:p@h/v1", "without user and password"),
        ("ALERT_WEBHOOK_URL", "ftp://h/", "Write http://… or https://…"),
        ("ALERT_WEBHOOK_URL", "https://u:p@h/", "without user and password"),
        ("ALERT_WEBHOOK_URL", "http://169.254.169.254/", "Write http://… or https://…"),
        ("ALERT_WEBHOOK_SECRET", "short", "python3 -c 'import base64, secrets;"),
        ("ALERT_WEBHOOK_SECRET", "whsec_c2hvcnQ=", "python3 -c 'import base64, secrets;"),
        ("ALERT_EMAIL_TO", "ops", "Write addresses"),
        ("AUDIT_RETENTION_DAYS", "182", "Write 183 or more"),
        ("AUDIT_RETENTION_DAYS", "99999", "Write 183 or more"),
        ("ALERT_EMAIL_TO", "Ops <ops@example.com>", "Write addresses"),
    ],
)
def test_a_bad_value_names_its_remedy(tmp_path: Path, name: str, value: str, remedy: str) -> None:
    loaded = load(tmp_path, **{**GOOD, name: value})
    assert loaded.returncode == 1
    assert f"SettingError: {name}: " in loaded.stderr
    assert remedy in loaded.stderr.splitlines()[-1]


def test_a_bad_address_does_not_print_its_password(tmp_path: Path) -> None:
    loaded = load(tmp_path, **{**GOOD, "DATABASE_URL": "mysql://root:hunter2@h/db"})
    assert "hunter2" not in loaded.stderr.splitlines()[-1]


def test_commands_read_what_start_wrote(tmp_path: Path) -> None:
    lines = "".join(f"{name}={value}\n" for name, value in {**GOOD, "APP_MODE": "demo"}.items())
    (tmp_path / "env").write_text("# a comment\n" + lines, "utf-8")
    assert load(tmp_path).stdout == "demo ['steward.example.com'] False\n"
    assert load(tmp_path, APP_MODE="production", DJANGO_ALLOWED_HOSTS="a").stdout.startswith(
        "production ['a']"
    )


@pytest.mark.parametrize("mode", ["production", "demo", "test"])
@pytest.mark.parametrize(
    "host", ["http://x", "a:80", "a b", "*.example.com", "::1", "256.1.1.1", "a..b", "a/", "-a"]
)
def test_a_host_must_be_a_host_in_every_mode(
    monkeypatch: pytest.MonkeyPatch, mode: str, host: str
) -> None:
    monkeypatch.setenv("DJANGO_ALLOWED_HOSTS", host)
    with pytest.raises(SettingError, match=r"^DJANGO_ALLOWED_HOSTS: .* is not a host name"):
        values.host_names("DJANGO_ALLOWED_HOSTS", [], any_host=mode != "production")


def test_hosts_of_every_form_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = ["a", "a.example.com", ".example.com", "10.0.0.5", "[::1]", "my_host", "*"]
    monkeypatch.setenv("DJANGO_ALLOWED_HOSTS", ",".join(hosts))
    assert values.host_names("DJANGO_ALLOWED_HOSTS", [], any_host=True) == hosts


def test_egress_takes_hosts_ports_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    places = ["models.lan", "models.lan:8080", "10.0.0.5", "[::1]:80", "10.1.0.0/16", "fd00::/8"]
    monkeypatch.setenv("EGRESS_ALLOW", ", ".join(places))
    assert values.egress("EGRESS_ALLOW") == places


def test_the_models_of_the_environment_join_the_allowances(tmp_path: Path) -> None:
    code = "from config import settings as s; print(s.EGRESS_ALLOW)"
    environment = {**GOOD, "EGRESS_ALLOW": "a", "OPENAI_BASE_URL": "http://[::1]:11434/v1"}
    environment |= {"STEWARD_VAR": str(tmp_path), "PATH": os.environ["PATH"]}
    said = subprocess.check_output(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, text=True
    )
    assert said == "['a', '[::1]:11434']\n"


@pytest.mark.parametrize(
    "place", ["http://a", "a:0", "a:99999", "a:x", "10.0.0.0/33", "10.0.0.1/8", "a/8", "*", "a b"]
)
def test_egress_refuses_everything_else(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setenv("EGRESS_ALLOW", place)
    with pytest.raises(SettingError, match=r"^EGRESS_ALLOW: "):
        values.egress("EGRESS_ALLOW")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CLOCK_OFFSET_S", "soon"),
        ("CLOCK_OFFSET_S", "nan"),
        ("CLOCK_OFFSET_S", "inf"),
        ("CLOCK_OFFSET_S", "1e300"),
        ("FAILPOINTS", "run.claimed"),
        ("FAILPOINTS", "run.claimed=stop"),
        ("FAILPOINTS", "no.such=kill"),
    ],
)
def test_a_bad_value_of_a_test_bed_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingError, match=rf"^{name}: .*Write "):
        values.check_test_bed()


@pytest.mark.parametrize(
    "command",
    [["manage.py", "check"], ["manage.py", "serve"], ["manage.py", "help"], ["-m", "config.start"]],
)
@pytest.mark.parametrize(
    ("name", "value"), [("RUNS_PER_MINUTE", "many"), ("FAILPOINTS", "no.such=kill")]
)
def test_commands_say_one_line_and_end_with_2(
    tmp_path: Path, command: list[str], name: str, value: str
) -> None:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            "STEWARD_VAR": str(tmp_path),
            "PATH": os.environ["PATH"],
            **GOOD,
            "APP_MODE": "test",
            name: value,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{name}: ")
    assert "Write " in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_remedy_sends_production_to_the_demo(tmp_path: Path) -> None:
    for name in ("DJANGO_SECRET_KEY", "FIELD_ENCRYPTION_KEYS"):
        said = load(tmp_path, **{key: value for key, value in GOOD.items() if key != name}).stderr
        assert "bin/start" not in said.splitlines()[-1]
        made = re.search(r"(python3 -c '[^']+')", said.splitlines()[-1])
        assert made is not None
        value = subprocess.check_output(shlex.split(made[1]), text=True).strip()
        assert load(tmp_path, **GOOD | {name: value}).returncode == 0
