"""The two memories of a process: values that never change, and values that the epoch ends."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """The values asked for most recently, at most `capacity`; for what never changes."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._lock = threading.Lock()
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K, load: Callable[[], V]) -> V:
        """The value under the key; loaded outside the lock when it is not there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = load()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._capacity:
                self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()

    def __len__(self) -> int:
        return len(self._values)


class Epochal(Generic[K, V]):
    """Values that hold until the epoch moves; `age` is the seconds since it was last compared."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[K, V] = {}
        self._epoch: int | None = None
        self._seen = 0
        self._compared = float("-inf")

    def get(self, key: K, load: Callable[[], V]) -> V:
        """The value under the key; what was loaded while the epoch moved is not kept."""
        with self._lock:
            if key in self._values:
                return self._values[key]
            seen = self._seen
        value = load()
        with self._lock:
            if seen == self._seen:
                self._values[key] = value
        return value

    def known(self, key: K) -> V | None:
        with self._lock:
            return self._values.get(key)

    def compare(self, epoch: int) -> None:
        """Forget everything unless the epoch is the one these values belong to."""
        with self._lock:
            if epoch != self._epoch:
                self._forget(epoch)
            self._compared = time.monotonic()

    def age(self) -> float:
        return time.monotonic() - self._compared

    def clear(self) -> None:
        with self._lock:
            self._forget(None)
            self._compared = float("-inf")

    def _forget(self, epoch: int | None) -> None:
        self._values.clear()
        self._epoch = epoch
        self._seen += 1
