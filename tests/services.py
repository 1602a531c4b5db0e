"""Do PostgreSQL and Redis answer at the addresses in the environment?"""

import os
import sys
from collections.abc import Callable
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis


def missing() -> list[str]:
    """What does not answer, with the reason; empty when the tests that need services can run."""
    asked: dict[str, Callable[[str], None]] = {"DATABASE_URL": _postgresql, "REDIS_URL": _redis}
    return [fault for name, ask in asked.items() if (fault := _fault(name, ask))]


def _fault(name: str, ask: Callable[[str], None]) -> str:
    address = os.environ.get(name, "")
    if not address:
        return f"{name} is not set"
    try:
        ask(address)
    except (psycopg.Error, redis.RedisError, ValueError) as error:
        return f"{name}: {error}"
    return ""


def _postgresql(address: str) -> None:
    # The database itself need not exist: tests make their own beside it.
    if not address.startswith("postgres"):
        raise ValueError("not the address of a PostgreSQL server")
    address = urlunsplit(urlsplit(address)._replace(path="/postgres"))
    with psycopg.connect(address, connect_timeout=3) as connection:
        connection.execute("SELECT 1")


def _redis(address: str) -> None:
    redis.Redis.from_url(address, socket_connect_timeout=3).ping()


if __name__ == "__main__":
    faults = missing()
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    sys.exit(1 if faults else 0)
