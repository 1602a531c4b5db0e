"""What the first start chooses is kept, closed to others, and not chosen again."""

from pathlib import Path

import pytest

from config.first_start import choose, write_choices


def test_choices_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    first = write_choices(tmp_path / "var").read_text("utf-8")
    again = write_choices(tmp_path / "var").read_text("utf-8")
    assert first == again
    assert "APP_MODE=demo\n" in first
    assert "DATABASE_URL" not in first


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    path = write_choices(tmp_path / "var")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_named_database_is_remembered() -> None:
    url = "postgres://u@h/d"
    kept = choose({"DJANGO_SECRET_KEY": "old"}, {"DATABASE_URL": url, "OPENAI_API_KEY": "no"})
    assert kept["DATABASE_URL"] == url
    assert kept["DJANGO_SECRET_KEY"] == "old"
    assert "OPENAI_API_KEY" not in kept


def test_secrets_differ_between_places() -> None:
    assert choose({}, {})["DJANGO_SECRET_KEY"] != choose({}, {})["DJANGO_SECRET_KEY"]
