"""All code tools of this process: filled by the apps' `ready`, frozen at first use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from apps.tools.registry.building import descriptors_of, path_of
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.registry.errors import RegistryError
from apps.tools.registry.marks import Marked, Place, marked

_NOT_APPS = ("tests", "__main__")
Implementation = Callable[[Any, Any], Any]


class Catalogue:
    """Which tools may be called at all.

    Reading freezes it, and freezing refuses while a service with a marked method is not listed:
    no process can use a faulty registry.
    """

    def __init__(self, marked: Marked) -> None:
        self._marked = marked
        self._descriptors: dict[str, ToolDescriptor] = {}
        self._services: dict[str, object] = {}
        self._frozen = False

    def register(self, *services: type) -> None:
        """Raises RegistryError on any fault, also when the catalogue is frozen."""
        if self._frozen:
            names = ", ".join(path_of(service) for service in services)
            raise RegistryError(f"Registry is frozen, too late for: {names}")
        for service in services:
            self._add(service)

    def freeze(self) -> None:
        """No more changes; raises RegistryError while a marked service is not listed."""
        if self._frozen:
            return
        if missing := self.unlisted():
            raise RegistryError("\n".join(_remedy(place) for place in missing))
        self._frozen = True

    def unlisted(self) -> list[Place]:
        """Marked services of the apps that nobody lists. Classes of tests are no business."""
        return [
            place
            for path, place in sorted(self._marked.places.items())
            if path not in self._services and place.module.partition(".")[0] not in _NOT_APPS
        ]

    def get(self, name: str) -> ToolDescriptor | None:
        """The tool of that name."""
        self.freeze()
        return self._descriptors.get(name)

    def all(self) -> tuple[ToolDescriptor, ...]:
        """Every tool, by name."""
        self.freeze()
        return tuple(self._descriptors[name] for name in sorted(self._descriptors))

    def implementation(self, name: str) -> Implementation:
        """The bound method; raises KeyError for an unknown name. For the gateway alone."""
        self.freeze()
        descriptor = self._descriptors[name]
        method: Implementation = getattr(self._services[descriptor.service], descriptor.method)
        return method

    @contextmanager
    def temporarily(self, *services: type) -> Iterator[None]:
        """For tests: these services too, while the block runs."""
        before = (dict(self._descriptors), dict(self._services), self._frozen)
        self._frozen = False
        try:
            self.register(*services)
            self._frozen = True
            yield
        finally:
            self._descriptors, self._services, self._frozen = before

    def _add(self, service: type) -> None:
        for descriptor in descriptors_of(service):
            if known := self._descriptors.get(descriptor.name):
                raise RegistryError(
                    f"Tool already registered: {descriptor.name} "
                    f"({known.service}, {descriptor.service})"
                )
            self._descriptors[descriptor.name] = descriptor
        self._services[path_of(service)] = service()


def _remedy(place: Place) -> str:
    folders = Path(place.file).parents
    app = next((folder for folder in folders if (folder / "apps.py").exists()), folders[0])
    return (
        f"{place.service} in {place.file} has methods with @agent_tool but is not listed. "
        f"Add to ready() in {app / 'apps.py'}: register_tools({place.service})"
    )


catalogue = Catalogue(marked)


def register_tools(*services: type) -> None:
    """List services whose marked methods agents may call; in `AppConfig.ready`."""
    catalogue.register(*services)
