"""Work on the next items while the caller is busy with this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def worked_ahead(
    work: Callable[[Item], Result], items: Iterator[Item], threads: int
) -> Iterator[tuple[Item, Result]]:
    """Each item with what the work makes of it, in order. Another thread works on the next item while the
    caller is busy; where there is to be only one thread, nobody does. Worth it for native work, without the
    GIL, that has threads of its own: a second worker would only need more memory.

    A caller that stops early waits for the work under way. Items are taken by the caller's thread."""
    if threads < 2:
        for item in items:
            yield item, work(item)
        return
    with ThreadPoolExecutor(1) as worker:
        before: tuple[Item, Future[Result]] | None = None
        for item in items:
            coming = item, worker.submit(work, item)
            if before is not None:
                yield before[0], before[1].result()
            before = coming
        if before is not None:
            yield before[0], before[1].result()
