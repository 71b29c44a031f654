"""Signals: what watching for them costs."""

from __future__ import annotations

import os
import threading

import pytest

from bolide._support import interruption


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no list of descriptors")  # noqa: PTH112
def test_watching_again_takes_no_more_threads_and_descriptors() -> None:
    def used() -> tuple[int, int]:
        return threading.active_count(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    with interruption.restored():
        interruption.watch(lambda: None)
        first = used()
        for _ in range(3):
            interruption.watch(lambda: None)
        assert used() == first
