"""The program `bolide`; also `python -m bolide`. It answers Ctrl-C from its first line on."""

import os
import signal
from types import FrameType


def main() -> None:
    """The command line, which takes some tenths of a second to load: until it watches for signals itself, a
    signal ends the program at once, for there is nothing to tidy up."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, _end)
    from bolide import cli

    cli.main()


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


if __name__ == "__main__":
    main()
