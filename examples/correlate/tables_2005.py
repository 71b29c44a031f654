"""Repeat tables 1 and 4–7 of Banerjee and Lavie (2005) on rankings of WMT, beside the published numbers.

    python tables_2005.py [DATA] [--sets wmt12.cs-en …] [--output FOLDER]

DATA holds, for each set, SET.pairs.tsv.gz (segid, better, worse), SET.hyp.tsv.gz (system, segid, hyp) and
SET.ref.tsv.gz (segid, ref). The program writes all numbers to results.tsv and the tables to results.md, in
FOLDER. Without DATA it regenerates the tables from results.tsv.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bolide import Meteor, evaluation

# The paper's numbers: systems of the Chinese data; then segments of the Arabic and of the Chinese data.
TABLE_1 = {
    "BLEU": 0.817, "NIST": 0.892, "Precision": 0.752, "Recall": 0.941, "F1": 0.948, "Fmean": 0.952,
    "METEOR": 0.964,
}  # fmt: skip
TABLES_4_5 = {
    "Precision": (0.287, 0.286), "Recall": (0.334, 0.320), "Fmean": (0.340, 0.327), "METEOR": (0.347, 0.331),
}  # fmt: skip
TABLES_6_7 = {
    "exact, no function words": (0.312, 0.293),
    "exact, porter-stem": (0.329, 0.318),
    "exact, wn-stem": (0.330, 0.312),
    "exact, porter-stem, wn-synonym": (0.347, 0.331),
}
Values = dict[tuple[str, str, str, str], float]  # set, table, line, column
ABOUT = """\
# Tables 1 and 4–7 of METEOR's first paper, on WMT

Banerjee and Lavie (2005) measured METEOR on the LDC's TIDES 2003 data: Arabic and Chinese into English, with
four references per sentence. Two judges rated adequacy and fluency from 1 to 5. **This data is not freely
available, so the published numbers cannot be reproduced.** Table 8 cannot be repeated either, because it
needs ratings of known judges. The other experiments are repeated here on the WMT rankings of
{sets}.

These are the differences:

- There is one reference instead of four. The source languages are European instead of Arabic and Chinese. The
  systems are of other years.
- People ranked up to five translations instead of rating them. The human score of a segment is the share of
  comparisons that the system won in this segment. The human score of a system is the share of all its
  comparisons that it won. These scores are coarser than the mean of four ratings, so the correlations of
  segments are lower. The tables also show τ, which is made for rankings.
- METEOR is profile `2005` (staged alignment, fewest crossings; P, R, Fmean and penalty as in the paper). The
  paper's list of stop words is not published: "no function words" uses the English list of Meteor 1.5.

`python examples/correlate/tables_2005.py DATA` made this page. The numbers of each set are in `results.tsv`.
Means are over the {count} sets; the number after ± is the standard error of the mean.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--sets", nargs="+", help="default: all of DATA that are into English")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    arguments = parser.parse_args()
    results = arguments.output / "results.tsv"
    if arguments.data is None:
        values = read(results)
    else:
        paths = sorted(arguments.data.glob("*-en.pairs.tsv.gz"))
        values = {}
        for name in arguments.sets or [path.name.removesuffix(".pairs.tsv.gz") for path in paths]:
            start = time.perf_counter()
            values |= ablated(arguments.data, name)
            print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
            write(results, tsv(values))
    write(arguments.output / "results.md", markdown(values, list(dict.fromkeys(key[0] for key in values))))


def read(path: Path) -> Values:
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return {(name, table, line, column): float(value) for name, table, line, column, value in rows}


def ablated(data: Path, name: str) -> Values:
    judgments = evaluation.read_judgments(data / f"{name}.pairs.tsv.gz")
    texts = evaluation.read_texts([str(data / f"{name}.hyp.tsv.gz")], [str(data / f"{name}.ref.tsv.gz")])
    ablation = evaluation.ablate(Meteor("2005"), texts, judgments)
    return {
        (name, table.title.partition(":")[0], line, column): value
        for table in ablation.tables
        if not table.title.startswith("Tables 2")
        for (line, column), value in table.values.items()
    }


def write(path: Path, lines: Iterator[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def tsv(values: Values) -> Iterator[str]:
    yield "set\ttable\tline\tcolumn\tvalue"
    for key, value in values.items():
        yield "\t".join([*key, f"{value:.6f}"])


def markdown(values: Values, sets: list[str]) -> Iterator[str]:
    yield ABOUT.format(sets=", ".join(sets), count=len(sets))
    yield "## Table 1: systems, Pearson's r"
    yield ""
    yield "| | paper, Chinese | WMT, mean | " + " | ".join(sets) + " |"
    yield "|---|---:|---:|" + "---:|" * len(sets)
    for line, published in TABLE_1.items():
        yield row(values, sets, "Table 1", line, ["Pearson"], [published])
    yield ""
    columns = ["Pearson per system", "τ (WMT14)"]
    for title, table, lines in (
        ("Tables 4 and 5: parts of the score, segments", "Tables 4 and 5", TABLES_4_5),
        ("Tables 6 and 7: modules, segments", "Tables 6 and 7", TABLES_6_7),
    ):
        yield f"## {title}"
        yield ""
        yield "| | paper, Arabic: r | paper, Chinese: r | WMT: r per system | WMT: τ (WMT14 rule) |"
        yield "|---|---:|---:|---:|---:|"
        for line in dict.fromkeys(key[2] for key in values if key[1] == table):
            yield row(values, sets, table, line, columns, list(lines.get(line, ("–", "–"))), details=False)
        yield ""


def row(
    values: Values, sets: list[str], table: str, line: str, columns: list[str], published: list[object],
    details: bool = True,
) -> str:  # fmt: skip
    """The published numbers, means over sets, and the number of each set."""
    cells = [f"{each:.3f}" if isinstance(each, float) else str(each) for each in published]
    for column in columns:
        own = np.array([values[name, table, line, column] for name in sets])
        error = f" ± {own.std(ddof=1) / np.sqrt(len(own)):.3f}" if len(own) > 1 else ""
        cells.append(f"{own.mean():.3f}{error}")
        cells += [f"{value:.3f}" for value in own] if details else []
    return f"| {line} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
