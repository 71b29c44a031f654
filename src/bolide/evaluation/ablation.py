"""The contribution of each part of METEOR: the tables of Banerjee and Lavie (2005) for any data.

    1     systems: Pearson's r of BLEU, NIST, precision, recall, F1, Fmean and the score
    2, 3  segments: r of each system, and the mean
    4, 5  segments: precision, recall, F1, Fmean and the score; mean r per system
    6, 7  segments: the same for each sequence of modules
    8     segments: human ratings, raw and normalized per judge

In the paper, tables 2, 4 and 6 are for Arabic, and 3, 5 and 7 for Chinese. If judges ranked translations
instead of rating them, the rating is the share of comparisons won in the segment, and Kendall's τ is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolide._support.extras import MissingExtraError
from bolide.evaluation import metrics, tables
from bolide.evaluation.correlation import pearson
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.measures import get
from bolide.evaluation.normalise import METHODS, normalised
from bolide.evaluation.scores import Scores
from bolide.evaluation.texts import Texts
from bolide.scoring.meteor import Meteor
from bolide.scoring.reproduction import arguments
from bolide.scoring.signature import Signature

# The sequences of modules in the paper, where the exact module alone ignores function words.
SEQUENCES = (
    ("exact",),
    ("exact", "porter-stem"),
    ("exact", "wn-stem"),
    ("exact", "porter-stem", "wn-synonym"),
)
SYSTEM_METRICS = ("bleu", "nist")
TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F1", "fmean": "Fmean", "score": "METEOR"}


@dataclass(frozen=True)
class AblationTable:
    """A table: titles, then rows of cells. `values` has the numbers by row and column."""

    title: str
    rows: list[list[str]]
    values: dict[tuple[str, str], float]

    def lines(self, output: str = "text", width: int | None = None) -> Iterator[str]:
        if output in ("text", "markdown"):
            yield f"**{self.title}**" if output == "markdown" else self.title
            yield ""
        elif output == "latex":
            yield f"% {self.title}"
        yield from tables.table_lines(self.rows if width is None else self._with(width), output)

    def _with(self, decimals: int) -> list[list[str]]:
        titles, *rows = self.rows
        numbers = ([self.values[row[0], title] for title in titles[1:]] for row in rows)
        cells = ([tables.number(value, decimals) for value in values] for values in numbers)
        return [titles, *([row[0], *line] for row, line in zip(rows, cells, strict=True))]


@dataclass(frozen=True)
class Ablation:
    tables: tuple[AblationTable, ...]
    notes: tuple[str, ...] = ()

    def lines(self, output: str = "text", width: int | None = None) -> Iterator[str]:
        """The tables as lines. `width` is the number of decimals (default: 3; all in TSV)."""
        if output == "tsv":
            yield "\t".join(["table", "line", "column", "value"])
            for table in self.tables:
                for (line, column), value in table.values.items():
                    shown = repr(value) if width is None else f"{value:.{width}f}"
                    yield "\t".join([table.title, line, column, "" if np.isnan(value) else shown])
            return
        for table in self.tables:
            yield from table.lines(output, width)
        *notes, signature = self.notes or ("",)
        yield from tables.noted(notes, [("", signature)] if signature else [], output)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in JSON."""
        return {
            "tables": [
                {
                    "title": table.title,
                    "values": [
                        {"line": line, "column": column, "value": None if np.isnan(value) else value}
                        for (line, column), value in table.values.items()
                    ],
                }
                for table in self.tables
            ],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())


def ablate(
    meteor: Meteor, texts: Texts, judgments: Judgments, advance: Callable[[str], None] = lambda what: None
) -> Ablation:
    """The tables of the 2005 paper for a scorer. Profile 2005 in English is the METEOR of the paper."""
    advance("METEOR")
    texts = texts.only(judgments.systems)
    parts = [each.beside(judgments) for each in metrics.meteor_scores(meteor, texts, "METEOR", tuple(TITLES))]
    named = dict(zip(TITLES.values(), parts, strict=True))
    others, notes = _others(texts, judgments, advance)
    sequences = {}
    for label, scorer in _sequences(meteor):
        advance(label)
        sequences[label] = metrics.meteor_scores(scorer, texts, label)[0].beside(judgments)
    found = [
        _table("Table 1: systems", "metric", {**others, **named}, judgments, OF_SYSTEMS),
        _per_system(named["METEOR"], judgments),
        _table("Tables 4 and 5: parts of the score", "metric", named, judgments, _of_segments(judgments)),
        _table("Tables 6 and 7: modules", "modules", sequences, judgments, _of_segments(judgments)),
    ]
    if len(judgments.judges) > 1 and judgments.has_ratings:
        found.append(_normalised(named["METEOR"], judgments))
    notes = [f"{len(judgments.systems)} systems, {len(judgments.segments)} segments judged", *notes]
    if not judgments.has_ratings and judgments.has_pairs:
        notes.append("rankings: the rating of a segment is the share of comparisons won in it")
    return Ablation(tuple(found), (*notes, named["METEOR"].signature))


