"""The metrics of this process, as Prometheus reads them."""

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST


def exposition() -> bytes:
    return generate_latest()
