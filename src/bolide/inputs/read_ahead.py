"""Reads ahead: works on the next items in threads while the caller is busy with the current one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

# Number of items in progress at a time.
WORKERS = 2

T = TypeVar("T")
R = TypeVar("R")


def worked_ahead(work: Callable[[T], R], items: Iterator[T], threads: int) -> Iterator[tuple[T, R]]:
    """Yields each item with the result of `work`, in order.

    Two worker threads handle the next items while the caller is busy; with `threads` below 2 there are none.
    This pays off for native work that releases the GIL and has its own threads: while one item is in a part
    that uses a single thread, the other item keeps the remaining cores busy.

    A caller that stops early waits for the work in progress. The caller's thread takes the items.
    """
    if threads < 2:
        for item in items:
            yield item, work(item)
        return
    from concurrent.futures import ThreadPoolExecutor  # slow to import

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
