"""bolide.compat.sacrebleu in the real sacrebleu: scores, signatures, significance tests."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bolide import Meteor, compare
from bolide.errors import InputError
from tests.support import generate

pytest.importorskip("sacrebleu")
from sacrebleu.metrics.base import Metric
from sacrebleu.significance import PairedTest

from bolide.compat.sacrebleu import METEOR
from bolide.formula.statistics import contributions

Make = Callable[..., METEOR]
SAMPLES = 300
SEED = 12345  # sacrebleu's


@pytest.fixture
def metric(meteor: Callable[..., Meteor]) -> Make:
    def make(profile: str = "1.5", **options: Any) -> METEOR:
        meteor(profile=profile)  # or skip
        return METEOR(profile, **options)

    return make


def systems() -> tuple[list[str], list[str], list[str]]:
    """Two systems, the second slightly worse, and a reference."""
    pairs = generate.pairs("en", 150, seed=9)
    better = [pair.hypothesis for pair in pairs]
    worse = [" ".join(text.split()[k % 3 == 0 :]) for k, text in enumerate(better)]
    return better, worse, [pair.reference for pair in pairs]


@pytest.mark.parametrize("profile", ["1.5", "nltk", "2005"])
def test_scores(metric: Make, profile: str) -> None:
    hypotheses, _, references = systems()
    other = references[1:] + references[:1]
    found = metric(profile)
    scorer = found.meteor
    assert isinstance(found, Metric)
    expected = scorer.corpus_score(hypotheses, [references, other], layout="streams")
    score = found.corpus_score(hypotheses, [references, other])
    assert score.score == pytest.approx(100 * expected.score, abs=1e-10)
    assert (score.precision, score.recall, score.fmean) == (
        expected.precision,
        expected.recall,
        expected.fmean,
    )
    for hypothesis, reference in zip(hypotheses[:20], references, strict=False):
        one = scorer.sentence_score(hypothesis, [reference, other[0]]).score
        assert found.sentence_score(hypothesis, [reference, other[0]]).score == 100 * one
    assert found.sentence_score(references[0], [references[0]]).score == 100 or profile != "1.5"


def test_format_and_signature(metric: Make) -> None:
    hypotheses, _, references = systems()
    found = metric()
    with pytest.raises(ValueError, match="Number of references unknown"):
        found.get_signature()
    score = found.corpus_score(hypotheses, [references], n_bootstrap=50)
    signature = found.get_signature()
    assert "|meteor:1.5|" in str(signature) and "|modules:ex.st.sy.pa|" in str(signature)
    assert str(signature).startswith("nrefs:1|bs:50|seed:12345|")
    assert signature.format(short=True).startswith("#:1|bs:50|rs:12345|")
    assert str(score).startswith("METEOR = ") and "±" in str(score) and "Fmean" in str(score)
    told = json.loads(score.format(is_json=True, signature=str(signature)))
    assert told["name"] == "METEOR" and told["meteor"] == "1.5"


def test_cached_references(metric: Make) -> None:
    hypotheses, worse, references = systems()
    plain, keeping = metric(), metric(references=[references])
    for system in (hypotheses, worse):
        assert keeping.corpus_score(system, None).score == plain.corpus_score(system, [references]).score
    with pytest.raises(RuntimeError, match="cache is empty"):
        plain.corpus_score(hypotheses, None)


def test_missing_references(metric: Make) -> None:
    found = metric()
    score = found.corpus_score(["a cat", "a dog"], [["a cat", "a dog"], ["the cat", None]])
    assert score.score == 100 and "nrefs:var" in str(found.get_signature())
    with pytest.raises(InputError, match="segment 2 has no reference"):
        found.corpus_score(["a cat", "a dog"], [["a cat", None]])
    with pytest.raises(InputError, match="references: 1 text for 2 hypotheses"):
        found.corpus_score(["a cat", "a dog"], [["a cat"]])
    with pytest.raises(InputError, match="1 to 2 segments"):
        found.corpus_score(["a cat", "a dog"], [["a cat", "a dog"], ["a cat"]])
    with pytest.raises(TypeError, match="sequence of strings"):
        found.sentence_score("a cat", "a cat")


@pytest.mark.parametrize("profile", ["1.5", "nltk"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_paired_bootstrap(metric: Make, profile: str, jobs: int) -> None:
    better, worse, references = systems()
    test = PairedTest(
        [("better", better), ("worse", worse)],
        {"METEOR": metric(profile)},
        [references],
        test_type="bs",
        n_samples=SAMPLES,
        n_jobs=jobs,
    )
    signatures, scores = test()
    one, other = scores["METEOR"]
    assert "|bs:300|" in str(signatures["METEOR"])
    # The same samples, computed here in double precision.
    draws = np.random.default_rng(SEED).choice(len(better), size=(SAMPLES, len(better)), replace=True)
    samples = [
        np.array([resampled(profile, system, references, draw) for draw in draws])
        for system in (better, worse)
    ]
    differences = np.abs(samples[1] - samples[0])
    above = (differences - differences.mean() > abs(one.score - other.score)).sum()
    assert other.p_value == (above + 1) / (SAMPLES + 1)
    assert other.mean == pytest.approx(samples[1].mean(), rel=1e-6)


def resampled(profile: str, system: list[str], references: list[str], draw: Any) -> float:
    scorer = Meteor(profile)
    rows = cached_rows(profile, tuple(system), tuple(references))
    if scorer.settings.profile.corpus == "mean":
        return 100 * float(scorer.score(rows)[draw].mean())
    total = contributions(rows, scorer.parameters.formula)[draw].sum(axis=0)
    return 100 * float(scorer.score(total)[0])


_rows: dict[Any, Any] = {}


def cached_rows(profile: str, system: tuple[str, ...], references: tuple[str, ...]) -> Any:
    key = profile, system
    if key not in _rows:
        _rows[key] = Meteor(profile).statistics(list(system), list(references))
    return _rows[key]


def test_approximate_randomization(metric: Make) -> None:
    better, worse, references = systems()
    test = PairedTest(
        [("better", better), ("same", better), ("worse", worse)],
        {"METEOR": metric()},
        [references],
        test_type="ar",
        n_samples=SAMPLES,
        n_ar_confidence=50,
    )
    _, same, other = test()[1]["METEOR"]
    # A system is not better than itself, whatever sacrebleu says about a difference of zero.
    assert same.score > other.score and other.p_value < 0.05
    assert other.mean == pytest.approx(other.score, abs=3)


def test_randomization_where_few_segments_differ(metric: Make) -> None:
    """A mixture with exactly the difference of the systems counts as chance in bolide, but not in sacrebleu.

    All other mixtures have a smaller difference. So p is the probability that all segments that differ are on
    one side.
    """
    references = [f"the cat sat on mat number {k}" for k in range(40)]
    worse = [text.replace("cat", "dog") if k < 10 else text for k, text in enumerate(references)]
    named = {"better": references, "worse": worse}
    theirs = PairedTest(
        list(named.items()), {"METEOR": metric()}, [references], test_type="ar", n_samples=10_000
    )()[1]["METEOR"][1]
    assert theirs.p_value == 1 / 10_001
    ours = compare(named, references, meteor=metric().meteor, test="randomization")["worse"]
    assert ours.p_value == pytest.approx(2 / 2**10, abs=4 * (2 / 2**10 / 10_000) ** 0.5)


def test_pickle(metric: Make) -> None:
    better, _, references = systems()
    found = metric()
    copy = pickle.loads(pickle.dumps(found))
    assert copy.corpus_score(better, [references]).score == found.corpus_score(better, [references]).score
