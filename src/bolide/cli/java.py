"""`bolide java`: the Java release's command line. It has its own grammar, so nothing of the other commands
is loaded.
"""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Runs `bolide java` with these arguments; its exit code."""
    from bolide.java import command as java

    return java.run(arguments, sys.stdin.buffer, sys.stdout, sys.stderr)
