"""Reads texts together with their judgments: JSON Lines, perhaps compressed, in two forms.

    ratings   segment  [system]  hypothesis  references  human          one object per translation
    pairs     a  b  references  preferred  [segment]  [references_a]  [references_b]

`references` is a list, and may differ between the objects of a segment. `human` is a number, a list with the
numbers of several raters, or an object of named scores; larger is better, null is no judgment. `preferred` is
"a", "b", or null for a tie. All other keys are free: conditions (`where`) can choose by them.

judged = read_judged_texts("captions.jsonl.gz", where=["is_reference=false"])
scores = judged.score(lambda texts: compute(["bleu", "rouge-l"], texts, Meteor))
print(correlate(scores, judged.judgments, measures=["kendall-c"]))
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide._support.numbered import Numbered
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation.formats import Collector
from bolide.evaluation.judgments import Judgments, Places
from bolide.evaluation.measures import RANKED, RATED
from bolide.evaluation.normalise import normalised
from bolide.evaluation.rows import Row, read_rows
from bolide.evaluation.scores import Scores
from bolide.evaluation.texts import Texts
from bolide.inputs.files import shown
from bolide.inputs.formats import format_of

FORMAT = "jsonl"
References = tuple[str, ...]
# What happens to a text that is one of its own references: the references that it keeps. A text without
# references is left out.
OWN_REFERENCES: dict[str, Callable[[str, References], References]] = {
    "keep": lambda text, references: references,
    "drop": lambda text, references: () if text in references else references,
    "remove": lambda text, references: tuple(each for each in references if each != text),
}


@dataclass(frozen=True)
class JudgedTexts:
    """Judgments and their texts. Every translation has its own references.

    - `texts`: all texts as the output of one system; each is a segment of its own.
    - `segments`, `systems`: the places of these texts, as indices into those of the judgments.
    """

    name: str
    judgments: Judgments
    texts: Texts
    segments: Places
    systems: Places

    @property
    def measures(self) -> tuple[str, ...]:
        """The usual measures. Those of systems are not among them: many such files have no whole systems."""
        return RANKED if self.judgments.has_pairs else RATED

    @property
    def places(self) -> dict[tuple[str, str], int]:
        """The index of each text, by system and segment."""
        systems, segments = self.judgments.systems, self.judgments.segments
        pairs = zip(self.systems, self.segments, strict=True)
        return {(systems[system], segments[segment]): k for k, (system, segment) in enumerate(pairs)}

    def check(self, measures: Sequence[str]) -> None:
        """Fails if a measure needs ratings, and there are only pairs."""
        for name in measures:
            if self.judgments.has_pairs and name not in RANKED:
                raise ConfigurationError(
                    f"{shown(self.name)} has pairs of texts; their measures are {', '.join(RANKED)}, "
                    f"not {name}"
                )

    def normalised(self, method: str) -> JudgedTexts:
        """The same with normalized ratings."""
        return replace(self, judgments=normalised(self.judgments, method))

    def score(self, metric: Callable[[Texts], list[Scores]], *, systems: bool = False) -> list[Scores]:
        """Scores of metrics, in the order of the judgments. `systems`: also corpus scores, as far as metrics
        can compute them from segments; otherwise the score of a system is the mean of its segments."""
        return [self._placed(scores, systems) for scores in metric(self.texts)]

    def _placed(self, flat: Scores, systems: bool) -> Scores:
        shape = len(self.judgments.segments), len(self.judgments.systems)
        assert flat.values is not None
        values = np.full(shape, math.nan)
        values[self.segments, self.systems] = flat.values[:, 0]
        lengths = flat.lengths
        if lengths is not None:
            counts = np.bincount(self.segments, minlength=shape[0])
            lengths = np.bincount(self.segments, weights=lengths, minlength=shape[0]) / np.maximum(counts, 1)
        of_texts = flat.totals

        def totals(counts: Floats) -> Floats:
            assert of_texts is not None
            times = counts[self.segments]
            return np.array([of_texts(times * (self.systems == m))[0] for m in range(shape[1])])

        whole = totals if systems and of_texts is not None else None
        corpus = None if whole is None else whole(np.ones(shape[0]))
        return Scores(
            flat.name, self.judgments.systems, self.judgments.segments, values, corpus, whole, lengths,
            flat.signature,
        )  # fmt: skip


def is_judged_texts(path: str, form: str | None = None) -> bool:
    """Whether a file of judgments has the texts, too."""
    return form == FORMAT or (form is None and format_of(path) == FORMAT)


def read_judged_texts(
    path: str | os.PathLike[str],
    *,
    where: Sequence[str] = (),
    human: Sequence[str] = (),
    own_references: str = "keep",
    name: str | None = None,
) -> JudgedTexts:
    """Reads a file of texts with judgments.

    - `where`: conditions KEY=VALUE or KEY!=VALUE, which all rows to keep must meet.
    - `human`: the named scores to average; default: all. A name may also be another key of the row.
    - `own_references`: "drop" leaves out texts that are one of their own references, and their pairs;
      "remove" takes them out of their references.
    """
    checks.choice("own_references", own_references, OWN_REFERENCES)
    file = os.fspath(path)
    rows = read_rows(file, where)
    first = next(rows)
    kind = next((kind for key, kind in KINDS.items() if key in first.values), None)
    if kind is None:
        first.fail(
            "no key 'human' (a rating) nor 'preferred' (the better of two texts); "
            f"the keys are: {', '.join(first.values)}"
        )
    reader = kind(file, human, own_references)
    reader.add(first)
    for row in rows:
        reader.add(row)
    return reader.found(name or file)


class _Reader:
    """Collects judgments and texts."""

    def __init__(self, file: str, human: Sequence[str], own: str) -> None:
        self.file, self.human, self.without_own = file, human, OWN_REFERENCES[own]
        self.judged = Collector()
        self.hypotheses: list[str] = []
        self.references: list[list[str]] = []
        self.places: list[tuple[int, int]] = []

    def add(self, row: Row) -> None:
        raise NotImplementedError

    def keep(self, segment: str, system: str, hypothesis: str, references: Sequence[str]) -> None:
        self.hypotheses.append(hypothesis)
        self.references.append(list(references))
        self.places.append((self.judged.segments[segment], self.judged.systems[system]))

    def found(self, name: str) -> JudgedTexts:
        if self.judged.empty:
            raise InputError(f"{shown(self.file)}: no text has a judgment, or all were left out")
        names = tuple(str(k) for k in range(1, len(self.hypotheses) + 1))
        places = np.array(self.places, dtype=np.intp).T
        texts = Texts(names, {"": self.hypotheses}, self.references)
        return JudgedTexts(name, self.judged.judgments(self.file), texts, places[0], places[1])


class _Ratings(_Reader):
    def __init__(self, file: str, human: Sequence[str], own: str) -> None:
        super().__init__(file, human, own)
        self._known: set[tuple[str, str]] = set()
        self._next: dict[tuple[str, str | None], int] = {}

    def add(self, row: Row) -> None:
        hypothesis, references = row.text("hypothesis"), row.texts("references")
        segment, ratings = row.name("segment"), list(_ratings(row, self.human))
        references = self.without_own(hypothesis, references)
        if not references or not ratings:
            return
        system = self._system(segment, None if row.values.get("system") is None else row.name("system"))
        self.keep(segment, system, hypothesis, references)
        for judge, score in ratings:
            self.judged.rating(segment, system, judge, score)

    def _system(self, segment: str, given: str | None) -> str:
        """The name of a system, or one that is new in the segment: 1, 2, … without a name, and "name#2",
        "name#3", … for a name that is repeated."""
        name = given
        while name is None or (segment, name) in self._known:
            number = self._next.get((segment, given), 1 if given is None else 2)
            self._next[segment, given] = number + 1
            name = str(number) if given is None else f"{given}#{number}"
        self._known.add((segment, name))
        return name


def _ratings(row: Row, names: Sequence[str]) -> Iterator[tuple[str, float]]:
    """The ratings of a row, with their judges. Several named scores of a judge are averaged."""
    human = row.get("human")
    if isinstance(human, dict):
        named = human if not names else {name: _named(row, human, name) for name in names}
    else:
        named = {name: row.get(name) for name in names} or {"human": human}
    of_judges: dict[str, list[float]] = {}
    for name, value in named.items():
        listed = value if isinstance(value, list) else [value]
        if not listed:
            row.fail(f"'{name}' is empty")
        for k, each in enumerate(listed, 1):
            score = row.number(each, f"'{name}'")
            if not math.isnan(score):
                of_judges.setdefault(str(k) if isinstance(value, list) else "", []).append(score)
    if not named:
        row.fail("'human' is empty")
    return ((judge, sum(scores) / len(scores)) for judge, scores in of_judges.items())


def _named(row: Row, human: dict[str, object], name: str) -> object:
    if name not in human and name not in row.values:
        row.fail(f"'human' has no score '{name}'; it has: {', '.join(human)}")
    return human.get(name, row.values.get(name))


class _Pairs(_Reader):
    """Texts with the same references are one translation of their segment; its system is only a number.
    Without a segment, every pair has one of its own."""

    def __init__(self, file: str, human: Sequence[str], own: str) -> None:
        super().__init__(file, human, own)
        if human:
            raise ConfigurationError(f"{shown(file)} has pairs of texts, and no named human scores to choose")
        self._slots: dict[str, Numbered[tuple[str, References]]] = {}
        self._count = 0

    def add(self, row: Row) -> None:
        texts, references = zip(*(self._side(row, side) for side in "ab"), strict=True)
        preferred = row.get("preferred")
        if preferred not in ("a", "b", None):
            row.fail(f'\'preferred\' must be "a", "b", or null for a tie, not {preferred!r}')
        self._count += 1
        segment = row.name("segment") if row.values.get("segment") is not None else str(self._count)
        sides = [(text, self.without_own(text, own)) for text, own in zip(texts, references, strict=True)]
        if not all(own for _, own in sides):
            return
        a, b = (self._place(segment, *side) for side in sides)
        better, worse = (b, a) if preferred == "b" else (a, b)
        self.judged.pair(segment, better, worse, tie=preferred is None)

    @staticmethod
    def _side(row: Row, side: str) -> tuple[str, References]:
        own = f"references_{side}"
        return row.text(side), row.texts(own if row.values.get(own) is not None else "references")

    def _place(self, segment: str, text: str, references: References) -> str:
        slots = self._slots.setdefault(segment, Numbered())
        before = len(slots)
        slot = slots[text, references]
        if len(slots) > before:
            self.keep(segment, str(slot + 1), text, references)
        return str(slot + 1)


# The key that tells the form of a file.
KINDS: dict[str, type[_Reader]] = {"preferred": _Pairs, "human": _Ratings}
