"""Explanations: how the words of one segment are matched, why, and how its score is computed.

    explanation = bolide.Meteor().explain("the cats sat there", "the cat sat here")
    print(explanation)

Notebooks display it; `rich.print` prints it in colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bolide._support.visible import visible
from bolide.explanation import arithmetic, drawing
from bolide.explanation.arithmetic import Equation
from bolide.explanation.left_out import LeftOut, counting, left_out
from bolide.explanation.reasons import Reason
from bolide.formula.statistics import scores
from bolide.inputs.segments import Segments
from bolide.profiles import UNITS

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text as RichText

    from bolide.scoring.alignment import Alignment, Match
    from bolide.scoring.meteor import Meteor
    from bolide.scoring.score import Score

WIDTH = 80
SEVERAL = {
    "union": "words may match in any reference: the counts are for all together, the picture for the best",
    "all": "the counts are the sums over all references, the picture is for the best",
    "pool": "the counts are the sums over all references (a word of the hypothesis counts as matched with "
    "each if any matches it), the picture is for the best",
}

WORTHLESS = (
    "Java's search gives no value to a single word that does not match exactly.",
    "So the word is lost if two matches compete for it, such as a stem and a synonym.",
)
MISSED = ("The search looks at the best few alignments only.",)


@dataclass(frozen=True, repr=False)
class Explanation:
    """An alignment with the reasons of its matches and the arithmetic of its score."""

    alignment: Alignment
    reasons: tuple[Reason, ...]  # one per match
    score: Score
    reference_scores: tuple[float, ...]  # one per reference
    table: tuple[tuple[str, ...], ...]  # matches by module, see `arithmetic.table`
    lines: tuple[Equation, ...]
    signature: str
    notes: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()  # matches that the search left out

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Explanation: score {self.score.score:.4f}, {len(self.alignment.matches)} matches>"

    def text(self, width: int = WIDTH) -> str:
        """The explanation as text for a terminal with `width` columns, without colours."""
        rows = ("".join(piece for piece, _ in line).rstrip() for line in self._pieces(width))
        return "\n".join(rows)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data, for JSON."""
        found = asdict(self.alignment)
        for match, reason in zip(found["matches"], self.reasons, strict=True):
            match["reason"] = str(reason)
        found["score"] = asdict(self.score)
        return {
            **found,
            "reference_scores": list(self.reference_scores),
            "arithmetic": [{"name": line.name, "expressions": list(line.expressions)} for line in self.lines],
            "notes": list(self.notes),
            "left_out": [asdict(each) for each in self.left_out],
            "signature": self.signature,
        }

    def _repr_html_(self) -> str:
        from bolide.explanation.notebook import explanation_html

        return explanation_html(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RichText]:
        from rich.text import Text as RichText

        for line in self._pieces(options.max_width):
            styled = ((piece, "" if match is None else _style(match)) for piece, match in line)
            row = RichText.assemble(*styled)
            row.rstrip()
            yield row

    def _pieces(self, width: int) -> Iterator[list[drawing.DrawnText]]:
        """All lines, as pieces with the match that gives each piece its colour."""
        yield from drawing.lines(self.alignment, width)
        if why := list(self._matches()):
            yield from ([], *why)
        yield []
        for row in aligned(self.table):
            yield [(row, None)]
        yield []
        for line in self.lines:
            yield [(str(line), None)]
        for note in self.notes:
            yield [(note, None)]
        yield []
        yield [(self.signature, None)]

    def _matches(self) -> Iterator[list[drawing.DrawnText]]:
        """One line for each match of different words."""
        for match, reason in zip(self.alignment.matches, self.reasons, strict=True):
            ours, theirs = (visible(" ".join(words)) for words in self.alignment.phrases(match))
            if ours != theirs:
                why = visible(str(reason))
                yield [(f"{match.module}: {ours} = {theirs}", match), (f"  ({why})", None)]


def _style(match: Match) -> str:
    return drawing.STYLES[match.stage % len(drawing.STYLES)]


def explain(meteor: Meteor, segment: Segments) -> Explanation:
    """The explanation of the score of one segment."""
    alignment = meteor.align_all(segment)[0]
    statistics = meteor.measure(segment).statistics[0]
    functions = meteor.settings.profile.function_words != "none"
    unit = UNITS[meteor.settings.unit]
    count = len(segment.references)
    each = replace(segment, hypotheses=[*segment.hypotheses] * count, counts=np.ones(count, dtype=np.int32))
    alone = tuple(scores(meteor.measure(each).statistics, meteor.parameters).tolist())
    missing = _left_out(meteor, alignment)
    notes = _notes(meteor, alignment, alone), _surprises(meteor, segment, alignment, missing)
    return Explanation(
        alignment=alignment,
        reasons=tuple(meteor.reason(alignment, match) for match in alignment.matches),
        score=alignment.score,
        reference_scores=alone,
        table=tuple(arithmetic.table(statistics, meteor.modules, meteor.parameters, unit)),
        lines=tuple(arithmetic.arithmetic(statistics, meteor.parameters, unit, functions=functions)),
        signature=meteor.get_signature(len(alone), int(not alignment.optimal)),
        notes=tuple(chain(*notes)),
        left_out=missing,
    )


def _left_out(meteor: Meteor, alignment: Alignment) -> tuple[LeftOut, ...]:
    rows = [
        (m.reference_start, m.reference_length, m.hypothesis_start, m.hypothesis_length)
        for m in alignment.matches
    ]
    return left_out(meteor, [alignment.hypothesis], [alignment.reference], [rows])[0]


def _surprises(
    meteor: Meteor, segment: Segments, alignment: Alignment, missing: Sequence[LeftOut]
) -> Iterator[str]:
    """Says which matches the search left out, why, and which setting counts them."""
    if not missing:
        return
    yield ""
    yield "These words could match, but the search left them out:"
    for each in missing:
        ours = alignment.hypothesis[each.hypothesis_start :][: each.hypothesis_length]
        theirs = alignment.reference[each.reference_start :][: each.reference_length]
        why = meteor.stage_reason(each.stage, ours, theirs)
        yield visible(f"  {each.module}: {' '.join(ours)} = {' '.join(theirs)}  ({why})")
    yield from WORTHLESS if any(each.worthless for each in missing) else MISSED
    other = counting(meteor)
    score = other.score(other.measure(segment).statistics)[0]
    yield f"--aligner exact, as in profile 1.3, counts every word: then the score is {score:.4f}."


def _notes(meteor: Meteor, alignment: Alignment, alone: tuple[float, ...]) -> Iterator[str]:
    if len(alone) > 1:
        scores = ", ".join(f"{score:.4f}" for score in alone)
        yield f"references     {scores}: number {alone.index(max(alone)) + 1} is the best"
        if meteor.settings.references in SEVERAL:
            yield SEVERAL[meteor.settings.references]
    if not alignment.optimal:
        yield "the alignment is not proven optimal"
    if alignment.score.bounded:
        yield "the search reached its limit: the alignment is approximate"


def aligned(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The lines of a table: the first column is aligned to the left, numbers to the right."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    first, weight, *counts = widths
    half = sum(counts[:2]) + 2
    yield f"{'':{first + weight + 4}}{'hypothesis':<{half}}    reference"
    for title, number, *cells in rows:
        shown = [f"{cell:>{width}}" for cell, width in zip(cells, counts, strict=True)]
        yield f"{title:<{first}}  {number:>{weight}}  {'  '.join(shown[:2])}    {'  '.join(shown[2:])}"
