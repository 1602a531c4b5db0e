"""The log of events, as readers see it: pages of committed batches. Writing is the writer's."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models.functions import Length

from apps.conversations.models import EventBatch, Run
from apps.conversations.stream.events import Batch, Event

PAGE_BYTES = 256 * 1024
PAGE_ROWS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What follows a cursor, whether the run may still say more, and whether it is removed."""

    batches: Sequence[Batch]
    open: bool
    gone: bool = False

    def events(self, after: int) -> list[Event]:
        last = self.batches[-1].last if self.batches else after
        return [event for batch in self.batches for event in batch.cut(after=after, upto=last)]


def read_batches(run_id: str, *, after: int, upto: int | None = None) -> list[Batch]:
    """A page is bounded in bytes, but holds at least one batch where there is one."""
    rows = EventBatch.objects.filter(run_id=run_id, last__gt=after).order_by("last")
    if upto is not None:
        rows = rows.filter(first__lte=upto)
    sizes = rows.values_list("pk", Length("payload"))[:PAGE_ROWS]
    page = EventBatch.objects.filter(pk__in=list(_within(sizes))).order_by("last")
    return [Batch(first=row.first, last=row.last, payload=row.payload.encode()) for row in page]


def read_page(run_id: str, *, after: int) -> Page:
    # The state before the batches: a run's end commits together with its last events.
    status = Run.objects.filter(pk=run_id).values_list("status", flat=True).first()
    batches = read_batches(run_id, after=after)
    return Page(batches=batches, open=status in Run.OPEN, gone=status is None)


def _within(sizes: Iterable[tuple[int, int]]) -> Iterator[int]:
    total = 0
    for pk, size in sizes:
        total += size
        if total > PAGE_BYTES and total > size:
            return
        yield pk
