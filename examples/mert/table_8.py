"""Repeat table 8 of the Meteor 1.3 paper: tune a decoder to BLEU, TER, their difference, and four Meteors.

    python examples/mert/table_8.py FOLDER

FOLDER holds a decoder's n-best lists: dev.en, test1.en and optionally test2.en (one reference per line), the
lists dev.run0.nbest.xz and so on, and weights.run0, the initial weights. All lists of a set are merged. For
each method, objective and seed, the program tunes the weights on dev. Then the weights choose among the
hypotheses of the test lists, and the chosen ones are scored. If there is only one test set, its two halves
are shown too.

The program writes three files beside itself:

    runs.tsv      the weights of each run, written as soon as they are found
    results.tsv   the scores of each run
    results.md    the tables

Runs in runs.tsv are not tuned again. So the program resumes after an interruption, and a new test set needs
no tuning. Delete the file before you use other lists.

The paper decoded the test sets again with tuned weights, from Urdu, and scored them with Meteor 1.2. So the
numbers cannot equal those of the paper. Only the effect can be repeated.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bolide.comparison import significance
from bolide.mert import MertPlan, MertProblem, NBest, Weights, make_objective, read_references, tune
from bolide.mert.choices import SAMPLES
from bolide.mert.problem import Counted

HERE = Path(__file__).parent
# The objectives: the title of the paper's row, and its scores on newswire and weblog (BLEU, TER, Meteor 1.2).
# The last weblog rows are missing in the copy of the paper that was available.
PUBLISHED = {
    "bleu": ("BLEU", (23.67, 72.48, 50.45), (17.10, 76.28, 41.86)),
    "ter": ("TER", (25.35, 59.72, 48.60), (17.07, 64.32, 39.75)),
    "ter-bleu/2": ("TER-BLEU/2", (26.25, 61.66, 49.69), (18.14, 65.77, 40.68)),
    "meteor:tune": ("Meteor-tune", (24.89, 69.54, 51.29), (18.07, 73.83, 42.78)),
    "meteor:rank": ("Meteor-rank", (19.28, 94.64, 49.78), None),
    "meteor:adq": ("Meteor-adq", (22.86, 77.27, 51.40), None),
    "meteor:hter": ("Meteor-hter", (25.23, 66.71, 50.90), None),
}
METRICS = ("bleu", "ter", "meteor:rank", "meteor:tune", "meteor:adq", "meteor:hter")
METHODS = ("mert", "mira", "pro")
SEEDS = (1, 2, 3)
INITIAL = "initial"
TESTS = ("test1", "test2")


@dataclass(frozen=True)
class Run:
    """Weights, and the run that found them."""

    objective: str
    method: str
    seed: int
    weights: np.ndarray
    dev_before: float
    dev_after: float

    def line(self) -> str:
        weights = " ".join(map(repr, self.weights.tolist()))
        dev = [f"{value:.4f}" for value in (self.dev_before, self.dev_after)]
        return "\t".join([self.objective, self.method, str(self.seed), *dev, weights])


class TestSet:
    """The lists of a test set, or of a part of its sentences, with the statistics of all metrics."""

    def __init__(self, name: str, problem: MertProblem, references: list[list[str]], part: slice) -> None:
        self.name, self.problem, self._part = name, problem, part
        self.length = sum(len(each[0].split()) for each in references[part])

    def rows(self, weights: np.ndarray) -> np.ndarray:
        return self.problem.rows(self.problem.chosen(weights)[self._part])

    def words(self, weights: np.ndarray) -> float:
        """The number of words of the output, relative to that of the references."""
        texts = self.problem.nbest.texts_of(self.problem.chosen(weights)[self._part])
        return sum(len(text.split()) for text in texts) / self.length

    def scores(self, rows: np.ndarray) -> dict[str, float]:
        found = self.problem.objective.scores(rows.sum(axis=0)).values()
        return dict(zip(METRICS, found, strict=True))

    def own(self, objective: str, sums: np.ndarray) -> np.ndarray:
        """The value of an objective for rows of sums."""
        parts = dict(zip(METRICS, self.problem.objective.apart(sums), strict=True))
        values = {name: metric.sign * metric.score(part) for name, (metric, part) in parts.items()}
        return (values["bleu"] + values["ter"]) / 2 if objective == "ter-bleu/2" else values[objective]

    def gain(
        self, objective: str, runs: Sequence[Run], initial: np.ndarray
    ) -> tuple[float, tuple[float, float]]:
        """Gain of the runs' mean over the initial weights, by objective, with a 95% interval.

        The interval is a bootstrap of sentences; all objectives use the same samples.
        """
        chosen = [self.rows(initial), *(self.rows(run.weights) for run in runs)]
        values = [float(self.own(objective, rows.sum(axis=0)[None])[0]) for rows in chosen]
        drawn = significance.bootstrap(
            chosen, lambda sums: self.own(objective, sums), SAMPLES, significance.SEED, self.problem.threads
        )
        mean = drawn[1:].mean(axis=0) - drawn[0]
        return float(np.mean(values[1:]) - values[0]), significance.interval(mean)


def lists_of(folder: Path, name: str) -> tuple[NBest, list[list[str]]]:
    references = read_references([str(folder / f"{name}.en")])
    paths = sorted(str(path) for path in folder.glob(f"{name}.run*.nbest*"))
    if not paths:
        sys.exit(f"{folder} has no lists {name}.run0.nbest.xz")
    return NBest.read(paths, len(references)), references


def test_sets(folder: Path, names: Sequence[str]) -> list[TestSet]:
    found = []
    for name in names:
        nbest, references = lists_of(folder, name)
        problem = MertProblem(nbest, make_objective(" ".join(METRICS), references))
        found.append(TestSet(name, problem, references, slice(None)))
        if len(names) == 1:
            half = len(references) // 2
            for title, part in (
                (f"{name}, first half", slice(half)),
                (f"{name}, second half", slice(half, None)),
            ):
                found.append(TestSet(title, problem, references, part))
    return found


def tuned(folder: Path, methods: Sequence[str], restarts: int, known: Path) -> list[Run]:
    """All runs: those in the file, and the missing ones, which are tuned and added to it."""
    found = {(run.objective, run.method, run.seed): run for run in read_runs(known)}
    wanted = [(name, method, seed) for method in methods for name in PUBLISHED for seed in SEEDS]
    if missing := [key for key in wanted if key not in found]:
        tuner = Tuner(folder, restarts)
        with known.open("a", encoding="utf-8") as file:
            for key in missing:
                found[key] = tuner.run(*key)
                file.write(found[key].line() + "\n")
                file.flush()
    return [found[key] for key in wanted]


def read_runs(path: Path) -> Iterator[Run]:
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        name, method, seed, before, after, weights = line.split("\t")
        vector = np.array([float(weight) for weight in weights.split()])
        yield Run(name, method, int(seed), vector, float(before), float(after))


class Tuner:
    """The development lists, and the statistics of each objective."""

    def __init__(self, folder: Path, restarts: int) -> None:
        self._nbest, self._references = lists_of(folder, "dev")
        self._weights = Weights.read(str(folder / "weights.run0"))
        self._restarts = restarts
        self._counted: dict[str, Counted] = {}

    def run(self, name: str, method: str, seed: int) -> Run:
        if name not in self._counted:
            self._counted[name] = Counted(make_objective(name, self._references), self._nbest.sentences)
        counted, start = self._counted[name], time.perf_counter()
        found = tune(
            self._nbest, self._references, self._weights, objective=counted.objective, counted=counted,
            plan=MertPlan(method, seed, self._restarts),
        )  # fmt: skip
        before, after = found.before.value, found.after.value
        seconds = time.perf_counter() - start
        print(f"{name} {method} {seed}: {before:.2f} → {after:.2f}, {seconds:.0f} s", file=sys.stderr)
        return Run(name, method, seed, found.vector, before, after)


def tsv(runs: Sequence[Run], sets: Sequence[TestSet], initial: np.ndarray) -> Iterator[str]:
    yield "\t".join(["objective", "method", "seed", "set", *METRICS, "length"])
    for run in [Run(INITIAL, "", 0, initial, np.nan, np.nan), *runs]:
        for each in sets:
            scores = each.scores(each.rows(run.weights)).values()
            numbers = [*(f"{score:.4f}" for score in scores), f"{each.words(run.weights):.4f}"]
            yield "\t".join([run.objective, run.method, str(run.seed), each.name, *numbers])


def main_table(runs: Sequence[Run], each: TestSet, initial: np.ndarray, column: int | None) -> Iterator[str]:
    """Means over the seeds, beside one of the paper's two columns."""
    theirs = "" if column is None else " BLEU | TER | Met1.2 | |"
    yield f"| tuned to |{theirs} BLEU | TER | METEOR | length | own metric | 95% interval |"
    yield "|---|" + "---:|---:|---:|---|" * (column is not None) + "---:|" * 6
    first = each.scores(each.rows(initial))
    blank = " | | | |" * (column is not None)
    yield f"| *{INITIAL} weights* |{blank} {cells(first)} | {each.words(initial):.3f} | | |"
    for name, (title, *published) in PUBLISHED.items():
        some = [run for run in runs if run.objective == name and run.method == "mert"]
        scores = [each.scores(each.rows(run.weights)) for run in some]
        mean = {metric: float(np.mean([score[metric] for score in scores])) for metric in METRICS}
        length = np.mean([each.words(run.weights) for run in some])
        gain, (low, high) = each.gain(name, some, initial)
        paper = ""
        if column is not None:
            values = published[column]
            paper = " | | | |" if values is None else " " + " | ".join(f"{v:.2f}" for v in values) + " | |"
        yield f"| {title} |{paper} {cells(mean)} | {length:.3f} | {gain:+.2f} | {low:+.2f} to {high:+.2f} |"


