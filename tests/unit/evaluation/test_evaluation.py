"""Measures in groups, intervals, tests of differences, and the tables of the 2005 paper."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bolide import Meteor, evaluation
from bolide.errors import BolideError, ConfigurationError
from bolide.evaluation import correlation, measures, metrics, significance
from bolide.evaluation.judgments import JudgedPairs, Judgments
from bolide.evaluation.measures import MEASURES, get
from bolide.evaluation.scores import Scores
from bolide.formula.statistics import aggregate
from tests.support.oracle import agreement
from tests.support.paths import EXAMPLES
from tests.unit.evaluation.test_judgments import rated

JUDGED = EXAMPLES / "judged"
SYSTEMS = [str(JUDGED / f"{name}.txt") for name in ("alder", "birch", "cedar", "dogwood")]


def scored(values: Any, name: str = "m") -> Scores:
    table = np.array(values, dtype=float)
    segments = tuple(str(k + 1) for k in range(len(table)))
    return Scores(
        name, tuple("ABCDEFG"[: table.shape[1]]), segments, table, lengths=np.arange(1.0, len(table) + 1)
    )


def sample(
    seed: int = 0, segments: int = 40, systems: int = 4, missing: float = 0.2
) -> tuple[Scores, Judgments]:
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(size=(segments, systems)) + np.arange(systems) / 2, 1)
    metric = 0.5 * human + rng.normal(size=human.shape)
    human[rng.random(human.shape) < missing] = np.nan
    return scored(metric), rated(human.tolist())


def value(name: str, scores: Scores, people: Judgments, group: str | None = None) -> float:
    measure = get(name)
    return measure.prepare(scores.beside(people), people, measure.grouped(group))(None)


# ---- groups ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall-b", "kendall-c"])
def test_groups_are_averaged(name: str) -> None:
    coefficient = {
        "pearson": correlation.pearson, "spearman": correlation.spearman, "kendall-b": correlation.kendall_b,
        "kendall-c": correlation.kendall_c,
    }[name]  # fmt: skip
    scores, people = sample()
    metric, human = scores.values, people.matrix
    assert metric is not None
    known = ~np.isnan(human)
    assert value(name, scores, people, "none") == pytest.approx(coefficient(metric[known], human[known]))
    by_system = [coefficient(metric[k, m], human[k, m]) for m, k in enumerate(known.T)]
    assert value(name, scores, people, "system") == pytest.approx(np.mean(by_system))
    by_item = [coefficient(metric[n, k], human[n, k]) for n, k in enumerate(known) if k.sum() > 1]
    assert value(name, scores, people, "item") == pytest.approx(np.nanmean(by_item))


@pytest.mark.parametrize("group", ["item", "system", "none"])
def test_accuracy_in_groups(group: str) -> None:
    """One ε for all groups, chosen by the mean over groups."""
    scores, people = sample(3, segments=9, systems=3)
    metric, human = scores.values, people.matrix
    assert metric is not None
    cells = [tuple(cell) for cell in np.argwhere(~np.isnan(human))]
    place = {"item": 0, "system": 1}
    groups: dict[int, list[tuple[float, float]]] = {}

    def key(cell: tuple[int, ...]) -> int:
        return cell[place[group]] if group in place else 0

    for i, a in enumerate(cells):
        for b in cells[i + 1 :]:
            if key(a) == key(b):
                groups.setdefault(key(a), []).append((metric[a] - metric[b], human[a] - human[b]))
    epsilons = {0.0, *(abs(d) for pairs in groups.values() for d, _ in pairs)}
    best = 0.0
    for epsilon in epsilons:
        shares = [
            agreement.accuracy([d for d, _ in p], [h for _, h in p], epsilon, [1.0] * len(p))
            for p in groups.values()
        ]
        best = max(best, float(np.mean(shares)))
    assert value("accuracy", scores, people, group) == pytest.approx(best)


def test_kendall_pooled_and_per_item() -> None:
    people = Judgments(
        ("A", "B"),
        ("1", "2"),
        JudgedPairs(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0])),
    )
    scores = scored([[2, 1], [1, 1]])
    # Segment 1: two concordant, one discordant; segment 2: a tie.
    assert value("kendall-wmt14", scores, people) == pytest.approx(1 / 4)
    assert value("kendall-wmt12", scores, people) == pytest.approx(0)
    assert value("kendall-wmt14", scores, people, "item") == pytest.approx((1 / 3 + 0) / 2)
    assert value("kendall-wmt12", scores, people, "item") == pytest.approx((1 / 3 - 1) / 2)
    with pytest.raises(ConfigurationError, match="cannot be grouped by system"):
        value("kendall-wmt14", scores, people, "system")


def test_accuracy_of_rankings_counts_their_ties() -> None:
    people = Judgments(
        ("A", "B"), ("1", "2"), JudgedPairs(np.array([0]), np.array([0]), np.array([1])),
        JudgedPairs(np.array([1]), np.array([0]), np.array([1])),
    )  # fmt: skip
    assert value("accuracy", scored([[2, 1], [1.3, 1.2]]), people) == 1.0
    assert value("accuracy", scored([[1, 2], [1, 3]]), people) == 0.5


def test_weighted_pearson_weighs_by_length() -> None:
    scores, people = sample(5, missing=0)
    assert scores.values is not None and scores.lengths is not None
    weights = np.repeat(scores.lengths, 4)
    expected = correlation.pearson(scores.values.ravel(), people.matrix.ravel(), weights)
    assert value("weighted-pearson", scores, people) == pytest.approx(expected)


def test_measures_of_systems() -> None:
    scores, people = sample(6)
    x, y = scores.of_systems, people.of_systems
    assert value("system-pearson", scores, people) == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert value("system-accuracy", scores, people) == correlation.pairwise_accuracy(x, y)
    expected = evaluation.soft_pairwise_accuracy(scores.values, people.matrix)  # type: ignore[arg-type]
    assert value("soft-accuracy", scores, people) == expected


@given(st.integers(0, 10_000))
@example(211)  # two systems' means are equal except for rounding
def test_a_sample_is_what_its_repeated_segments_give(seed: int) -> None:
    """Counts of segments give the same result as a corpus that repeats the segments."""
    scores, people = sample(seed, segments=12, systems=3)
    counts = np.bincount(np.random.default_rng(seed).integers(12, size=12), minlength=12)
    rows = np.repeat(np.arange(12), counts)
    assert scores.values is not None and scores.lengths is not None
    again = rated(people.matrix[rows].tolist())
    repeated = Scores("m", scores.systems, again.segments, scores.values[rows], lengths=scores.lengths[rows])
    for name, measure in MEASURES.items():
        group = measure.grouped(None)
        found = measure.prepare(scores.beside(people), people, group)(counts.astype(float))
        expected = measure.prepare(repeated.beside(again), again, group)(None)
        assert found == pytest.approx(expected, nan_ok=True), name


@pytest.mark.parametrize("size", [2.0**-40, 1.0, 2.0**40])
def test_systems_that_rounding_alone_tells_apart_are_equal(size: float) -> None:
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 to the last digit, and 0.1 + 0.2 − 0.3 is not 0."""
    people = rated([[1.0, 2.0, 3.0]] * 3)
    two = scored(np.array([[0.1, 0.3, 0.9], [0.2, 0.2, 0.9], [0.3, 0.1, 0.9]]) * size)
    assert len(set(two.of_systems.tolist())) == 3
    assert value("system-spearman", two, people) == pytest.approx(math.sqrt(3) / 2)
    all_three = scored(np.array([[0.1, 0.2, 0.0], [0.2, -0.3, 0.0], [-0.3, 0.1, 0.0]]) * size)
    assert len(set(all_three.of_systems.tolist())) == 3
    for name in ("system-pearson", "system-spearman"):
        assert math.isnan(value(name, all_three, people))


