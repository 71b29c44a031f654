"""Recreate the profiles bolide-1 and bolide-1-pooled, and every number that their page reports.

    python examples/bolide-1/remake.py FOLDER [--output FOLDER]

FOLDER has the sets of WMT12 and WMT13 (see judgments.py for the format). This takes some minutes, and writes

    steps.tsv      what each step from profile 1.5 adds, cross-validated
    choices.tsv    what the nested cross-validation chose for each set
    taus.tsv       τ of each set, cross-validated and final, with 95% intervals, beside profile 1.5's
    bolide-1.toml, bolide-1-pooled.toml
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from fitting import Fold, Point, Variant, by_both, by_language, by_year, fit, nested, validated
from judgments import Floats, Judged, agreement, interval, read, samples, taus

from bolide import Meteor, profiles
from bolide._support.arrays import Statistics
from bolide.errors import ConfigurationError
from bolide.matching.vectors import Related

INTO = [f"wmt{year}.{code}-en" for year in (12, 13) for code in ("cs", "de", "es", "fr")]
OUT = [f"wmt12.en-{code}" for code in ("cs", "de", "es", "fr")]
SAMPLES = 2000

# Weights of profile 1.5 for English. There, a word that differs only in case counts fully. A word that shares
# some letters counts that share of the weight of a stem.
PRIOR = {"alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75}
WEIGHTS = {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.6, "case": 1.0}
WEIGHTS |= {"most-letters": 0.5, "half-letters": 0.3, "some-letters": 0.15}
HALVES = {"exact": 2.0, "case": 2.0, "other": 1.0}
ENGLISH = ["exact", "stem", "synonym", "paraphrase"]
CASED = ["exact", "case", *ENGLISH[1:]]
LETTERS = ["most-letters", "half-letters", "some-letters"]

# Each step adds to the one before.
ENGLISH_STEPS: dict[str, dict[str, Any]] = {
    "parameters": {"modules": ENGLISH, "aligner": "beam", "search_weights": "java"},
    "exact alignment": {"modules": ENGLISH, "search_weights": "paper"},
    "halves": {"modules": ENGLISH},
    "characters": {"modules": ENGLISH, "unit": "characters"},
    "case": {"modules": CASED, "unit": "characters", "normalize": "keep-case"},
    "half-letters": {"modules": [*CASED, "half-letters"], "unit": "characters", "normalize": "keep-case"},
}
POOLED_STEPS: dict[str, dict[str, Any]] = {
    "parameters": {"modules": ["exact"]},
    "characters": {"modules": ["exact"], "unit": "characters"},
    "case": {"modules": ["exact", "case"], "unit": "characters", "normalize": "keep-case"},
    "letters": {"modules": ["exact", "case", *LETTERS], "unit": "characters", "normalize": "keep-case"},
}
# Description, language and steps of each profile.
PROFILES = {
    "bolide-1": (
        "English, tuned on WMT12 and WMT13: exact alignment, characters, case, letters",
        "en",
        ENGLISH_STEPS,
    ),
    "bolide-1-pooled": (
        "Any language, without synonyms or paraphrases, tuned on WMT12 and WMT13: equal words, case, letters",
        "any",
        POOLED_STEPS,
    ),
}


def scorer(language: str, settings: Mapping[str, Any]) -> Meteor:
    """Profile 1.5 without the quirks of the official release."""
    plain = replace(
        profiles.get("1.5"), name="plain", word_identity="spelling", identical="all-modules",
        function_words="language",
    )  # fmt: skip
    chosen = {"aligner": "exact", "search_weights": HALVES, **settings}
    return Meteor(plain, language, weights=[1.0] * len(chosen["modules"]), **PRIOR, **chosen)


def variant(name: str, sets: Sequence[Judged], settings: Mapping[str, Any]) -> Variant:
    names = [module if isinstance(module, str) else module.name for module in settings["modules"]]
    prior = (*PRIOR.values(), *(WEIGHTS.get(module, 0.0) for module in names))
    return Variant(name, prior, {judged.name: statistics(judged, settings) for judged in sets})


def statistics(judged: Judged, settings: Mapping[str, Any]) -> Statistics:
    found = scorer(judged.languages[1], settings).statistics(judged.hypotheses, judged.references)
    return np.ascontiguousarray(found, dtype=np.float64)  # type: ignore[return-value]


def released(sets: Sequence[Judged]) -> dict[str, Floats]:
    """Scores of profile 1.5, as in the release. It has paraphrases for English only."""
    found = {}
    for judged in sets:
        language = judged.languages[1]
        modules = (
            None if language == "en" else [m for m in ("exact", "stem") if m != "stem" or language != "cs"]
        )
        meteor = Meteor("1.5", language, modules=modules)
        found[judged.name] = meteor.score(meteor.statistics(judged.hypotheses, judged.references))
    return found


# ---- reports -------------------------------------------------------------------------------------


class Report:
    """A TSV file whose rows are also printed as they are written."""

    def __init__(self, path: Path, *columns: str) -> None:
        self._path, self._lines = path, ["\t".join(columns)]
        print(f"\n{path.name}\n{self._lines[0]}")

    def add(self, *values: object) -> None:
        self._lines.append("\t".join(f"{v:.4f}" if isinstance(v, float) else str(v) for v in values))
        print(self._lines[-1], flush=True)

    def write(self) -> None:
        self._path.write_text("\n".join(self._lines) + "\n", encoding="utf-8")


Scores = Mapping[str, Floats]


def groups(sets: Sequence[Judged]) -> dict[str, list[int]]:
    """The groups to average over: each set, the two directions (if there are two), and all sets."""
    out = [k for k, judged in enumerate(sets) if judged.languages[1] != "en"]
    into = [k for k in range(len(sets)) if k not in out]
    found = {judged.name: [k] for k, judged in enumerate(sets)}
    if out:
        found |= {"into English": into, "out of English": out}
    return {**found, "mean": list(range(len(sets)))}


def compare(
    report: Report, profile: str, what: str, sets: Sequence[Judged], ours: Scores, theirs: Scores
) -> None:
    """τ by both rules, set by set and on average, and the paired difference from profile 1.5."""
    mine = [agreement(judged, ours[judged.name]) for judged in sets]
    base = [agreement(judged, theirs[judged.name]) for judged in sets]
    drawn = samples(mine, SAMPLES)
    own = np.stack([taus(np.stack([c.sum(axis=0), *(d @ c)])) for c, d in zip(mine, drawn, strict=True)])
    old = np.stack([taus(np.stack([c.sum(axis=0), *(d @ c)])) for c, d in zip(base, drawn, strict=True)])
    for name, members in groups(sets).items():
        a, b = own[members].mean(axis=0), old[members].mean(axis=0)
        for rule, label in enumerate(("wmt14", "wmt12")):
            x, y = a[:, rule], b[:, rule]
            low, high = interval(x[1:])
            below, above = interval(x[1:] - y[1:])
            tau, old_tau = float(x[0]), float(y[0])
            difference = tau - old_tau
            report.add(profile, what, name, label, tau, low, high, old_tau, difference, below, above)


def scored(chosen: Mapping[str, tuple[Variant, Point]], sets: Sequence[Judged]) -> dict[str, Floats]:
    return {s.name: chosen[s.name][0].scores(s, chosen[s.name][1]) for s in sets}


def toml(description: str, language: str, settings: Mapping[str, Any], point: Point) -> str:
    numbers = ", ".join(f"{name} = {value:g}" for name, value in zip(PRIOR, point, strict=False))
    weights = ", ".join(
        f"{name} = {weight:g}" for name, weight in zip(settings["modules"], point[4:], strict=True)
    )
    listed = ", ".join(f'"{name}"' for name in settings["modules"])
    row = f"{{ {numbers}, weights = {{ {weights} }}, modules = [{listed}] }}"
    head = [
        f'description = "{description}"',
        "# Made by examples/bolide-1/remake.py; the numbers are in docs/experiments/bolide-1.md.",
        'aligner = "exact"',
        "search_weights = { exact = 2, case = 2, other = 1 }",
        f'normalize = "{settings["normalize"]}"',
        f'unit = "{settings["unit"]}"',
        *([f'languages = ["{language}"]'] if language != "any" else []),
        'task = "rank"',
    ]
    return "\n".join([*head, "", "[tasks.rank]", f"{language} = {row}", ""])


# ---- the two profiles ----------------------------------------------------------------------------


def make(
    profile: str,
    sets: Sequence[Judged],
    steps: Mapping[str, dict[str, Any]],
    folds: Mapping[str, list[Fold]],
    reports: Mapping[str, Report],
    tested: int,
) -> Point:
    """The point of the last step, fitted to all sets.

    The nested cross-validation chooses among the steps from number `tested` on.
    """
    old = released(sets)
    variants = [variant(name, sets, settings) for name, settings in steps.items()]
    for found in variants:
        for kind, parts in folds.items():
            points = validated(found, parts)
            ours = {name: (found, point) for name, point in points.items()}
            _mean(reports["steps"], profile, found.name, kind, sets, scored(ours, sets), old)
    for kind, parts in folds.items():
        chosen = nested(variants[tested:], parts)
        for judged in sets:
            by, point = chosen[judged.name]
            reports["choices"].add(profile, kind, judged.name, by.name, " ".join(f"{x:g}" for x in point))
        compare(reports["taus"], profile, f"nested, {kind}", sets, scored(chosen, sets), old)
    final = fit(variants[-1], sets)
    reports["choices"].add(profile, "all", "all", variants[-1].name, " ".join(f"{x:g}" for x in final))
    compare(
        reports["taus"], profile, "final", sets, {s.name: variants[-1].scores(s, final) for s in sets}, old
    )
    return final


def _mean(
    report: Report, profile: str, step: str, kind: str, sets: Sequence[Judged], ours: Scores, old: Scores
) -> None:
    mine, base = (
        np.mean([taus(agreement(s, scores[s.name]).sum(axis=0)) for s in sets], axis=0)
        for scores in (ours, old)
    )
    report.add(profile, step, kind, *map(float, mine), *map(float, mine - base))


def with_related(steps: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The last step plus word vectors, if they are installed."""
    last = list(steps.values())[-1]
    try:
        related = Related.glove(threshold=0.6)
    except ConfigurationError as error:
        print(f"without the step 'related': {error}")
        return {}
    return {"related": {**last, "modules": [*last["modules"], related]}}


