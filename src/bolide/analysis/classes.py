"""Kinds of words: content and function words, frequency bands, letters or numbers, case, labels.

A kind (`WordKind`) divides words into classes. Most kinds depend on the word alone (`by_word`), case and
labels on its place in the text (`by_place`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Integers
from bolide.analysis.aligned import Tokens

# The lowest frequency of each band but the first, as in compare-mt; and for files, whose texts may be large.
IN_TEST_SET = (1, 2, 3, 4, 5, 10, 100, 1000)
IN_FILE = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
OTHER = "other"


@dataclass(frozen=True)
class WordKind:
    """A division of words into classes."""

    name: str
    title: str
    classes: tuple[str, ...]
    # For kinds that depend on the word alone: the class of each word number.
    of_word: Integers | None
    theirs: tuple[Integers, ...]  # for each system: the class (by its place) of each word of the references
    ours: tuple[Integers, ...]  # and of each word of the hypotheses


# The texts of both sides of each system: hypotheses, references.
Texts = Sequence[tuple[Tokens, Tokens]]


def by_word(
    name: str, title: str, classes: Sequence[str], of_word: Sequence[int] | Integers, texts: Texts
) -> WordKind:
    """A kind that depends on the word alone: `of_word` has the class of each word number."""
    table = np.asarray(of_word, dtype=np.int64)
    found = {id(tokens): table[tokens.words] for pair in texts for tokens in pair}
    theirs, ours = (tuple(found[id(pair[side])] for pair in texts) for side in (1, 0))
    return used(WordKind(name, title, tuple(classes), table, theirs, ours))


def used(kind: WordKind) -> WordKind:
    """The same kind without classes that have no words."""
    counts = sum(
        (np.bincount(entries, minlength=len(kind.classes)) for entries in (*kind.theirs, *kind.ours)),
        start=np.zeros(len(kind.classes), dtype=np.int64),
    )
    kept = counts > 0
    if kept.all():
        return kind
    numbers = np.cumsum(kept) - 1
    return WordKind(
        kind.name,
        kind.title,
        tuple(name for name, has in zip(kind.classes, kept, strict=True) if has),
        None if kind.of_word is None else np.where(kept, numbers, -1)[kind.of_word],
        tuple(numbers[entries] for entries in kind.theirs),
        tuple(numbers[entries] for entries in kind.ours),
    )


def function_classes(words: Sequence[str], function_words: frozenset[str]) -> list[int]:
    """Content words (0) and function words (1)."""
    return [int(word in function_words) for word in words]


SHAPES = ("words", "with digits", "punctuation and symbols")


def shape_classes(words: Sequence[str]) -> list[int]:
    """Which of `SHAPES` each word has.

    >>> shape_classes(["house", "1,000", "b2b", "—", "don't"])
    [0, 1, 1, 2, 0]
    """
    return [_shape(word) for word in words]


def minor_words(words: Sequence[str], function_words: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Which words are function words, or have neither letters nor digits. All others are content words.

    >>> minor_words(["the", "cat", "12", "—"], frozenset({"the"})).tolist()
    [True, False, False, True]
    """
    return np.array([word in function_words or _shape(word) == 2 for word in words], dtype=bool)


def _shape(word: str) -> int:
    if any(letter.isdigit() for letter in word):
        return 1
    return 0 if any(letter.isalpha() for letter in word) else 2


CASES = ("lower", "upper", "title", OTHER)
_CASE_TESTS: tuple[Callable[[str], bool], ...] = (str.islower, str.isupper, str.istitle)


def case_class(word: str) -> int:
    """Which of `CASES` a word is written in; the same as in compare-mt.

    >>> [CASES[case_class(word)] for word in ["cat", "NATO", "Rome", "iPod", "12"]]
    ['lower', 'upper', 'title', 'other', 'other']
    """
    return next((k for k, test in enumerate(_CASE_TESTS) if test(word)), CASES.index(OTHER))


