"""τ of Meteor 1.5 on WMT12 and WMT13, computed by bolide from the texts.

It must equal the figures of the shared README (computed with the jar), by both tie rules, to three digits.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bolide import Meteor, evaluation
from bolide.evaluation.measures import get
from bolide.evaluation.metrics import meteor_scores

INTO_ENGLISH = [f"wmt{year}.{pair}" for year in (12, 13) for pair in ("cs-en", "de-en", "es-en", "fr-en")]
OUT_OF_ENGLISH = [f"wmt12.{pair}" for pair in ("en-cs", "en-de", "en-es", "en-fr")]
# Columns of the table in the README, and the matching columns of the scores file.
COLUMNS = {
    "Meteor 1.5 τ": "meteor15",
    "without paraphrases": "meteor15_ess",
    "BLEU": "bleu",
    "chrF": "chrf",
    "chrF++": "chrfpp",
    "TER": "ter",
    "NLTK": "nltk_meteor",
}


def published(shared: Path, name: str) -> dict[str, tuple[float, float]]:
    """The row of a set, by column: τ with ties in the denominator only, τ with ties discordant."""
    text = (shared / "data" / "wmt" / "README.md").read_text(encoding="utf-8")
    table = [line.strip("| \n").split(" | ") for line in text.splitlines() if line.startswith("|")]
    titles = next(row for row in table if row[0] == "set")
    row = next(row for row in table if row[0] == name.replace(".", " "))
    cells = dict(zip(titles, row, strict=True))
    return {
        title: (float(cell.split("/")[0]), float(cell.split("/")[1]))
        for title, cell in cells.items()
        if re.fullmatch(r"-?\.\d{3}/-?\.\d{3}", cell)
    }


def taus(scores: evaluation.Scores, people: evaluation.Judgments) -> tuple[float, float]:
    beside = scores.beside(people)
    first, second = (get(f"kendall-{rule}").prepare(beside, people, "none") for rule in ("wmt14", "wmt12"))
    return round(first(None), 3), round(second(None), 3)


@pytest.mark.parametrize("name", INTO_ENGLISH)
def test_meteor_from_texts(name: str, shared: Path, english: Meteor) -> None:
    folder = shared / "data" / "wmt"
    people = evaluation.read_judgments(folder / f"{name}.pairs.tsv.gz")
    texts = evaluation.read_texts(
        [str(folder / f"{name}.hyp.tsv.gz")], [str(folder / f"{name}.ref.tsv.gz")]
    ).only(people.systems)
    numbered = {segment: k for k, segment in enumerate(texts.segments)}
    places = [numbered[segment] for segment in people.segments]
    judged = evaluation.Texts(
        people.segments,
        {system: [each[k] for k in places] for system, each in texts.hypotheses.items()},
        [texts.references[k] for k in places],
    )
    (scores,) = meteor_scores(english, judged)
    assert taus(scores, people) == published(shared, name)["Meteor 1.5 τ"]


@pytest.mark.parametrize("name", [*INTO_ENGLISH, *OUT_OF_ENGLISH])
def test_every_metric_from_its_scores(name: str, shared: Path) -> None:
    folder = shared / "data" / "wmt"
    people = evaluation.read_judgments(folder / f"{name}.pairs.tsv.gz")
    scores = {each.name: each for each in evaluation.read_scores(folder / f"{name}.scores.tsv.gz")}
    scores["ter"] = scores["ter"].negated()
    expected = published(shared, name)
    assert len(expected) >= 6
    assert {title: taus(scores[COLUMNS[title]], people) for title in expected} == expected
