"""Escapes control characters, so that a terminal shows them instead of executing them.

Control characters (C0, C1, DEL) can change what a terminal does, and bidirectional overrides change the order
of the text after them. Input files may contain both. Reports for people and messages always escape them
(`visible`). Formats for programs keep the text exactly; JSON writes such characters as \\u009b. All other
output, such as lines that another program may read, is escaped only on a terminal (`terminal_safe`).
"""

from __future__ import annotations

import re
from typing import Any

# Control characters, lone surrogates, line and paragraph separators, and characters that change the direction
# of the text that follows.
_UNSEEN = "\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069"
UNSEEN = re.compile(f"[{_UNSEEN}]")
# Line ends, tabs and colours are allowed, because the program itself prints them.
UNSAFE = re.compile(rf"\x1b\[[0-9;]*m|[\n\t]|([{_UNSEEN}])")
# Without C0, which the JSON encoder escapes itself, and surrogates, which readers of JSON expect.
UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """The text with control characters escaped.

    >>> visible("a\\x1b[31mb")
    'a\\\\x1b[31mb'
    """
    return UNSEEN.sub(lambda found: repr(found[0])[1:-1], text)


def terminal_safe(text: str) -> str:
    """Printed text with control characters escaped, except line ends, tabs and colours.

    >>> terminal_safe("\\x1b[1mbold\\x1b[0m \\x1b]0;title\\x07\\n")
    '\\x1b[1mbold\\x1b[0m \\\\x1b]0;title\\\\x07\\n'
    """
    return UNSAFE.sub(lambda found: repr(found[1])[1:-1] if found[1] else found[0], text)


def json_text(value: Any, **options: Any) -> str:
    """JSON with text in its own characters, except those that a terminal would obey.

    >>> json_text({"é": "\\x9b1m"})
    '{"é": "\\\\u009b1m"}'
    """
    import json  # slow to import

    text = json.dumps(value, ensure_ascii=False, **options)
    return UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
