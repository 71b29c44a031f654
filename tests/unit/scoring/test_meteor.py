"""The scorer as its users call it. Equality with the Java release is tested in tests/parity."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bolide
from bolide import resources
from bolide.errors import ConfigurationError, InputError
from bolide.formula.layout import columns
from bolide.formula.statistics import aggregate

Make = Callable[..., bolide.Meteor]
HYPOTHESES = ["The cat sat on the mat.", "A dog barks loudly!", "nothing in common here"]
REFERENCES = ["On the mat sat the cat.", "The dogs are barking loud.", "wholly other words"]


def test_sentence_score_is_that_of_its_statistics(english: bolide.Meteor) -> None:
    score = english.sentence_score(HYPOTHESES[0], REFERENCES[0])
    row = english.statistics(HYPOTHESES[:1], REFERENCES[:1])
    assert float(score) == english.score(row)[0]
    assert (score.chunks, score.matches, score.hypothesis_length) == (4, 7.0, 7)


def test_worked_by_hand(english: bolide.Meteor) -> None:
    """Six words; both `the` and `on` are function words. All are matched in three chunks: P = R = 1."""
    score = english.sentence_score("the cat sat on the mat", "on the mat sat the cat")
    assert (score.precision, score.recall, score.chunks) == (1.0, 1.0, 3)
    assert score.penalty == pytest.approx(0.6 * (3 / 6) ** 0.2, abs=1e-15)
    assert score.score == 1 - score.penalty


def test_corpus_score_sums_statistics(english: bolide.Meteor) -> None:
    corpus = english.corpus_score(HYPOTHESES, REFERENCES)
    statistics = english.statistics(HYPOTHESES, REFERENCES)
    assert corpus.score == english.score(aggregate(statistics)[None])[0]
    assert corpus.segments is not None and corpus.statistics is not None
    assert corpus.segments.tolist() == [
        float(english.sentence_score(*pair)) for pair in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    assert (corpus.statistics == statistics).all()
    assert "refs:1|" in corpus.signature and corpus.segment_count == 3


def test_identical_segments_add_no_chunk(english: bolide.Meteor) -> None:
    corpus = english.corpus_score(["one two three", "one two"], ["one two three", "two one"])
    assert corpus.chunks == 2
    assert english.corpus_score(["one two three"], ["one two three"]).score == 1.0


def test_best_reference_wins(english: bolide.Meteor) -> None:
    worse, better = "a mat", "on the mat sat the cat"
    alone = english.sentence_score(HYPOTHESES[0], better)
    assert english.sentence_score(HYPOTHESES[0], [worse, better]) == alone
    assert english.align(HYPOTHESES[0], [worse, better]).reference == tuple(better.split())
    corpus = english.corpus_score(HYPOTHESES[:2], [[worse, better], [REFERENCES[1]]])
    assert corpus.segments is not None and corpus.segments[0] == alone.score
    assert "refs:1-2|" in corpus.signature


def test_first_of_equally_good_references_wins(make_exact: bolide.Meteor) -> None:
    assert make_exact.align("x y z", ["q y z", "x y q"]).reference == ("q", "y", "z")


@pytest.fixture(scope="session")
def make_exact(meteor: Make) -> bolide.Meteor:
    return meteor(modules=["exact"])


def test_alignment(english: bolide.Meteor) -> None:
    alignment = english.align("Cats sat here", "the cat was sitting here")
    assert alignment.hypothesis == ("cats", "sat", "here")
    found = {(m.module, alignment.hypothesis[m.hypothesis_start]) for m in alignment.matches}
    assert {("stem", "cats"), ("exact", "here")} <= found
    assert [m.chunk for m in alignment.matches] == sorted(m.chunk for m in alignment.matches)


def test_tokens_are_not_normalised(english: bolide.Meteor) -> None:
    assert english.align(["Don't", "stop."], ["don't", "stop."]).hypothesis == ("don't", "stop.")
    assert english.align("Don't stop.", "don't stop.").hypothesis == ("don", "'t", "stop", ".")


@pytest.mark.parametrize(
    ("normalize", "words"),
    [
        ("keep-punctuation", ("mr.", "x", "'s", "u", "-", "turn", ",", "ok", "?")),
        ("no-punctuation", ("mr", "x", "s", "u", "turn", "ok")),
        ("lower", ("mr.", "x's", "u", "-", "turn,", "ok?")),
        ("none", ("Mr.", "X's", "U", "-", "turn,", "OK?")),
    ],
)
def test_normalisation(meteor: Make, normalize: str, words: tuple[str, ...]) -> None:
    scorer = meteor(modules=["exact"], normalize=normalize)
    assert scorer.align("Mr. X's U - turn, OK?", "x").hypothesis == words


def test_characters(meteor: Make) -> None:
    row = meteor(modules=["exact"], unit="characters").statistics(["the naïve 😀"], ["the naïve cat"])[0]
    assert row.tolist() == [3 + 5 + 2, 3 + 5 + 3, 3, 3, 5, 5, 3, 3, 1, 2, 2]


def test_columns_name_the_statistics(english: bolide.Meteor) -> None:
    assert len(columns(english.modules)) == 23 == english.statistics(["a"], ["a"]).shape[1]


def test_modules_and_weights(meteor: Make) -> None:
    scorer = meteor(modules=["paraphrase", "exact"])
    assert scorer.parameters.weights == (0.6, 1.0)
    assert meteor(modules=["exact", "stem"], weights=[1, 0.5], alpha=0.9).parameters.weights == (1.0, 0.5)
    assert scorer.statistics(["a"], ["a"]).shape == (1, 15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "1.6"}, "unknown profile '1.6'; did you mean '1.5'"),
        ({"language": "klingon"}, "unknown language 'klingon'"),
        ({"task": "ranking"}, "unknown task 'ranking'; did you mean 'rank'"),
        ({"task": "caption"}, "choose one of: rank, .*; 'caption' is a task of profile bolide-2$"),
        (
            {"language": "de", "task": "hter", "modules": ["exact"]},
            "no parameters for task 'hter' in language 'de'",
        ),
        ({"language": "de"}, "needs a paraphrase table"),
        ({"language": "cs", "modules": ["exact", "stem"]}, "has no stemmer in language 'cs'"),
        ({"modules": ["exact", "stemm"]}, "unknown module 'stemm'; did you mean 'stem'"),
        ({"modules": "exact stem"}, r"modules must be a list, such as \['exact', 'stem'\], not 'exact stem'"),
        ({"modules": b"exact"}, "modules must be a list, .*, not b'exact'"),
        ({"modules": 5}, "modules must be a list, .*, not 5"),
        ({"modules": {"exact"}}, "modules must be a list, .*, not {'exact'}"),
        ({"modules": frozenset(["exact"])}, "modules must be a list"),
        ({"modules": {"exact": 0.5}}, "modules must be a list, .*, not {'exact': 0.5}"),
        ({"modules": np.array("exact")}, "modules must be a list"),
        ({"modules": [None]}, "module must be a name or a matcher, not None"),
        ({"modules": []}, "at least one"),
        ({"modules": ["exact", "exact"]}, "each module once"),
        ({"weights": [1, 2]}, "4 numbers, one per module"),
        ({"weights": [1, 2]}, r"\(exact stem synonym paraphrase\), not: 1 2$"),
        ({"weights": [1, 2, 3, float("nan")]}, "the weight of paraphrase must be a number"),
        ({"weights": 0.5}, r"weights must be a list, such as \[1.0, 0.6, 0.8, 0.6\], not 0.5"),
        ({"weights": "1 2 3 4"}, r"weights must be a list, .*, not '1 2 3 4'"),
        ({"weights": b"1234"}, "weights must be a list, .*, not b'1234'"),
        ({"weights": {1, 2, 3, 4}}, "weights must be a list"),
        ({"weights": {1: 1, 2: 2, 3: 3, 4: 4}}, "weights must be a list"),
        ({"weights": np.array(0.5)}, "weights must be a list"),
        ({"weights": [1, "0.6", 0.8, 0.6]}, "the weight of stem must be a number from 0 to 1000, not '0.6'"),
        ({"stop_words": {"the": 0.5}}, "stop_words must be words, or a file"),
        ({"stop_words": b"the"}, "stop_words must be words, or a file"),
        ({"search_weights": [2, 1]}, "search_weights must be numbers .* by module"),
        ({"references": ["best"]}, "references must be a name"),
        ({"alpha": "x"}, "alpha must be a number"),
        ({"alpha": "0.5"}, "alpha must be a number from 0 to 1, not '0.5'"),
        ({"alpha": b"1"}, "alpha must be a number from 0 to 1, not b'1'"),
        ({"alpha": True}, "alpha must be a number from 0 to 1, not True"),
        ({"alpha": np.True_}, "alpha must be a number from 0 to 1"),
        ({"beam": 0}, "beam must be a whole number of at least 1"),
        ({"beam": 1_000_000}, "a beam of 1000000 is too wide"),
        ({"beam": 10**12}, "a beam of 1000000000000 is too wide"),
        ({"threads": -1}, "threads must be a whole number"),
        ({"normalize": "yes"}, "unknown normalize 'yes'"),
        ({"normalize": True}, "normalize must be a name, not True"),
        ({"unit": "sizes"}, "unknown unit 'sizes'"),
        ({"profile": None}, "profile must be a name, not None; choose one of: 1.5"),
        ({"profile": ["1.5"]}, "profile must be a name"),
        ({"language": None}, "language must be a name, not None; choose one of: en, "),
        ({"task": 3}, "task must be a name, not 3; choose one of: rank, "),
        ({"task": ["rank"]}, "task must be a name"),
        ({"resources": 7}, "resources must be a language pack"),
    ],
)
def test_bad_settings_are_refused(
    meteor: Make, english: bolide.Meteor, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        meteor(**options)


@pytest.mark.parametrize(
    ("language", "pack", "message"),
    [
        ("de", "en", r"is for English \(en\), the scorer for German \(de\)"),
        ("en", "de", r"is for German \(de\), the scorer for English \(en\)"),
        ("it", "en", r"is for English \(en\), the scorer for Italian \(it\)"),
        ("de", "other", r"is for Other \(other\), the scorer for German \(de\)"),
        ("it", "fi", r"is for Finnish \(fi\), the scorer for Italian \(it\)"),
        ("en", "tlh", r"is for 'tlh', the scorer for English \(en\)"),
    ],
)
def test_a_pack_of_another_language_is_refused(language: str, pack: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        bolide.Meteor(language=language, modules=["exact"], resources=resources.Pack(pack))


@pytest.mark.parametrize(
    ("language", "pack"), [("de", "de"), ("German", "de"), ("it", "it"), ("it", "other"), ("other", "other")]
)
def test_a_pack_of_the_language_is_accepted(language: str, pack: str) -> None:
    scorer = bolide.Meteor(language=language, modules=["exact"], resources=resources.Pack(pack))
    assert scorer.settings.pack.language == pack


def test_custom_packs_are_of_their_language(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("der\n", encoding="utf-8")
    for language in ("de", "it", "other"):
        pack = resources.custom_pack(language, function_words=tmp_path / "words")
        scorer = bolide.Meteor(language=language, modules=["exact"], resources=pack)
        assert scorer.statistics(["der Hund"], ["der Hund"])[0, 2] == 1


def universal_pack(tmp_path: Path, language: str) -> resources.Pack:
    """Function words and a table, as the release's -new needs them."""
    (tmp_path / "words").write_text("the\n", encoding="utf-8")
    (tmp_path / "table.gz").write_bytes(gzip.compress(b"0.5\nbig\nlarge\n"))
    words, table = tmp_path / "words", tmp_path / "table.gz"
    return resources.custom_pack(language, function_words=words, paraphrases=table)


