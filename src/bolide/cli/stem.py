"""`bolide stem`: the stems that the metric compares."""

from __future__ import annotations

from bolide import _core
from bolide.cli.input_options import check_inputs
from bolide.cli.meteor_options import FilesArgument, LanguageOption
from bolide.cli.streams import print_line
from bolide.inputs.files import STDIN
from bolide.inputs.text_files import read_lines
from bolide.language import stemmers


def stem(files: FilesArgument = None, language: LanguageOption = "en") -> None:
    """Replace every word by its stem, line by line. Words are separated by white space."""
    names = files or [STDIN]
    stems = stemmers.get(language)
    check_inputs(*names)
    for name in names:
        for line in read_lines(name):
            print_line(" ".join(stems(_core.split(line.lower()))))
