"""Agreement of bolide-2 and of other metrics with people, by field.

    python examples/bolide-2/agreement.py FOLDER FIELD... [--samples 200] [--output RESULTS]

FOLDER has the judged sets (sets.py). The result of a field is the table FIELD.md: one row per set, with the
95% interval of bolide-2, and a star at each other metric if the paired permutation test has p < 0.05.
FIELD.gains.md has by how much its mean over the sets is higher than that of each other metric. All
intervals are those of the bootstrap over the segments of each set.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sets import FIELDS, JudgedSet

from bolide import Meteor, evaluation
from bolide.comparison.significance import interval
from bolide.evaluation.judged_texts import JudgedTexts
from bolide.evaluation.scores import Scores
from bolide.evaluation.significance import bootstrap
from bolide.evaluation.texts import Texts

OURS = "bolide-2"
METRICS = ("1.5", "1.3", "nltk", "bleu", "chrf", "chrf++", "ter", "rouge-l")
ENGLISH = ("1.3", "nltk")  # for English only, or not for all languages
SLOW = ("ter",)  # takes hours for long texts, for many references, and for many pairs
STEMMED = ("de", "es", "fr", "ru")


def scorer(name: str, task: str, judged: JudgedSet) -> Meteor:
    """A METEOR for the set. For other languages than English, 1.5 has no paraphrase tables."""
    language, task_of = judged.language, task if name == OURS else None
    modules = None
    if name == "1.5" and language != "en":
        modules = ["exact", "stem"] if language in STEMMED else ["exact"]
        language = language if language in STEMMED else "other"
    options = {"segmentation": judged.segmentation} if language == "ja" else {}
    return Meteor(name, language, task_of, modules=modules, **options)


def cider(texts: Texts) -> list[Scores]:
    """CIDEr of pycocoevalcap, after its tokenizer. The document frequencies are those of the references."""
    from pycocoevalcap.cider.cider import Cider

    from bolide.compat.coco import PTBTokenizer

    hypotheses = next(iter(texts.hypotheses.values()))
    tokenize = PTBTokenizer().tokenize
    own = tokenize({k: [{"caption": text}] for k, text in enumerate(hypotheses)})
    gold = tokenize({k: [{"caption": t} for t in each] for k, each in enumerate(texts.references)})
    _, scores = Cider().compute_score(gold, own)
    return [Scores("CIDEr", texts.segments, ("1",), np.asarray(scores)[:, np.newaxis])]


def metrics(task: str, judged: JudgedSet, texts: Texts) -> list[Scores]:
    names = [OURS, *(name for name in METRICS if judged.language == "en" or name not in ENGLISH)]
    if task in ("caption", "summary") or "rankings" in judged.file:
        names = [name for name in names if name not in SLOW]
    if judged.language == "ja":  # words and characters of Japanese: the other METEORs have no segmenter
        names = [OURS, "bleu", "chrf", "ter"]
    found = evaluation.compute(names, texts, lambda name: scorer(name, task, judged))
    return [*found, *(cider(texts) if task == "caption" else [])]


@dataclass(frozen=True)
class Agreed:
    """The agreement of a metric on a set, also in samples of its segments, and the p-value of the test."""

    value: float
    drawn: np.ndarray
    p_value: float | None


def samples_of(judged: JudgedSet, read: JudgedTexts, scores: Scores, samples: int) -> np.ndarray:
    """The agreement in samples, which are the same for all metrics."""
    measure = evaluation.measures.get(judged.measure)
    value = measure.prepare(scores.beside(read.judgments), read.judgments, measure.grouped(judged.grouping))
    return bootstrap(value, len(read.judgments.segments), samples)


def read_set(folder: Path, judged: JudgedSet) -> JudgedTexts:
    options = {"where": judged.where, "own_references": judged.own_references}
    if judged.has_systems:
        return evaluation.read_judged_texts(folder / judged.file, **options)
    with (
        tempfile.TemporaryDirectory() as name,
        gzip.open(folder / judged.file, "rt", encoding="utf-8") as file,
    ):
        copy = Path(name, "data.jsonl")
        lines = ({**json.loads(line), "system": None} for line in file)
        copy.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        return evaluation.read_judged_texts(copy, **options)


def rows(folder: Path, field: str, samples: int) -> Iterator[tuple[str, dict[str, Agreed]]]:
    """For each set the agreement of each metric."""
    task, sets = FIELDS[field]
    for judged in sets:
        read = read_set(folder, judged)
        scores = read.score(lambda texts, judged=judged: metrics(task, judged, texts))
        study = evaluation.correlate(
            scores,
            read.judgments,
            measures=[judged.measure],
            grouping=judged.grouping,
            test="permutation",
            samples=samples,
        )
        yield (
            judged.name,
            {
                result.metric: Agreed(result.value, samples_of(judged, read, each, samples), result.p_value)
                for result, each in zip(study.results, scores, strict=True)
            },
        )


def shown(name: str, found: Agreed) -> str:
    if name == OURS:
        low, high = interval(found.drawn)
        return f"**{found.value:.3f}** [{low:.3f}, {high:.3f}]"
    return f"{found.value:.3f}{'*' if found.p_value is not None and found.p_value < 0.05 else ''}"


def table(found: list[tuple[str, dict[str, Agreed]]]) -> str:
    names = list(dict.fromkeys(name for _, row in found for name in row))
    lines = [f"| set | {' | '.join(names)} |", "|---|" + "---:|" * len(names)]
    for label, row in found:
        cells = (shown(name, row[name]) if name in row else "–" for name in names)
        lines.append(f"| {label} | {' | '.join(cells)} |")
    means = {name: mean.value for name, mean in over_sets(found).items()}
    cells = (f"{means[name]:.3f}" if name in means else "–" for name in names)
    return "\n".join([*lines, f"| mean | {' | '.join(cells)} |", ""])


def over_sets(found: list[tuple[str, dict[str, Agreed]]]) -> dict[str, Agreed]:
    """The means over the sets, of metrics that all sets have."""
    rows = [row for _, row in found]
    return {
        name: Agreed(
            float(np.mean([row[name].value for row in rows])),
            np.mean([row[name].drawn for row in rows], 0),
            None,
        )
        for name in rows[0]
        if all(name in row for row in rows)
    }


def gains(found: list[tuple[str, dict[str, Agreed]]]) -> str:
    """By how much the mean of bolide-2 is higher than that of each other metric."""
    means = over_sets(found)
    own = means.pop(OURS)
    lines = ["| metric | mean | bolide-2 is higher by | 95% interval |", "|---|---:|---:|---:|"]
    for name, mean in means.items():
        low, high = interval(own.drawn - mean.drawn)
        lines.append(
            f"| {name} | {mean.value:.3f} | {own.value - mean.value:.3f} | {low:.3f} to {high:.3f} |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("fields", nargs="+", choices=FIELDS)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results")
    options = parser.parse_args()
    for field in options.fields:
        found = list(rows(options.folder, field, options.samples))
        for name, text in ((field, table(found)), (f"{field}.gains", gains(found))):
            (options.output / f"{name}.md").write_text(text, encoding="utf-8")
            print(f"{name}\n\n{text}", flush=True)


if __name__ == "__main__":
    main()
