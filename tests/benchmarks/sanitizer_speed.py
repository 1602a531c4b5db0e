"""What sanitising 4 kB costs: error texts full of secrets, business texts, and plain prose.

    python -m tests.benchmarks.sanitizer_speed [TEXTS]

prints p50 and p99 of the process's own time for each kind, and of every hostile text the worst.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence

from apps.audit.sanitizer import RULES, redact_secrets, sanitize
from tests.audit.messages import lines, messages
from tests.audit.test_sanitizer import corpus

SIGNS = 4_096
PROSE = "The lesson begins at noon, and whoever comes late waits at the door until the break."


def main(count: int) -> None:
    """Print one line for each kind of text."""
    leaks = [item["text"] for item in corpus("leaks")] + [each.text for each in messages(0)]
    plain = [item["text"] for item in corpus("harmless")] + lines("harmless.txt")
    print(f"{len(RULES)} rules, {count} texts of {SIGNS} signs each")  # noqa: T201
    for name, pieces in (("leaks", leaks), ("business", plain), ("prose", [PROSE])):
        texts = [joined(pieces, random.Random(f"{name}-{number}")) for number in range(count)]
        report(name, sanitize, texts)
        report(f"{name}, keys only", redact_secrets, texts)
    hostile = [
        item["prefix"] + item["unit"] * item["repeat"] + item["suffix"]
        for item in corpus("hostile")
        if "unit" in item
    ]
    report("hostile, uncut length", sanitize, hostile)


def joined(pieces: Sequence[str], chance: random.Random) -> str:
    """Lines drawn until there are enough signs."""
    text = ""
    while len(text) < SIGNS:
        text += chance.choice(pieces) + "\n"
    return text[:SIGNS]


def report(name: str, redact: Callable[[str], str], texts: Sequence[str]) -> None:
    costs = sorted(cost(redact, text) for text in texts)
    p99 = costs[min(len(costs) - 1, len(costs) * 99 // 100)]
    print(f"{name:24} p50 {costs[len(costs) // 2]:6.2f} ms   p99 {p99:6.2f} ms")  # noqa: T201


def cost(redact: Callable[[str], str], text: str) -> float:
    """Milliseconds of one call."""
    began = time.process_time()
    redact(text)
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
