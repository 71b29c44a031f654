"""What systems do with words, one segment and one word at a time, for comparison with bolide.analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, pairwise

from bolide.scoring.alignment import Alignment
from bolide.xray import Xray

# A word of the reference or of the hypothesis, and what happened to it: "missed", "over", or a module.
Event = tuple[str, str]


def staying(places: Sequence[int], weights: Sequence[int]) -> list[int]:
    """The heaviest increasing subsequence: of equal ones, that whose last places are the earliest."""
    every = chain.from_iterable(combinations(range(len(places)), k) for k in range(len(places) + 1))
    increasing = [each for each in every if all(places[a] < places[b] for a, b in pairwise(each))]
    best = min(
        increasing, key=lambda each: (-sum(weights[k] for k in each), [places[k] for k in reversed(each)])
    )
    return list(best)


def moved_words(alignment: Alignment) -> set[int]:
    """The words of the reference in chunks that are out of order."""
    chunks: dict[int, list[int]] = {}
    starts: dict[int, int] = {}
    for match in sorted(alignment.matches, key=lambda match: match.reference_start):
        words = range(match.reference_start, match.reference_start + match.reference_length)
        chunks.setdefault(match.chunk, []).extend(words)
        starts.setdefault(match.chunk, match.hypothesis_start)
    names = list(chunks)
    kept = staying([starts[name] for name in names], [len(chunks[name]) for name in names])
    return {word for k, name in enumerate(names) if k not in kept for word in chunks[name]}


def reference_words(alignment: Alignment) -> Iterator[Event]:
    """The words of the reference: missed, or found by a module."""
    modules = {
        place: match.module
        for match in alignment.matches
        for place in range(match.reference_start, match.reference_start + match.reference_length)
    }
    for place, word in enumerate(alignment.reference):
        yield word, modules.get(place, "missed")


def hypothesis_words(alignment: Alignment) -> Iterator[Event]:
    """The words of the hypothesis: over-generated, or found by a module."""
    modules = {
        place: match.module
        for match in alignment.matches
        for place in range(match.hypothesis_start, match.hypothesis_start + match.hypothesis_length)
    }
    for place, word in enumerate(alignment.hypothesis):
        yield word, modules.get(place, "over")


def segment_counts(xray: Xray, system: int, segment: int, what: str) -> Counter[tuple[str, ...]]:
    """How often each word or n-gram is missed, over-generated, found (n-grams) or extra (n-grams)."""
    alignment = xray.alignment(system, segment)
    if what == "missed":
        return Counter((word,) for word, event in reference_words(alignment) if event == "missed")
    if what == "over":
        return Counter((word,) for word, event in hypothesis_words(alignment) if event == "over")
    ours, theirs = (ngrams(text) for text in (alignment.hypothesis, alignment.reference))
    return ours & theirs if what == "ngrams" else ours - theirs


def label_counts(alignment: Alignment, classes: Sequence[str], what: str) -> Counter[tuple[str, ...]]:
    """How often each n-gram of the classes of the hypothesis is found ("ngrams") or not ("extra")."""
    left, counts = ngrams(alignment.reference), Counter[tuple[str, ...]]()
    for n in (2, 3, 4):
        for k in range(len(classes) - n + 1):
            words = tuple(alignment.hypothesis[k : k + n])
            found = left[words] > 0
            left[words] -= found
            counts[tuple(classes[k : k + n])] += found == (what == "ngrams")
    return +counts


def ngrams(text: Sequence[str]) -> Counter[tuple[str, ...]]:
    """The n-grams of two to four words."""
    return Counter(tuple(text[k : k + n]) for n in (2, 3, 4) for k in range(len(text) - n + 1))
