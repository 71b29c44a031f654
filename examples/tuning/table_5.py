"""Repeat table 5 of the Meteor 1.3 paper: parameters tuned on one year's rankings and tested on the next.

    python examples/tuning/table_5.py FOLDER > examples/tuning/table-5.md

FOLDER holds WMT12's and WMT13's rankings into English with statistics of 1.5: wmt12.cs-en.pairs.tsv.gz,
wmt12.cs-en.meteor15.stats.npz, wmt12.cs-en.scores.tsv.gz and so on. The paper tuned on WMT09 and tested on
WMT10, with the aligner of 1.3. Those judgments are not available, and its tables 6 and 8 need data of the
LDC. So the numbers cannot equal those of the paper. Only the effect can be repeated.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bolide import profiles
from bolide.evaluation import judgments
from bolide.tuning import DataSet, Objective, Space
from bolide.tuning.problem import Problem
from bolide.tuning.searches import search
from bolide.tuning.sets import _row_names, read_statistics
from bolide.tuning.tuning import point_of

MODULES = ("exact", "stem", "synonym", "paraphrase")
PAIRS = ("cs-en", "de-en", "es-en", "fr-en")
# Target language: tuning and test τ of Meteor 1.2, then of 1.3.
PUBLISHED = {
    "English": (0.258, 0.320, 0.276, 0.343),
    "Czech": (0.148, 0.220, 0.162, 0.215),
    "French": (0.414, 0.370, 0.437, 0.384),
    "German": (0.152, 0.170, 0.180, 0.155),
    "Spanish": (0.216, 0.310, 0.240, 0.326),
}


def load(folder: Path, name: str) -> DataSet:
    rows = _row_names(str(folder / f"{name}.scores.tsv.gz"))
    statistics = read_statistics(str(folder / f"{name}.meteor15.stats.npz"))
    said = judgments.read(folder / f"{name}.pairs.tsv.gz")
    return DataSet.of(name, said, statistics, {key: k for k, key in enumerate(rows)})


def row(title: str, train: list[DataSet], test: list[DataSet], base: list[float]) -> str:
    space = Space.of(MODULES)
    tuning, trying = Objective(train, "tau-wmt12"), Objective(test, "tau-wmt12")
    found = search(Problem(tuning, space, prior=base), "annealing")
    points = [base, list(found.point)]
    before, after = zip(*(each.overall(each(points)).tolist() for each in (tuning, trying)), strict=True)
    numbers = (before[0], before[1], after[0], after[1])
    point = " ".join(f"{number:g}" for number in found.point)
    verdict = "overfitted" if after[1] < before[1] else ""
    return f"| {title} | {' | '.join(f'{number:.3f}' for number in numbers)} | {verdict} | {point} |"


def main() -> None:
    folder = Path(sys.argv[1])
    base = point_of(profiles.get("1.5").parameters("rank", "en", MODULES))
    years = {year: [load(folder, f"{year}.{pair}") for pair in PAIRS] for year in ("wmt12", "wmt13")}
    print("The paper: tuned on WMT09, tested on WMT10. τ counts ties as discordant.\n")
    print("| target | 1.2 tune | 1.2 test | 1.3 tune | 1.3 test |\n|---|---|---|---|---|")
    for language, values in PUBLISHED.items():
        print(f"| {language} | {' | '.join(f'{value:.3f}' for value in values)} |")
    print(
        "\nbolide: the same τ into English, with the parameters of 1.5 and tuned ones (α β γ δ, weights).\n"
    )
    print(
        "| tuned on, tested on | 1.5 tune | 1.5 test | tuned tune | tuned test | | parameters |\n|"
        + "---|" * 7
    )
    for train, test in (("wmt12", "wmt13"), ("wmt13", "wmt12")):
        print(row(f"{train}, {test}", years[train], years[test], base), flush=True)
        for k, pair in enumerate(PAIRS):
            print(row(f"{train}, {test} {pair}", [years[train][k]], [years[test][k]], base), flush=True)


if __name__ == "__main__":
    main()
