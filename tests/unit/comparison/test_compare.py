"""Comparison of systems in the library. p-values are checked against sacrebleu."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bolide
from bolide import Comparison, Meteor
from bolide.comparison.compare import ComparisonOptions, compare_scores
from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.formula.statistics import contributions
from tests.parity.test_wmt12 import rows
from tests.support.sacrebleu_meteor import paired_test

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "small", "dogs", "run", "far", "home"]
# Needs no language pack.
PLAIN: dict[str, Any] = {"profile": "linear", "modules": ["exact"], "normalize": "lower"}


def corpus(segments: int, seed: int = 0, longest: int = 12) -> tuple[list[str], dict[str, list[str]]]:
    """References, and three systems: good, nearly as good, and bad. Sentences are random words."""
    random = np.random.default_rng(seed)
    references = [list(random.choice(WORDS, size=random.integers(4, longest))) for _ in range(segments)]

    def system(noise: float) -> list[str]:
        return [
            " ".join(
                str(random.choice(WORDS)) if random.random() < noise else str(word) for word in reference
            )
            for reference in references
        ]

    systems = {"good": system(0.2), "close": system(0.22), "bad": system(0.5)}
    return [" ".join(map(str, reference)) for reference in references], systems


@pytest.fixture(scope="module")
def plain() -> Meteor:
    return Meteor(**PLAIN)


@pytest.fixture(scope="module")
def penalised() -> Meteor:
    """A scorer whose score includes chunks."""
    return Meteor(**PLAIN, alpha=0.85, beta=0.2, gamma=0.6)


REFERENCES, SYSTEMS = corpus(80)


def check_against_sacrebleu(
    meteor: Meteor,
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str],
    test: Any,
    samples: int,
    seed: int,
) -> Comparison:
    """With the same samples and statistics, p, mean and interval equal sacrebleu's to the last digit."""
    ours = bolide.compare(systems, references, meteor=meteor, test=test, samples=samples, seed=seed)
    theirs = paired_test(meteor, systems, references, test, samples, seed)
    for system, expected in zip(ours.systems, theirs, strict=True):
        assert (100 * system.score.score, system.p_value) == (expected.score, expected.p_value)
        if test == "bootstrap":
            assert system.interval is not None
            half = (system.interval[1] - system.interval[0]) / 2
            assert half == pytest.approx(expected.ci / 100, abs=1e-15)
    return ours


@pytest.mark.parametrize("seed", [12345, 1, 99])
@pytest.mark.parametrize(("test", "samples"), [("bootstrap", 1000), ("randomization", 777)])
def test_p_values_are_sacrebleus(penalised: Meteor, test: str, samples: int, seed: int) -> None:
    references, systems = corpus(60, seed=4, longest=60)  # long, so that no two mixtures score the same
    for name, texts in systems.items():  # of other lengths than their references
        systems[name] = [" ".join(text.split()[k % 3 :]) for k, text in enumerate(texts)]
    found = check_against_sacrebleu(penalised, systems, references, test, samples, seed)
    assert found["bad"].p_value == 1 / (1 + samples) < 0.05 < (found["close"].p_value or 0)


def test_equalities_count_as_chance(plain: Meteor) -> None:
    """In sacrebleu they do not. This is the only difference."""
    systems = {"a": ["the cat", *["x"] * 9], "b": ["x", "the cat", *["x"] * 8]}
    found = bolide.compare(systems, ["the cat"] * 10, meteor=plain, test="randomization", samples=99)
    [_, theirs] = paired_test(plain, systems, ["the cat"] * 10, "randomization", 99, 12345)
    assert found["b"].difference == 0 and found["b"].p_value == 1
    assert theirs.p_value < 0.6  # how often the mixtures have different scores


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_wmt12_p_values_are_sacrebleus(test: Any, shared: Path, english: Meteor) -> None:
    """Real systems, 3,003 segments."""
    folder = shared / "data" / "wmt"
    outputs: dict[str, dict[str, str]] = {}
    for system, segment, text in rows(folder / "wmt12.cs-en.hyp.tsv.gz"):
        outputs.setdefault(system, {})[segment] = text
    references = dict(rows(folder / "wmt12.cs-en.ref.tsv.gz"))
    systems = {
        name: [outputs[name][segment] for segment in references]
        for name in ("onlineA", "uedin-wmt12", "cu-bojar", "jhu-heiro")
    }
    found = check_against_sacrebleu(english, systems, list(references.values()), test, 300, 12345)
    assert found["jhu-heiro"].p_value == 1 / 301
    ranked = bolide.compare(systems, list(references.values()), meteor=english, test=test, all_pairs=True)
    assert [(system.name, system.rank) for system in ranked.ranking] == [
        ("uedin-wmt12", (1, 1)),
        ("cu-bojar", (2, 3)),
        ("onlineA", (2, 3)),
        ("jhu-heiro", (4, 4)),
    ]


