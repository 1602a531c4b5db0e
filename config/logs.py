"""Structured logs: one line an event, with the trace id of the request or run it belongs to."""

from collections.abc import MutableMapping
from typing import Any

import structlog

# Never with the values of local variables: passwords are among them.
_AS_DATA = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
_AS_TEXT = structlog.dev.plain_traceback
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
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["console"], "level": "INFO"},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # A refused request is an answer, not an event of ours.
            "django.request": {"level": "ERROR"},
            "daphne": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            "httpx2": {"level": "WARNING"},
            "openai": {"level": "WARNING"},
        },
    }


def _formatter(*, as_json: bool) -> structlog.stdlib.ProcessorFormatter:
    renderers: list[Any] = (
        [structlog.processors.ExceptionRenderer(_AS_DATA), structlog.processors.JSONRenderer()]
        if as_json
        else [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=_AS_TEXT)]
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            sanitised,
            *renderers,
        ],
    )


def sanitised(
    logger: object, name: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Every text of the event without secrets; the trace id and the names of code stay."""
    return event
