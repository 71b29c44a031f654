"""The profiles tuned by this project: they load, and agree with people as much as their page says."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import bolide
from bolide import Meteor, profiles
from bolide.errors import ConfigurationError
from bolide.scoring.signature import Signature
from tests.support.paths import EXAMPLES

RECIPE = EXAMPLES / "bolide-1"
NAMES = ("bolide-1", "bolide-1-pooled")


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    monkeypatch.syspath_prepend(str(RECIPE))
    return importlib.import_module


def results(name: str) -> list[dict[str, str]]:
    with (RECIPE / "results" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("name", NAMES)
def test_profile_is_what_the_recipe_found(name: str, recipe: Callable[[str], ModuleType]) -> None:
    remake = recipe("remake")
    rows = [row for row in results("choices") if (row["profile"], row["set"]) == (name, "all")]
    point = tuple(float(value) for value in rows[0]["point"].split())
    description, language, steps = remake.PROFILES[name]
    assert remake.toml(description, language, list(steps.values())[-1], point) == profiles.text(name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["standard", "short", "long"])
def test_signature_reads_back(name: str, form: str, meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile=name)
    line = scorer.get_signature(form=form)
    again = Meteor.from_signature(line)
    assert again.get_signature(form=form) == line
    assert (again.settings.unit, again.settings.normalize) == ("characters", "keep-case")
    assert scorer.get_eval_id() is None


def test_words_can_be_asked_for(meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="bolide-1", unit="words")
    assert Signature.of(scorer.settings)["unit"] == "words"
    assert Meteor.from_signature(scorer.get_signature()).settings.unit == "words"


def test_english_only() -> None:
    with pytest.raises(ConfigurationError, match="profile bolide-1 is for en, not for language 'de'"):
        Meteor("bolide-1", "de")


@pytest.mark.parametrize("language", ["cs", "de", "fi", "other"])
def test_pooled_serves_any_language(language: str) -> None:
    scorer = Meteor("bolide-1-pooled", language, resources=bolide.resources.Pack(language))
    assert scorer.modules[:2] == ("exact", "case")
    better = scorer.sentence_score("Die Arbeiten beginnen", "Die Arbeit beginnt").score
    worse = scorer.sentence_score("Die Ferien enden", "Die Arbeit beginnt").score
    assert 0 < worse < better < 1
    assert scorer.sentence_score("Die Arbeit beginnt", "Die Arbeit beginnt").score == 1


SENTENCES: dict[str, list[tuple[str, str, float]]] = {
    "bolide-1": [
        ("The cat sat on the mat", "the cat sat on the mat", 0.9526315789473683),
        ("heavy rain delayed the works", "Heavy rain had delayed the work", 0.43584179784399757),
        ("nothing in common", "wholly different words", 0.0),
    ],
    "bolide-1-pooled": [
        ("The cat sat on the mat", "the cat sat on the mat", 0.9689655172413792),
        ("heavy rain delayed the works", "Heavy rain had delayed the work", 0.36227294311052055),
        ("nothing in common", "wholly different words", 0.0),
    ],
}


@pytest.mark.parametrize(
    ("name", "hypothesis", "reference", "score"),
    [(name, *row) for name, rows in SENTENCES.items() for row in rows],
)
def test_sentences(
    name: str, hypothesis: str, reference: str, score: float, meteor: Callable[..., Meteor]
) -> None:
    found = meteor(profile=name).sentence_score(hypothesis, reference).score
    assert found == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_agreement_is_as_reported(
    name: str, shared: Path, recipe: Callable[[str], ModuleType], meteor: Callable[..., Meteor]
) -> None:
    """For the sets of WMT12. Those of WMT13 are larger; the same program computes them."""
    judgments: Any = recipe("judgments")
    reported = {
        (row["set"], row["rule"]): row["tau"]
        for row in results("taus")
        if (row["profile"], row["fitted"]) == (name, "final")
    }
    sets = [key for key, rule in reported if key.startswith("wmt12") and rule == "wmt14"]
    assert sets
    for each in sets:
        judged = judgments.read(shared / "data" / "wmt", each)
        scorer = meteor(profile=name, language=judged.languages[1])
        scores = scorer.score(scorer.statistics(judged.hypotheses, judged.references))
        found = judgments.taus(judgments.agreement(judged, scores).sum(axis=0))
        assert [f"{tau:.4f}" for tau in found] == [reported[each, rule] for rule in ("wmt14", "wmt12")]


def test_better_than_profile_1_5_where_it_was_not_tuned() -> None:
    """In the committed results, the interval of the difference is above zero in every cross-validation."""
    rows = [row for row in results("taus") if row["fitted"].startswith("nested") and row["set"] == "mean"]
    assert {row["profile"] for row in rows} == set(NAMES)
    assert all(float(row["difference low"]) > 0 for row in rows)