# ---- chance ------------------------------------------------------------------------------------------


def test_intervals_hold_the_value_and_shrink() -> None:
    widths = []
    for segments in (50, 800):
        scores, people = sample(1, segments)
        sampled = get("pearson").prepare(scores.beside(people), people, "none")
        low, high = significance.bootstrap_interval(sampled, segments, 300) or (1, 0)
        assert low < sampled(None) < high
        widths.append(high - low)
    assert widths[0] / widths[1] == pytest.approx(4, rel=0.35)


def test_no_interval_of_what_cannot_be_resampled() -> None:
    scores, people = sample(1)
    whole = Scores("m", scores.systems, scores.segments, scores.values, scores.of_systems)
    sampled = get("system-pearson").prepare(whole.beside(people), people, "none")
    assert significance.bootstrap_interval(sampled, 40, 10) is None


def exact_permutation(name: str, a: Scores, b: Scores, people: Judgments) -> float:
    """p of PERM-INPUTS, over all swaps."""
    x, y = (significance._standardised(each, people).values for each in (a, b))
    assert x is not None and y is not None
    observed = abs(value(name, a, people) - value(name, b, people))
    reached = []
    for heads in product((False, True), repeat=len(x)):
        swap = np.array(heads)[:, None]
        pair = scored(np.where(swap, y, x)), scored(np.where(swap, x, y))
        reached.append(abs(value(name, pair[0], people) - value(name, pair[1], people)) >= observed - 1e-12)
    return float(np.mean(reached))


