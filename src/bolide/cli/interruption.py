"""Ctrl-C and SIGTERM: the command ends at once, with the exit code that shells know, and tidies up first.

While a command is at work, a signal is a KeyboardInterrupt in it. Before and after, where nobody would catch
that, nothing has to be tidied up either: the program just ends. Only the first signal counts, so that tidying
up is not interrupted.

Python answers a signal only between two of its own steps, and one native call on hostile text may take
seconds. So a thread watches too: if the command has not ended by itself shortly after a signal, it is ended.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from bolide._support.writing import remove_unfinished

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

SIGNALS = (signal.SIGINT, signal.SIGTERM)
# As shells tell that a signal ended a program.
INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
# Time enough to remove what a command has begun to write.
GRACE_SECONDS = 1.0

_received = 0  # the signal that ends the work


def watch() -> None:
    """From now on signals end the program, whatever it is doing. For its main thread."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as of programs started with nohup or &
            signal.signal(number, _end)
    sys.unraisablehook = _end_if_swallowed
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    # A child that is forked has its own signals, but would tell them by the same pipe.
    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    threading.Thread(target=_end_after_signal, args=(reader,), daemon=True).start()


@contextmanager
def watched_for_a_while() -> Iterator[None]:
    """Afterwards signals mean to the caller what they meant before."""
    before, hook = {number: signal.getsignal(number) for number in SIGNALS}, sys.unraisablehook
    yield
    signal.set_wakeup_fd(-1)
    sys.unraisablehook = hook
    for number, handler in before.items():
        signal.signal(number, handler)


def exit_code(work: Callable[[], int]) -> int:
    """The exit code that the work gives, or the signal that ended it. It may tidy up after a signal."""
    try:
        _answer_by(_interrupt)
        code = work()
        _answer_by(_end)
    except KeyboardInterrupt:
        code = INTERRUPTED
    return 128 + _received if _received else code


def _end(number: int, frame: FrameType | None = None) -> NoReturn:
    try:
        remove_unfinished()
    finally:
        os._exit(128 + number)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """One exception for both signals: libraries know what this one means."""
    global _received
    _received = number
    _answer_by(_wait)
    raise KeyboardInterrupt


def _wait(number: int, frame: FrameType | None) -> None:
    """The end has begun."""


ANSWERS = (_end, _interrupt, _wait)


def _answer_by(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in SIGNALS:
        if signal.getsignal(number) in ANSWERS:  # and not a library's, nor ignored
            signal.signal(number, handler)


def _end_if_swallowed(what: UnraisableHookArgs) -> None:
    """An exception in a destructor, or in one of Python's own callbacks, interrupts nothing."""
    if issubclass(what.exc_type, KeyboardInterrupt):
        _end(_received or signal.SIGINT)
    sys.__unraisablehook__(what)


def _end_after_signal(reader: int) -> None:
    while received := os.read(reader, 1):
        number = received[0]
        if number in SIGNALS and signal.getsignal(number) in ANSWERS:
            time.sleep(GRACE_SECONDS)
            _end(number)
