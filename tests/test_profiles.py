"""Every METEOR by its name: examples of papers and guides, the real packages, and profiles of one's own."""

from __future__ import annotations

import gzip
import importlib.util
import pickle
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import generate
from bolide import Meteor, profiles
from bolide.errors import ConfigurationError
from test_cli import run

Make = Callable[..., Meteor]
MAT = "the cat sat on the mat"
NIGHT = "we danced with joy under the starry night"


@pytest.mark.parametrize(
    ("profile", "hypothesis", "reference", "score"),
    [
        ("2005", "on the mat sat the cat", MAT, 0.5),
        ("2005-chunks", "on the mat sat the cat", MAT, 0.9375),
        ("2005", MAT, MAT, 0.9977),
        ("2005", "the cat was sat on the mat", MAT, 0.9654),
        ("linear", "under the starry night we danced with glee", NIGHT, 0.75),
        ("linear", "danced we with under joy the night starry", NIGHT, 0.5),
    ],
)
def test_worked_examples(meteor: Make, profile: str, hypothesis: str, reference: str, score: float) -> None:
    found = meteor(profile=profile).sentence_score(hypothesis, reference)
    assert found.score == pytest.approx(score, abs=5e-5) and found.optimal


def test_chunks_of_the_paper(meteor: Make) -> None:
    found = meteor(profile="2005").sentence_score(
        "the president spoke to the audience", "the president then spoke to the audience"
    )
    assert (found.chunks, found.matches) == (2, 6)


def test_stem_and_synonym_of_the_guide(meteor: Make) -> None:
    scorer = meteor(profile="2005")
    assert [m.module for m in scorer.align("Goods", "Good").matches] == ["porter-stem"]
    assert [m.module for m in scorer.align("well", "Good").matches] == ["wn-synonym"]


def test_stages_in_any_order(meteor: Make) -> None:
    names = ["wn-synonym", "wn-stem", "porter-stem", "exact"]
    scorer = meteor(profile="2005", modules=names)
    assert scorer.align("feet", "foot").matches[0].module == "wn-synonym"
    assert scorer.modules == tuple(names)


@pytest.mark.parametrize("first", ["porter-stem", "wn-stem", "wn-synonym"])
def test_stages_of_2005_tie_equal_words_too(meteor: Make, first: str) -> None:
    scorer = meteor(profile="2005", modules=[first, "exact"])
    found = scorer.align("cat cats", "cat cats")
    assert [(m.reference_start, m.hypothesis_start) for m in found.matches] == [(0, 0), (1, 1)]


class FirstLetter:
    name = "first-letter"
    weight = 0.5

    def keys(self, word: str) -> list[str]:
        return [word[0]]


def test_identical_sentences_whatever_module_is_first(meteor: Make) -> None:
    more: list[dict[str, Any]] = [{}, {"aligner": "exact", "search_weights": "paper"}]
    for options in more:
        scorer = meteor(modules=[FirstLetter(), "exact"], weights=[0.5, 1], **options)
        assert scorer.sentence_score(MAT, MAT).chunks == 1


def test_large_search_weights_do_not_overflow(meteor: Make) -> None:
    words = " ".join(f"w{k}" for k in range(600))
    for weight in (1, 100):
        scorer = meteor(modules=["exact"], search_weights={"exact": weight, "other": weight})
        assert scorer.sentence_score(f"{words} {words}", words).reference_matches == 600


def test_corpus_of_2005_is_the_formula_on_sums(meteor: Make) -> None:
    scorer = meteor(profile="2005")
    corpus = scorer.corpus_score([MAT, "on the mat sat the cat"], [MAT, MAT])
    assert corpus.chunks == 7
    assert corpus.score == pytest.approx(1 - 0.5 * (7 / 12) ** 3)


def test_stop_words_are_left_to_later_stages(meteor: Make) -> None:
    scorer = meteor(profile="2005", modules=["exact"], stop_words=["the", "On"])
    found = scorer.align(MAT, MAT)
    assert [found.hypothesis[m.hypothesis_start] for m in found.matches] == ["cat", "sat", "mat"]
    assert "|stop:" in scorer.get_signature()