@pytest.mark.parametrize("name", ["pearson", "kendall-wmt14", "accuracy", "system-pearson"])
def test_permutation_against_all_swaps(name: str) -> None:
    a, people = sample(2, segments=7, systems=3, missing=0)
    b = scored(np.random.default_rng(9).normal(size=(7, 3)), "b")
    found = significance.permutation(get(name), a, b, people, samples=3000)
    assert found.p_value == pytest.approx(exact_permutation(name, a, b, people), abs=0.05)
    assert found.value == pytest.approx(value(name, a, people) - value(name, b, people))
    assert found.test == "PERM-INPUTS"


def test_permutation_finds_differences_and_only_those() -> None:
    rng = np.random.default_rng(4)
    people = rated(rng.normal(size=(60, 4)).tolist())
    good = scored(people.matrix + 0.3 * rng.normal(size=(60, 4)), "good")
    bad = scored(rng.normal(size=(60, 4)), "bad")
    for unit in significance.UNITS[:2]:
        test = significance.permutation(get("pearson"), good, bad, people, unit=unit, samples=199)
        assert test.p_value == pytest.approx(1 / 200)
        same = significance.permutation(get("pearson"), good, good, people, unit=unit, samples=99)
        assert (same.value, same.p_value) == (0, 1)


def test_permutation_of_corpus_scores_swaps_systems() -> None:
    people = rated(np.random.default_rng(4).normal(size=(5, 6)).tolist())
    a = Scores("a", people.systems, corpus=people.of_systems * 2)
    b = Scores("b", people.systems, corpus=np.array([1.0, 5, 2, 4, 3, 6]))
    found = significance.permutation(get("system-pearson"), a, b, people, samples=500)
    assert found.test == "PERM-SYSTEMS"
    observed = abs(
        correlation.pearson(people.of_systems, people.of_systems)
        - correlation.pearson(b.of_systems, people.of_systems)
    )
    x, y = ((each.of_systems - each.of_systems.mean()) / each.of_systems.std() for each in (a, b))
    reached = []
    for heads in product((False, True), repeat=6):
        one, two = np.where(heads, y, x), np.where(heads, x, y)
        difference = correlation.pearson(one, people.of_systems) - correlation.pearson(two, people.of_systems)
        reached.append(abs(difference) >= observed - 1e-12)
    assert found.p_value == pytest.approx(np.mean(reached), abs=0.06)


def test_williams_as_published() -> None:
    """The example of r.test in R's package psych."""
    pytest.importorskip("scipy")
    t, p = significance.williams(0.4, 0.5, 0.1, 103)
    assert (round(t, 2), round(p, 2)) == (-0.89, 0.37)


def test_williams_of_scores() -> None:
    pytest.importorskip("scipy")
    a, people = sample(2)
    b = scored(np.random.default_rng(9).normal(size=(40, 4)), "b")
    found = significance.williams_test(get("pearson"), a.beside(people), b.beside(people), people, "none")
    known = ~np.isnan(people.matrix)
    x, y, z = people.matrix[known], a.values[known], b.values[known]  # type: ignore[index]
    r = np.corrcoef([x, y, z])
    t, p = significance.williams(r[0, 1], r[0, 2], r[1, 2], int(known.sum()))
    assert found.value == pytest.approx(r[0, 1] - r[0, 2])
    assert found.p_value == pytest.approx(p)
    assert t > 2
    with pytest.raises(ConfigurationError, match="not for spearman"):
        significance.williams_test(get("spearman"), a, b, people)


# ---- studies -----------------------------------------------------------------------------------------


