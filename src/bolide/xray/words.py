"""The words of the systems of an X-ray. Each system counts with its best reference of each segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bolide._support.arrays import Integers
from bolide.analysis import classes
from bolide.analysis.aligned import AlignedSystem, Tokens
from bolide.analysis.classes import WordKind
from bolide.analysis.words import WordAnalysis
from bolide.xray.annotations import label_kinds

if TYPE_CHECKING:
    from bolide.xray.model import Xray, XraySystem

FUNCTION = ("content words", "function words")
CASE, NAME = "case", "name"


def analysis(xray: Xray) -> WordAnalysis:
    """The words of all systems."""
    texts = xray.spelled
    of_piece = np.array([piece[0] for piece in texts.pieces.pieces], dtype=np.int64)
    references: dict[bytes, tuple[Tokens, Integers]] = {}
    systems, chosen, pieces = [], [], []
    for system, hypotheses in zip(xray.systems, texts.hypotheses, strict=True):
        best = system.rows.best - xray.starts[:-1]
        key = best.tobytes()
        if key not in references:
            own = [each[k] for each, k in zip(texts.references, best.tolist(), strict=True)]
            references[key] = _tokens(own, of_piece)
        (ours, our_pieces), (theirs, their_pieces) = _tokens(hypotheses, of_piece), references[key]
        systems.append(_aligned(system, ours, theirs))
        chosen.append(best)
        pieces.append((our_pieces, their_pieces))
    words = list(texts.pieces.words)
    modules = [module.name for module in xray.modules]
    kinds = _kinds(xray, words, systems)
    if texts.pieces.raw:
        kinds.append(_by_piece(CASE, "case", classes.CASES, piece_cases(xray), pieces))
        if xray.language not in classes.CAPITALISED:
            kinds += _by_name(xray, systems, pieces)
    kinds += label_kinds(xray.annotations, chosen, words, systems)
    return WordAnalysis(systems, words, modules, kinds)


def _tokens(texts: Sequence[Sequence[int]], of_piece: Integers) -> tuple[Tokens, Integers]:
    """Texts of pieces as tokens, and the pieces. A negative number stands for a text without words."""
    found = Tokens.of([text if text and text[0] >= 0 else () for text in texts])
    return replace(found, words=of_piece[found.words]), found.words


def piece_cases(xray: Xray) -> Integers:
    """The class of each piece by the case of its spelling."""
    words = list(xray.spelled.pieces.words)
    spellings = [piece[1] or words[piece[0]] for piece in xray.spelled.pieces.pieces]
    return np.array([classes.case_class(text) for text in spellings], dtype=np.int64)


def _by_piece(
    name: str, title: str, names: Sequence[str], found: Integers, pieces: Sequence[tuple[Integers, Integers]]
) -> WordKind:
    """A kind that depends on the spelling: `found` has the class of each piece."""
    theirs, ours = (tuple(found[pair[side]] for pair in pieces) for side in (1, 0))
    return classes.used(WordKind(name, title, tuple(names), None, theirs, ours))


def piece_names(xray: Xray) -> tuple[Integers, Integers]:
    """The class of each piece among `NAMES` inside a sentence, and its state (`sentence_state`)."""
    words = list(xray.spelled.pieces.words)
    spelled = [(piece[1] or words[piece[0]], piece[2]) for piece in xray.spelled.pieces.pieces]
    found = [classes.name_class(text) for text, _ in spelled]
    return np.array(found, dtype=np.int64), np.array([classes.sentence_state(*text) for text in spelled])


def _by_name(
    xray: Xray, systems: Sequence[AlignedSystem], pieces: Sequence[tuple[Integers, Integers]]
) -> list[WordKind]:
    """Names and numbers; nothing if the text has no names. Words that begin a sentence are not names."""
    inside, states = piece_names(xray)
    known: dict[int, Integers] = {}

    def of_side(tokens: Tokens, own: Integers) -> Integers:
        if id(own) not in known:
            first = classes.sentence_starts(states[own], tokens.starts)
            known[id(own)] = np.where(first & (inside[own] == 0), len(classes.NAMES) - 1, inside[own])
        return known[id(own)]

    both = list(zip(systems, pieces, strict=True))
    theirs = tuple(of_side(system.theirs.tokens, own) for system, (_, own) in both)
    ours = tuple(of_side(system.ours.tokens, own) for system, (own, _) in both)
    kind = classes.used(WordKind(NAME, "names and numbers", classes.NAMES, None, theirs, ours))
    return [kind] if classes.NAMES[0] in kind.classes else []


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
        names = classes.bands(bounds)
    else:
        counts = Counter(word for segment in xray.segments for text in segment.references for word in text)
        title, names = "frequency in the references", classes.reference_bands()
        bounds = classes.IN_TEST_SET
        frequencies = [counts[word] for word in words]
    bands = classes.frequency_classes(frequencies, bounds)
    return classes.by_word("frequency", title, names, bands, texts)