def test_search_weights(meteor: Make) -> None:
    signatures = [
        meteor(profile="1.3", search_weights=weights).get_signature()
        for weights in (None, "paper", "halves", {"exact": 3, "other": 1})
    ]
    assert "search" not in signatures[0] + signatures[1]
    assert "|search:halves|" in signatures[2] and "|search:exact=3_other=1|" in signatures[3]
    with pytest.raises(ConfigurationError, match="unknown search_weights 'half'; did you mean 'halves'"):
        meteor(search_weights="half")
    with pytest.raises(ConfigurationError, match="one for 'other'"):
        meteor(search_weights={"exact": 2})


def test_exact_is_never_worse_than_the_beam(meteor: Make) -> None:
    beam, exact = (meteor(aligner=aligner, search_weights="paper") for aligner in ("beam", "exact"))
    pairs = generate.pairs("en", 300, seed=11)
    ours, java = (scorer.statistics(*map(list, zip(*pairs, strict=True))) for scorer in (exact, beam))
    words, others = ours[:, -2:].sum(axis=1), java[:, -2:].sum(axis=1)
    assert (words >= others).all() and (words > others).any()
    same = words == others
    assert (ours[same, -3] <= java[same, -3]).all()


# ---- the real packages ---------------------------------------------------------------------------


def tokens(count: int, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    pairs = generate.pairs("en", count, seed) + list(generate.odd_pairs(seed))
    hypotheses = [pair.hypothesis.split() for pair in pairs]
    return hypotheses, [pair.reference.split() for pair in pairs]


def assert_equals_nltk(
    meteor: Make, reader: Any, hypotheses: list[list[str]], references: list[list[str]]
) -> None:
    single_meteor_score = import_module("nltk.translate.meteor_score").single_meteor_score
    scorer = meteor(profile="nltk")
    corpus = scorer.corpus_score(hypotheses, references)
    expected = [
        single_meteor_score(reference, hypothesis, wordnet=reader)
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    assert corpus.segments is not None and corpus.segments.tolist() == expected
    assert corpus.score == pytest.approx(np.mean(expected), abs=1e-12)


def test_nltk(meteor: Make, nltk_reader: Any) -> None:
    assert_equals_nltk(meteor, nltk_reader, *tokens(1500, seed=5))


def test_nltk_with_several_references(meteor: Make, nltk_reader: Any) -> None:
    meteor_score = import_module("nltk.translate.meteor_score").meteor_score
    scorer = meteor(profile="nltk")
    for group in generate.sayings("en"):
        hypothesis, *references = (text.split() for text in group)
        expected = meteor_score(references, hypothesis, wordnet=nltk_reader)
        assert scorer.sentence_score(hypothesis, references).score == expected


def test_nltk_on_real_text(meteor: Make, nltk_reader: Any, shared: Path) -> None:
    folder = shared / "data" / "wmt"
    texts = {}
    for kind in ("hyp", "ref"):
        with gzip.open(folder / f"wmt12.de-en.{kind}.tsv.gz", "rt", encoding="utf-8", newline="\n") as stream:
            texts[kind] = [line.rstrip("\n").split("\t") for line in stream][1:]
    reference = {row[0]: row[1].split() for row in texts["ref"]}
    rows = texts["hyp"][:10000]
    assert_equals_nltk(
        meteor, nltk_reader, [row[2].split() for row in rows], [reference[row[1]] for row in rows]
    )


def test_coco(meteor: Make, jar: Path) -> None:
    path = jar.parent / "meteor.py"
    if not path.exists():
        pytest.skip("pycocoevalcap's meteor.py is not beside the jar")
    spec = importlib.util.spec_from_file_location("pycocoevalcap_meteor", path)
    assert spec is not None and spec.loader is not None
    wrapper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wrapper)
    groups = [group for group in generate.sayings("en") if len(group) > 1]
    gts = {str(k): group[1:] for k, group in enumerate(groups)}
    res = {str(k): [group[0]] for k, group in enumerate(groups)}
    res["0"] = ["a dog ||| runs  fast"]
    real = wrapper.Meteor()
    try:
        score, scores = real.compute_score(gts, res)
    finally:
        # Its own end forgets to close what it opened.
        real.meteor_p.kill()
        for stream in (real.meteor_p.stdin, real.meteor_p.stdout, real.meteor_p.stderr):
            stream.close()
        real.meteor_p.wait()
    found = meteor(profile="coco").corpus_score([texts[0] for texts in res.values()], list(gts.values()))
    assert found.segments is not None and (found.score, found.segments.tolist()) == (score, scores)


# ---- one's own -----------------------------------------------------------------------------------

OWN = """
description = "Only words, recall above all"
inherits = "1.5"
aligner = "exact"
search_weights = { exact = 2, other = 1 }
task = "recall"

[tasks.recall]
any = { alpha = 1, beta = 1, gamma = 0, delta = 0.5, weights = { other = 1 }, modules = ["exact"] }
"""


def test_a_profile_of_ones_own(tmp_path: Path, meteor: Make) -> None:
    path = tmp_path / "recall.toml"
    path.write_text(OWN, encoding="utf-8")
    scorer = meteor(profile=str(path))
    assert scorer.sentence_score("the cat", MAT).score == pytest.approx(2 / 6)
    again = pickle.loads(pickle.dumps(meteor(profile=profiles.get(path))))
    assert again.get_signature() == scorer.get_signature()
    assert "|version:recall|" in scorer.get_signature().replace("meteor|", "|", 1)
    assert f"|profile:{profiles.get(path).hash}|" in scorer.get_signature()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("aligner =", "alinger ="), "unknown setting 'alinger'; did you mean 'aligner'"),
        (('"exact"\nsearch', '"best"\nsearch'), "unknown aligner 'best'"),
        (('"1.5"', '"1.6"'), "unknown profile '1.6'"),
        (("alpha = 1", 'alpha = "1"'), "tasks.recall.any: alpha must be a number, not '1'"),
        (('task = "recall"', 'task = "rank"'), "task 'rank' is not one of its tasks"),
        (("other = 1 }, modules", "other = true }, modules"), "the weight of other must be a number"),
        (("exact = 2, other = 1", "exact = 2"), "search_weights must be numbers"),
        (('inherits = "1.5"\n', ""), ""),
        (("[tasks.recall]", "[tasks.recall"), "profile "),
    ],
)
def test_wrong_profiles_are_refused(
    tmp_path: Path, meteor: Make, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN.replace(*change), encoding="utf-8")
    if not message:
        assert meteor(profile=path).profile.word_identity == "spelling"
        return
    with pytest.raises(ConfigurationError) as caught:
        meteor(profile=str(path))
    assert message in str(caught.value)


