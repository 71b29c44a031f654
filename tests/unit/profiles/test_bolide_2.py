"""The profile bolide-2: it loads for every task and language, and its score has no jumps."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor, profiles
from bolide.resources import Pack
from tests.support.paths import EXAMPLES

TASKS = ("translation", "caption", "summary", "data-to-text")


def test_tasks() -> None:
    profile = profiles.get("bolide-2")
    assert tuple(profile.tasks) == TASKS
    assert profile.task == "translation"


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("form", ["standard", "short", "long"])
def test_signature_reads_back(task: str, form: str, meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="bolide-2", task=task)
    line = scorer.get_signature(references=5, form=form)
    assert Meteor.from_signature(line).get_signature(references=5, form=form) == line


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("language", ["en", "de", "cs", "other"])
def test_order_of_hypotheses(task: str, language: str, meteor: Callable[..., Meteor]) -> None:
    resources = Pack("other") if language == "other" else None
    scorer = meteor(profile="bolide-2", language=language, task=task, resources=resources)
    reference = "Marta Kowalski repaired the old clock tower"
    hypotheses = [
        "Marta Kowalski repaired the old clock tower",
        "Marta Kowalski repaired the clock tower",
        "Martha Kowalsky repairs clocks",
        "nobody knows why",
    ]
    found = [scorer.sentence_score(each, reference).score for each in hypotheses]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1
    assert found[-1] < 0.2


def test_more_references_are_used_together(meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="bolide-2", task="caption")
    one, two = "a man rides a horse", "someone is on a brown horse"
    single = scorer.sentence_score("a man on a horse", [one]).score
    both = scorer.sentence_score("a man on a horse", [one, two]).score
    alone = scorer.sentence_score("a man on a horse", [two]).score
    assert min(single, alone) < both < max(single, alone)


def test_only_languages_with_a_stemmer_have_stems(meteor: Callable[..., Meteor]) -> None:
    assert "stem" in meteor(profile="bolide-2", language="de", task="caption").modules
    assert "stem" not in meteor(profile="bolide-2", language="cs", task="caption").modules


def test_case_counts_in_every_language(meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="bolide-2", language="other", resources=Pack("other"))
    reference = "das Rennen im Park"
    found = [scorer.sentence_score(each, reference).score for each in (reference, reference.lower())]
    assert found[0] == 1
    # two of four words, 10 of 15 letters, differ in case: they count 0.6, and break nothing
    assert found[1] == pytest.approx((5 + 0.6 * 10) / 15)


@pytest.mark.parametrize("target", ["cs", "de", "es", "fr"])
def test_agreement_is_as_reported(target: str, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = EXAMPLES / "bolide-2"
    monkeypatch.syspath_prepend(str(recipe))
    judgments: Any = importlib.import_module("judgments")
    name = f"wmt12.en-{target}"
    table = (recipe / "results" / "rankings-out-of-english.md").read_text(encoding="utf-8")
    (reported,) = re.findall(rf"^\| {name} \| \*\*([\d.]+)\*\*", table, re.MULTILINE)
    judged = judgments.read(shared / "data" / "wmt", name)
    scorer = Meteor("bolide-2", target)
    scores = scorer.score(scorer.statistics(judged.hypotheses, judged.references))
    tau, _ = judgments.taus(judgments.agreement(judged, scores).sum(axis=0))
    assert f"{tau:.3f}" == reported
