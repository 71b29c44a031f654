"""Ctrl-C and SIGTERM end the command at once, after it has tidied up, with the exit code that shells expect.

While a command is at work, a signal raises KeyboardInterrupt in it. Before and after, there is nothing to
tidy up, and the signal ends the program directly. Only the first signal counts, so that a second one does not
interrupt the tidying up.

Python runs signal handlers only between two of its own instructions, and one native call on hostile text may
take seconds. Therefore a thread waits for signals, too. It ends a command that is still running shortly after
a signal.

This module is the first that the program imports: keep its imports few.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bolide._support import platform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType
    from typing import NoReturn

INTERRUPTED, TERMINATED = platform.exit_code(signal.SIGINT), platform.exit_code(signal.SIGTERM)
# Long enough to remove the files that a command has begun to write.
GRACE_SECONDS = 1.0

_received = 0  # the signal that ends the work
_wakeup: int | None = None  # where Python reports signals to the watching thread
_forks_known = False  # whether the hook for forks is registered
_tidy_up: Callable[[], None] = lambda: None  # noqa: E731


def install() -> None:
    """Makes signals end the program from now on. Call it in the main thread, before the command line is
    loaded, which takes some tenths of a second."""
    for number in platform.SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # SIG_IGN: nohup, or a script's background
            signal.signal(number, _end)


def watch(tidy_up: Callable[[], None]) -> None:
    """Makes signals end the program during native calls, too, from now on. `tidy_up` is called before the
    end."""
    global _tidy_up
    _tidy_up = tidy_up
    sys.unraisablehook = _end_if_swallowed
    signal.set_wakeup_fd(_watched(), warn_on_full_buffer=False)


def _watched() -> int:
    """The descriptor to which Python reports signals; a thread waits for them there. Made once per
    process."""
    global _wakeup, _forks_known
    if _wakeup is None:
        _wakeup, receive = platform.wakeup()
        threading.Thread(target=_end_after_signal, args=(receive,), daemon=True).start()
    if not _forks_known:
        platform.after_fork(_after_fork)
        _forks_known = True
    return _wakeup


def _after_fork() -> None:
    """Resets the descriptor in a forked child, which would otherwise report its signals to the parent."""
    global _wakeup
    signal.set_wakeup_fd(-1)
    _wakeup = None  # the thread is gone


@contextmanager
def restored() -> Iterator[None]:
    """Restores the signal handlers when the block ends."""
    before, hook = {number: signal.getsignal(number) for number in platform.SIGNALS}, sys.unraisablehook
    yield
    signal.set_wakeup_fd(-1)
    sys.unraisablehook = hook
    for number, handler in before.items():
        signal.signal(number, handler)


def exit_code(work: Callable[[], int]) -> int:
    """Calls `work`, which may tidy up after a signal. Returns its exit code, or the code of the signal."""
    try:
        _replace_handlers(_interrupt)
        code = work()
        _replace_handlers(_end)
    except KeyboardInterrupt:
        code = INTERRUPTED
    return platform.exit_code(_received) if _received else code


def _end(number: int, frame: FrameType | None = None) -> NoReturn:
    try:
        _tidy_up()
    finally:
        os._exit(platform.exit_code(number))


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """Raises the same exception for both signals, because libraries handle this one correctly."""
    global _received
    _received = number
    _replace_handlers(_wait)
    raise KeyboardInterrupt


def _wait(number: int, frame: FrameType | None) -> None:
    """Ignores a signal while the command is ending."""


HANDLERS = (_end, _interrupt, _wait)


def _replace_handlers(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in platform.SIGNALS:
        if signal.getsignal(number) in HANDLERS:  # not ignored, and not the handler of a library
            signal.signal(number, handler)


def _end_if_swallowed(what: UnraisableHookArgs) -> None:
    """Ends the program if an interrupt was raised in a destructor or callback. Python would only report such
    an exception, and continue."""
    if issubclass(what.exc_type, KeyboardInterrupt):
        _end(_received or signal.SIGINT)
    sys.__unraisablehook__(what)


def _end_after_signal(receive: Callable[[], bytes]) -> None:
    while received := receive():
        number = received[0]
        if number in platform.SIGNALS and signal.getsignal(number) in HANDLERS:
            time.sleep(GRACE_SECONDS)
            _end(number)
