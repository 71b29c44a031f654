"""`bolide normalize`: the text as the metric sees it."""

from __future__ import annotations

from typing import Annotated

from bolide.cli.input_options import check_inputs, check_lines
from bolide.cli.meteor_options import (
    NORMALIZE,
    SEGMENTATION,
    FilesArgument,
    LanguageOption,
    MeteorOptions,
    open_meteor,
)
from bolide.cli.streams import print_line
from bolide.inputs.files import STDIN
from bolide.inputs.text_files import read_lines
from bolide.scoring.resolve import needs_download


def normalize(
    files: FilesArgument = None,
    language: LanguageOption = "en",
    normalize: Annotated[str, NORMALIZE] = "keep-punctuation",
    segmentation: Annotated[str | None, SEGMENTATION] = None,
) -> None:
    """Print text as METEOR compares it: normalized, split into words and lower-cased, line by line."""
    names = files or [STDIN]
    choices = MeteorOptions(
        language=language, modules="exact", normalize=normalize, segmentation=segmentation
    ).choose()
    check_inputs(*names)
    if needs_download(choices):
        check_lines(names)
    meteor = open_meteor(choices)
    for name in names:
        for line in read_lines(name):
            print_line(meteor.normalized(line))
