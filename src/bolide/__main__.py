"""The program `bolide`; also `python -m bolide`. It answers Ctrl-C from its first line on."""

import atexit
import os
import signal
import sys
from types import FrameType


def main() -> None:
    """The command line, which takes some tenths of a second to load: until it watches for signals itself, a
    signal ends the program at once, for there is nothing to tidy up."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, _end)
    from bolide import cli

    code = cli.command()
    atexit.register(_leave, code)
    sys.exit(code)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


def _leave(code: int) -> None:
    """Ends the program in Python's stead, which would take all that is loaded apart, piece by piece. Called
    first of what is to be done at exit, since it was registered last; so the rest is done from here."""
    atexit.unregister(_leave)
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # of what was said at exit; ValueError: somebody has closed it
        code = code or 1
    os._exit(code)


if __name__ == "__main__":
    main()
