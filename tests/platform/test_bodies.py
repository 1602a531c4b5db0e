"""Whole-kind test of bodies (S16): whatever is sent to an API view, the answer is a problem."""

import json
import logging.config
from typing import Any

import pytest
from django.test import Client

from config.logs import configuration

TOKEN = "/api/auth/token/"
HOSTILE = {
    "larger than 1 MB": (b'{"a": "' + b"x" * 1_000_000 + b'"}', 413),
    "2000 deep": (b"[" * 2000 + b"]" * 2000, 400),
    "2000 deep inside": (b'{"username": ' + b"[" * 2000 + b"]" * 2000 + b"}", 400),
    "5000 digits": (b'{"username": ' + b"9" * 5000 + b"}", 400),
    "not a number": (b'{"username": NaN}', 400),
    "too large a number": (b'{"username": 1e999}', 400),
    "a list": (b"[]", 400),
    "a text": (b'"x"', 400),
    "half an object": (b'{"username":', 400),
    "no UTF-8": (b'{"username": "\xff"}', 400),
    "NUL": (b'{"username": "\\u0000", "password": "x"}', 400),
    "half a character": (b'{"username": "\\ud800", "password": "x"}', 400),
    "nothing": (b"", 400),
}


@pytest.mark.spec("S16")
@pytest.mark.django_db
@pytest.mark.parametrize("kind", list(HOSTILE))
def test_a_hostile_body_is_a_problem(client: Client, kind: str) -> None:
    body, status = HOSTILE[kind]
    answer: Any = client.post(TOKEN, body, content_type="application/json")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert json.loads(answer.content)["status"] == status


@pytest.mark.django_db
def test_another_media_type_is_refused(client: Client) -> None:
    answer = client.post(TOKEN, {"username": "a", "password": "b"})
    assert answer.status_code == 415
    assert answer.json()["code"] == "unsupported_media_type"


def test_another_method_is_refused(client: Client) -> None:
    answer = client.get(TOKEN)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("character", "said"),
    [("\\u0000", "不能包含空字符（NUL）。"), ("\\ud800", "不能包含不完整的字符（半个代理对）。")],
)
def test_a_character_nobody_can_store_is_named(client: Client, character: str, said: str) -> None:
    body = f'{{"username": "a{character}", "password": "x"}}'
    answer: Any = client.post(TOKEN, body, content_type="application/json")
    assert answer.json()["errors"]["username"] == [said]


@pytest.mark.parametrize("path", ["/healthz", "/accounts/login/", "/api/agents/", "/nothing"])
def test_too_many_parameters_are_one_warning(
    client: Client,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
) -> None:
    monkeypatch.setattr(logging.root, "handlers", list(logging.root.handlers))
    logging.config.dictConfig(configuration(as_json=True))
    answer = client.get(path + "?" + "&".join(f"a{number}=1" for number in range(1100)))
    assert answer.status_code == 400
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [(line["level"], "exception" in line) for line in lines] == [("warning", False)]
