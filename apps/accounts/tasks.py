"""What a worker does for accounts."""

from celery import shared_task

from apps.accounts.services.purge import purge_expired


@shared_task(ignore_result=True)
def purge_expired_sign_ins() -> None:
    """Sessions and tokens that have run out."""
    purge_expired()
