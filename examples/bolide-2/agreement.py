"""Agreement of bolide-2 and of other metrics with people, by field.

    python examples/bolide-2/agreement.py FOLDER FIELD... [--samples 200] [--output RESULTS]

FOLDER has the judged sets (sets.py). The result of a field is the table FIELD.md: one row per set, with the
95% interval of bolide-2, and its difference from each other metric, with a star if the paired permutation
test has p < 0.05. The last row is the mean over the sets.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sets import FIELDS, JudgedSet

from bolide import Meteor, evaluation
from bolide.evaluation.scores import Scores
from bolide.evaluation.texts import Texts

OURS = "bolide-2"
METRICS = ("1.5", "1.3", "bolide-1", "bolide-1-pooled", "nltk", "bleu", "chrf", "chrf++", "ter", "rouge-l")
ENGLISH = ("1.3", "bolide-1", "nltk")  # for English only, or not for all languages
SLOW = ("ter",)  # takes hours for long texts, and for many references
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
    if task in ("caption", "summary"):
        names = [name for name in names if name not in SLOW]
    if judged.language == "ja":  # words and characters of Japanese: the other METEORs have no segmenter
        names = [OURS, "bolide-1-pooled", "bleu", "chrf", "ter"]
    found = evaluation.compute(names, texts, lambda name: scorer(name, task, judged))
    return [*found, *(cider(texts) if task == "caption" else [])]


def rows(folder: Path, field: str, samples: int) -> Iterator[tuple[str, dict[str, tuple[float, str]]]]:
    """For each set the agreement of each metric, and how it is shown."""
    task, sets = FIELDS[field]
    for judged in sets:
        read = evaluation.read_judged_texts(
            folder / judged.file, where=judged.where, own_references=judged.own_references
        )
        scores = read.score(lambda texts, judged=judged: metrics(task, judged, texts))
        study = evaluation.correlate(
            scores,
            read.judgments,
            measures=[judged.measure],
            grouping=judged.grouping,
            confidence=True,
            test="permutation",
            samples=samples,
        )
        found = {}
        for result in study.results:
            shown = f"{result.value:.3f}"
            if result.metric == OURS and result.interval:
                shown = f"**{shown}** [{result.interval[0]:.3f}, {result.interval[1]:.3f}]"
            elif result.p_value is not None and result.p_value < 0.05:
                shown += "*"
            found[result.metric] = result.value, shown
        yield judged.name, found


def table(found: list[tuple[str, dict[str, tuple[float, str]]]]) -> str:
    names = list(dict.fromkeys(name for _, row in found for name in row))
    lines = [f"| set | {' | '.join(names)} |", "|---|" + "---:|" * len(names)]
    for label, row in found:
        lines.append(f"| {label} | {' | '.join(row[name][1] if name in row else '–' for name in names)} |")
    means = []
    for name in names:
        values = [row[name][0] if name in row else math.nan for _, row in found]
        means.append("–" if any(map(math.isnan, values)) else f"{np.mean(values):.3f}")
    return "\n".join([*lines, f"| mean | {' | '.join(means)} |", ""])


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
        text = table(list(rows(options.folder, field, options.samples)))
        (options.output / f"{field}.md").write_text(text, encoding="utf-8")
        print(f"{field}\n\n{text}", flush=True)


if __name__ == "__main__":
    main()
