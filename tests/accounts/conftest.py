"""Sign-in tries are counted in a cache: each test here counts for itself."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches


@pytest.fixture(autouse=True)
def fresh_counters(request: pytest.FixtureRequest) -> Iterator[None]:
    cache = caches["default"]
    known, cache.key_prefix = cache.key_prefix, f"test-{id(request.node)}"
    yield
    cache.key_prefix = known
