"""`manage.py run_host`: hosts runs, and nothing else."""

import asyncio
import signal
import sys

from django.core.management.base import BaseCommand

from apps.agents.providers import close_models
from apps.conversations.host.run_host import RunHost
from apps.tools.registry import catalogue

SWITCH_SECONDS = 0.0005
DRAIN_SECONDS = 20.0
GIVE_BACK_SECONDS = 5.0


class Command(BaseCommand):
    """Claims queued runs and drives them until SIGTERM or Ctrl-C."""

    help = "Host runs until SIGTERM or Ctrl-C: claims queued runs and drives them."

    def handle(self, *args: object, **options: object) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        catalogue.freeze()
        host = RunHost()
        self.stdout.write(f"Hosting runs as {host.owner} (Ctrl-C stops it)")
        self.stdout.flush()
        asyncio.run(serve(host))
        self.stdout.write("Stopped.")


async def serve(host: RunHost) -> None:
    """Run the host until a signal; runs that are not over in time are given back."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    work = asyncio.create_task(host.run(stopping))
    waiting = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({work}, timeout=DRAIN_SECONDS)
        if not work.done():
            work.cancel()
            await asyncio.wait({work}, timeout=GIVE_BACK_SECONDS)
    finally:
        waiting.cancel()
        await close_models()
    if work.done() and not work.cancelled():
        work.result()
