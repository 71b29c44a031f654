"""Tuning on the lists of a real decoder."""

from __future__ import annotations

from pathlib import Path

import pytest

from bolide import Meteor
from bolide.mert import MertPlan, MertProblem, NBest, Weights, make_objective, read_references, tune
from bolide.mert.rerank import reranked


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    path = shared / "data" / "nbest"
    if not path.is_dir():
        pytest.skip(f"{path} is not there")
    return path


def test_tuned_weights_are_better(folder: Path, english: Meteor) -> None:
    references = read_references([str(folder / "dev.en")])
    lists = NBest.read([str(folder / f"dev.run{k}.nbest.xz") for k in (0, 1)], len(references))
    weights = Weights.read(str(folder / "weights.run0"))
    tuned = tune(lists, references, weights, plan=MertPlan(restarts=0))
    assert (lists.sentences, lists.lines) == (600, 97_445)
    assert tuned.after.value > tuned.before.value + 0.4
    values = [step.value for step in tuned.climb.steps]
    assert values == sorted(values)
    # The chosen texts have the score that the search reports.
    texts = reranked(lists, tuned.weights)
    scorer = Meteor(task="tune")
    assert 100 * scorer.corpus_score(texts, references, layout="segments").score == pytest.approx(
        tuned.after.value
    )
    # Sentences that were not tuned on.
    others = read_references([str(folder / "test1.en")])
    unseen = NBest.read([str(folder / "test1.run0.nbest.xz")], len(others))
    problem = MertProblem(unseen, make_objective(scorer, others))
    assert problem.value(tuned.vector) > problem.value(weights.vector(unseen.layout))


def test_the_first_of_each_list_is_what_its_weights_choose(folder: Path) -> None:
    """Features and weights reproduce the decoder's own order."""
    path = folder / "dev.run0.nbest.xz"
    lists = NBest.read([str(path)])
    first = [lists.texts[lists.text_of[k]] for k in lists.offsets[:-1]]
    chosen = reranked(lists, Weights.read(str(folder / "weights.run0")))
    assert sum(a == b for a, b in zip(first, chosen, strict=True)) >= 0.99 * len(first)