def test_scipy_agrees_on_the_mean_of_segments(meteor: Callable[..., Meteor]) -> None:
    """In profile nltk the corpus score is the mean over segments, so SciPy needs only the segment scores."""
    stats = pytest.importorskip("scipy.stats")
    scorer = meteor(profile="nltk")
    found = bolide.compare(SYSTEMS, REFERENCES, meteor=scorer, samples=500, seed=3)
    for name, hypotheses in SYSTEMS.items():
        values = scorer.corpus_score(hypotheses, REFERENCES).segments
        assert values is not None and found[name].score.score == pytest.approx(values.mean(), abs=1e-15)
        drawn = stats.bootstrap(
            (values,), np.mean, n_resamples=500, method="percentile", rng=np.random.default_rng(3)
        ).bootstrap_distribution
        interval = np.sort(drawn)[[12, 487]]
        assert found[name].interval == pytest.approx(tuple(interval), abs=1e-12)
    mixed = bolide.compare(SYSTEMS, REFERENCES, meteor=scorer, test="randomization", samples=2000)
    close, good = (scorer.corpus_score(SYSTEMS[name], REFERENCES).segments for name in ("close", "good"))
    theirs = stats.permutation_test(
        (good, close), lambda x, y, axis: abs(np.mean(x - y, axis=axis)), permutation_type="samples",
        n_resamples=2000, alternative="greater", vectorized=True, rng=np.random.default_rng(1),
    ).pvalue  # fmt: skip
    p = mixed["close"].p_value
    assert p == pytest.approx(theirs, abs=4 * np.sqrt(2 * theirs * (1 - theirs) / 2000) + 1 / 2000)


def test_what_a_comparison_has(plain: Meteor) -> None:
    found = bolide.compare(SYSTEMS, REFERENCES, meteor=plain, baseline="bad")
    assert (found.baseline, found.test, found.samples, found.seed) == ("bad", "bootstrap", 1000, 12345)
    assert [system.name for system in found.systems] == list(SYSTEMS)
    assert [system.name for system in found.ranking] == ["good", "close", "bad"]
    good, bad = found["good"], found["bad"]
    assert (bad.difference, bad.p_value, good.difference) == (None, None, good.score.score - bad.score.score)
    assert good.interval is not None and good.interval[0] < good.score.score < good.interval[1]
    assert good.score == plain.corpus_score(SYSTEMS["good"], REFERENCES)
    assert "good=" in repr(found) and "p-value" in str(found) and "| good |" in found._repr_markdown_()
    with pytest.raises(KeyError):
        found["other"]
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.to_dict() == found.to_dict()


def test_the_seed_decides(plain: Meteor) -> None:
    first, second, other = (
        bolide.compare(SYSTEMS, REFERENCES, meteor=plain, seed=seed).to_dict() for seed in (1, 1, 2)
    )
    assert first == second != other
    threads = bolide.compare(SYSTEMS, REFERENCES, meteor=Meteor(**PLAIN, threads=3), seed=1)
    assert threads.to_dict() == first


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_all_pairs(plain: Meteor, test: Any) -> None:
    found = bolide.compare(SYSTEMS, REFERENCES, meteor=plain, test=test, all_pairs=True)
    assert [system.rank for system in found.systems] == [(1, 2), (1, 2), (3, 3)]
    assert found.pairs is not None
    pairs = {(pair.first, pair.second): pair for pair in found.pairs}
    assert set(pairs) == {("good", "close"), ("good", "bad"), ("close", "bad")}
    assert pairs["good", "bad"].p_value == found["bad"].p_value
    assert pairs["good", "bad"].difference == -(found["bad"].difference or 0)
    alone = bolide.compare(
        {name: SYSTEMS[name] for name in ("close", "bad")}, REFERENCES, meteor=plain, test=test
    )
    assert pairs["close", "bad"].p_value == alone["bad"].p_value


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_equal_systems(plain: Meteor, test: Any) -> None:
    twins = {"one": SYSTEMS["good"], "two": SYSTEMS["good"]}
    found = bolide.compare(twins, REFERENCES, meteor=plain, test=test, samples=50, all_pairs=True)
    assert (found["two"].difference, found["two"].p_value) == (0, 1)
    assert [system.rank for system in found.systems] == [(1, 2), (1, 2)]


def test_nothing_can_be_said_of_one_segment(plain: Meteor) -> None:
    found = bolide.compare({"a": ["the cat"], "b": ["a dog"]}, ["the cat"], meteor=plain, all_pairs=True)
    assert [(s.interval, s.p_value, s.rank) for s in found.systems] == [(None, None, None)] * 2
    assert (found.samples, found.pairs) == (None, None)
    assert "1 segment: nothing to resample" in str(found)
    assert found["b"].difference == -found["a"].score.score


