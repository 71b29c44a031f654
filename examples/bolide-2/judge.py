"""Compare profiles with other metrics, on segments and on systems.

    python examples/bolide-2/judge.py FOLDER SET... --profiles PROFILE... [--output FILE.tsv]

A SET has a name such as wmt13.cs-en (see judgments.py). Other metrics are the columns of SET.scores.tsv.gz
(system, segment, then scores), if that file exists. The output has one row per metric:

    wmt14, wmt12        τ on segments, by both tie rules, with the 95% interval of the first
    tied                share of comparisons that the metric ties
    pearson, accuracy   on systems: Pearson's r with the share of comparisons won, and the share of pairs of
                        systems that the metric orders as people do; for a profile, the score of a system is
                        its corpus score, for other metrics it is the mean over segments
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np
from judgments import Floats, Judged, agreement, interval, read, rows, samples, taus

from bolide import Meteor

SAMPLES = 1000
HEADER = ("set", "metric", "wmt14", "low", "high", "wmt12", "tied", "pearson", "accuracy")
LOWER_IS_BETTER = ("ter",)


def wins(folder: Path, name: str) -> dict[str, float]:
    """For each system, the share of comparisons that it won."""
    won: dict[str, list[int]] = {}
    for _, better, worse in rows(folder / f"{name}.pairs.tsv.gz"):
        won.setdefault(better, []).append(1)
        won.setdefault(worse, []).append(0)
    return {system: float(np.mean(each)) for system, each in won.items()}


def systems(human: Mapping[str, float], metric: Mapping[str, float]) -> tuple[float, float]:
    """Pearson's r, and pairwise accuracy."""
    names = sorted(human)
    people, found = (np.array([scores[name] for name in names]) for scores in (human, metric))
    right = [(human[a] - human[b]) * (metric[a] - metric[b]) > 0 for a, b in combinations(names, 2)]
    return float(np.corrcoef(people, found)[0, 1]), float(np.mean(right))


def profile_scores(
    folder: Path, judged: Judged, profile: str, names: list[str]
) -> tuple[Floats, dict[str, float]]:
    """The scores of the judged translations, and of systems."""
    language = judged.languages[1]
    modules = None
    if profile == "1.5" and language != "en":  # no paraphrase table is available
        modules = ["exact"] if language == "cs" else ["exact", "stem"]
    meteor = Meteor(profile, language, modules=modules)
    reference = dict(rows(folder / f"{judged.name}.ref.tsv.gz"))
    outputs: dict[str, list[tuple[str, str]]] = {name: [] for name in names}
    for system, segment, text in rows(folder / f"{judged.name}.hyp.tsv.gz"):
        if system in outputs:
            outputs[system].append((text, reference[segment]))
    found = {name: meteor.corpus_score(*map(list, zip(*each, strict=True))) for name, each in outputs.items()}
    segments = meteor.score(meteor.statistics(judged.hypotheses, judged.references))
    return segments, {name: score.score for name, score in found.items()}


def other_scores(folder: Path, judged: Judged) -> dict[str, tuple[Floats, dict[str, float]]]:
    path = folder / f"{judged.name}.scores.tsv.gz"
    if not path.exists():
        return {}
    columns = gzip.decompress(path.read_bytes()).decode().partition("\n")[0].split("\t")[2:]
    table = rows(path)
    found = {}
    for column, name in enumerate(columns, 2):
        sign = -1.0 if name in LOWER_IS_BETTER else 1.0
        scores = {(row[0], row[1]): sign * float(row[column]) for row in table if row[column]}
        means: dict[str, list[float]] = {}
        for (system, _), score in scores.items():
            means.setdefault(system, []).append(score)
        if all(key in scores for key in judged.keys):
            segments = np.array([scores[key] for key in judged.keys])
            found[name] = segments, {system: float(np.mean(each)) for system, each in means.items()}
    return found


def main(folder: Path, names: list[str], profiles: list[str], output: Path | None) -> None:
    lines = ["\t".join(HEADER)]
    for name in names:
        judged, human = read(folder, name), wins(folder, name)
        found = {profile: profile_scores(folder, judged, profile, sorted(human)) for profile in profiles}
        for metric, (segments, whole) in {**found, **other_scores(folder, judged)}.items():
            counts = agreement(judged, segments)
            (drawn,) = samples([counts], SAMPLES)
            low, high = interval(taus(drawn @ counts)[:, 0])
            wmt14, wmt12 = taus(counts.sum(axis=0)).tolist()
            tied = counts[:, 2].sum() / counts.sum()
            values = (wmt14, low, high, wmt12, tied, *systems(human, whole))
            lines.append("\t".join([name, metric, *(f"{value:.4f}" for value in values)]))
            print(lines[-1], flush=True)
    if output:
        output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--profiles", nargs="+", default=["bolide-2", "1.5"])
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    main(arguments.folder, arguments.sets, arguments.profiles, arguments.output)
