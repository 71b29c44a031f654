"""`bolide java`: the Java release's command line. It has its own grammar, so nothing of the other commands
is loaded.
"""

from __future__ import annotations

import io
import sys


def main(arguments: list[str]) -> int:
    """Runs `bolide java` with these arguments; its exit code."""
    from bolide.compat import java

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # Java is run with UTF-8 and writes plain line ends
            stream.reconfigure(encoding="utf-8", newline="\n")
    return java.run(arguments, sys.stdin.buffer, sys.stdout, sys.stderr)
