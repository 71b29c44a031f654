"""Symmetric word alignments, and phrase pairs of aligned sentences, as in the papers; slow.

Grow-diag-final-and is Koehn's listing, line by line. Phrase pairs are searched among all pairs of spans, and
their probabilities are counted over all pairs found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

Link = tuple[int, int]  # source, target
NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))  # target, source


def grow_diag_final_and(first: set[Link], second: set[Link]) -> set[Link]:
    alignment = first & second
    sources = range(1 + max((s for s, _ in first | second), default=-1))
    targets = range(1 + max((t for _, t in first | second), default=-1))
    added = True
    while added:
        added = False
        for target, source in product(targets, sources):
            if (source, target) not in alignment:
                continue
            for down, right in NEIGHBOURS:
                new = source + right, target + down
                if new in first | second and not (
                    has_source(alignment, new[0]) and has_target(alignment, new[1])
                ):
                    alignment.add(new)
                    added = True
    for direction in (first, second):
        for target, source in product(targets, sources):
            if (source, target) in direction and not (
                has_source(alignment, source) or has_target(alignment, target)
            ):
                alignment.add((source, target))
    return alignment


def has_source(alignment: set[Link], word: int) -> bool:
    return any(source == word for source, _ in alignment)


def has_target(alignment: set[Link], word: int) -> bool:
    return any(target == word for _, target in alignment)


class Pair(NamedTuple):
    """A sentence pair."""

    source: Sequence[str]
    target: Sequence[str]
    links: frozenset[Link]


class Extracted(NamedTuple):
    source: str
    target: str
    links: tuple[Link, ...]  # relative to the start of the phrases


def spans(length: int, longest: int) -> Iterator[range]:
    return (
        range(start, end)
        for start in range(length)
        for end in range(start + 1, min(length, start + longest) + 1)
    )


def extract(pair: Pair, longest: int) -> Iterator[Extracted]:
    for source, target in product(spans(len(pair.source), longest), spans(len(pair.target), longest)):
        inside = [link for link in pair.links if link[0] in source and link[1] in target]
        leaving = [link for link in pair.links if (link[0] in source) != (link[1] in target)]
        if inside and not leaving:
            yield Extracted(
                " ".join(pair.source[k] for k in source),
                " ".join(pair.target[k] for k in target),
                tuple(sorted((s - source.start, t - target.start) for s, t in inside)),
            )


class Lexicon:
    """How often words are linked; words without a link are linked to the empty word, ""."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.together: Counter[tuple[str, str]] = Counter()
        for source, target, links in pairs:
            self.together.update((source[s], target[t]) for s, t in links)
            self.together.update((word, "") for k, word in enumerate(source) if not has_source(set(links), k))
            self.together.update(("", word) for k, word in enumerate(target) if not has_target(set(links), k))

    def source_given_target(self, source: str, target: str) -> float:
        every = sum(count for (_, word), count in self.together.items() if word == target)
        return self.together[source, target] / every

    def target_given_source(self, source: str, target: str) -> float:
        every = sum(count for (word, _), count in self.together.items() if word == source)
        return self.together[source, target] / every

    def weights(self, phrases: Extracted) -> tuple[float, float]:
        """Lexical weights: of the source given the target, and the other way round."""
        sources, targets = phrases.source.split(), phrases.target.split()
        forward, backward = [], []
        for k, word in enumerate(sources):
            linked = [targets[t] for s, t in phrases.links if s == k] or [""]
            forward.append(sum(self.source_given_target(word, other) for other in linked) / len(linked))
        for k, word in enumerate(targets):
            linked = [sources[s] for s, t in phrases.links if t == k] or [""]
            backward.append(sum(self.target_given_source(other, word) for other in linked) / len(linked))
        return prod(forward), prod(backward)


class Row(NamedTuple):
    """A line of a phrase table, as Moses writes it."""

    source: str
    target: str
    p_source_given_target: float
    lex_source_given_target: float
    p_target_given_source: float
    lex_target_given_source: float
    alignment: str
    count_source: int
    count_target: int
    count_joint: int


def phrase_table(pairs: Sequence[Pair], longest: int) -> list[Row]:
    """Each row has the links that its phrases have most often.

    Ties: number the links row by row, read them as a binary number, and take the first.
    """
    found = Counter(phrases for pair in pairs for phrases in extract(pair, longest))
    lexicon = Lexicon(pairs)
    joint: Counter[tuple[str, str]] = Counter()
    sources: Counter[str] = Counter()
    targets: Counter[str] = Counter()
    best: dict[tuple[str, str], Extracted] = {}
    for phrases, count in sorted(found.items(), key=lambda item: (-item[1], number(item[0].links))):
        best.setdefault((phrases.source, phrases.target), phrases)
        joint[phrases.source, phrases.target] += count
        sources[phrases.source] += count
        targets[phrases.target] += count
    rows = []
    for (source, target), count in sorted(joint.items()):
        forward, backward = lexicon.weights(best[source, target])
        links = " ".join(f"{s}-{t}" for s, t in best[source, target].links)
        counts = sources[source], targets[target], count
        rows.append(
            Row(source, target, count / counts[1], forward, count / counts[0], backward, links, *counts)
        )
    return rows


def number(links: Sequence[Link]) -> int:
    return sum(1 << (8 * s + t) for s, t in links)
