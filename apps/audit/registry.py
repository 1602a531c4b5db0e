"""Who replays dead letters: each kind's owner registers how, in its `AppConfig.ready`."""

from collections.abc import Callable

Replay = Callable[[str], None]
"""Does the job from its payload; may be called again, and raises when it fails again."""

_replays: dict[str, Replay] = {}


def register_replay(kind: str, replay: Replay) -> None:
    _replays[kind] = replay


def replay_of(kind: str) -> Replay:
    """Raises LookupError for a kind that nobody registered."""
    if kind not in _replays:
        raise LookupError(f"nobody replays dead letters of kind {kind!r}")
    return _replays[kind]
