"""The program `bolide`; also `python -m bolide`. It answers Ctrl-C from its first line on."""

import atexit
import os
import signal
import sys
from types import FrameType


def program() -> None:
    """The whole program, which this ends: from Python start `bolide.cli.main`. The command line takes some
    tenths of a second to load: until it watches for signals itself, a signal ends the program at once, for
    there is nothing to tidy up."""
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
    """Ends the program in Python's stead, which would take all that is loaded apart, piece by piece. Files
    that nobody has closed are not written out, but for the standard ones. Called first of what is to be done
    at exit, since it was registered last; so the rest is done from here."""
    atexit.unregister(_leave)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # of what was said at exit; ValueError: somebody has closed it
            code = code or 1
    os._exit(code)


if __name__ == "__main__":
    if sys.modules["__main__"].__dict__ is globals():
        program()
    from bolide import cli  # run by another program, such as a profiler, which is to go on

    cli.main()