NAMES = ("names", "numbers", "other words")
# Languages that also write other words with a capital letter.
CAPITALISED = frozenset({"de", "lb"})
# After these characters, a sentence begins.
_ENDS = frozenset('.!?:;…"«»“”„¿¡')
INSIDE, NO_WORD, SENTENCE = range(3)


def name_class(word: str) -> int:
    """Which of `NAMES` a word has that does not begin a sentence: names begin with a capital letter.

    >>> [NAMES[name_class(word)] for word in ["Rome", "NATO", "I", "iPod", "1,000", "b2b"]]
    ['names', 'names', 'other words', 'other words', 'numbers', 'numbers']
    """
    if any(letter.isdigit() for letter in word):
        return 1
    return 0 if len(word) > 1 and word[0].isupper() else 2


def sentence_state(word: str, after: str) -> int:
    """What a word and the characters after it tell about the next word. Dots in words are of abbreviations.

    >>> pairs = [("Rome", " "), ("Mr.", " "), (".", " "), ("-", " "), ("Rome", "! ")]
    >>> [sentence_state(*pair) for pair in pairs] == [INSIDE, INSIDE, SENTENCE, NO_WORD, SENTENCE]
    True
    """
    wordless = not any(map(str.isalnum, word))
    if _ENDS.intersection(after) or (wordless and _ENDS.intersection(word)):
        return SENTENCE
    return NO_WORD if wordless else INSIDE


def sentence_starts(states: Integers, starts: Integers) -> npt.NDArray[np.bool_]:
    """Which words begin a sentence: the first one of a segment, and the first one after an end. `states` has
    the `sentence_state` of each word, `starts` the first word of each segment.

    >>> sentence_starts(np.array([1, 0, 0, 2, 1, 0, 0]), np.array([0, 6, 7])).tolist()
    [True, True, False, False, True, True, True]
    """
    places = np.arange(len(states))
    known = np.where(states == NO_WORD, -1, places)
    last = np.concatenate([[-1], np.maximum.accumulate(known)[:-1]]) if len(known) else known
    first = np.repeat(starts[:-1], np.diff(starts))
    return np.asarray((last < first) | (states[last] == SENTENCE))


def bands(bounds: Sequence[int]) -> list[str]:
    """The names of frequency bands.

    >>> bands([1, 2, 5, 1000])
    ['0', '1', '2–4', '5–999', '≥ 1,000']
    """
    lows = [0, *bounds]
    found = [
        f"{low:,}" if high == low + 1 else f"{low:,}–{high - 1:,}"
        for low, high in zip(lows, bounds, strict=False)
    ]
    return [*found, f"≥ {lows[-1]:,}"]


def reference_bands() -> list[str]:
    """The names of the bands of the frequency in the references.

    >>> reference_bands()[:3]
    ['in no reference', '1', '2']
    """
    return ["in no reference", *bands(IN_TEST_SET)[1:]]


def frequency_classes(frequencies: Iterable[int], bounds: Sequence[int]) -> Integers:
    """The band of each frequency.

    >>> frequency_classes([0, 1, 4, 5, 10**9], [1, 2, 5, 1000]).tolist()
    [0, 1, 2, 3, 4]
    """
    return np.searchsorted(np.asarray(bounds), np.fromiter(frequencies, dtype=np.int64), side="right")


def counted(words: Sequence[str], references: Sequence[Integers]) -> Integers:
    """How often each word is in these arrays of word numbers."""
    total = np.zeros(len(words), dtype=np.int64)
    for found in references:
        total += np.bincount(found, minlength=len(words))
    return total


def looked_up(words: Sequence[str], frequencies: Mapping[str, int]) -> list[int]:
    """The frequency of each word. Words are as the metric sees them, usually in lower case, so frequencies
    of spellings that differ only in their case are added up.

    >>> looked_up(["the", "us"], {"The": 2, "the": 5, "US": 1})
    [7, 1]
    """
    lowered: Counter[str] = Counter()
    for word, count in frequencies.items():
        lowered[word.lower()] += count
    return [lowered[word.lower()] for word in words]
