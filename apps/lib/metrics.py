"""The metrics of this process, as Prometheus reads them."""

from prometheus_client import REGISTRY
from prometheus_client.exposition import choose_encoder


def exposition(accept: str = "") -> tuple[bytes, str]:
    """The text and its content type; with exemplars for who accepts OpenMetrics."""
    encode, content_type = choose_encoder(accept)
    return encode(REGISTRY), content_type
