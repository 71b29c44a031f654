"""The X-ray in a terminal: a browser of segments, made with Textual.

    browse(xray)

contents.py     what is shown of a segment: alignment, matrix, arithmetic
matrix.py       the matrix in letters
segment_list.py the list: only lines that are seen are made, so that it may be of any length
form.py         filters, help, the number of a segment to go to
application.py  keys, and what they do
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
    """An error, before anything is scored, if nobody could browse here."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise TerminalError(
            "the X-ray's browser needs a terminal, and there is none here; write a page with: -o report.html"
        )
    with extra("terminal"):
        import textual  # noqa: F401


def browse(xray: Xray) -> None:
    """Opens the browser in this terminal, until it is left with `q`."""
    check_terminal()
    if not xray.segments:
        raise TerminalError("there are no segments to browse")
    from bolide.xray.terminal.application import Browser

    Browser(xray).run()