@pytest.mark.parametrize("language", ["en", "de", "it", "other"])
def test_universal_has_its_own_modules(language: str, tmp_path: Path) -> None:
    pack = universal_pack(tmp_path, language)
    scorer = bolide.Meteor(language=language, task="universal", resources=pack)
    assert (scorer.settings.task, scorer.modules) == ("universal", ("exact", "paraphrase"))
    assert scorer.parameters.weights == (1.0, 0.6)
    assert scorer.sentence_score("the big dog", "the large dog").hypothesis_matches == 3
    chosen = bolide.Meteor(language=language, task="universal", modules=["exact"], resources=pack)
    assert chosen.parameters.weights == (1.0,)


@pytest.mark.parametrize(
    ("language", "task", "message"),
    [
        ("de", "rank", r"module 'paraphrase' needs .*; choose modules from: exact stem case most-letters "
         r"half-letters some-letters letter-runs; "
         r"or add the table: bolide resources install de --from PATH, a full Meteor 1\.5; or learn one: "
         r"bolide learn language de SRC TGT$"),
        ("en", "universal", r"letter-runs; or fetch the table: bolide resources install en --force; "
         r"or add the table: bolide resources install en --from PATH, a full Meteor 1\.5; or learn one: "),
        ("it", "universal", r"choose modules from: exact stem case most-letters half-letters "
         r"some-letters letter-runs; "
         r"or learn one: bolide learn language it SRC TGT$"),
        ("other", "universal", r"choose modules from: exact case most-letters half-letters "
         r"some-letters letter-runs; "
         r"or learn one: bolide learn language CODE SRC TGT$"),
    ],
)  # fmt: skip
def test_a_missing_table_is_named_with_what_to_do(language: str, task: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        bolide.Meteor(language=language, task=task, resources=resources.Pack(language))


def test_messages_are_for_the_command_line_too() -> None:
    with pytest.raises(ConfigurationError, match=r"give weights, one for each of: exact stem$"):
        bolide.Meteor(task="universal", modules=["exact", "stem"], resources=resources.Pack("en"))


def test_threads_from_the_environment(meteor: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOLIDE_THREADS", "3")
    assert meteor().threads == 3
    monkeypatch.setenv("BOLIDE_THREADS", "many")
    with pytest.raises(ConfigurationError, match="BOLIDE_THREADS"):
        meteor()


def test_untuned_languages_are_ranked_independently_of_language(meteor: Make) -> None:
    scorer = meteor(language="Italian")
    assert (scorer.settings.task, scorer.modules, scorer.parameters.alpha) == ("li", ("exact", "stem"), 0.75)


def test_lone_surrogate(english: bolide.Meteor) -> None:
    with pytest.raises(InputError, match=r"lone surrogate \(U\+D83D\)"):
        english.sentence_score("bad \ud83d text", "text")


def test_the_text_with_the_surrogate_is_named(english: bolide.Meteor) -> None:
    texts = ["one", "two", "three"]
    with pytest.raises(InputError, match=r"^segment 3 \(reference 2\): a lone surrogate"):
        english.corpus_score(texts, [texts, ["one", "two", "thr\udc80ee"]])


def test_wrong_statistics(english: bolide.Meteor) -> None:
    with pytest.raises(InputError, match="11 columns"):
        english.score(np.zeros((1, 11), dtype=np.int64))
    for statistics in (None, "none", np.zeros((1, 1, 23)), [["x"] * 23]):
        with pytest.raises(InputError, match="rows of numbers"):
            english.score(statistics)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("hypothesis_length", -1, "row 2: hypothesis_length is -1, but counts must be numbers of at least 0"),
        ("chunks", float("nan"), "row 2: chunks is nan"),
        ("chunks", float("inf"), "row 2: chunks is inf"),
        (
            "hypothesis_matches",
            8,
            "hypothesis_matches is 8, but hypothesis_length is 7; at most all words can match",
        ),
        ("reference_matches", 8, "reference_matches is 8, but reference_length is 7"),
        ("chunks", 50, "chunks is 50, but hypothesis_matches is [0-9]; each chunk has a match"),
        (
            "exact_hypothesis_content",
            30,
            r"the sum of hypothesis_content of all modules is 3[0-9], but \(hypothesis_length − "
            r"hypothesis_function_words\) is [0-9]; at most all content words can match",
        ),
        (
            "stem_reference_function",
            9,
            "sum of reference_function of all modules is [0-9]+, but reference_function_words is [0-9];",
        ),
    ],
)
def test_impossible_statistics(english: bolide.Meteor, column: str, value: float, message: str) -> None:
    rows = english.statistics(HYPOTHESES[:1] * 2, REFERENCES[:1] * 2).astype(float)
    assert english.score(rows)[0] == english.sentence_score(HYPOTHESES[0], REFERENCES[0]).score
    rows[1, columns(english.modules).index(column)] = value
    for call in (english.score, english.evaluate):
        with pytest.raises(InputError, match=message):
            call(rows)


