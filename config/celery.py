"""Celery: the app, what beat starts when, and the worker that runs inside the web process.

Jobs are rows first and swept when due; a task only nudges, so a lost message costs time alone.
"""

import os
import threading

from celery import Celery
from celery.schedules import crontab

QUEUES = ("audit", "memory", "skills", "default")

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")  # `celery -A` sets none
app = Celery("steward", task_cls="apps.lib.traced_task:TracedTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# In the order in which `manage.py run_due` runs them: what raises alerts before what sends them.
app.conf.beat_schedule = {
    "reap-runs": {
        "task": "conversations.reap_runs",
        "schedule": 15.0,
        "options": {"queue": "default", "expires": 15},
    },
    "sweep-audit": {
        "task": "apps.tools.tasks.sweep_audit",
        "schedule": 15.0,
        "options": {"queue": "audit", "expires": 15},
    },
    "seal": {
        "task": "apps.audit.tasks.seal",
        "schedule": crontab(minute="7"),
        "options": {"queue": "audit", "expires": 3600},
    },
    "remove-strays": {
        "task": "conversations.remove_strays",
        "schedule": crontab(minute="17"),
        "options": {"queue": "default", "expires": 3600},
    },
    "purge-expired-sign-ins": {
        "task": "apps.accounts.tasks.purge_expired_sign_ins",
        "schedule": crontab(hour="3", minute="17"),
        "options": {"queue": "default", "expires": 3600},
    },
    "forget-quota-windows": {
        "task": "apps.tools.tasks.forget_quota_windows",
        "schedule": crontab(hour="3", minute="27"),
        "options": {"queue": "default", "expires": 3600},
    },
    "check-upgrade-triggers": {
        "task": "apps.tools.tasks.check_upgrade_triggers",
        "schedule": crontab(hour="3", minute="37"),
        "options": {"queue": "default", "expires": 3600},
    },
    "deliver-alerts": {
        "task": "apps.audit.tasks.deliver_alerts",
        "schedule": 10.0,
        "options": {"queue": "audit", "expires": 10},
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
