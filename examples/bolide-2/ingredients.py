"""What each part of bolide-2 adds: mean agreement by field without it. The parameters stay the same.

    python examples/bolide-2/ingredients.py FOLDER [--output RESULTS]

FOLDER is that of agreement.py. The result is the table ingredients.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from agreement import OURS, scorer
from sets import FIELDS, JudgedSet

from bolide import Meteor, evaluation, profiles
from bolide.formula.parameters import Formula

PROFILE = profiles.get(OURS)


def changed(**settings: Any) -> Callable[[Meteor], Meteor]:
    """A scorer whose profile has other settings."""

    def make(meteor: Meteor) -> Meteor:
        own = meteor.settings
        profile = replace(PROFILE, name="changed", **settings)
        options = {"segmentation": "characters"} if own.language.code == "ja" else {}
        return Meteor(profile, own.language.code, own.task, modules=own.modules, **options)

    return make


def without(*names: str) -> Callable[[Meteor], Meteor]:
    """A scorer without modules."""

    def make(meteor: Meteor) -> Meteor:
        own = meteor.settings
        modules = [name for name in meteor.modules if name not in names]
        options = {"segmentation": "characters"} if own.language.code == "ja" else {}
        return Meteor(OURS, own.language.code, own.task, modules=modules, **options)

    return make


VARIANTS: dict[str, Callable[[Meteor], Meteor]] = {
    "bolide-2": lambda meteor: meteor,
    "chunks instead of breaks": changed(formula=Formula(power="exact")),
    "... without the exception for one chunk": changed(formula=Formula(power="exact", whole="penalised")),
    "words instead of information": changed(unit="words"),
    "letters instead of information": changed(unit="characters"),
    "no function words": changed(function_words="none"),
    "best reference instead of all": changed(references="best"),
    "equal search weights": changed(search_weights={"other": 1.0}),
    "lower-case words, no module case": changed(normalize="keep-punctuation"),
    "no module with letters": without("most-letters", "half-letters", "some-letters"),
    "no synonyms": without("synonym"),
    "no paraphrases": without("paraphrase"),
}


def value(folder: Path, task: str, judged: JudgedSet, variant: Callable[[Meteor], Meteor]) -> float:
    read = evaluation.read_judged_texts(
        folder / judged.file, where=judged.where, own_references=judged.own_references
    )
    meteor = variant(scorer(OURS, task, judged))
    scores = read.score(lambda texts: evaluation.meteor_scores(meteor, texts))
    return evaluation.correlate(scores, read.judgments, measures=[judged.measure]).results[0].value


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    lines = [f"| | {' | '.join(FIELDS)} |", "|---|" + "---:|" * len(FIELDS)]
    for name, variant in VARIANTS.items():
        means = [
            np.mean([value(options.folder, task, judged, variant) for judged in sets])
            for task, sets in FIELDS.values()
        ]
        lines.append(f"| {name} | {' | '.join(f'{mean:.3f}' for mean in means)} |")
        print(lines[-1], flush=True)
    (options.output / "ingredients.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
