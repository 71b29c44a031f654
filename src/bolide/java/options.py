"""The Java command line: TEST REFERENCE, then options in any order.

The table is the whole grammar. The first two arguments are the files, whatever they look like; an option
takes the argument after it, whatever that looks like; the last of two equal options holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from bolide.errors import ConfigurationError


@dataclass(frozen=True)
class JavaOptions:
    """What was asked for, as text. None: not said."""

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


# option → (field of JavaOptions, how its value is shown; "" for a flag, help)
TABLE: dict[str, tuple[str, str, str]] = {
    "-l": ("language", "language", "code or name of the language (default: en)"),
    "-t": ("task", "task", "rank, adq, hter, util, li or tune (default: rank, or li if rank was not tuned)"),
    "-p": ("parameters", "'alpha beta gamma delta'", "own parameters"),
    "-m": ("modules", "'module ...'", "own modules: exact stem synonym paraphrase"),
    "-w": ("weights", "'weight ...'", "own weights, one for each module"),
    "-r": ("reference_count", "count", "references a segment: so many lines of REFERENCE (default: 1)"),
    "-x": ("beam", "size", "width of the alignment search (default: 40)"),
    "-s": ("function_words", "file", "function words, one a line"),
    "-d": ("synonyms", "folder", "folder with english.synsets and english.exceptions"),
    "-a": ("paraphrases", "file", "paraphrase table (gzip)"),
    "-new": ("new_language", "folder", "any language: folder with function.words and paraphrase.gz"),
    "-f": ("prefix", "prefix", "beginning of the names of output files (default: meteor)"),
    "-q": ("quiet", "", "segment scores to standard error, the final score to standard output, nothing else"),
    "-ch": ("characters", "", "count characters, not words, in precision and recall"),
    "-norm": ("normalize", "", "tokenise, normalise punctuation and lower-case"),
    "-lower": ("lower", "", "lower-case only"),
    "-noPunct": ("no_punctuation", "", "with -norm: drop punctuation"),
    "-sgml": ("sgml", "", "SGML input; scores go to PREFIX-seg.scr, PREFIX-doc.scr and PREFIX-sys.scr"),
    "-stdio": ("stdio", "", "answer SCORE and EVAL lines from standard input (give - as TEST and REFERENCE)"),
    "-mira": ("stdio", "", "old name of -stdio"),
    "-vOut": ("verbose", "", "precision, recall and penalty beside each score"),
    "-ssOut": ("statistics", "", "statistics instead of scores"),
    "-writeAlignments": ("alignments", "", "alignments to PREFIX-align.out"),
}


def usage() -> str:
    """What to type."""
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
            "Plain text: -l en -norm.  SGML: -l en -norm -sgml.  Tokenised text: -l en -lower.",
            "",
        ]
    )


def parse(arguments: Sequence[str]) -> JavaOptions:
    """JavaOptions from arguments."""
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
    close = get_close_matches(word, TABLE, n=1)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    return f'Unknown option "{word}"; {hint}TEST and REFERENCE come first, options are: {" ".join(TABLE)}'
