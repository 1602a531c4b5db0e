"""Whole-kind test of bodies (S16): whatever is sent to an API view, the answer is a problem."""

import json
from typing import Any

import pytest
from django.test import Client

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