def _others(
    texts: Texts, judgments: Judgments, advance: Callable[[str], None]
) -> tuple[dict[str, Scores], list[str]]:
    """BLEU and NIST, if they are installed."""
    found, notes = {}, []
    for name in SYSTEM_METRICS:
        advance(name)
        try:
            scores = metrics.OTHERS[name](texts, segments=False).beside(judgments)
            found[scores.name] = scores
        except MissingExtraError as error:
            notes.append(f"without {name.upper()}: {error}")
    return found, notes


def _sequences(meteor: Meteor) -> Iterator[tuple[str, Meteor]]:
    """Scorers that differ only in their modules: the sequences of the paper, or one module more each time."""
    if set(meteor.modules) <= {name for names in SEQUENCES for name in names} and "exact" in meteor.modules:
        words = sorted(meteor.settings.pack.function_words)
        if words and len(meteor.modules) > 1:
            yield "exact, no function words", _with_modules(meteor, ["exact"], stop_words=words)
        sequences: Sequence[tuple[str, ...]] = SEQUENCES if len(meteor.modules) > 1 else SEQUENCES[:1]
    else:
        sequences = [meteor.modules[: k + 1] for k in range(len(meteor.modules))]
    for names in sequences:
        yield ", ".join(names), _with_modules(meteor, names)


def _with_modules(meteor: Meteor, names: Sequence[str], **further: Any) -> Meteor:
    """The same scorer with other modules. They have the weights of the scorer, if those are custom and known
    for all of them, else the weights of the profile."""
    settings = meteor.settings
    asked = arguments(
        Signature.of(settings),
        profile=settings.profile,
        matchers=settings.matchers.values(),
        stop_words=settings.stop_words or None,
        synonyms=settings.synonyms if settings.profile.synonyms is None else None,
        resources=settings.pack,
    )
    weights = dict(zip(meteor.modules, meteor.parameters.weights, strict=True))
    if settings.custom_parameters:
        asked["weights"] = [weights[name] for name in names] if set(names) <= set(weights) else None
    if not settings.pack.hash:
        del asked["resources"]  # not used by the scorer, but perhaps with other modules
    asked["modules"] = [settings.matchers.get(name, name) for name in names]
    return Meteor(**{**asked, "threads": settings.threads, **further})


# Titles of columns, each with its measure and grouping.
AblationColumns = dict[str, tuple[str, str | None]]


OF_SYSTEMS: AblationColumns = {"Pearson": ("system-pearson", None), "Spearman": ("system-spearman", None)}


def _of_segments(judgments: Judgments) -> AblationColumns:
    columns: AblationColumns = {"Pearson per system": ("pearson", "system")}
    if judgments.has_pairs:
        columns["τ (WMT14)"] = ("kendall-wmt14", None)
    return columns


def _table(
    title: str, what: str, scores: dict[str, Scores], judgments: Judgments, columns: AblationColumns
) -> AblationTable:
    values = {}
    for line, each in scores.items():
        for column, (name, group) in columns.items():
            measure = get(name)
            values[line, column] = measure.prepare(each, judgments, measure.grouped(group))(None)
    return _drawn(title, what, list(scores), list(columns), values)


def _per_system(scores: Scores, judgments: Judgments) -> AblationTable:
    assert scores.values is not None
    human = judgments.matrix
    found = {}
    for m, system in enumerate(judgments.systems):
        known = ~np.isnan(human[:, m])
        found[system, "Pearson"] = (
            pearson(scores.values[known, m], human[known, m]) if known.any() else float("nan")
        )
    values = np.array(list(found.values()))
    known = ~np.isnan(values)
    found["average", "Pearson"] = float(values[known].mean()) if known.any() else float("nan")
    lines = [*judgments.systems, "average"]
    return _drawn("Tables 2 and 3: METEOR, each system", "system", lines, ["Pearson"], found)


def _normalised(scores: Scores, judgments: Judgments) -> AblationTable:
    measure, values = get("pearson"), {}
    for method in METHODS:
        ratings = normalised(judgments, method)
        values[method, "Pearson per system"] = measure.prepare(scores, ratings, "system")(None)
    title = "Table 8: ratings normalized per judge"
    return _drawn(title, "ratings", list(METHODS), ["Pearson per system"], values)


def _drawn(
    title: str, what: str, lines: list[str], columns: list[str], values: dict[tuple[str, str], float]
) -> AblationTable:
    rows = [[what, *columns]]
    for line in lines:
        cells = [values[line, column] for column in columns]
        rows.append([line, *(tables.number(cell, tables.DECIMALS) for cell in cells)])
    return AblationTable(title, rows, values)
