"""The alignment that Java Meteor 1.5 searches for, including its quirks.

A beam search over reference positions. Each round sorts the paths, keeps the best ``width`` and extends
them by one position. Three quirks decide half of all segments and are easy to get wrong:

* Weighted match counts are integers: a match of a non-exact stage adds ``length * 0.5`` *truncated*, so
  a single stem or synonym adds nothing and only shows in the chunk count.
* When a path takes a match, the distance of that match is added to the path it was *copied from*, not to the
  copy that took it. So later copies, and the path that skips the position, have this distance too.
* Matches without a competitor are fixed before the search. Competition is decided by counting the listed
  matches per word, so a paraphrase that is listed twice competes with itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import letters
from .matchers import ExactStage, Identity, LetterStage, Match, Stage, java_hash, list_matches

EXACT_WEIGHT = 1.0
OTHER_WEIGHT = 0.5


@dataclass
class Path:
    """A partial alignment of the reference words before ``next_index``."""

    matches: tuple[Match, ...] = ()
    used_reference: frozenset[int] = frozenset()
    used_hypothesis: frozenset[int] = frozenset()
    hypothesis_count: int = 0
    reference_count: int = 0
    chunks: int = 0
    next_index: int = 0
    last_end: int | None = None  # where the last match ended in the hypothesis; None: no open chunk
    distance: int = 0

    def rank(self) -> tuple[int, int, int]:
        """Sort key: more matches, then fewer chunks, then smaller distance."""
        return -(self.hypothesis_count + self.reference_count), self.chunks, self.distance

    def take(self, match: Match, weight: float) -> None:
        """Count a match whose words are already marked as used."""
        self.hypothesis_count = int(self.hypothesis_count + match.hypothesis_length * weight)
        self.reference_count = int(self.reference_count + match.reference_length * weight)
        if self.last_end is not None and self.last_end != match.hypothesis_start:
            self.chunks += 1
        self.matches = (*self.matches, match)
        self.next_index = match.reference_start + match.reference_length
        self.last_end = match.hypothesis_start + match.hypothesis_length

    def close_chunk(self) -> None:
        if self.last_end is not None:
            self.chunks += 1
            self.last_end = None


def reference_words(match: Match) -> frozenset[int]:
    return frozenset(range(match.reference_start, match.reference_start + match.reference_length))


def hypothesis_words(match: Match) -> frozenset[int]:
    return frozenset(range(match.hypothesis_start, match.hypothesis_start + match.hypothesis_length))


def fixed_matches(candidates: Sequence[Sequence[Match]]) -> dict[int, Match]:
    """Reference start -> match, for matches that compete with no other listed match."""
    coverage: Counter[tuple[str, int]] = Counter()
    for match in (match for row in candidates for match in row):
        coverage.update(("reference", word) for word in reference_words(match))
        coverage.update(("hypothesis", word) for word in hypothesis_words(match))
    fixed = {}
    for start, row in enumerate(candidates):
        if len(row) == 1 and all(
            [coverage["reference", word] == 1 for word in reference_words(row[0])]
            + [coverage["hypothesis", word] == 1 for word in hypothesis_words(row[0])]
        ):
            fixed[start] = row[0]
    return fixed


def align(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stages: Sequence[Stage],
    *,
    width: int = 40,
    identity: Identity = java_hash,
) -> tuple[Match, ...]:
    """The alignment of two sentences, by reference position."""
    matches = list_matches(hypothesis, reference, stages, identity)
    weights = [EXACT_WEIGHT if isinstance(stage, ExactStage) else OTHER_WEIGHT for stage in stages]
    alignment = search(matches, len(reference), weights, width)
    identical = list(map(identity, hypothesis)) == list(map(identity, reference))
    for number, stage in enumerate(stages[:1] if identical else stages):
        if isinstance(stage, LetterStage):
            alignment = tuple(letters.add_matches(hypothesis, reference, alignment, stage.letters, number))
    return alignment


def search(
    matches: Sequence[Match], reference_length: int, weights: Sequence[float], width: int
) -> tuple[Match, ...]:
    """The matches that Java chooses from the listed ones."""
    candidates = [[match for match in matches if match.reference_start == p] for p in range(reference_length)]
    fixed = fixed_matches(candidates)
    paths = [
        Path(
            used_reference=frozenset[int]().union(*map(reference_words, fixed.values())),
            used_hypothesis=frozenset[int]().union(*map(hypothesis_words, fixed.values())),
        )
    ]
    for position in range(reference_length + 1):
        best = sorted(paths, key=Path.rank)[:width]
        paths = [child for path in best for child in extend(path, position, candidates, fixed, weights)]
        if not paths:
            return best[0].matches
    return min(paths, key=Path.rank).matches


def extend(
    path: Path,
    position: int,
    candidates: Sequence[Sequence[Match]],
    fixed: dict[int, Match],
    weights: Sequence[float],
) -> list[Path]:
    """The continuations of one path at one reference position, in the order in which ties are kept."""
    if position >= len(candidates):
        path.close_chunk()
        return [path]
    if position in path.used_reference:
        return pass_used(path, position, fixed, weights)
    children = []
    for match in candidates[position]:
        if path.used_reference & reference_words(match) or path.used_hypothesis & hypothesis_words(match):
            continue
        child = replace(
            path,
            used_reference=path.used_reference | reference_words(match),
            used_hypothesis=path.used_hypothesis | hypothesis_words(match),
        )
        child.take(match, weights[match.stage])
        children.append(child)
        path.distance += abs(match.reference_start - match.hypothesis_start)  # the parent's, after the copy
    path.close_chunk()
    path.next_index += 1
    return [*children, path]


def pass_used(path: Path, position: int, fixed: dict[int, Match], weights: Sequence[float]) -> list[Path]:
    """Skip a position covered by an earlier match; take a fixed match that starts here."""
    if position < path.next_index:
        return [path]
    if position not in fixed:
        return []
    match = fixed[position]
    path.take(match, weights[match.stage])
    path.distance += abs(match.reference_start - match.hypothesis_start)
    return [path]
