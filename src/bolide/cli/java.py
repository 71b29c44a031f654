"""`bolide java`: the command line of the Java release. It parses its own options, so that nothing of the
other commands is loaded.
"""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Runs `bolide java` with these arguments; its exit code."""
    from bolide.java import command

    return command.run(arguments, sys.stdin.buffer, sys.stdout, sys.stderr)