def cells(scores: dict[str, float]) -> str:
    return " | ".join(f"{scores[name]:.2f}" for name in METRICS[:3])


def dev_table(runs: Sequence[Run], methods: Sequence[str]) -> Iterator[str]:
    yield "| tuned to | before | " + " | ".join(methods) + " |"
    yield "|---|---:|" + "---|" * len(methods)
    for name, (title, *_) in PUBLISHED.items():
        own = [run for run in runs if run.objective == name]
        ends = [" ".join(f"{run.dev_after:.2f}" for run in own if run.method == method) for method in methods]
        yield f"| {title} | {own[0].dev_before:.2f} | " + " | ".join(ends) + " |"


def method_table(
    runs: Sequence[Run], sets: Sequence[TestSet], initial: np.ndarray, methods: Sequence[str]
) -> Iterator[str]:
    yield "| tuned to | set | " + " | ".join(methods) + " |"
    yield "|---|---|" + "---|" * len(methods)
    for name, (title, *_) in PUBLISHED.items():
        for each in sets:
            gains = []
            for method in methods:
                some = [run for run in runs if (run.objective, run.method) == (name, method)]
                gain, (low, high) = each.gain(name, some, initial)
                gains.append(f"{gain:+.2f} ({low:+.2f} to {high:+.2f})")
            yield f"| {title} | {each.name} | " + " | ".join(gains) + " |"


