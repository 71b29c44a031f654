"""Waiting for other processes, so that tests do not depend on how busy the machine is."""

from __future__ import annotations

import subprocess
import time
from array import array
from typing import IO

PATIENCE = 600  # seconds until a process counts as hanging; no test that passes waits so long


def until_read(pipe: IO[bytes], process: subprocess.Popen[bytes]) -> None:
    """Wait until the process has read all that was written to its standard input. Needs POSIX."""
    import fcntl
    import termios

    unread = array("i", [1])
    while unread[0]:
        assert process.poll() is None
        time.sleep(0.01)
        fcntl.ioctl(pipe, termios.FIONREAD, unread)