def main(folder: Path, output: Path) -> None:
    start = time.monotonic()
    output.mkdir(parents=True, exist_ok=True)
    into = [read(folder, name) for name in INTO]
    pooled = [*into, *(read(folder, name) for name in OUT)]
    differences = ("profile 1.5", "difference", "difference low", "difference high")
    reports = {
        "steps": Report(
            output / "steps.tsv", "profile", "step", "folds", "wmt14", "wmt12", "wmt14 gain", "wmt12 gain"
        ),
        "choices": Report(output / "choices.tsv", "profile", "folds", "set", "step", "point"),
        "taus": Report(
            output / "taus.tsv", "profile", "fitted", "set", "rule", "tau", "low", "high", *differences
        ),
    }
    cuts: dict[str, Callable[[Sequence[Judged]], list[Fold]]] = {
        "language": by_language,
        "year": by_year,
        "both": by_both,
    }
    folds = {kind: cut(into) for kind, cut in cuts.items()}
    english = make("bolide-1", into, ENGLISH_STEPS, folds, reports, tested=2)
    for name, settings in with_related(ENGLISH_STEPS).items():
        found = variant(name, into, settings)
        old = released(into)
        for kind, parts in folds.items():
            points = validated(found, parts)
            _mean(
                reports["steps"],
                "bolide-1",
                name,
                kind,
                into,
                {s.name: found.scores(s, points[s.name]) for s in into},
                old,
            )
    any_language = make(
        "bolide-1-pooled", pooled, POOLED_STEPS, {"language": by_language(pooled)}, reports, tested=1
    )
    for report in reports.values():
        report.write()
    for name, point in (("bolide-1", english), ("bolide-1-pooled", any_language)):
        description, language, steps = PROFILES[name]
        text = toml(description, language, list(steps.values())[-1], point)
        (output / f"{name}.toml").write_text(text, encoding="utf-8")
    print(f"{time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--output", type=Path, default=Path())
    arguments = parser.parse_args()
    main(arguments.folder, arguments.output)
