"""Celery tasks that log under the trace id of whoever sent them."""

from typing import Any

import structlog
from celery import Task

from apps.lib import trace


class TracedTask(Task):  # type: ignore[type-arg]
    """Takes the trace id along in the message's headers; a task that nobody traced begins one."""

    abstract = True

    def apply_async(  # type: ignore[override]
        self, args: Any = None, kwargs: Any = None, **options: Any
    ) -> Any:
        headers = {**trace.headers(), **(options.pop("headers", None) or {})}
        return super().apply_async(args, kwargs, headers=headers, **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = (self.request.headers or {}).get(trace.HEADER, "")
        with structlog.contextvars.bound_contextvars(trace_id=trace.trace_id_of(given)):
            return super().__call__(*args, **kwargs)