def test_study() -> None:
    a, people = sample(2)
    b = scored(np.random.default_rng(9).normal(size=(40, 4)), "b")
    study = evaluation.correlate(
        [a, b], people, measures=["pearson", "soft-accuracy"], confidence=True, test="permutation", samples=20
    )
    result = study["b", "pearson"]
    assert result.interval is not None and result.p_value is not None and result.p_value < 0.1
    assert result.difference == pytest.approx(result.value - study["m", "pearson"].value)
    assert study.counts["ratings"] == len(people.ratings)
    assert study.to_dict()["results"][1]["metric"] == "b"
    assert "baseline" in str(study)
    with pytest.raises(KeyError):
        study["b", "spearman"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["parson"]}, "did you mean 'pearson'"),
        ({"measures": ["kendall-wmt12"], "grouping": "system"}, "cannot be grouped by system"),
        ({"measures": ["pearson"], "grouping": "segment"}, "unknown grouping"),
        ({"test": "t"}, "unknown test"),
        ({"test": "permutation"}, "needs at least two metrics"),
        ({"baseline": "x"}, "unknown baseline"),
        ({"unit": "words"}, "unknown unit"),
        ({"samples": 0}, "at least 1"),
        ({"seed": -1}, "at least 0"),
        ({"grouping": "segment"}, "unknown grouping"),
    ],
)
def test_study_of_bad_options(options: Any, message: str) -> None:
    scores, people = sample()
    with pytest.raises(BolideError, match=message):
        evaluation.correlate([scores], people, **options)


def test_study_of_scores_of_systems_only() -> None:
    people = Judgments(("A", "B", "C"), (), system_scores=np.array([3.0, 2, 1]))
    scores = Scores("m", ("C", "B", "A"), corpus=np.array([0.1, 0.3, 0.2]))
    study = evaluation.correlate([scores], people)
    assert study.measures == ("system-pearson", "system-spearman", "system-accuracy")
    assert study["m", "system-accuracy"].value == pytest.approx(2 / 3)
    with pytest.raises(BolideError, match="choose measures of systems"):
        evaluation.correlate([scores], people, measures=["pearson"])


# ---- texts -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def texts() -> evaluation.Texts:
    return evaluation.read_texts(SYSTEMS, [str(JUDGED / "reference.txt")])


@pytest.fixture(scope="module")
def people() -> Judgments:
    return evaluation.read_judgments(JUDGED / "ratings.tsv")


def test_texts_of_files_and_of_one_table(texts: evaluation.Texts, tmp_path: Path) -> None:
    rows = [f"{s}\t{k}\t{t}" for s, each in texts.hypotheses.items() for k, t in enumerate(each, 1)]
    table = tmp_path / "hyp.tsv"
    table.write_text("\n".join(["system\tsegid\thyp", *reversed(rows)]) + "\n")
    references = tmp_path / "ref.tsv"
    lines = [f"{k}\t{refs[0]}" for k, refs in enumerate(texts.references, 1)]
    references.write_text("\n".join(["segid\tref", *lines]) + "\n")
    long = evaluation.read_texts([str(table)], [str(references)])
    assert long.segments == texts.segments and long.references == texts.references
    assert long.hypotheses == texts.hypotheses
    references.write_text("\n".join(["segid\tref", *lines[1:]]) + "\n")
    with pytest.raises(BolideError, match="segment 1 is missing"):
        evaluation.read_texts([str(table)], [str(references)])


def test_meteor_and_its_parts(texts: evaluation.Texts, english: Meteor) -> None:
    found = {each.name: each for each in metrics.meteor_scores(english, texts, "M", metrics.PARTS)}
    for m, (hypotheses) in enumerate(texts.hypotheses.values()):
        score = english.corpus_score(hypotheses, [each[0] for each in texts.references])
        assert found["M"].of_systems[m] == score.score
        assert found["M:recall"].of_systems[m] == score.recall
        np.testing.assert_array_equal(found["M"].values[:, m], score.segments)  # type: ignore[index]
    # The corpus score of a sample is that of its segments.
    counts = np.array([0, 3, 1, 0, 0, 2, 1, 1])
    totals = found["M"].totals
    assert totals is not None
    repeated = np.repeat(np.arange(8), counts)
    for m, hypotheses in enumerate(texts.hypotheses.values()):
        statistics = english.statistics(
            [hypotheses[k] for k in repeated], [texts.references[k][0] for k in repeated]
        )
        expected = english.score(aggregate(statistics, english.parameters.formula))[0]
        assert totals(counts.astype(float))[m] == pytest.approx(expected)


