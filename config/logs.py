"""Structured logs: one line an event, with the trace id of the request or run it belongs to."""

import logging
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

from apps.audit.sanitizer import redact_secrets

# Never with the values of local variables: passwords are among them.
_AS_DATA = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
_JSON = structlog.processors.JSONRenderer(ensure_ascii=False)
_CONSOLE = structlog.dev.ConsoleRenderer(colors=False)
_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configuration(*, as_json: bool) -> dict[str, Any]:
    """For `LOGGING`: JSON lines in production, readable ones elsewhere, all to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": _formatter, "as_json": as_json}},
        "filters": {"refusals": {"()": Refusals}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["refusals"],
            }
        },
        "root": {"handlers": ["console"], "level": "INFO"},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # A refused request is an answer, not an event of ours.
            "django.request": {"level": "ERROR"},
            "daphne": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "ERROR"},  # it warns that a broker in memory has no host
            "httpx2": {"level": "WARNING"},
            "openai": {"level": "WARNING"},
        },
    }


class Refusals(logging.Filter):
    """A request that Django finds suspicious is refused, not a fault: one line, a warning."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return True


def _formatter(*, as_json: bool) -> structlog.stdlib.ProcessorFormatter:
    renderers: list[Any] = (
        [structlog.processors.ExceptionRenderer(_AS_DATA), redacted, _JSON]
        if as_json
        else [structlog.processors.format_exc_info, redacted, _CONSOLE]
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
    )


def redacted(logger: object, name: str, event: MutableMapping[str, Any]) -> dict[str, Any]:
    """The event without keys and passwords, in whatever text they stand, a traceback's too."""
    return {key: _without_secrets(value) for key, value in event.items()}


def _without_secrets(value: Any) -> Any:
    if isinstance(value, str):
        return redact_secrets(value)
    if isinstance(value, Mapping):
        return {key: _without_secrets(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_secrets(inner) for inner in value]
    return value
