"""The program `bolide`, which is also `python -m bolide`."""

import gc
import sys

from bolide._support import interruption


def program() -> None:
    """Runs the command in `sys.argv` and ends Python. From Python code call `bolide.cli.main` instead."""
    interruption.install()
    from bolide import cli

    code = cli.command()
    # Before it exits, Python searches all objects for reference cycles, unless they are frozen. The search
    # takes 6% of the time of `bolide java` on one segment, and 15% of `bolide score`.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    if sys.modules["__main__"].__dict__ is globals():
        program()
    from bolide import cli  # run by another program, such as a profiler, which goes on afterwards

    cli.main()