@pytest.mark.parametrize(
    "options",
    [
        {"unit": "characters"},
        {"references": "union"},
        {"profile": "nltk"},
        {"profile": "nltk-3.6"},
        {"profile": "bolide-2"},
    ],
)
def test_statistics_of_texts_are_possible(meteor: Make, options: dict[str, Any]) -> None:
    scorer = meteor(**options)
    groups = [REFERENCES, HYPOTHESES, ["a a a the", "cat", "barks, barks"]]
    rows = scorer.statistics(HYPOTHESES, groups, layout="streams")
    assert len(scorer.score(np.concatenate([rows, rows.sum(axis=0)[None]]))) == 4
    weighted = np.random.default_rng(1).random((100, 3)) @ rows  # rounded: no two columns in the same way
    assert len(scorer.score(weighted)) == 100 and scorer.score(weighted[:1] * 0 - 1e-14) == [0]
    assert len(scorer.score(0.9 * rows.astype(float))) == 3  # older segments may count less


def test_batches_add_up_to_the_corpus(english: bolide.Meteor) -> None:
    corpus = english.corpus()
    first = corpus.add(HYPOTHESES[:1], REFERENCES[:1])
    corpus.add(HYPOTHESES[1:], [[text] for text in REFERENCES[1:]], layout="segments")
    assert (first == english.statistics(HYPOTHESES[:1], REFERENCES[:1])).all()
    score = corpus.score()
    assert score == english.corpus_score(HYPOTHESES, REFERENCES)
    assert score.segments is None and score.statistics is None
    with pytest.raises(InputError, match="hypothesis 4 is None"):
        corpus.add([None], ["r"])  # type: ignore[list-item]
    assert corpus.score() == score


