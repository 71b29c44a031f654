"""The words of the systems of an X-ray. Each system counts with its best reference of each segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bolide._support.numbered import Numbered
from bolide.analysis import classes
from bolide.analysis.aligned import AlignedSystem, Tokens
from bolide.analysis.classes import WordKind
from bolide.analysis.words import WordAnalysis
from bolide.xray.annotations import label_kinds
from bolide.xray.model import Xray, XraySystem

FUNCTION = ("content words", "function words")


def analysis(xray: Xray) -> WordAnalysis:
    """The words of all systems."""
    numbers: Numbered[str] = Numbered()
    references: dict[bytes, Tokens] = {}
    systems, chosen = [], []
    for system in xray.systems:
        best = system.rows.best - xray.starts[:-1]
        key = best.tobytes()
        if key not in references:
            texts = [s.references[k] for s, k in zip(xray.segments, best.tolist(), strict=True)]
            references[key] = Tokens.of(texts, numbers)
        systems.append(_aligned(system, Tokens.of(system.hypotheses, numbers), references[key]))
        chosen.append(best)
    words = list(numbers)
    modules = [module.name for module in xray.modules]
    kinds = [*_kinds(xray, words, systems), *label_kinds(xray.annotations, chosen, words, systems)]
    return WordAnalysis(systems, words, modules, kinds)


def _aligned(system: XraySystem, ours: Tokens, theirs: Tokens) -> AlignedSystem:
    rows = system.rows
    starts, sizes = rows.offsets[rows.best], np.diff(rows.offsets)[rows.best]
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    matches = rows.matches[np.repeat(starts, sizes) + within].astype(np.int64).reshape(-1, 6)
    return AlignedSystem.of(system.name, ours, theirs, matches, np.repeat(np.arange(len(sizes)), sizes))


def _kinds(xray: Xray, words: Sequence[str], systems: Sequence[AlignedSystem]) -> list[WordKind]:
    """The kinds of words that need no labels."""
    texts = [(system.ours.tokens, system.theirs.tokens) for system in systems]
    found: list[tuple[str, str, Sequence[str], list[int]]] = [
        ("shape", "form", classes.SHAPES, classes.shape_classes(words))
    ]
    if xray.function_words:
        function = classes.function_classes(words, xray.function_words)
        found.insert(0, ("function", "content or function", FUNCTION, function))
    return [*(classes.by_word(*kind, texts) for kind in found), _by_frequency(xray, words, texts)]


def _by_frequency(xray: Xray, words: Sequence[str], texts: classes.Texts) -> WordKind:
    """Bands of frequencies: of the user's file, or in the references."""
    given = xray.annotations.frequencies
    bounds: Sequence[int]
    if given is not None:
        title, bounds, frequencies = "frequency", classes.IN_FILE, classes.looked_up(words, given)
    else:
        counts = Counter(word for segment in xray.segments for text in segment.references for word in text)
        title, bounds = "frequency in the references", classes.IN_TEST_SET
        frequencies = [counts[word] for word in words]
    bands = classes.frequency_classes(frequencies, bounds)
    return classes.by_word("frequency", title, classes.bands(bounds), bands, texts)
