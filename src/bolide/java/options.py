"""Parses the Java command line: TEST REFERENCE, then options in any order.

The table is the whole grammar. The first two arguments are always the files. An option always takes the next
argument as its value. If an option occurs twice, the last one is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from bolide.errors import ConfigurationError, closest


@dataclass(frozen=True)
class JavaOptions:
    """The values of the options as text; None if not given."""

    test: str
    reference: str
    language: str = "en"
    task: str | None = None
    parameters: str | None = None
    modules: str | None = None
    weights: str | None = None
    reference_count: str = "1"
    beam: str = "40"
    function_words: str | None = None
    synonyms: str | None = None
    paraphrases: str | None = None
    new_language: str | None = None
    prefix: str = "meteor"
    quiet: bool = False
    characters: bool = False
    normalize: bool = False
    lower: bool = False
    no_punctuation: bool = False
    sgml: bool = False
    stdio: bool = False
    verbose: bool = False
    statistics: bool = False
    alignments: bool = False


# option → (field of JavaOptions, name of its value or "" for a flag, help)
TABLE: dict[str, tuple[str, str, str]] = {
    "-l": ("language", "language", "code or name of the language (default: en)"),
    "-t": ("task", "task", "rank, adq, hter, util, li or tune (default: rank, or li if rank was not tuned)"),
    "-p": ("parameters", "'alpha beta gamma delta'", "custom parameters"),
    "-m": ("modules", "'module ...'", "custom modules: exact stem synonym paraphrase"),
    "-w": ("weights", "'weight ...'", "custom weights, one per module"),
    "-r": (
        "reference_count",
        "count",
        "references per segment, on consecutive lines of REFERENCE (default: 1)",
    ),
    "-x": ("beam", "size", "beam width of the alignment (default: 40)"),
    "-s": ("function_words", "file", "function words, one per line"),
    "-d": ("synonyms", "folder", "folder with english.synsets and english.exceptions"),
    "-a": ("paraphrases", "file", "paraphrase table (gzip)"),
    "-new": ("new_language", "folder", "any language: folder with function.words and paraphrase.gz"),
    "-f": ("prefix", "prefix", "prefix of the names of output files (default: meteor)"),
    "-q": ("quiet", "", "only segment scores on standard error and the final score on standard output"),
    "-ch": ("characters", "", "count characters instead of words in precision and recall"),
    "-norm": ("normalize", "", "tokenize, normalize punctuation and lower-case"),
    "-lower": ("lower", "", "lower-case only"),
    "-noPunct": ("no_punctuation", "", "with -norm: remove punctuation"),
    "-sgml": ("sgml", "", "SGML input; write scores to PREFIX-seg.scr, PREFIX-doc.scr and PREFIX-sys.scr"),
    "-stdio": ("stdio", "", "answer SCORE and EVAL lines from standard input (give - as TEST and REFERENCE)"),
    "-mira": ("stdio", "", "old name of -stdio"),
    "-vOut": ("verbose", "", "print precision, recall and penalty with each score"),
    "-ssOut": ("statistics", "", "print statistics instead of scores"),
    "-writeAlignments": ("alignments", "", "write alignments to PREFIX-align.out"),
}


def usage() -> str:
    """The help text."""
    rows = [(f"{option} {value}".rstrip(), text) for option, (_, value, text) in TABLE.items()]
    width = max(len(left) for left, _ in rows)
    lines = [f"  {left.ljust(width)}  {text}" for left, text in rows]
    return "\n".join(
        [
            "Usage: bolide java TEST REFERENCE [options]",
            "",
            "The command line of Meteor 1.5: the same options, the same output, without Java.",
            "",
            *lines,
            "",
            "Plain text: -l en -norm.  SGML: -l en -norm -sgml.  Tokenized text: -l en -lower.",
            "",
        ]
    )


def parse(arguments: Sequence[str]) -> JavaOptions:
    """Parses the arguments."""
    assert {field for field, _, _ in TABLE.values()} <= {field.name for field in fields(JavaOptions)}
    test, reference, *rest = arguments
    found: dict[str, Any] = {}
    words = iter(rest)
    for word in words:
        if word not in TABLE:
            raise ConfigurationError(_unknown(word))
        field, value, _ = TABLE[word]
        found[field] = _value(word, value, next(words, None)) if value else True
    return JavaOptions(test, reference, **found)


def _value(option: str, shown: str, value: str | None) -> str:
    if value is None:
        raise ConfigurationError(f"option {option} needs a value: {option} {shown}")
    return value


def _unknown(word: str) -> str:
    close = closest(word, TABLE)
    hint = f'did you mean "{close}"? ' if close else ""
    return f'Unknown option "{word}"; {hint}TEST and REFERENCE come first, options are: {" ".join(TABLE)}'
