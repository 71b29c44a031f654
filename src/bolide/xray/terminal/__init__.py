"""The X-ray in a terminal: a browser of segments, made with Textual.

browse(xray)

contents        the views of a segment: alignment, matrix, arithmetic
matrix          the matrix in text
segment_list    the list of segments
form            filters, help, and the number of a segment to go to
application     keys and their actions
"""

from __future__ import annotations

import os
import sys

from bolide._support.extras import extra
from bolide.errors import BolideError
from bolide.xray.model import Xray


class TerminalError(BolideError):
    """There is no terminal to browse in."""


def check_terminal() -> None:
    """Fails, before anything is scored, if there is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise TerminalError(
            "--terminal needs a terminal, and there is none; write a page instead: -o report.html"
        )
    with extra("terminal"):
        import textual  # noqa: F401


def browse(xray: Xray) -> None:
    """Opens the browser in this terminal, until the user quits with `q`."""
    check_terminal()
    if not xray.segments:
        raise TerminalError("there are no segments to browse")
    from bolide.xray.terminal.application import Browser

    Browser(xray).run()
