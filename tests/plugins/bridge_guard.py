"""A pytest plugin: the bridge refuses calls for as long as a test that will be rolled back runs.

The bridge cannot see this for itself: inside a coroutine `django.db.connection` is another object
than the one the test opened its transaction on, even in the same thread. Here, between the
fixtures and the test's body, no loop runs, and it is the test's own.

Joined by `pytest_plugins` in `tests/conftest.py`.
"""

from collections.abc import Generator

import pytest
from django.db import connections

from apps.lib import bridge


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    if not any(known.in_atomic_block for known in connections.all(initialized_only=True)):
        return (yield)
    with bridge.refusing():
        return (yield)
