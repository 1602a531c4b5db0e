"""`manage.py serve`: web, run host and (without a broker) the worker in one process."""

import ipaddress
import os
import socket
import threading
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import closing

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from apps.conversations.host.reaping import Reaper
from apps.conversations.host.run_host import RunHost
from apps.protocols.server import Background, StreamServer
from apps.tools.registry import catalogue
from config.asgi import application
from config.celery import start_worker_thread
from config.demo import demo_passwords_in_use
from config.serve_options import add_options

EXIT_SECONDS = 4.0


class Command(BaseCommand):
    """Checks that this process may serve, joins its parts, and serves until SIGTERM."""

    help = "Serve the web, host runs and work off tasks until SIGTERM or Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_options(parser)

    def handle(
        self,
        *args: object,
        host: str,
        port: int,
        no_worker: bool,
        no_host: bool,
        **options: object,
    ) -> None:
        _require_migrations()
        _require_safe_address(host)
        _require_free_port(host, port)
        catalogue.freeze()
        if not no_worker and not settings.REDIS_URL:
            start_worker_thread()
        server = _server(host, port, self._say, run_host=None if no_host else RunHost())
        server.run()
        if server.listen_failure:
            raise CommandError(f"Cannot listen on {host}:{port}: {server.listen_failure}")
        self.stdout.write("Stopped.")
        _end_soon()

    def _say(self, host: str, port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        self.stdout.write(f"Steward serves on http://{name}:{port}/ (Ctrl-C stops it)")
        self.stdout.flush()


def _server(
    host: str, port: int, started: Callable[[str, int], None], *, run_host: RunHost | None
) -> StreamServer:
    # A host reaps too; without one, runs of hosts that died elsewhere still come to an end.
    work = Background(name="reaper", run=Reaper().run)
    if run_host is not None:
        work = Background(name="runs", run=run_host.run)
    escaped = host.replace(":", r"\:")
    return StreamServer(
        application,
        endpoints=[f"tcp:port={port}:interface={escaped}"],
        background=[work],
        shared={} if run_host is None else {"host": run_host},
        started=started,
    )


def _require_migrations() -> None:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    connection.close()
    if missing:
        raise CommandError(
            f"{len(missing)} migrations are not applied. Run `manage.py migrate` first."
        )


def _require_safe_address(host: str) -> None:
    if _is_loopback(host) and settings.APP_MODE != "production":
        return
    if names := demo_passwords_in_use():
        raise CommandError(
            f"Refusing to listen on {host}: demo passwords are in use by {', '.join(names)}. "
            "Give these users passwords of their own (manage.py changepassword NAME) or deactivate "
            "them; a demo listens on 127.0.0.1 only, and production never serves it."
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _require_free_port(host: str, port: int) -> None:
    """Asked before anything is started; the listening itself still decides."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with closing(socket.socket(family)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error.strerror}") from error


def _end_soon() -> None:
    """A thread that hangs would hold the interpreter: all is drained and written by now."""
    late = threading.Timer(EXIT_SECONDS, os._exit, [0])
    late.daemon = True
    late.start()
