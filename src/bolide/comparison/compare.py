"""Compares systems: scores, confidence intervals, and significance tests of the differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, cast

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats, Statistics
from bolide._support.labels import short_name
from bolide.comparison import reports, significance
from bolide.comparison.metrics import ComparedMetric, MeasuredMetric, MeasuredMetrics, MetricResult
from bolide.errors import ConfigurationError, InputError
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import Contributions, evaluate
from bolide.inputs.segments import ReferenceLayout, Text, many_segments
from bolide.scoring.meteor import Meteor
from bolide.scoring.score import FLAGS, CorpusScore, SegmentColumn

Test = Literal["bootstrap", "randomization", "none"]
TESTS: tuple[Test, ...] = ("bootstrap", "randomization", "none")
MOST_SHOWN = 5  # systems in a repr
# Fields of a corpus score in reports. Segments have fields of the same names.
FIELDS = (
    "score",
    *("precision", "recall", "f1", "fmean", "penalty"),
    *("chunks", "hypothesis_matches", "reference_matches", "hypothesis_length", "reference_length"),
    *("bounded", "optimal", "unproven", "segment_count", "signature", "eval_id", "matches"),
)


@dataclass(frozen=True)
class ComparedSystem:
    """A system with its corpus score and the results of resampling; None for results not asked for."""

    name: str
    score: CorpusScore
    interval: tuple[float, float] | None = None  # 95% confidence interval
    difference: float | None = None  # its score minus that of the baseline
    p_value: float | None = None  # of that difference
    rank: tuple[int, int] | None = None  # first and last rank of its cluster

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in the JSON of the command line."""
        documents = self.score.documents
        rows = [
            {"document": name, **{field: getattr(score, field) for field in FIELDS}}
            for name, score in (documents or {}).items()
        ]
        return {
            "system": self.name,
            **{field: getattr(self.score, field) for field in FIELDS},
            "interval": None if self.interval is None else list(self.interval),
            "difference": self.difference,
            "p_value": self.p_value,
            "rank": None if self.rank is None else list(self.rank),
            **({} if documents is None else {"documents": rows}),
        }


