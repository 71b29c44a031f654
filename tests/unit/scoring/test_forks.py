"""Scorers that 16 threads share while the process forks: equal results everywhere, and no deadlock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bolide import Meteor
from tests.support import generate
from tests.support.posix import needs_fork
from tests.support.processes import PATIENCE

THREADS, FORKS = 16, 12
# Far more than a slow machine needs (seconds): only a deadlock takes longer.

Check = Callable[[], bool]


def checks(english: Meteor) -> list[Check]:
    """One check per scorer: whether it gives the statistics of a scorer that no other thread uses."""
    pairs = [*generate.pairs("en", 60, seed=21), *generate.odd_pairs(seed=22)]
    texts = [pair.hypothesis for pair in pairs], [pair.reference for pair in pairs]
    pack = english.settings.pack
    options: list[dict[str, object]] = [{}, {"aligner": "exact"}, {"modules": ["exact", "stem"], "beam": 5}]

    def check_of(given: dict[str, object]) -> Check:
        expected = Meteor(resources=pack, threads=1, **given).statistics(*texts)  # type: ignore[arg-type]
        shared = Meteor(resources=pack, threads=2, **given)  # type: ignore[arg-type]
        return lambda: np.array_equal(shared.statistics(*texts), expected)

    return [check_of(given) for given in options]


def in_a_fork(work: Check) -> int:
    """Starts a process that ends with 0 if the check holds, and returns its number."""
    process = os.fork()
    if process == 0:
        code = 2
        try:
            code = 0 if work() else 1
        finally:
            os._exit(code)
    return process


def exit_code(process: int, deadline: float) -> int:
    while time.monotonic() < deadline:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    pytest.fail(f"a new process has not ended after {PATIENCE} s")


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_threads_share_scorers_while_the_process_forks(english: Meteor) -> None:
    shared = checks(english)
    deadline = time.monotonic() + PATIENCE
    stop = threading.Event()

    def work(first: int) -> bool:
        """Scores until all processes have ended."""
        fine, k = True, first
        while fine and not (stop.is_set() and k > first):
            fine, k = shared[k % len(shared)](), k + 1
        return fine

    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(work, k) for k in range(THREADS)]
        try:
            processes = [in_a_fork(shared[k % len(shared)]) for k in range(FORKS)]
            codes = [exit_code(process, deadline) for process in processes]
        finally:
            stop.set()
        assert codes == [0] * FORKS
        assert all(thread.result(timeout=PATIENCE) for thread in running)


# Threads are at work when the process forks. The new process frees all its objects at its end.
ENDING = """
import os, sys, threading, warnings
from bolide import Meteor
warnings.simplefilter("ignore", DeprecationWarning)
meteor = Meteor("linear", modules=["exact"], threads=2)
def work():
    k = 0
    while True:
        k += 1
        meteor.statistics([f"a b w{k + j}" for j in range(2000)], ["a c"] * 2000)
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
for _ in range(8):
    process = os.fork()
    if process == 0:
        sys.exit(meteor.sentence_score("a b", "a b").score < 0.5)
    assert os.waitpid(process, 0)[1] == 0
os._exit(0)
"""


@needs_fork
def test_a_new_process_may_end_as_usual() -> None:
    done = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")


def test_nested_work_is_still_work(english: Meteor) -> None:
    """A custom matcher may use the scorer that calls it."""
    engine = english._engine
    with engine._using_lexicon():
        with engine._using_lexicon():
            pass
        english.sentence_score("a cat", "a cat")
        assert threading.get_ident() in engine._at_work
    assert threading.get_ident() not in engine._at_work
