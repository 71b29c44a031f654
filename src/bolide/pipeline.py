"""Work on the next item while the caller is busy with this one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item], threads: int) -> Iterator[Item]:
    """The items, each made by another thread while the caller works on the one before; where there is to be
    only one thread, just the items. Worth it where one of the two is native, without the GIL.

    A caller that stops early waits for the item under way. So items must not come from a terminal or a pipe,
    where that may take forever."""
    if threads < 2:
        yield from items
        return
    end = object()
    with ThreadPoolExecutor(1) as worker:
        coming = worker.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = worker.submit(next, items, end)
            yield item  # type: ignore[misc]
