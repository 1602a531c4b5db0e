"""Celery: the app, what beat starts when, and the worker that runs inside the web process.

Jobs are rows first and swept when due; a task only nudges, so a lost message costs time alone.
"""

import threading

from celery import Celery
from celery.schedules import crontab

QUEUES = ("audit", "memory", "skills", "default")

app = Celery("steward")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "purge-expired-sign-ins": {
        "task": "apps.accounts.tasks.purge_expired_sign_ins",
        "schedule": crontab(hour="3", minute="17"),
    },
}


def start_worker_thread() -> None:
    """Worker and beat as daemon threads, for the process whose broker is its own memory."""
    for name, work in (("celery-worker", _work), ("celery-beat", _beat)):
        threading.Thread(target=work, name=name, daemon=True).start()


def _work() -> None:
    worker = app.WorkController(
        pool_cls="threads",
        concurrency=2,
        queues=QUEUES,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
        task_events=False,
    )
    worker.start()


def _beat() -> None:
    from celery.beat import Scheduler, Service  # noqa: PLC0415, only this thread needs them

    Service(app, scheduler_cls=Scheduler, max_interval=30).start()
