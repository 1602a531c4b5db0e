from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred

class Server:
    connections: dict[Any, dict[str, Any]]
    listening_addresses: list[tuple[str, int]]
    def __init__(
        self,
        application: object,
        endpoints: list[str] | None = ...,
        signal_handlers: bool = ...,
        ready_callable: Callable[[], None] | None = ...,
        application_close_timeout: int = ...,
        server_name: str = ...,
    ) -> None: ...
    def run(self) -> None: ...
    def listen_error(self, failure: Any) -> None: ...
    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any: ...
    def kill_all_applications(self) -> Deferred[Any]: ...