def report(
    runs: Sequence[Run], sets: Sequence[TestSet], initial: np.ndarray, methods: Sequence[str]
) -> Iterator[str]:
    yield "# Table 8 of the Meteor 1.3 paper, repeated"
    yield ""
    yield "Made by table_8.py. METEOR is profile 1.5, task rank. Length is the length of the output divided"
    yield "by the length of the reference. Own metric is the gain over the initial weights by the metric"
    yield "tuned to, in points (more is better), with an interval from a bootstrap of sentences. All numbers"
    yield "are means of three seeds."
    papers = ["newswire", "weblog"][: 2 if len(sets) == 2 else 1]
    for k, each in enumerate(sets):
        column = k if k < len(papers) else None
        beside = f", next to the paper's {papers[k]}" if k < len(papers) else ""
        yield from ("", f"## {each.name}{beside}", "", *main_table(runs, each, initial, column))
    yield from (
        "",
        "## On the development lists",
        "",
        "The objective before and after tuning.",
        "",
    )
    yield from dev_table(runs, methods)
    yield from ("", "## By method", "", "Gain by the metric tuned to, with its 95% interval.", "")
    yield from method_table(runs, sets, initial, methods)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--test", action="append", help="in FOLDER; default: test1, and test2 if there")
    parser.add_argument("--method", action="append", choices=METHODS, help="default: all three")
    parser.add_argument("--restarts", type=int, default=20)
    parser.add_argument("--output", type=Path, default=HERE, help="folder of the results")
    options = parser.parse_args()
    methods = options.method or METHODS
    names = options.test or [name for name in TESTS if (options.folder / f"{name}.en").exists()]
    sets = test_sets(options.folder, names)
    initial = Weights.read(str(options.folder / "weights.run0")).vector(sets[0].problem.layout)
    runs = tuned(options.folder, methods, options.restarts, options.output / "runs.tsv")
    for name, lines in (("tsv", tsv(runs, sets, initial)), ("md", report(runs, sets, initial, methods))):
        path = options.output / f"results.{name}"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