@pytest.mark.parametrize("text", [None, 5, 0.5, b"bytes", object(), np.array("a b")])
def test_what_is_no_text_is_refused(english: bolide.Meteor, text: Any) -> None:
    for call in (english.sentence_score, english.align):
        with pytest.raises(InputError):
            call("a", text)
        with pytest.raises(InputError):
            call(text, "a")
        with pytest.raises(InputError):
            call("a", ["b", text])
    for add in (english.corpus_score, english.statistics, english.corpus().add):
        for hypotheses, references in [(text, ["a"]), (["a"], text), (["a"], [text]), ([text], ["a"])]:
            with pytest.raises(InputError):
                add(hypotheses, references)
    with pytest.raises(InputError, match="must be a string"):
        english.normalized(text)


def test_nothing_to_score(english: bolide.Meteor) -> None:
    with pytest.raises(InputError, match="nothing to score"):
        english.corpus_score([], [])
    assert english.corpus().score().score == 0.0  # nothing is added yet
    assert english.statistics([], []).shape == (0, 23)
    empty = english.sentence_score("", "")
    assert (empty.score, empty.precision, empty.penalty, empty.matches) == (0.0, 0.0, 0.0, 0.0)
    assert english.sentence_score("", "some words").score == 0.0


def test_pickle_gives_an_equal_scorer(meteor: Make) -> None:
    scorer = meteor(task="adq", alpha=0.6, threads=2)
    again = pickle.loads(pickle.dumps(scorer))
    assert again.get_signature() == scorer.get_signature()
    assert (again.statistics(HYPOTHESES, REFERENCES) == scorer.statistics(HYPOTHESES, REFERENCES)).all()


