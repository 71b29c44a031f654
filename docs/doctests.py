"""Extension for mkdocstrings: make code blocks of the examples in docstrings (`>>>`).

Markdown would read them as quotations.
"""

from __future__ import annotations

import re

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)  # up to the next empty line


class Doctests(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(example: re.Match[str]) -> str:
    return f"\n```pycon\n{example[0]}\n```\n"
