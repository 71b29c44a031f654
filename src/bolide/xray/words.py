"""The words of the systems of an X-ray. Each system counts with its best reference of each segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bolide._support.arrays import Integers
from bolide._support.numbered import Numbered
from bolide.analysis import classes
from bolide.analysis.aligned import AlignedSystem, Tokens
from bolide.analysis.classes import WordKind
from bolide.analysis.words import WordAnalysis
from bolide.xray.model import Xray, XraySystem


def analysis(xray: Xray) -> WordAnalysis:
    """The words of all systems."""
    numbers: Numbered[str] = Numbered()
    references: dict[bytes, Tokens] = {}
    systems = []
    for system in xray.systems:
        best = system.rows.best - xray.starts[:-1]
        key = best.tobytes()
        if key not in references:
            texts = [s.references[k] for s, k in zip(xray.segments, best.tolist(), strict=True)]
            references[key] = Tokens.of(texts, numbers)
        systems.append(_aligned(system, Tokens.of(system.hypotheses, numbers), references[key]))
    words = list(numbers)
    modules = [module.name for module in xray.modules]
    return WordAnalysis(systems, words, modules, _kinds(xray, words, systems))


def _aligned(system: XraySystem, ours: Tokens, theirs: Tokens) -> AlignedSystem:
    rows = system.rows
    starts, sizes = rows.offsets[rows.best], np.diff(rows.offsets)[rows.best]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    matches = rows.matches[np.repeat(starts, sizes) + within].astype(np.int64).reshape(-1, 6)
    return AlignedSystem.of(system.name, ours, theirs, matches, np.repeat(np.arange(len(sizes)), sizes))


def _kinds(xray: Xray, words: Sequence[str], systems: Sequence[AlignedSystem]) -> list[WordKind]:
    texts = [(system.ours.tokens, system.theirs.tokens) for system in systems]
    found = [
        classes.by_word(
            "shape", "Letters, digits, signs", classes.SHAPES, classes.shape_classes(words), texts
        )
    ]
    if xray.function_words:
        function = classes.function_classes(words, xray.function_words)
        found.insert(0, classes.by_word("function", "Content and function words", FUNCTION, function, texts))
    bounds = classes.IN_TEST_SET
    frequencies = _in_references(xray, words)
    bands = classes.frequency_classes(frequencies, bounds)
    found.append(classes.by_word("frequency", IN_REFERENCES, classes.bands(bounds), bands, texts))
    return found


FUNCTION = ("content words", "function words")
IN_REFERENCES = "Frequency in the references"


def _in_references(xray: Xray, words: Sequence[str]) -> Integers:
    """How often each word is in the references of all segments."""
    counts = Counter(word for segment in xray.segments for text in segment.references for word in text)
    return np.array([counts[word] for word in words], dtype=np.int64)
