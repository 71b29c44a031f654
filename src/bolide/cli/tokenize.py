"""`bolide tokenize`: the tokens of image captioning."""

from __future__ import annotations

from bolide.cli.input_options import check_inputs
from bolide.cli.meteor_options import FilesArgument
from bolide.cli.option_groups import flag
from bolide.cli.streams import print_line
from bolide.errors import ConfigurationError
from bolide.inputs.files import STDIN
from bolide.inputs.text_files import read_lines
from bolide.language import ptb as penn_treebank


def tokenize(
    files: FilesArgument = None,
    ptb: bool = flag("As pycocoevalcap's PTBTokenizer: lower-cased, without punctuation.", "--ptb"),
    keep_punctuation: bool = flag(
        "Keep punctuation marks, as Stanford's PTBTokenizer does.", "--keep-punctuation"
    ),
) -> None:
    """Tokenize text, line by line, as programs for image captions do."""
    if not ptb:
        raise ConfigurationError(
            "choose a tokenizer: --ptb. For the tokens of METEOR itself, use bolide normalize"
        )
    names = files or [STDIN]
    check_inputs(*names)
    for name in names:
        # Whether a period ends a sentence can depend on the next line, so a file is one text.
        lines = list(read_lines(name, whole=True))
        if lines:
            print_line(penn_treebank.tokenize("\n".join(lines), punctuation=keep_punctuation))
