"""What a second process does in the tests; every line it prints is a fact it was told."""

import asyncio
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from apps.lib.transitions import StateConflictError, transition  # noqa: E402
from apps.lib.writer.writer import Writer  # noqa: E402
from tests.lib.stateful import Lamp  # noqa: E402
from tests.lib.support import Rename, audit, plan  # noqa: E402


def say(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def write_for_ever(prefix: str) -> None:
    """50 callers, each writes again as soon as it was answered; prints every written id."""
    writer = Writer(plan(), loop=asyncio.get_running_loop())
    writer.start()

    async def caller(name: str) -> None:
        number = 0
        while True:
            await writer.submit(audit(f"{name}-{number}"))
            say(f"{name}-{number}")
            number += 1

    await asyncio.gather(*(caller(f"{prefix}{number}") for number in range(50)))


async def take_numbers(code: str, amount: str) -> None:
    writer = Writer(plan(), loop=asyncio.get_running_loop())
    writer.start()
    units = [Rename(code=code) for _ in range(int(amount))]
    for number in await asyncio.gather(*map(writer.submit, units)):
        say(number)
    await writer.close()


def race(target: str, rounds: str) -> None:
    """Read the row, meet the other process at the barrier (a line each way), then move it."""
    for number in range(1, int(rounds) + 1):
        lamp = Lamp.objects.get(pk=number)
        say("ready")
        sys.stdin.readline()
        try:
            transition(lamp, target)
            say("won")
        except StateConflictError as conflict:
            say(f"lost-to-{conflict.actual}")


def main(task: str, *arguments: str) -> None:
    match task:
        case "race":
            race(*arguments)
        case "take_numbers":
            asyncio.run(take_numbers(*arguments))
        case _:
            asyncio.run(write_for_ever(*arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
