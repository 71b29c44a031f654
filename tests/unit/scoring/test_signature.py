"""Signatures: their content, and reading them back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import bolide
from bolide import Meteor, Signature, __version__, profiles
from bolide.cli import run
from bolide.errors import BolideError, ConfigurationError
from bolide.matching.custom import label
from bolide.matching.modules import MODULES
from bolide.profiles import CHOICES, SEARCH_WEIGHTS
from bolide.resources import Pack
from bolide.scoring.settings import WORDS_ONLY
from bolide.scoring.signature import FIELDS, FORMS
from tests.support.examples import examples

Make = Callable[..., Meteor]

STANDARD = (
    "meteor|version:1.5|lang:en|task:rank|norm:yes|case:lower|modules:ex.st.sy.pa|refs:1|aligner:beam40|"
    f"pack:3f9a0c1e|bolide:{__version__}"
)
SHORT = f"meteor|v:1.5|l:en|t:rank|n:yes|c:lower|m:ex.st.sy.pa|#:1|a:beam40|p:3f9a0c1e|b:{__version__}"
LONG = (
    "meteor|version:1.5|lang:en|task:rank|norm:yes|case:lower|modules:exact.stem.synonym.paraphrase|"
    "params:0.85_0.2_0.6_0.75|weights:1_0.6_0.8_0.6|unit:words|refs:1|aligner:beam40|search:java|pack:3f9a0c1e|"
    f"bolide:{__version__}"
)
EMPTY = Pack("en")  # no pack is needed, none is opened
TEXTS = ("the big cats sat on a mat", "a large cat sits on the rug")


class Beginning:
    """A custom matcher."""

    def __init__(self, name: str = "begin_ning", digits: str = "", weight: float | None = 0.5) -> None:
        self.name, self.hash, self.weight = name, digits, weight

    def keys(self, word: str) -> list[str]:
        return [word[:3]]


# ---- forms ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [STANDARD, SHORT, LONG])
def test_every_form_is_read(text: str) -> None:
    found = Signature.parse(text)
    assert (found["lang"], found["modules"], found["pack"]) == ("en", "ex.st.sy.pa", "3f9a0c1e")
    assert found.modules == ("exact", "stem", "synonym", "paraphrase")
    assert found.format("long") == LONG
    assert found.difference(Signature.parse(STANDARD)) == {}
    assert all(Signature.parse(found.format(form)).difference(found) == {} for form in FORMS)


def test_keys_have_one_meaning() -> None:
    names = [*FIELDS, *(key.short for key in FIELDS.values())]
    assert len(set(names)) == len(names)


def test_scorers_write_all_forms(english: Meteor) -> None:
    pack = english.settings.pack.hash
    for form, expected in zip(FORMS, (STANDARD, SHORT, LONG), strict=True):
        assert english.get_signature(1, form=form) == expected.replace("3f9a0c1e", pack)
    with pytest.raises(ConfigurationError, match="unknown form 'tall'"):
        english.get_signature(form="tall")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("task:rank", "task:adq"), {"task", "params", "weights"}),
        (("refs:1", "refs:1-4union"), {"refs"}),
        (("3f9a0c1e", "00000000"), {"pack"}),
        (("ex.st.sy.pa", "ex.st"), {"modules", "weights"}),
    ],
)
def test_difference(change: tuple[str, str], expected: set[str]) -> None:
    one, two = Signature.parse(STANDARD), Signature.parse(STANDARD.replace(*change))
    assert set(one.difference(two)) == expected
    assert one.difference(two) == {key: (a, b) for key, (b, a) in two.difference(one).items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a signature must begin with 'meteor|version:'"),
        ("meteor", "a signature must begin with 'meteor|version:'"),
        ("BLEU|nrefs:1", "a signature must begin with 'meteor|version:'"),
        (None, "a signature must begin with 'meteor|version:'"),
        (STANDARD.replace("lang", "lnag"), "unknown field 'lnag'; did you mean 'lang'"),
        (STANDARD.replace("lang:en", "lang"), "unknown field 'lang'"),
        (STANDARD + "|lang:de", "'lang' occurs twice"),
        (STANDARD + "|l:de", "'lang' occurs twice"),
        (STANDARD.replace("|lang:en", ""), "it lacks lang; give the whole line"),
        (STANDARD.replace("refs:1", "refs:one"), "refs (references per segment) cannot be 'one'"),
        (STANDARD.replace("beam40", "beam"), "aligner (aligner) cannot be 'beam'"),
        (STANDARD + "|params:1_2_3", "params (alpha, beta, gamma, delta) cannot be '1_2_3'"),
    ],
)
def test_what_is_no_signature(text: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        Signature.parse(text)


# ---- back to scorers -----------------------------------------------------------------------------


def same(one: Meteor, two: Meteor) -> bool:
    """Whether everything that affects scores is equal."""
    names = (
        "profile", "language", "task", "modules", "parameters", "normalize", "unit", "segmentation",
        "aligner", "search_weights", "references", "stop_words", "synonyms", "pack",
    )  # fmt: skip
    first, second = one.settings, two.settings
    beams = first.beam == second.beam or first.aligner in WORDS_ONLY
    return beams and all(getattr(first, name) == getattr(second, name) for name in names)


SHARE = st.floats(0, 1)
NUMBER = st.floats(0, 1e6)
# Within the limits of module weights.
WEIGHT = st.floats(0, 1000)
BUILT_IN = st.sampled_from(list(MODULES))
OWN = st.builds(Beginning, st.sampled_from(["begin_ning", "x", "x-aa"]), st.sampled_from(["", "aa"]))


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    """Arguments of `Meteor`: all of its keywords. Not all combinations are valid."""
    known = profiles.get(draw(st.sampled_from(profiles.names())))
    mine = replace(known, name="mine", word_identity="spelling", corpus="mean")
    profile = mine if draw(st.integers(0, 3)) == 0 else known
    codes = ("en", "en", "en", "de", "fr", "it", "zh", "other")
    language = draw(st.sampled_from(profile.languages or codes))
    found: dict[str, Any] = {"profile": profile, "language": language}
    optional = {
        "task": st.sampled_from(list(profile.tasks)),
        "modules": st.lists(
            BUILT_IN | OWN, min_size=1, max_size=4, unique_by=lambda m: getattr(m, "name", m)
        ),
        "alpha": SHARE,
        "beta": NUMBER,
        "gamma": SHARE,
        "delta": SHARE,
        "normalize": st.sampled_from(CHOICES["normalize"]),
        "unit": st.sampled_from(CHOICES["unit"]),
        "segmentation": st.sampled_from(["characters", "spaces"]),
        "aligner": st.sampled_from(CHOICES["aligner"]),
        "search_weights": st.sampled_from(list(SEARCH_WEIGHTS))
        | st.fixed_dictionaries({"other": st.floats(0, 100)}, optional={"exact": st.floats(1, 100)}),
        "beam": st.integers(1, 60),
        "references": st.sampled_from(CHOICES["references"]),
        "stop_words": st.lists(st.sampled_from(["the", "a", "é", "on"]), max_size=3),
        "synonyms": st.just("wordnet"),
        "resources": st.just(Pack(language)),
    }
    every = draw(st.integers(2, 8))  # one setting in this many is given
    for name, values in optional.items():
        if draw(st.integers(1, every)) == 1:
            found[name] = draw(values)
    if draw(st.booleans()):
        count = len(
            found.get("modules", profile.modules(found.get("task"), bolide.language.languages.get(language)))
        )
        found["weights"] = draw(st.lists(WEIGHT, min_size=count, max_size=count))
    return found


def further(scorer: Meteor, given_arguments: dict[str, Any]) -> dict[str, Any]:
    """Settings that a signature cannot hold."""
    own = [module for module in given_arguments.get("modules", ()) if not isinstance(module, str)]
    return {
        "matchers": own,
        **({"profile": scorer.settings.profile} if scorer.settings.profile.hash else {}),
        **({"stop_words": scorer.settings.stop_words} if scorer.settings.stop_words else {}),
    }


@settings(max_examples=examples(300))
@given(
    given_arguments=arguments(), form=st.sampled_from(FORMS), references=st.sampled_from([None, 1, (1, 4)])
)
@example({"aligner": "exact", "search_weights": "java"}, "standard", None)
@example({"aligner": "exact"}, "long", None)
@example({"aligner": "exact", "beam": 3}, "short", 2)
@example({"task": "adq", "alpha": 0.75}, "long", None)
@example({"language": "it"}, "long", None)
@example(
    {"alpha": 0.1, "beta": 1, "gamma": 0.2, "delta": 0.3, "weights": [1, 1, 1, 1], "task": "adq"},
    "standard",
    1,
)
@example({"alpha": 0.1, "beta": 1, "gamma": 0.2, "delta": 0.3, "weights": [1, 1, 1, 1]}, "long", 1)
def test_round_trip(
    english: Meteor, given_arguments: dict[str, Any], form: str, references: tuple[int, int] | int | None
) -> None:
    try:
        scorer = Meteor(**given_arguments)
    except BolideError:
        assume(False)
    text = scorer.get_signature(references, 3, form=form)
    again = Meteor.from_signature(text, **further(scorer, given_arguments))
    assert same(scorer, again)
    assert again.get_signature(references, 3, form=form) == text
    assert scorer.get_signature() == again.get_signature()
    assert scorer.sentence_score(*TEXTS) == again.sentence_score(*TEXTS)


def test_labels_cannot_be_mistaken() -> None:
    assert label(Beginning("x", "aa")) != label(Beginning("x-aa"))


@pytest.mark.parametrize("name", profiles.names())
def test_profiles_come_back(meteor: Make, name: str) -> None:
    scorer = meteor(profile=name)
    assert same(scorer, Meteor.from_signature(scorer.get_signature(2)))


MINE = replace(profiles.get("linear"), name="mine")


@pytest.mark.parametrize(
    ("options", "helped", "message"),
    [
        ({"stop_words": ["the"]}, {}, r"has stop words \(hash .*\): give the same stop words"),
        ({"stop_words": ["the"]}, {"stop_words": ["a"]}, "stop:.*would have.*give the same stop words"),
        ({}, {"stop_words": ["the"]}, "has stop:None, this scorer would have"),
        ({"modules": ["exact", Beginning("x")]}, {}, "custom matchers .*: x; give the same matchers"),
        (
            {"modules": ["exact", Beginning("x", "aa")]},
            {"matchers": [Beginning("x", "bb")]},
            ": x@aa, not x@bb; give",
        ),
        ({"modules": ["exact"]}, {"matchers": [Beginning("x")]}, ": none, not x; give"),
        ({"profile": MINE}, {}, "custom profile, 'mine' with hash .*profile="),
        ({"profile": MINE}, {"profile": "linear"}, "not 'linear'"),
        ({"profile": "linear"}, {"profile": "1.5"}, r"has profile 'linear' \(built-in\), not '1.5'"),
    ],
)
def test_what_cannot_be_rebuilt_is_asked_for(
    options: dict[str, Any], helped: dict[str, Any], message: str
) -> None:
    text = Meteor(resources=EMPTY, normalize="lower", **{"modules": ["exact"], **options}).get_signature()
    with pytest.raises(ConfigurationError, match=message):
        Meteor.from_signature(text, **helped)


def test_another_pack(english: Meteor) -> None:
    text = english.get_signature().replace(english.settings.pack.hash, "00000000")
    with pytest.raises(
        ConfigurationError, match=r"pack:00000000, .* have .*: give the language pack .*resources="
    ):
        Meteor.from_signature(text)
    own = bolide.resources.custom_pack("en", base=english.settings.pack, function_words=__file__)
    text = Meteor(resources=own).get_signature()
    assert same(Meteor(resources=own), Meteor.from_signature(text, resources=own))
    with pytest.raises(ConfigurationError, match="resources="):
        Meteor.from_signature(text)


def test_other_synonyms(meteor: Make) -> None:
    scorer = meteor(synonyms="wordnet")
    text = scorer.get_signature()
    assert same(scorer, Meteor.from_signature(text))
    assert scorer.settings.synonyms is not None
    with pytest.raises(ConfigurationError, match="--synonyms SOURCE"):
        Meteor.from_signature(text.replace(scorer.settings.synonyms.hash, "00000000"))


def test_another_version_is_told() -> None:
    scorer = Meteor("linear", resources=EMPTY, normalize="lower")
    text = scorer.get_signature().replace(f"bolide:{__version__}", "bolide:9.8.7")
    with pytest.warns(UserWarning, match="made by bolide 9.8.7, this is"):
        assert same(scorer, Meteor.from_signature(text))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("norm:yes|case:lower", "norm:nopunct|case:mixed"), "norm:nopunct and case:mixed do not fit"),
        (("version:1.5", "version:1.6"), "unknown profile '1.6'"),
        (("lang:en", "lang:xx"), "unknown language 'xx'"),
        (("|refs", "|params:7_1_1_1|weights:1_1_1_1|refs"), "alpha must be a number from 0 to 1, not 7"),
        (("|refs", "|params:.._1_1_1|weights:1_1_1_1|refs"), "params needs numbers, not '..'"),
        (("|refs", "|weights:1_1|refs"), "weights must be 4 numbers"),
        (("|pack", "|search:other=1e|pack"), "search needs numbers"),
        (("|pack", "|search:=|pack"), "search needs numbers, not ''"),
    ],
)
def test_nonsense_is_refused(english: Meteor, change: tuple[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        Meteor.from_signature(STANDARD.replace("3f9a0c1e", english.settings.pack.hash).replace(*change))


@given(st.data())
def test_any_text_is_a_signature_or_an_error(english: Meteor, data: st.DataObject) -> None:
    fields = STANDARD.replace("3f9a0c1e", english.settings.pack.hash).split("|")
    keys = [*FIELDS, *(key.short for key in FIELDS.values())]
    values = st.sampled_from(
        ["1", "0", "none", "en", "1.5", "1_1", "ex.st", "exact.x", "x=1", "nan", "1e999"]
    )
    pair = st.builds(lambda key, value: f"{key}:{value}", st.sampled_from(keys), values | st.text(max_size=5))
    for other in data.draw(st.lists(pair, max_size=2)):
        fields[data.draw(st.integers(1, len(fields) - 1))] = other
    text = "|".join(fields)
    try:
        found = Meteor.from_signature(text)
    except (BolideError, UserWarning):
        return
    assert Signature.of(found.settings).difference(Signature.parse(text)).keys() <= {"refs", "unproven"}


def test_the_scorer_of_a_subclass() -> None:
    class Mine(Meteor):
        pass

    text = Meteor("linear", resources=EMPTY, normalize="lower").get_signature()
    assert type(Mine.from_signature(text)) is Mine


# ---- Java Eval ID --------------------------------------------------------------------------------


def test_eval_id(english: Meteor, meteor: Make, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert english.get_eval_id() == "meteor-1.5-wo-en-norm-0.85_0.2_0.6_0.75-ex_st_sy_pa-1.0_0.6_0.8_0.6"
    (tmp_path / "text").write_text("a cat\n", encoding="utf-8")
    options = ["-l", "de", "-p", "0.5 1 0.5 0.25", "-w", "1 0.5", "-m", "exact stem", "-lower", "-ch"]
    scorer = meteor(
        language="de", modules=["exact", "stem"], weights=[1, 0.5], alpha=0.5, beta=1, gamma=0.5, delta=0.25,
        normalize="lower", unit="characters",
    )  # fmt: skip
    assert run(["java", str(tmp_path / "text"), str(tmp_path / "text"), *options]) == 0
    assert f"Eval ID:        {scorer.get_eval_id()}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        {"profile": "1.3"}, {"aligner": "exact"}, {"references": "union"}, {"stop_words": ["the"]},
        {"modules": ["exact", Beginning()]}, {"modules": ["exact", "porter-stem"], "weights": [1, 1]},
        {"search_weights": "paper"}, {"language": "it"},
    ],
)  # fmt: skip
def test_what_java_cannot_have_has_no_id(meteor: Make, options: dict[str, Any]) -> None:
    assert meteor(**options).get_eval_id() is None


# ---- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 1.5}, "alpha must be a number from 0 to 1, not 1.5"),
        ({"alpha": -0.1}, "alpha must be a number from 0 to 1, not -0.1"),
        ({"beta": -1}, "beta must be a number of at least 0, not -1"),
        ({"gamma": 2}, "gamma must be a number from 0 to 1, not 2"),
        ({"delta": float("nan")}, "delta must be a number from 0 to 1, not nan"),
        ({"beta": float("inf")}, "beta must be a number of at least 0, not inf"),
        ({"weights": [1, -1]}, "the weight of stem must be a number from 0 to 1000, not -1"),
        ({"weights": [1, 1e200]}, "the weight of stem must be a number from 0 to 1000, not 1e+200"),
        ({"weights": [1, float("nan")]}, "the weight of stem must be a number from 0 to 1000, not nan"),
    ],
)
def test_parameters_out_of_range(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Meteor(modules=["exact", "stem"], resources=EMPTY, normalize="lower", **options)
    assert str(caught.value) == message


def test_a_profile_with_parameters_out_of_range() -> None:
    row = {"alpha": 0.5, "beta": 1, "gamma": 1.5, "delta": 0.5, "weights": {"other": 1}}
    with pytest.raises(ConfigurationError, match=r"gamma must be a number from 0 to 1, not 1\.5"):
        profiles.get(replace(profiles.get("linear"), name="mine", task="t", tasks={"t": {"any": row}}))


def test_the_largest_weights_have_finite_scores() -> None:
    scorer = Meteor(modules=["exact", "stem"], resources=EMPTY, normalize="lower", weights=[1000, 1000])
    found = scorer.corpus_score(["a cat sat"] * 9, ["a cat is sat"] * 9)
    assert 0 < found.score < 1000
    text = found.signature
    assert Meteor.from_signature(text, resources=EMPTY).get_signature(1) == text
    with pytest.raises(ConfigurationError, match=r"exact must be a number from 0 to 1000, not 1e\+308"):
        Meteor.from_signature(text.replace("1000", "1e308", 1), resources=EMPTY)


def test_java_takes_any_parameters(
    english: Meteor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text("a cat\n", encoding="utf-8")
    assert (
        run(["java", str(tmp_path / "text"), str(tmp_path / "text"), "-p", "2 -1 3 -0.5", "-w", "-1 1 1 1"])
        == 0
    )
    assert "Parameters:     2.0 -1.0 3.0 -0.5" in capsys.readouterr().out
    text = str(tmp_path / "text")
    assert run(["java", text, text, "-w", "1e308 1 1 1"]) == 0
    assert "Weights:        1.0E308 1.0 1.0 1.0" in capsys.readouterr().out


# ---- command -------------------------------------------------------------------------------------


def test_command(english: Meteor, capsys: pytest.CaptureFixture[str]) -> None:
    text = english.get_signature(1)
    assert run(["signature", text]) == 0
    out = capsys.readouterr().out
    assert "modules   exact stem synonym paraphrase  modules\n" in out
    assert f"short     {english.get_signature(1, form='short')}\n" in out
    assert f"long      {english.get_signature(1, form='long')}\n" in out
    assert f"Eval ID   {english.get_eval_id()}\n" in out
    assert out.endswith("reproducible here: yes\n")
    assert run(["signature", text.replace(english.settings.pack.hash, "00000000")]) == 0
    assert "give the language pack that has this hash" in capsys.readouterr().out
    assert run(["signature", text.replace(f"bolide:{__version__}", "bolide:9.8.7")]) == 0
    assert "made by bolide 9.8.7" in capsys.readouterr().out
    assert run(["signature", text, text.replace("refs:1", "refs:4")]) == 0
    assert capsys.readouterr().out.split() == ["refs", "1", "4"]
    assert run(["signature", "nonsense"]) == 2
    assert "a signature must begin with" in capsys.readouterr().err