@dataclass(frozen=True)
class ComparedPair:
    """Two systems: the score of the first minus that of the second, its p-value, and the number of segments
    where the first has the higher, an equal, or the lower score."""

    first: str
    second: str
    difference: float
    p_value: float
    wins: int
    ties: int
    losses: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "systems": [self.first, self.second],
            "difference": self.difference,
            "p_value": self.p_value,
            **{name: getattr(self, name) for name in ("wins", "ties", "losses")},
        }


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems in the order given. `print` shows them as a table."""

    systems: tuple[ComparedSystem, ...]
    parameters: Parameters
    baseline: str | None = None
    test: Test = "none"
    samples: int | None = None  # None if nothing was resampled
    seed: int | None = None
    pairs: tuple[ComparedPair, ...] | None = None  # with all_pairs
    metrics: tuple[ComparedMetric, ...] = ()  # other metrics

    def __getitem__(self, name: str) -> ComparedSystem:
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(name)

    @property
    def ranking(self) -> tuple[ComparedSystem, ...]:
        """The systems, best first."""
        return tuple(sorted(self.systems, key=lambda system: -system.score.score))

    def to_dict(self, *, segments: bool = False) -> dict[str, Any]:
        """Plain values, as in the JSON of the command line (reports/score.schema.json). With `segments`, also
        the scores of segments, if they were kept."""
        found = self.fields(segments=segments)
        for row in found["systems"] if segments else ():
            row["segments"] = list(row["segments"])
            row["segment_components"] = {name: list(c) for name, c in row["segment_components"].items()}
        return found

    def fields(self, *, segments: bool = False) -> dict[str, Any]:
        """The same, but values of segments are computed when they are read."""
        return {
            "systems": [
                {
                    **system.to_dict(),
                    **(segment_fields(system.name, system.score, self.parameters) if segments else {}),
                    **self._of_metrics(system.name, segments=segments),
                }
                for system in self.systems
            ],
            "baseline": self.baseline,
            "test": self.test,
            "samples": self.samples,
            "seed": self.seed,
            "pairs": None if self.pairs is None else [pair.to_dict() for pair in self.pairs],
            **({"metrics": [metric.to_dict() for metric in self.metrics]} if self.metrics else {}),
        }

    def _of_metrics(self, system: str, *, segments: bool) -> dict[str, Any]:
        """The fields of other metrics."""
        found = {metric.name: metric.results[system] for metric in self.metrics}
        if not found:
            return {}
        fields = {"metrics": {name: result.to_dict() for name, result in found.items()}}
        values = {name: result.segments.tolist() for name, result in found.items()}
        return {**fields, "segment_metrics": values} if segments else fields

    def __str__(self) -> str:
        return "\n".join(reports.lines(self))

    def _repr_html_(self) -> str:
        """The table in notebooks."""
        from bolide.comparison.notebook import comparison_html

        return comparison_html(self)

    def _repr_markdown_(self) -> str:
        """The table in notebooks that do not show HTML."""
        return "\n".join(reports.lines(self, "markdown"))

    def __repr__(self) -> str:
        scores = few(f"{short_name(system.name)}={system.score.score:.4f}" for system in self.systems)
        baseline = None if self.baseline is None else short_name(self.baseline)
        return f"<Comparison {scores}; test {self.test}, baseline {baseline}>"


def few(items: Iterable[str]) -> str:
    """The first items, and how many there are besides.

    >>> few(["a", "b"]), few("abcdefghi")
    ('a, b', 'a, b, c, d, e, and 4 more')
    """
    found = list(items)
    more = len(found) - MOST_SHOWN
    return ", ".join([*found[:MOST_SHOWN], *([f"and {more} more"] if more > 0 else [])])


def segment_fields(name: str, score: CorpusScore, parameters: Parameters) -> dict[str, Any]:
    """The fields of segments in JSON."""
    statistics = _kept(name, score)
    flags = np.zeros(0, dtype=np.uint8) if score.flags is None else score.flags
    return {
        "segments": SegmentColumn(statistics, parameters, "score"),
        "segment_components": {
            field: SegmentColumn(statistics, parameters, field)
            for field in ("precision", "recall", "f1", "fmean", "penalty", "chunks", "matches")
        },
        **{f"{name}_segments": (np.flatnonzero(flags & flag) + 1).tolist() for name, flag in FLAGS.items()},
    }


@dataclass(frozen=True)
class ComparisonOptions:
    """How to compare; the arguments of `compare`."""

    baseline: str | None = None
    test: Test = "bootstrap"
    samples: int | None = None
    seed: int = significance.SEED
    all_pairs: bool = False

    def check(self, names: Sequence[str]) -> None:
        """Fails, before anything is scored, if the options do not fit the systems."""
        checks.choice("test", self.test, TESTS)
        if self.samples is not None:
            checks.whole("samples", self.samples)
        checks.whole("seed", self.seed, least=0)
        if self.baseline is not None:
            checks.choice("baseline", self.baseline, names)
        if self.all_pairs and len(names) < 2:
            raise ConfigurationError("all_pairs needs at least two systems")
        if self.all_pairs and self.test == "none":
            raise ConfigurationError("all_pairs needs a test: bootstrap or randomization")

    @property
    def sample_count(self) -> int:
        default = significance.SAMPLES.get(self.test, significance.SAMPLES["bootstrap"])
        return default if self.samples is None else int(self.samples)


DEFAULTS = ComparisonOptions()


def compare(
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[Any],
    *,
    meteor: Meteor | None = None,
    baseline: str | None = None,
    test: Test = "bootstrap",
    samples: int | None = None,
    seed: int = significance.SEED,
    all_pairs: bool = False,
    layout: ReferenceLayout | None = None,
    documents: Sequence[str] | None = None,
    metrics: Sequence[str] = (),
) -> Comparison:
    """Scores systems against the same references, and tests their differences.

    - `systems`: a dictionary of hypotheses by the name of the system; `references` and `layout` as in
      `bolide.inputs.segments`.
    - `meteor`: the scorer (default: `Meteor()`).
    - `baseline`: the system to test the others against (default: the first).
    - `test`: "bootstrap" or "randomization" (`bolide.comparison.significance`), or "none" for intervals only.
    - `samples`: default 1,000 for the bootstrap, 10,000 for randomization, as in sacrebleu.
    - `seed`: the same seed gives the same result on every machine.
    - `all_pairs`: test every pair, and rank the systems in clusters that differ significantly.
    - `documents`: the document of each segment; documents are scored, too.
    - `metrics`: other metrics, with the numbers of sacrebleu: "bleu", "chrf", "chrf++", "ter".

    >>> import bolide
    >>> scorer = Meteor("linear", modules=["exact"], normalize="lower")
    >>> systems = {"one": ["a b c d"] * 9 + ["x"], "two": ["a b"] * 9 + ["x"]}
    >>> found = bolide.compare(systems, ["a b c d"] * 10, meteor=scorer, all_pairs=True)
    >>> round(found["two"].difference, 4), found["two"].p_value < 0.05, found["two"].rank
    (-0.4373, True, (2, 2))
    """
    _check_mapping(systems)
    options = ComparisonOptions(baseline, test, samples, seed, all_pairs)
    options.check(list(systems))
    meteor = meteor or Meteor()
    others = MeasuredMetrics(metrics, meteor.threads)
    references, documents = _materialized(references), _materialized(documents)
    scores = {}
    for name, hypotheses in systems.items():
        hypotheses = _materialized(hypotheses)
        try:
            if metrics:
                others.add(name, many_segments(hypotheses, references, layout))
            scores[name] = meteor.corpus_score(hypotheses, references, layout=layout, documents=documents)
        except InputError as error:
            raise InputError(f"system {name}: {error}") from None
    return compare_scores(scores, meteor, options, others)


def compare_scores(
    scores: Mapping[str, CorpusScore],
    meteor: Meteor,
    options: ComparisonOptions = DEFAULTS,
    others: Iterable[MeasuredMetric] = (),
) -> Comparison:
    """Compares corpora that were scored with kept segments, by METEOR and by other metrics."""
    options.check(list(scores))
    segments, known = _segment_count(scores), untested(scores, meteor, options)
    if segments < 2:  # one segment has only one sample
        return replace(known, metrics=untested_metrics(others, known.baseline))
    resampling = _Resampling.of_meteor(scores, meteor, options)
    found = replace(
        known,
        metrics=tuple(_compared_metric(other, known.baseline, options, meteor.threads) for other in others),
        systems=tuple(replace(s, interval=resampling.interval(s.name)) for s in known.systems),
        test=options.test,
        samples=options.sample_count,
        seed=int(options.seed),
    )
    if options.test == "none" or found.baseline is None:
        return found
    return _ranked(found, resampling) if options.all_pairs else _tested(found, resampling)


def untested(
    scores: Mapping[str, CorpusScore], meteor: Meteor, options: ComparisonOptions = DEFAULTS
) -> Comparison:
    """Only the differences from the baseline, without resampling. This needs no segments."""
    first = next(iter(scores)) if options.baseline is None else options.baseline
    baseline = None if len(scores) < 2 else first
    systems = (
        ComparedSystem(name, score, difference=None if name == first else score.score - scores[first].score)
        for name, score in scores.items()
    )
    return Comparison(tuple(systems), meteor.parameters, baseline)


def untested_metrics(others: Iterable[MeasuredMetric], baseline: str | None) -> tuple[ComparedMetric, ...]:
    """The scores of other metrics, without resampling."""
    found = []
    for other in others:
        metric, rows = other.metric, other.rows()
        scores = {name: metric.corpus_score(own) for name, own in rows.items()}
        results = {
            name: MetricResult(
                score,
                difference=None if baseline in (None, name) else score - scores[str(baseline)],
                segments=other.segment_scores(rows[name]),
            )
            for name, score in scores.items()
        }
        found.append(ComparedMetric(metric.name, metric.kind.higher, metric.signature, results))
    return tuple(found)


def _compared_metric(
    other: MeasuredMetric, baseline: str | None, options: ComparisonOptions, threads: int
) -> ComparedMetric:
    """Another metric with intervals, and with p-values if there is a test."""
    [known] = untested_metrics([other], baseline)
    scores = {name: result.score for name, result in known.results.items()}
    resampling = _Resampling(scores, list(other.rows().values()), other.metric.score, options, threads)
    tested = [name for name, result in known.results.items() if result.difference is not None]
    pairs = [(str(baseline), name) for name in tested if options.test != "none"]
    p_values = dict(zip(tested, resampling.p_values(pairs), strict=False))
    results = {
        name: replace(result, interval=resampling.interval(name), p_value=p_values.get(name))
        for name, result in known.results.items()
    }
    return replace(known, results=results)


def _tested(known: Comparison, resampling: _Resampling) -> Comparison:
    """Adds the p-value of each difference from the baseline."""
    baseline = known.baseline or ""
    others = [system.name for system in known.systems if system.difference is not None]
    found = dict(zip(others, resampling.p_values([(baseline, name) for name in others]), strict=True))
    return replace(known, systems=tuple(replace(s, p_value=found.get(s.name)) for s in known.systems))


def _ranked(known: Comparison, resampling: _Resampling) -> Comparison:
    """Adds the p-value of every pair, and the clusters."""
    systems = known.systems
    names, scores = [s.name for s in systems], [s.score.score for s in systems]
    segment_scores = [cast(Floats, s.score.segments) for s in systems]  # kept, or resampling had failed
    places = [*combinations(range(len(systems)), 2)]
    p_values = resampling.p_values([(names[a], names[b]) for a, b in places])
    table = np.ones((len(systems), len(systems)))
    for (a, b), p in zip(places, p_values, strict=True):
        table[a, b] = table[b, a] = p
    ranks = significance.clusters(scores, table)
    baseline = names.index(known.baseline or "")
    return replace(
        known,
        systems=tuple(
            replace(s, rank=ranks[k], p_value=None if k == baseline else float(table[k, baseline]))
            for k, s in enumerate(systems)
        ),
        pairs=tuple(
            ComparedPair(
                names[a],
                names[b],
                scores[a] - scores[b],
                float(table[a, b]),
                *significance.outcomes(segment_scores[a], segment_scores[b]),
            )
            for a, b in places
        ),
    )


class _Resampling:
    """The samples of systems, drawn when they are needed."""

    def __init__(
        self,
        scores: Mapping[str, float],
        values: Sequence[significance.Rows],
        scorer: significance.ScoreSums,
        options: ComparisonOptions,
        threads: int,
    ) -> None:
        self._places = {name: place for place, name in enumerate(scores)}
        self._scores = list(scores.values())
        self._values, self._scorer = values, scorer
        self._options, self._threads = options, threads

    @staticmethod
    def of_meteor(
        scores: Mapping[str, CorpusScore], meteor: Meteor, options: ComparisonOptions
    ) -> _Resampling:
        values: list[significance.Rows]
        scorer: significance.ScoreSums
        kept = [_kept(name, score) for name, score in scores.items()]
        if meteor.settings.profile.corpus == "mean":
            numbers, unit = significance.fixed_point(np.stack([meteor.score(rows) for rows in kept]))
            values = [row[:, None] for row in numbers]
            scorer = lambda sums: sums[:, 0] * (unit / numbers.shape[1])  # noqa: E731
        else:
            values = [Contributions(rows, meteor.parameters.formula) for rows in kept]
            scorer = lambda sums: evaluate(sums, meteor.parameters)[:, -1]  # noqa: E731
        found = {name: score.score for name, score in scores.items()}
        return _Resampling(found, values, scorer, options, meteor.threads)

    @cached_property
    def _samples(self) -> Floats:
        return significance.bootstrap(
            self._values, self._scorer, self._options.sample_count, self._options.seed, self._threads
        )

    def interval(self, name: str) -> tuple[float, float]:
        return significance.interval(self._samples[self._places[name]])

    def p_values(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        places = [(self._places[a], self._places[b]) for a, b in pairs]
        if self._options.test == "bootstrap":
            return [
                significance.bootstrap_p_value(
                    self._samples[a], self._samples[b], self._scores[a] - self._scores[b]
                )
                for a, b in places
            ]
        samples, seed = self._options.sample_count, self._options.seed
        return significance.randomization(self._values, self._scorer, places, samples, seed, self._threads)


def _materialized(value: Any, depth: int = 3) -> Any:
    """Converts iterators to lists, also nested ones, because they are read once per system."""
    if isinstance(value, str) or not depth:
        return value
    if isinstance(value, Iterator) or (
        isinstance(value, (list, tuple)) and any(not isinstance(inner, str) for inner in value)
    ):
        return [_materialized(inner, depth - 1) for inner in value]
    return value


def _check_mapping(systems: Mapping[str, Sequence[Text]]) -> None:
    if not isinstance(systems, Mapping) or not all(isinstance(name, str) for name in systems):
        raise InputError("systems must be a dictionary: name of the system to its hypotheses")
    if not systems:
        raise InputError("systems is empty; give at least one system, or two to compare")


def _segment_count(scores: Mapping[str, CorpusScore]) -> int:
    """The number of segments of every system; an error if they differ."""
    counts = {name: score.segment_count for name, score in scores.items()}
    if len(set(counts.values())) > 1:
        found = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise InputError(f"the systems differ in their number of segments: {found}")
    count = next(iter(counts.values()))
    if not count:
        raise InputError("nothing to compare: the systems have no segments")
    return count


def _kept(name: str, score: CorpusScore) -> Statistics:
    if score.statistics is None:
        raise InputError(
            f"the statistics of {name} were not kept: use corpus_score, or Meteor.corpus(keep=True)"
        )
    return score.statistics
