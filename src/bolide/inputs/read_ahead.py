"""Work on several items at once, while the caller is busy with those before."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

# Items under way at a time.
WORKERS = 2

T = TypeVar("T")
R = TypeVar("R")


def worked_ahead(work: Callable[[T], R], items: Iterator[T], threads: int) -> Iterator[tuple[T, R]]:
    """Each item with what the work makes of it, in order. Two others work on the next items while the caller
    is busy; where there is to be only one thread, nobody does. Worth it for native work, without the GIL,
    that has threads of its own: while one item is at what only one thread can do, the other has the rest.

    A caller that stops early waits for the work under way. Items are taken by the caller's thread."""
    if threads < 2:
        for item in items:
            yield item, work(item)
        return
    with ThreadPoolExecutor(WORKERS) as workers:
        coming: deque[tuple[T, Future[R]]] = deque()
        try:
            for item in items:
                coming.append((item, workers.submit(work, item)))
                if len(coming) > WORKERS:
                    first, result = coming.popleft()
                    yield first, result.result()
            while coming:
                first, result = coming.popleft()
                yield first, result.result()
        finally:
            workers.shutdown(cancel_futures=True)
