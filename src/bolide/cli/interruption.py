"""Ctrl-C and SIGTERM: the command ends at once, with the exit code that shells know, and tidies up first.

Python answers a signal only between two of its own steps, and one native call on hostile text may take
seconds. So a thread watches too: if the command has not ended by itself shortly after a signal, it is ended.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType

from bolide import unfinished

# As shells tell that a signal ended a program.
INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM
# Time enough to remove what a command has begun to write.
GRACE_SECONDS = 1.0


class Terminated(BaseException):
    """SIGTERM, as KeyboardInterrupt is SIGINT."""


def watch() -> None:
    """From now on signals end the command, whatever it is doing. For the main thread of a program."""
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as of programs started with nohup or &
        signal.signal(signal.SIGINT, signal.default_int_handler)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_end_after_signal, args=(reader,), daemon=True).start()


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated


def _end_after_signal(reader: int) -> None:
    ends = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _terminate}
    while received := os.read(reader, 1):
        number = received[0]
        if number in ends and signal.getsignal(number) is ends[signal.Signals(number)]:
            time.sleep(GRACE_SECONDS)
            unfinished.remove()
            os._exit(128 + number)