def test_one_system_and_no_test(plain: Meteor) -> None:
    [alone] = bolide.compare({"a": SYSTEMS["good"]}, REFERENCES, meteor=plain).systems
    assert alone.interval is not None and alone.p_value is None
    found = bolide.compare(SYSTEMS, REFERENCES, meteor=plain, test="none")
    assert found["bad"].p_value is None and found["bad"].interval is not None


def test_systems_without_a_single_match(plain: Meteor) -> None:
    found = bolide.compare({"a": ["x"] * 5, "b": [""] * 5}, ["the cat"] * 5, meteor=plain)
    assert [system.score.score for system in found.systems] == [0, 0]
    assert (found["b"].p_value, found["b"].interval) == (1, (0, 0))


def test_a_baseline_without_a_name(plain: Meteor) -> None:
    systems = {"a": SYSTEMS["good"], "": SYSTEMS["bad"]}
    found = bolide.compare(systems, REFERENCES, meteor=plain, baseline="", all_pairs=True)
    assert found[""].p_value is None and (found["a"].p_value or 1) < 0.05


def test_references_that_can_be_gone_through_once(plain: Meteor) -> None:
    found = bolide.compare(SYSTEMS, iter(REFERENCES), meteor=plain, samples=10)  # type: ignore[arg-type]
    assert found["bad"].score == plain.corpus_score(SYSTEMS["bad"], REFERENCES)
    documents = [f"d{k % 3}" for k in range(len(REFERENCES))]
    expected = bolide.compare(SYSTEMS, REFERENCES, meteor=plain, samples=10, documents=documents)
    shapes: list[Any] = [[iter(REFERENCES)], iter([iter(REFERENCES)]), [iter([text]) for text in REFERENCES]]
    for references in shapes:
        ids: Any = iter(documents)
        assert bolide.compare(SYSTEMS, references, meteor=plain, samples=10, documents=ids) == expected


def test_tokens_that_can_be_gone_through_once(plain: Meteor) -> None:
    systems = {name: [text.split() for text in texts] for name, texts in SYSTEMS.items()}
    expected = bolide.compare(systems, [text.split() for text in REFERENCES], meteor=plain, samples=10)
    references = [[iter(text.split())] for text in REFERENCES]
    assert bolide.compare(systems, references, meteor=plain, samples=10) == expected


def test_scores_that_were_there_already(plain: Meteor) -> None:
    scores = {name: plain.corpus_score(texts, REFERENCES) for name, texts in SYSTEMS.items()}
    found = compare_scores(scores, plain, ComparisonOptions(samples=20))
    assert found == bolide.compare(SYSTEMS, REFERENCES, meteor=plain, samples=20)
    forgotten = plain.corpus()
    forgotten.add(SYSTEMS["good"], REFERENCES)
    with pytest.raises(InputError, match="not kept"):
        compare_scores({"a": forgotten.score()}, plain)


MISTAKES: list[tuple[dict[str, Any], type[BolideError], str]] = [
    ({"samples": 0}, ConfigurationError, "samples must be a whole number of at least 1, not 0"),
    ({"samples": -5}, ConfigurationError, "samples must be"),
    ({"samples": 2.5}, ConfigurationError, "samples must be"),
    ({"seed": -1}, ConfigurationError, "seed must be a whole number of at least 0, not -1"),
    ({"seed": "x"}, ConfigurationError, "seed must be"),
    ({"test": "bootsrap"}, ConfigurationError, "did you mean 'bootstrap'"),
    ({"baseline": "godo"}, ConfigurationError, "unknown baseline 'godo'; did you mean 'good'"),
    ({"test": "none", "all_pairs": True}, ConfigurationError, "all_pairs needs a test"),
    ({"systems": {"a": REFERENCES}, "all_pairs": True}, ConfigurationError, "at least two systems"),
    ({"systems": {}}, InputError, "systems is empty"),
    ({"systems": [REFERENCES]}, InputError, "systems must be a dictionary"),
    ({"systems": {1: REFERENCES}}, InputError, "systems must be a dictionary"),
    ({"systems": {"a": REFERENCES, "b": REFERENCES[1:]}}, InputError, "system b: .*80 texts for 79"),
    ({"systems": {"a": [], "b": []}, "references": []}, InputError, "no segments"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), MISTAKES)
def test_mistakes(plain: Meteor, arguments: dict[str, Any], error: type[BolideError], message: str) -> None:
    given: dict[str, Any] = {"systems": SYSTEMS, "references": REFERENCES, "meteor": plain, **arguments}
    with pytest.raises(error, match=message):
        bolide.compare(**given)


def test_contributions_are_what_corpus_scores_sum(plain: Meteor) -> None:
    statistics = plain.statistics([*SYSTEMS["bad"], *REFERENCES], REFERENCES * 2)
    total = contributions(statistics, plain.parameters.formula).sum(axis=0)
    expected = plain.corpus_score([*SYSTEMS["bad"], *REFERENCES], REFERENCES * 2)
    assert plain.evaluate(total)[0, -1] == expected.score
