"""A bad environment stops start-up and says which variable, and what to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOOD = {
    "APP_MODE": "production",
    "DJANGO_SECRET_KEY": "k" * 50,
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
        ("FIELD_ENCRYPTION_KEYS", "short", "Fernet.generate_key()"),
        ("EMAIL_URL", "gopher://h", "Write smtp://…"),
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
