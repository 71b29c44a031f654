"""Every METEOR by its name: examples of papers and guides, the real packages, and custom profiles."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import Meteor, profiles
from bolide.errors import ConfigurationError
from bolide.resources import Pack
from tests.cli.test_commands import run
from tests.support import generate
from tests.support.paths import EXAMPLES

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


# ---- custom profiles -----------------------------------------------------------------------------

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
        (("alpha = 1", 'alpha = "1"'), "tasks.recall.any: alpha must be a number from 0 to 1, not '1'"),
        (('task = "recall"', 'task = "rank"'), "task 'rank' is not one of its tasks"),
        (("other = 1 }, modules", "other = true }, modules"), "the weight of other must be a number"),
        (("exact = 2, other = 1", "exact = 2"), "search_weights must be numbers"),
        (("exact = 2, other = 1", "exact = 101, other = 1"), "search_weights must be numbers from 0 to 100"),
        (("exact = 2, other = 1", "exakt = 2, other = 1"), "unknown module 'exakt'; did you mean 'exact'"),
        (("{ exact = 2, other = 1 }", '"half"'), "unknown search_weights 'half'; did you mean 'halves'"),
        (
            ("weights = { other", "weights = { stems = 1, other"),
            "unknown module 'stems'; did you mean 'stem'",
        ),
        (
            ("other = 1 }, modules", "other = -1 }, modules"),
            "weight of other must be a number from 0 to 1000",
        ),
        (("other = 1 }, modules", "other = 1e200 }, modules"), "must be a number from 0 to 1000, not 1e+200"),
        (('["exact"]', '["exacto"]'), "unknown module 'exacto'; did you mean 'exact'"),
        (
            ("delta =", "dleta = 1, delta ="),
            "tasks.recall.any: unknown setting 'dleta'; did you mean 'delta'",
        ),
        (("alpha = 1", f"alpha = 1{'0' * 400}"), "alpha must be a number"),
        (("alpha = 1", f"alpha = 1{'0' * 5000}"), "profile "),
        (("any =", "xx ="), "unknown language 'xx'"),
        (
            ("any =", "en = { weights = {} }\nany ="),
            "tasks.recall.en: alpha must be a number from 0 to 1, not None",
        ),
        (('task = "re', 'languages = ["en", "english"]\ntask = "re'), "language 'english' occurs twice"),
        (('"1.5"', '"own.toml"'), "inherits from itself"),
        (('"1.5"', '"nowhere.toml"'), "cannot read profile"),
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
        assert meteor(profile=path).settings.profile.word_identity == "spelling"
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
    with pytest.raises(ConfigurationError, match="matches phrases, but aligner 'staged' aligns single words"):
        meteor(profile="2005", modules=["exact", "paraphrase"])
    with pytest.raises(ConfigurationError, match="unknown aligner 'viterbi'"):
        meteor(aligner="viterbi")


def test_the_command_lists_and_shows_profiles() -> None:
    listed = run("profiles").stdout.decode()
    assert [line.split()[0] for line in listed.splitlines()] == profiles.names()
    assert run("profiles", "1.3").stdout.decode() == profiles.text("1.3")
    own = EXAMPLES / "recall.toml"
    assert run("profiles", str(own)).stdout.decode() == own.read_text(encoding="utf-8")
    wrong = run("profiles", "1.4")
    assert wrong.returncode == 2 and "unknown profile '1.4'" in wrong.stderr.decode()


def signature_of(meteor: Make, **settings: Any) -> str:
    return meteor(**settings, resources=Pack("en")).get_signature()


def test_signatures_differ_where_profiles_do(tmp_path: Path, meteor: Make) -> None:
    base, own = (tmp_path / name / "own.toml" for name in ("base", "own"))
    for path in (base, own):
        path.parent.mkdir()
    base.write_text(OWN, encoding="utf-8")
    text = 'inherits = "../base/own.toml"\n'
    own.write_text(text, encoding="utf-8")
    first = signature_of(meteor, profile=own)
    assert first == signature_of(meteor, profile=str(base))  # only the content counts
    base.write_text(OWN.replace("alpha = 1", "alpha = 0.9"), encoding="utf-8")
    assert signature_of(meteor, profile=own) != first
    profile = profiles.get("linear")
    assert signature_of(meteor, profile=profile) == signature_of(meteor, profile="linear")
    changed = replace(profile, corpus="mean")
    assert "|profile:" in signature_of(meteor, profile=changed)
    again = pickle.loads(pickle.dumps(meteor(profile=changed, resources=Pack("en"))))
    assert again.get_signature() == signature_of(meteor, profile=changed)


def test_profiles_in_python_are_checked_too(meteor: Make) -> None:
    profile = profiles.get("2005")
    for change, message in (
        ({"aligner": "best"}, "unknown aligner 'best'"),
        ({"name": "a|b"}, "needs a name of letters"),
        ({"search_weights": {"exact": 1}}, "search_weights must be numbers"),
        ({"tasks": {"2005": {"en": {}}}}, "must have alpha"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            meteor(profile=replace(profile, **change))


def test_names_of_profiles(tmp_path: Path, meteor: Make) -> None:
    path = tmp_path / "a|lang:de.toml"
    path.write_text(OWN, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="needs a name of letters, digits"):
        meteor(profile=path)

    class Where:
        def __fspath__(self) -> str:
            return str(tmp_path / "1.5.toml")

    (tmp_path / "1.5.toml").write_text(OWN, encoding="utf-8")
    assert "version:1.5|profile:" in signature_of(meteor, profile=Where())


def test_a_pickled_scorer_does_not_need_the_file(tmp_path: Path, meteor: Make) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    scorer = meteor(profile=str(path))
    data = pickle.dumps(scorer)
    path.unlink()
    assert pickle.loads(data).get_signature() == scorer.get_signature()


def test_circles_of_profiles(tmp_path: Path, meteor: Make) -> None:
    for name, parent in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.toml").write_text(f'inherits = "{parent}.toml"\n', encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"a\.toml inherits from itself; each inherits the next"):
        meteor(profile=tmp_path / "a.toml")


def test_names_in_profiles(tmp_path: Path, meteor: Make) -> None:
    path = tmp_path / "own.toml"
    text = OWN.replace("{ exact = 2, other = 1 }", '"halves"').replace("any =", "English =")
    path.write_text(text.replace("task =", 'languages = ["German", "EN"]\ntask ='), encoding="utf-8")
    profile = meteor(profile=path).settings.profile
    assert profile.search_weights == {"exact": 2, "other": 1}
    assert profile.languages == ("de", "en") and list(profile.tasks["recall"]) == ["en"]


def test_the_exact_aligner_counts_as_the_paper_does(meteor: Make) -> None:
    scorer = meteor(aligner="exact")
    assert scorer.sentence_score("cats", "cat").matches == 1
    assert "|search:paper|" in scorer.get_signature()
    assert "search" not in meteor(profile="1.3", aligner="exact").get_signature()
    with pytest.raises(ConfigurationError, match="search_weights below 1 for module 'stem' would leave"):
        meteor(aligner="exact", modules=["stem", "exact"], search_weights="java")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"search_weights": {"exakt": 2, "other": 1}}, "unknown module 'exakt'; did you mean 'exact'"),
        ({"search_weights": {"exact": 100.5, "other": 1}}, "numbers from 0 to 100"),
        ({"search_weights": {"exact": 10**400, "other": 1}}, "numbers from 0 to 100"),
        ({"profile": "2005", "search_weights": "paper"}, "aligner 'staged' has no search_weights"),
        ({"aligner": "greedy", "modules": ["exact"], "search_weights": "java"}, "'greedy' has no search_w"),
        ({"modules": ["stem"], "stop_words": ["a"]}, "which is not among the modules: stem"),
        ({"stop_words": 5}, "stop_words must be words, or a file with one word per line, not 5"),
        ({"stop_words": ""}, "stop_words must be words, or a file with one word per line, not ''"),
        ({"stop_words": ["a", 5]}, "but 5 is among them"),
        ({"alpha": 10**400}, "alpha must be a number from 0 to 1$"),
        ({"beta": 10**400}, "beta must be a number of at most 1.8e308"),
        ({"task": "rnak", "modules": ["nonsense"]}, "unknown task 'rnak'; did you mean 'rank'"),
        ({"beam": 60_001}, "a beam of 60001 is too wide; the widest is 60000"),
    ],
)
def test_settings_that_do_not_fit(meteor: Make, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        meteor(**settings)


def test_numbers_of_numpy_and_all_their_digits(meteor: Make) -> None:
    weights = {"exact": np.float32(2.5), "other": np.int64(1)}
    assert "|search:exact=2.5_other=1|" in meteor(search_weights=weights).get_signature()
    one, other = (meteor(alpha=alpha).get_signature() for alpha in (0.86, 0.86000001))
    assert "|params:0.86_" in one and "|params:0.86000001_" in other
    assert "|weights:0.12345678_" in meteor(weights=[0.12345678, 0.6, 0.8, 0.6]).get_signature()


def test_stop_words_have_the_case_of_the_text(meteor: Make) -> None:
    scorer = meteor(normalize="none", modules=["exact"], stop_words=["The"])
    assert scorer.sentence_score("The the", "The the").matches == 1
    assert scorer.settings.stop_words == {"The"}


@pytest.mark.parametrize("name", profiles.names())
def test_every_profile_is_whole(name: str) -> None:
    profile = profiles.get(name)
    assert profile.description and profile.task in profile.tasks
    # The output of the command can be saved and used.
    assert profiles.text(name).startswith("description = ")
