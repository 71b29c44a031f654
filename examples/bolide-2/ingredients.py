"""What each part of bolide-2 adds: mean agreement by field without it. The parameters stay the same.

    python examples/bolide-2/ingredients.py FOLDER FIELD... [--output FILE.md]

FOLDER and the fields are those of agreement.py. The result is a table with one column per field.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from agreement import OURS, scorer
from sets import FIELDS, JudgedSet

from bolide import Meteor, evaluation, profiles
from bolide.formula.parameters import Formula

PROFILE = profiles.get(OURS)


Variant = Callable[[Meteor], Meteor]


def again(meteor: Meteor, profile: str | profiles.Profile = OURS, **options: Any) -> Meteor:
    """The scorer with other options."""
    own = meteor.settings
    options = {"modules": own.modules, **options}
    if options.get("unit") == "words" or options.get("references") == "pool":  # they count whole words
        options["modules"] = [name for name in options["modules"] if name != "letter-runs"]
    if own.language.code == "ja":
        options["segmentation"] = "characters"
    return Meteor(profile, own.language.code, own.task, **options)


def changed(**settings: Any) -> Variant:
    """A scorer whose profile has other settings."""
    return lambda meteor: again(meteor, replace(PROFILE, name="changed", **settings))


def given(**options: Any) -> Variant:
    """A scorer with these arguments."""
    return lambda meteor: again(meteor, **options)


def without(*names: str) -> Variant:
    """A scorer without modules."""
    return lambda meteor: again(meteor, modules=[name for name in meteor.modules if name not in names])


VARIANTS: dict[str, Variant] = {
    "bolide-2": lambda meteor: meteor,
    "chunks instead of breaks": changed(formula=Formula(power="exact")),
    "... without the exception for one chunk": changed(formula=Formula(power="exact", whole="penalised")),
    "size of words: 1": given(unit="words"),
    "size of words: letters": given(unit="characters"),
    "size of words: letters and bits": given(unit="information"),
    "size of words: squared bits": given(unit="squared-bits"),
    "no function words": changed(function_words="none"),
    "references: best": given(references="best"),
    "references: all": given(references="all"),
    "references: pool": given(references="pool"),
    "equal search weights": changed(search_weights={"other": 1.0}),
    "lower-case words, no module case": changed(normalize="keep-punctuation"),
    "no module with letters": without("half-letters", "letter-runs"),
    "no synonyms": without("synonym"),
    "no paraphrases": without("paraphrase"),
}


def value(folder: Path, task: str, judged: JudgedSet, variant: Variant) -> float:
    read = evaluation.read_judged_texts(
        folder / judged.file, where=judged.where, own_references=judged.own_references
    )
    meteor = variant(scorer(OURS, task, judged))
    scores = read.score(lambda texts: evaluation.meteor_scores(meteor, texts))
    return evaluation.correlate(scores, read.judgments, measures=[judged.measure]).results[0].value


def write(
    file: Path, variants: Mapping[str, Any], fields: Sequence[str], mean: Callable[[str, Any], float]
) -> None:
    """Writes a table of means: one row per variant, one column per field."""
    lines = [f"| | {' | '.join(fields)} |", "|---|" + "---:|" * len(fields)]
    for name, variant in variants.items():
        lines.append(f"| {name} | {' | '.join(f'{mean(field, variant):.3f}' for field in fields)} |")
        print(lines[-1], flush=True)
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("fields", nargs="+", choices=FIELDS)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "ingredients.md")
    options = parser.parse_args()

    def mean(field: str, variant: Variant) -> float:
        task, sets = FIELDS[field]
        return float(np.mean([value(options.folder, task, judged, variant) for judged in sets]))

    write(options.output, VARIANTS, options.fields, mean)


if __name__ == "__main__":
    main()
