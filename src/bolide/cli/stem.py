"""`bolide stem`: the stems that the metric compares."""

from __future__ import annotations

from bolide import _core
from bolide.cli.options import Files, Language
from bolide.inputs.files import STDIN
from bolide.inputs.text import read_lines
from bolide.language import stemmers


def stem(files: Files = None, language: Language = "en") -> None:
    """Replace every word by its stem, line by line. Words are what white space separates."""
    stems = stemmers.get(language)
    for name in files or [STDIN]:
        for line in read_lines(name):
            print(" ".join(stems(_core.split(line.lower()))))
