"""Raw bodies of every kind at the submit endpoint: an answer for each, and never a 5xx."""

import asyncio
import json
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest

from apps.accounts.services.tokens import issue_token
from apps.conversations.models import Conversation, Message, Run
from apps.forms.models import FormInstance
from config.asgi import application
from tests.forms.conftest import VALUES, Render
from tests.forms.corpus import expected_path, load

pytestmark = pytest.mark.django_db(transaction=True)
RAW = [case for case in load("forms") if "values_raw" in case]


def post(form: FormInstance, body: bytes, key: str) -> tuple[int, dict[str, Any]]:
    """The status, and the problem where it is one; the stream of a run is not read."""
    path = f"/api/ai/chat/conversations/{form.conversation_id}/forms/{form.pk}/submit/stream"
    headers = {"host": "testserver", "authorization": f"Token {key}"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    return asyncio.run(_posted(scope, body))


async def _posted(scope: dict[str, Any], body: bytes) -> tuple[int, dict[str, Any]]:
    got: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    waiting = [{"type": "http.request", "body": body}]

    async def receive() -> dict[str, Any]:
        return waiting.pop() if waiting else await asyncio.Future()

    task = asyncio.ensure_future(application(scope, receive, got.put))
    start = await asyncio.wait_for(got.get(), 10)
    problem = {} if start["status"] == 200 else json.loads((await got.get())["body"])
    task.cancel()
    await asyncio.wait({task})
    return start["status"], problem


def body_of(values: str) -> bytes:
    # Always the same for the same values: both workers must collect the same tests.
    return f'{{"clientRequestId": "{uuid5(NAMESPACE_OID, values)}", "values": {values}}}'.encode()


@pytest.fixture
def key(conversation: Conversation) -> str:
    return issue_token(user=conversation.user)


@pytest.mark.req("FORM-5")
@pytest.mark.parametrize("case", RAW, ids=lambda case: case["id"])
def test_a_raw_body_is_judged_as_the_case_says(
    render: Render, key: str, case: dict[str, Any]
) -> None:
    form, field = render(case["schema"]), expected_path(case, "field")
    status, problem = post(form, body_of(case["values_raw"]), key)
    if field is None:
        assert status == 200
        return
    assert (status, problem["code"]) == (400, "validation")
    assert {field, ""} & problem["errors"].keys()
    assert not Run.objects.exists()


@pytest.mark.req("FORM-5")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"values": {}}',
        b'{"values": {}, "clientRequestId": "1"}',
        b'{"values": {}, "clientRequestId": 1}',
        body_of("[]"),
        body_of("null"),
        body_of('{"name": "\\ud800"}'),
        body_of('{"na\\u0000me": "x"}'),
        body_of("[" * 5_000 + "]" * 5_000),
    ],
    ids=lambda body: body[:40].decode("latin-1"),
)
def test_a_malformed_body_is_refused_and_stores_nothing(
    form: FormInstance, key: str, body: bytes
) -> None:
    status, problem = post(form, body, key)
    assert (status, problem["code"]) == (400, "validation")
    form.refresh_from_db()
    assert form.state == FormInstance.State.PENDING
    assert not Message.objects.filter(role=Message.Role.USER).exists()


@pytest.mark.req("FORM-6")
def test_a_good_body_answers_with_the_stream(form: FormInstance, key: str) -> None:
    status, _problem = post(form, body_of(json.dumps(VALUES)), key)
    assert status == 200
    form.refresh_from_db()
    assert form.state == FormInstance.State.SUBMITTED
    said = Message.objects.get(role=Message.Role.USER)
    assert said.metadata["clientRequestId"]
    assert said.content == form.summary