def test_a_missing_profile() -> None:
    with pytest.raises(ConfigurationError, match=r"cannot read profile nowhere\.toml"):
        Meteor(profile="nowhere.toml")
    with pytest.raises(ConfigurationError, match="did you mean '2005'"):
        Meteor(profile="2004")


def test_profiles_say_what_they_are_for(meteor: Make) -> None:
    with pytest.raises(ConfigurationError, match=r"profile 1\.3 is for en, cs, fr, de, es, not for language"):
        meteor(profile="1.3", language="ru")
    with pytest.raises(ConfigurationError, match="ties phrases, but aligner 'staged' aligns single words"):
        meteor(profile="2005", modules=["exact", "paraphrase"])
    with pytest.raises(ConfigurationError, match="unknown aligner 'viterbi'"):
        meteor(aligner="viterbi")


def test_the_command_lists_and_shows_profiles() -> None:
    listed = run("profiles").stdout.decode()
    assert [line.split()[0] for line in listed.splitlines()] == profiles.names()
    assert run("profiles", "1.3").stdout.decode() == profiles.text("1.3")
    wrong = run("profiles", "1.4")
    assert wrong.returncode == 2 and "unknown profile '1.4'" in wrong.stderr.decode()


@pytest.mark.parametrize("name", profiles.names())
def test_every_profile_is_whole(name: str) -> None:
    profile = profiles.get(name)
    assert profile.description and profile.task in profile.tasks
    # What the command shows can be saved and used.
    assert profiles.text(name).startswith("description = ")
