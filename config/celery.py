"""Celery: the app, and what beat starts when. Jobs are rows first; a task only nudges."""

from celery import Celery
from celery.schedules import crontab

app = Celery("steward")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "purge-expired-sign-ins": {
        "task": "apps.accounts.tasks.purge_expired_sign_ins",
        "schedule": crontab(hour="3", minute="17"),
    },
}
