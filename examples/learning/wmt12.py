"""Measure what function words and paraphrases add: WMT12, English into German, French and Spanish.

    python examples/learning/wmt12.py WMT LEARNED [--output FOLDER]

WMT holds wmt12.en-de.pairs.tsv.gz (segid, better, worse), wmt12.en-de.hyp.tsv.gz (system, segid, hyp),
wmt12.en-de.ref.tsv.gz (segid, ref) and so on. LEARNED holds de.learning, fr.learning and es.learning, the
output of `bolide learn language`. The program writes all numbers to results.tsv and the tables to results.md,
in FOLDER. Without arguments it regenerates the tables from results.tsv.

The 1.3 paper added paraphrases, function words and new parameters at once. Here each is added alone, with the
parameters of Meteor 1.5. Then all parameters are tuned, separately for each combination of parts. Tuned
parameters are tested on sentences that they were not tuned on: five folds, with sentence k in fold k mod 5.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bolide import Meteor, evaluation, resources
from bolide.evaluation import Judgments
from bolide.evaluation.texts import Texts
from bolide.tuning import DataSet
from bolide.tuning.tuning import Plan, tune

LANGUAGES = {"de": "German", "fr": "French", "es": "Spanish"}
FOLDS = 5
MEASURES = ("kendall-wmt14", "kendall-wmt12")
SAMPLES = 1000
Values = dict[tuple[str, str, str], float]  # language, parts, measure


class Parts(NamedTuple):
    """The parts of a scorer besides exact matches and stems."""

    words: str  # none, official, learned
    paraphrases: bool

    @property
    def label(self) -> str:
        words = {"none": "no function words", "official": "Meteor's words", "learned": "learned words"}
        return words[self.words] + (", paraphrases" if self.paraphrases else "")

    @property
    def modules(self) -> list[str]:
        return ["exact", "stem", *(["paraphrase"] if self.paraphrases else [])]


BASELINE = Parts("official", False)
VARIANTS = [
    BASELINE,
    Parts("none", False),
    Parts("learned", False),
    Parts("official", True),
    Parts("learned", True),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("wmt", type=Path, nargs="?")
    parser.add_argument("learned", type=Path, nargs="?")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    arguments = parser.parse_args()
    results = arguments.output / "results.tsv"
    if arguments.learned is None:
        values = read(results)
    else:
        values = {}
        for code in LANGUAGES:
            values |= measured(arguments.wmt, arguments.learned / f"{code}.learning", code)
            write(results, tsv(values))
            print(code, flush=True)
    write(arguments.output / "results.md", markdown(values))


def measured(wmt: Path, learned: Path, code: str) -> Values:
    """All numbers of one language."""
    name = f"wmt12.en-{code}"
    judgments = evaluation.read_judgments(wmt / f"{name}.pairs.tsv.gz")
    texts = evaluation.read_texts([str(wmt / f"{name}.hyp.tsv.gz")], [str(wmt / f"{name}.ref.tsv.gz")])
    texts = texts.only(judgments.systems)
    scorers = {parts: scorer(code, parts, learned) for parts in VARIANTS}
    return compared(code, scorers, texts, judgments) | tuned(code, scorers, texts, judgments)


def scorer(code: str, parts: Parts, learned: Path) -> Meteor:
    """Profile 1.5 with these parts. Without function words, all words weigh the same: δ = 0.5."""
    pack = resources.custom_pack(
        code,
        base=resources.open_pack(code, learned=False),
        function_words=learned / "function.words" if parts.words == "learned" else None,
        paraphrases=learned / "paraphrase.gz" if parts.paraphrases else None,
    )
    delta = 0.5 if parts.words == "none" else None
    return Meteor("1.5", code, modules=parts.modules, delta=delta, resources=pack)


def compared(code: str, scorers: dict[Parts, Meteor], texts: Texts, judgments: Judgments) -> Values:
    """τ with the parameters of 1.5, and the difference from the baseline."""
    scores = [
        each
        for parts, meteor in scorers.items()
        for each in evaluation.meteor_scores(meteor, texts, parts.label)
    ]
    study = evaluation.correlate(
        scores, judgments, measures=MEASURES, confidence=True, test="permutation", samples=SAMPLES
    )
    found: Values = {(code, "", "judgments"): study.counts["pairs"]}
    for result in study.results:
        found[code, result.metric, result.measure] = result.value
        assert result.interval is not None
        found[code, result.metric, f"{result.measure} low"] = result.interval[0]
        found[code, result.metric, f"{result.measure} high"] = result.interval[1]
        if result.p_value is not None:
            found[code, result.metric, f"{result.measure} p"] = result.p_value
    for parts, meteor in scorers.items():
        if parts.paraphrases:
            found[code, parts.label, "weight"] = meteor.parameters.weights[-1]
    return found


def tuned(code: str, scorers: dict[Parts, Meteor], texts: Texts, judgments: Judgments) -> Values:
    """τ of tuned parameters: on the sentences they were tuned on, and on held-out sentences."""
    found: Values = {}
    for parts, meteor in scorers.items():
        data = folds(meteor, texts, judgments)
        fixed = {"delta": 0.5} if parts.words == "none" else {}
        plan = Plan("tau", "coarse-to-fine", fixed)
        result = tune(data, parts.modules, meteor.parameters, plan, folds="set")
        sizes = {each.name: len(each.better) for each in data}
        total = sum(sizes.values())
        label = parts.label
        found[code, label, "tuned, in sample"] = result.overall_after
        found[code, label, "tuned"] = sum(f.held_out * sizes[f.name] for f in result.folds) / total
        names = ("alpha", "beta", "gamma", "delta", *parts.modules)
        found |= {(code, label, f"tuned {n}"): x for n, x in zip(names, result.found.point, strict=True)}
    return found


def folds(meteor: Meteor, texts: Texts, judgments: Judgments) -> list[DataSet]:
    """Five parts of the judgments; each has every fifth sentence."""
    rows = [
        meteor.statistics(texts.hypotheses[name], texts.references, layout="segments")
        for name in texts.systems
    ]
    places = {
        (system, segment): k * len(texts.segments) + m
        for k, system in enumerate(texts.systems)
        for m, segment in enumerate(texts.segments)
    }
    whole = DataSet.of("all", judgments, np.concatenate(rows), places)
    fold = np.asarray(whole.better) % len(texts.segments) % FOLDS
    return [
        DataSet(f"fold {k}", whole.statistics, whole.better[fold == k], whole.worse[fold == k])
        for k in range(FOLDS)
    ]


# ---- tables --------------------------------------------------------------------------------------


def read(path: Path) -> Values:
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {(code, parts, what): float(value) for code, parts, what, value in rows}


def write(path: Path, lines: Iterator[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def tsv(values: Values) -> Iterator[str]:
    yield "language\tparts\twhat\tvalue"
    for key, value in values.items():
        yield "\t".join([*key, f"{value:.6g}"])


def number(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def markdown(values: Values) -> Iterator[str]:
    codes = [code for code in LANGUAGES if (code, "", "judgments") in values]
    heads = [f"{LANGUAGES[code]} ({values[code, '', 'judgments']:,.0f} judgments)" for code in codes]
    for measure in MEASURES:
        yield f"τ ({measure.removeprefix('kendall-')}) with the parameters of 1.5, and its 95% interval\n"
        yield f"| resources | {' | '.join(heads)} |\n|---|{'---|' * len(codes)}"
        for parts in VARIANTS:
            cells = [with_interval(values, code, parts.label, measure) for code in codes]
            yield f"| {parts.label} | {' | '.join(cells)} |"
        yield ""
    yield "τ (wmt14) with tuned parameters: on held-out sentences, and on all sentences (in brackets)\n"
    yield f"| resources | {' | '.join(LANGUAGES[code] for code in codes)} |\n|---|{'---|' * len(codes)}"
    for parts in VARIANTS:
        found = [
            [values[code, parts.label, f"tuned{what}"] for what in ("", ", in sample")] for code in codes
        ]
        cells = [f"{number(held_out)} ({number(in_sample)})" for held_out, in_sample in found]
        yield f"| {parts.label} | {' | '.join(cells)} |"


def with_interval(values: Values, code: str, label: str, measure: str) -> str:
    low, high = (number(values[code, label, f"{measure} {end}"]) for end in ("low", "high"))
    p = values.get((code, label, f"{measure} p"), 1.0)
    return f"{number(values[code, label, measure])}{'*' * (p < 0.05)} ({low} to {high})"


if __name__ == "__main__":
    main()