def test_sacrebleus_metrics(texts: evaluation.Texts) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    streams = [[each[0] for each in texts.references]]
    sentence = {
        "bleu": sacrebleu.sentence_bleu, "chrf": sacrebleu.sentence_chrf, "ter": sacrebleu.sentence_ter,
    }  # fmt: skip
    corpus = {"bleu": sacrebleu.corpus_bleu, "chrf": sacrebleu.corpus_chrf, "ter": sacrebleu.corpus_ter}
    for name in sentence:
        scores = metrics.OTHERS[name](texts)
        assert scores.values is not None
        sign = -1 if name == "ter" else 1
        for m, hypotheses in enumerate(texts.hypotheses.values()):
            assert scores.of_systems[m] == pytest.approx(sign * corpus[name](hypotheses, streams).score)
            for k, hypothesis in enumerate(hypotheses):
                one = sentence[name](hypothesis, texts.references[k]).score
                assert scores.values[k, m] == pytest.approx(sign * one)


def test_nist_is_nltks(texts: evaluation.Texts) -> None:
    nist = pytest.importorskip("nltk.translate.nist_score")
    scores = metrics.OTHERS["nist"](texts)
    words = [[text.lower().replace(".", " .").split() for text in each] for each in texts.references]
    outputs = [text.lower().replace(".", " .").split() for text in texts.hypotheses["birch"]]
    assert scores.of_systems[1] == nist.corpus_nist(words, outputs)


def test_metrics_by_name(texts: evaluation.Texts, meteor: Callable[..., Meteor]) -> None:
    signature = meteor(profile="2005").get_signature()
    made = []

    def make(name: str) -> Meteor:
        made.append(name)
        return Meteor.from_signature(name) if "|" in name else meteor(profile=name)

    found = evaluation.compute(["1.5", "1.5:recall", signature, "chrf"], texts, make)
    assert [each.name for each in found] == ["1.5", "1.5:recall", signature, "chrF"]
    assert made == ["1.5", signature]  # one alignment for both parts


# ---- the paper's tables -----------------------------------------------------------------------------


def test_ablation(texts: evaluation.Texts, people: Judgments, meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="2005")
    found = evaluation.ablate(scorer, texts, people)
    by_title = {table.title.partition(":")[0]: table.values for table in found.tables}
    assert list(by_title) == ["Table 1", "Tables 2 and 3", "Tables 4 and 5", "Tables 6 and 7", "Table 8"]
    average = by_title["Tables 2 and 3"]["average", "Pearson"]
    assert by_title["Tables 4 and 5"]["METEOR", "Pearson per system"] == pytest.approx(average)
    last = by_title["Tables 6 and 7"]["exact, porter-stem, wn-synonym", "Pearson per system"]
    assert last == pytest.approx(average)
    assert by_title["Table 8"]["none", "Pearson per system"] == pytest.approx(average)
    scores = [s.of_systems for s in metrics.meteor_scores(scorer, texts, "M", ("recall",))]
    expected = np.corrcoef(scores[0], people.of_systems)[0, 1]
    assert by_title["Table 1"]["Recall", "Pearson"] == pytest.approx(expected)
    exact = meteor(profile="2005", modules=["exact"])
    values = metrics.meteor_scores(exact, texts, "M")[0].beside(people)
    per_system = measures.get("pearson").prepare(values, people, "system")(None)
    assert by_title["Tables 6 and 7"]["exact", "Pearson per system"] == pytest.approx(per_system)


def test_ablation_of_other_profiles_adds_module_after_module(
    texts: evaluation.Texts, english: Meteor
) -> None:
    people = evaluation.read_judgments(JUDGED / "rankings.csv")
    found = evaluation.ablate(english, texts, people)
    lines = [line for line, column in found.tables[3].values if column.startswith("τ")]
    expected = ["exact", "exact, stem", "exact, stem, synonym", "exact, stem, synonym, paraphrase"]
    assert lines == expected
    assert "share of comparisons won" in str(found)
    assert not math.isnan(found.tables[2].values["METEOR", "τ (WMT14)"])
