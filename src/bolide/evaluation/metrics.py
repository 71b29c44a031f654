"""Computes the scores of texts with METEOR and with other metrics.

1.5, 2005, FILE.toml, a signature     METEOR, by a profile or by its signature
…:precision, :recall, :f1, :fmean     a component of METEOR
bleu, chrf, chrf++, ter               sacrebleu; TER is negated, so that larger is better
nist                                  NLTK, on lower-cased 13a tokens
rouge-l, rouge-l-stem                 rouge-score's F1 (`rouge`); systems have the mean of their segments
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats, Statistics
from bolide._support.extras import extra, require
from bolide._support.progress import Progress, no_progress
from bolide.comparison.sacrebleu_metrics import SacrebleuMetric
from bolide.evaluation.rouge import rouge_l
from bolide.evaluation.scores import Scores
from bolide.evaluation.texts import Texts
from bolide.formula.layout import layout_of
from bolide.formula.statistics import COMPONENTS, aggregate, contributions, evaluate
from bolide.inputs.segments import by_segment
from bolide.scoring.meteor import Meteor

# Another metric: computes the scores of texts; without `segments` those of systems only.
Other = Callable[..., Scores]
# What can follow the name of a METEOR.
PARTS = ("score", "precision", "recall", "f1", "fmean")


def meteor_scores(
    meteor: Meteor,
    texts: Texts,
    name: str = "METEOR",
    parts: Sequence[str] = ("score",),
    progress: Progress = no_progress,
) -> list[Scores]:
    """The METEOR score, or components of it, from one alignment of the texts. Corpus scores follow the rule
    of the profile."""
    for part in parts:
        checks.choice("part of a score", part, PARTS)
    statistics: list[Statistics] = []
    for hypotheses in texts.hypotheses.values():
        progress(f"scoring {name}", len(statistics), len(texts.hypotheses))
        statistics.append(meteor.measure(by_segment(hypotheses, texts.references)).statistics)
    formula = meteor.parameters.formula
    segments = np.nan_to_num(np.stack([meteor.evaluate(rows) for rows in statistics]))
    mean = meteor.settings.profile.corpus == "mean"
    whole = [meteor.evaluate(aggregate(rows, formula))[0] for rows in statistics]
    added = None if mean else np.stack([contributions(rows, formula) for rows in statistics]).astype(float)
    lengths = np.mean([rows[:, layout_of(rows).reference_length] for rows in statistics], axis=0)
    references = {len(each) for each in texts.references}
    found = []
    for part in parts:
        column = COMPONENTS.index(part)

        def totals(counts: Floats, column: int = column) -> Floats:
            assert added is not None
            sums = np.einsum("n,mnk->mk", counts, added)
            return np.nan_to_num(evaluate(sums, meteor.parameters)[:, column])

        found.append(
            Scores(
                name if part == "score" else f"{name}:{part}",
                texts.systems,
                texts.segments,
                segments[:, :, column].T,
                None if mean else np.nan_to_num(np.array([row[column] for row in whole])),
                None if mean else totals,
                lengths,
                meteor.get_signature((min(references), max(references))),
            )
        )
    return found


# ---- other metrics -------------------------------------------------------------------------------


def _lengths(texts: Texts) -> Floats:
    return np.array([np.mean([len(text.split()) for text in each]) for each in texts.references])


def _sacrebleu(key: str, name: str, sign: float = 1.0) -> Other:
    """A metric of sacrebleu, by its key in `bolide.comparison.sacrebleu_metrics`."""

    def scores(texts: Texts, segments: bool = True) -> Scores:
        metric = SacrebleuMetric(key)
        statistics = [
            metric.rows(by_segment(hypotheses, texts.references)) for hypotheses in texts.hypotheses.values()
        ]

        def totals(counts: Floats) -> Floats:
            return sign * metric.score(np.stack([counts @ rows for rows in statistics]))

        corpus = sign * np.array([metric.corpus_score(rows) for rows in statistics])
        signature = metric.signature.partition("|")[2]
        if not segments:
            return Scores(name, texts.systems, corpus=corpus, signature=signature)
        values = sign * np.array([metric.segment_scores(rows) for rows in statistics]).T
        lengths = _lengths(texts)
        return Scores(name, texts.systems, texts.segments, values, corpus, totals, lengths, signature)

    return scores


def _nist(texts: Texts, segments: bool = True) -> Scores:
    """NIST. The weights of a segment come from its own reference only, as in `nltk.sentence_nist`."""
    with extra("evaluation"):
        from nltk.translate.nist_score import corpus_nist
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    tokenizer = Tokenizer13a()

    def tokens(text: str) -> list[str]:
        found: list[str] = tokenizer(text.lower()).split()
        return found

    references = [[tokens(text) for text in each] for each in texts.references]
    outputs = [[tokens(text) for text in hypotheses] for hypotheses in texts.hypotheses.values()]

    def score(lists: list[list[list[str]]], hypotheses: list[list[str]]) -> float:
        try:
            return float(corpus_nist(lists, hypotheses))
        except ZeroDivisionError:  # an empty text, or one shorter than five words without a match
            return 0.0

    corpus = np.array([score(references, hypotheses) for hypotheses in outputs])
    signature = "NLTK's NIST, lower-cased 13a tokens"
    if not segments:
        return Scores("NIST", texts.systems, corpus=corpus, signature=signature)
    values = [[score([r], [h]) for r, h in zip(references, each, strict=True)] for each in outputs]
    return Scores(
        "NIST", texts.systems, texts.segments, np.array(values).T, corpus, None, _lengths(texts), signature
    )


def _rouge(name: str, stemmed: bool) -> Other:
    signature = f"ROUGE-L, F1 of the best reference, tokens of rouge-score{', stemmed' * stemmed}"

    def scores(texts: Texts, segments: bool = True) -> Scores:
        values = [
            [rouge_l(text, own, stemmed=stemmed) for text, own in zip(each, texts.references, strict=True)]
            for each in texts.hypotheses.values()
        ]
        found = np.array(values).T
        if not segments:
            return Scores(name, texts.systems, corpus=found.mean(axis=0), signature=signature)
        return Scores(
            name, texts.systems, texts.segments, found, lengths=_lengths(texts), signature=signature
        )

    return scores


OTHERS: dict[str, Other] = {
    "bleu": _sacrebleu("bleu", "BLEU"),
    "chrf": _sacrebleu("chrf", "chrF"),
    "chrf++": _sacrebleu("chrf++", "chrF++"),
    "ter": _sacrebleu("ter", "TER", -1.0),
    "nist": _nist,
    "rouge-l": _rouge("ROUGE-L", stemmed=False),
    "rouge-l-stem": _rouge("ROUGE-L-stem", stemmed=True),
}
# The package that each of them needs, and the extra that installs it.
NEEDED = {
    **dict.fromkeys(("bleu", "chrf", "chrf++", "ter"), ("sacrebleu", "sacrebleu")),
    "nist": ("evaluation", "nltk", "sacrebleu"),
}


def wanted_parts(names: Sequence[str]) -> dict[str, list[str]]:
    """The metrics among these names, each with the parts of its score that are wanted.

    >>> wanted_parts(["1.5:recall", "1.5", "bleu"])
    {'1.5': ['recall', 'score'], 'bleu': ['score']}
    """
    parts: dict[str, list[str]] = {}
    for name in names:
        metric, _, part = name.rpartition(":") if name.rpartition(":")[2] in PARTS else (name, "", "score")
        parts.setdefault(metric, []).append(part)
    return parts


def named_scorers(names: Sequence[str]) -> list[str]:
    """The METEORs among these names: profiles and signatures. Raises an error if a package is missing that
    one of the other metrics needs."""
    metrics = list(wanted_parts(names))
    for name in metrics:
        if name.lower() in NEEDED:
            require(*NEEDED[name.lower()])
    return [name for name in metrics if name.lower() not in OTHERS]


def compute(
    names: Sequence[str],
    texts: Texts,
    make: Callable[[str], Meteor],
    progress: Progress = no_progress,
) -> list[Scores]:
    """The scores of the named metrics. `make` makes a scorer from the name of a profile or a signature.
    Several components of one METEOR take one alignment of the texts."""
    parts = wanted_parts(names)
    found = []
    for name, wanted in parts.items():
        if name.lower() in OTHERS:
            progress(f"scoring {name}", 0, None)
            found.append(OTHERS[name.lower()](texts))
        else:
            label = "METEOR" if "|" in name and len(parts) == 1 else name
            found += meteor_scores(make(name), texts, label, list(dict.fromkeys(wanted)), progress)
    return found
