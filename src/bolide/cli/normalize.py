"""`bolide normalize`: the text as the metric sees it."""

from __future__ import annotations

from bolide.cli.options import Files, Language, Normalize
from bolide.inputs.files import STDIN
from bolide.inputs.text import read_lines
from bolide.scoring.meteor import Meteor


def normalize(
    files: Files = None, language: Language = "en", normalize: Normalize = "keep-punctuation"
) -> None:
    """Normalise, tokenise and lower-case text, line by line."""
    meteor = Meteor(language=language, modules=["exact"], normalize=normalize)
    for name in files or [STDIN]:
        for line in read_lines(name):
            print(meteor.normalized(line))