def test_a_scorer_does_not_change(meteor: Make) -> None:
    scorer = meteor(modules=["exact"])
    for name in ("alpha", "threads", "modules", "parameters", "task", "language", "pack", "settings"):
        with pytest.raises(AttributeError, match=f"a scorer does not change: make another, with the {name}"):
            setattr(scorer, name, 1)
    assert pickle.loads(pickle.dumps(scorer)).get_signature() == scorer.get_signature()


def test_subclasses_may_have_attributes_of_their_own() -> None:
    class Counting(bolide.Meteor):
        def __init__(self) -> None:
            super().__init__("linear", modules=["exact"], normalize="lower")
            self.calls = 0
            self.calls += 1

    assert Counting().calls == 1


@pytest.mark.parametrize(
    "references", ["x", 1.5, float("nan"), 0, -1, True, (1, 0), (2, 1), (1,), (), (1, 2, 3)]
)
def test_numbers_of_references_are_checked(english: bolide.Meteor, references: Any) -> None:
    with pytest.raises(ConfigurationError, match="references must be a "):
        english.get_signature(references)


def test_negative_zero_is_zero(meteor: Make) -> None:
    scorer = meteor(modules=["exact"], weights=[-0.0], alpha=-0.0, gamma=-0.0)
    assert scorer.get_signature() == meteor(modules=["exact"], weights=[0], alpha=0, gamma=0).get_signature()
    assert "-0" not in scorer.get_signature()


def test_signature(meteor: Make) -> None:
    fields = dict(
        field.split(":") for field in meteor(alpha=0.5, unit="characters").get_signature(1).split("|")[1:]
    )
    assert fields["params"] == "0.5_0.2_0.6_0.75" and fields["weights"] == "1_0.6_0.8_0.6"
    assert (fields["version"], fields["unit"], fields["refs"]) == ("1.5", "characters", "1")


def test_readable_repr(english: bolide.Meteor) -> None:
    assert repr(english.sentence_score("a b", "a b")).startswith("Score(score=1.0000, precision=1.0000, ")


def test_a_new_vocabulary_when_the_old_is_full(meteor: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bolide.matching.lexicon.LARGEST_VOCABULARY", 3)
    scorer = meteor()
    first = scorer.statistics(HYPOTHESES, REFERENCES)
    vocabulary = scorer._engine.lexicon
    assert (scorer.statistics(HYPOTHESES, REFERENCES) == first).all()
    assert scorer._engine.lexicon is not vocabulary
