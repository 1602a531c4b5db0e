"""The raw endpoints in the OpenAPI schema: drf-spectacular sees views only."""

from collections.abc import Mapping
from typing import Any

PREFIX = "/api/ai/chat/conversations/{conversation_id}"
UUID: Mapping[str, Any] = {"type": "string", "format": "uuid"}
HEADERS: Mapping[str, Any] = {
    "X-Gray-Hit": {"schema": {"type": "string", "enum": ["true", "false"]}},
    "X-Agent-Version": {"schema": {"type": "string"}, "description": "A number, or `draft`."},
    "X-Trace-Id": {"schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"}},
    "X-Run-Id": {"schema": {"type": "string"}},
}
STREAM: Mapping[str, Any] = {
    "description": (
        "Server-sent events `message.created`, `message.delta`, `reasoning.delta`, "
        "`tool.started`, `tool.completed`, `ui.form`, `message.restated`, `message.completed`, "
        "`error`, `run.completed`; `id` is the event's number, `data` a JSON object. A comment "
        "line every 15 s. The last event is `run.completed`."
    ),
    "headers": dict(HEADERS),
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}
PROBLEM: Mapping[str, Any] = {
    "type": "object",
    "required": ["title", "status", "code", "detail", "errors", "trace_id"],
    "properties": {
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "errors": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "trace_id": {"type": "string"},
    },
}
REFUSALS: Mapping[str, str] = {
    "400": "Not a JSON object, no UUID as `clientRequestId`, or invalid contents, by field.",
    "401": "Not signed in.",
    "403": "CSRF check failed, or no right to the agent.",
    "404": "No such conversation of one's own, or no such form or answer in it.",
    "409": "A run is in progress, the form was submitted, or the answer is not the last one.",
    "413": "The body is over 1 MB.",
    "422": "The `clientRequestId` was used for another body.",
    "429": "Too many runs; `Retry-After` says when.",
}


def add_streams(result: dict[str, Any], **generation: object) -> dict[str, Any]:
    """A postprocessing hook of drf-spectacular."""
    result["paths"].update(_paths())
    result["components"].setdefault("schemas", {})["Problem"] = dict(PROBLEM)
    return result


def _paths() -> dict[str, Any]:
    text = {
        "content": {"type": "string", "maxLength": 20_000},
        "skillKey": {"type": "string"},
        "attachments": {"type": "array", "items": {"type": "string"}},
        "parameters": {"type": "object"},
    }
    values = {"values": {"type": "object"}, "formId": {"type": "string"}}
    answer = {"messageId": {"type": "integer", "description": "The last answer."}}
    return {
        f"{PREFIX}/regenerate/stream": {
            "post": _start("chat_regenerate_stream", "messageId", answer)
        },
        f"{PREFIX}/stream": {"post": _start("chat_stream", "content", text)},
        f"{PREFIX}/forms/{{form_id}}/submit/stream": {
            "post": _start("form_submit_stream", "values", values, "form_id")
        },
        f"{PREFIX}/runs/{{run_id}}/events": {"get": _follow()},
    }


def _start(name: str, required: str, properties: Mapping[str, Any], *more: str) -> dict[str, Any]:
    body = {
        "type": "object",
        "required": [required, "clientRequestId"],
        "properties": {**properties, "clientRequestId": dict(UUID)},
    }
    return {
        "operationId": name,
        "description": (
            "Starts a run and streams it. The same `clientRequestId` with the same body never "
            "starts a second one and gets the first one's stream from its start."
        ),
        **_common("conversation_id", *more),
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"200": dict(STREAM), **_refusals(*REFUSALS)},
    }


def _follow() -> dict[str, Any]:
    common = _common("conversation_id", "run_id")
    after = {"type": "integer", "minimum": 0}
    common["parameters"] += [
        {"in": "header", "name": "Last-Event-ID", "schema": after},
        {"in": "query", "name": "after", "schema": after},
    ]
    return {
        "operationId": "run_events",
        "description": "All events of a run after the given number, to the end of the run.",
        **common,
        "responses": {"200": dict(STREAM), **_refusals("400", "401", "404")},
    }


def _common(*in_path: str) -> dict[str, Any]:
    parameters = [
        {"in": "path", "name": name, "schema": {"type": "string"}, "required": True}
        for name in in_path
    ]
    return {
        "tags": ["chat"],
        "parameters": parameters,
        "security": [{"token": []}, {"session": []}],
    }


def _refusals(*statuses: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    content = {"application/problem+json": {"schema": schema}}
    return {status: {"description": REFUSALS[status], "content": content} for status in statuses}
