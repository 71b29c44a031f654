"""What the user knows about the segments and words of an X-ray: tags, labels, frequencies.

Annotations(
    tags={"domain": ["news", "web|short", …], "edits": [0.1, 0.3, …]},     one value per segment
    labels=[["DET NOUN VERB".split(), …]],                                 the words of each reference
    frequencies={"the": 1000, "cat": 2},
)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bolide._support.arrays import Integers
from bolide.analysis.aligned import AlignedSystem
from bolide.analysis.classes import WordKind, used
from bolide.comparison.grouping import Value, as_numbers, titles, usual_bounds
from bolide.errors import InputError
from bolide.inputs.annotations import PART, WordLabels, check_labels
from bolide.xray.names import check_texts
from bolide.xray.spans import spans

Words = tuple[str, ...]

UNKNOWN = "(no label)"
OTHER = "(other labels)"
# Of more labels, the most frequent ones are kept.
MOST_LABELS = 40
# Numeric labels with more distinct values are divided into groups.
DISTINCT = 10


@dataclass(frozen=True)
class Annotations:
    """- `tags`: by the name of the subject, the value of each segment: a text (several tags are separated by
      "|"), a number, or None.
    - `labels`: of the words of the references: for each reference translation, one sequence of labels per
      segment. Labels with several parts are written `NOUN|plural`; each part is a kind of its own.
    - `system_labels`: of the words of hypotheses, by the name of the system.
    - `frequencies`: of words in other texts, such as the training data.

    Labels belong to the words as the metric sees them, or to those of the text between spaces.
    """

    tags: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    labels: Sequence[WordLabels | Sequence[Sequence[str]]] = ()
    system_labels: Mapping[str, WordLabels | Sequence[Sequence[str]]] = field(default_factory=dict)
    frequencies: Mapping[str, int] | None = None

    def check_segments(self, segments: int) -> None:
        """Fails if the tags are not of so many segments."""
        for name, values in self.tags.items():
            if len(values) != segments:
                raise InputError(
                    f"tags '{name}' have {len(values)} values for {segments} segments; give each segment one"
                )
            check_texts("a tag", (value for value in (name, *values) if not isinstance(value, (int, float))))

    def of_references(self, texts: Sequence[Sequence[str]], words: Sequence[Sequence[Words]]) -> Annotations:
        """The same, with one label for each word of the references that the metric sees. `texts` and `words`
        have the references of each segment."""
        if not self.labels:
            return self
        found = []
        for k, labels in enumerate(self.labels):
            if any(len(references) != len(self.labels) for references in words):
                raise InputError(
                    f"labels of {len(self.labels)} references are given, but a segment has "
                    f"{next(len(r) for r in words if len(r) != len(self.labels))}; label all of them"
                )
            own = [references[k] for references in texts], [references[k] for references in words]
            found.append(fitted(labels, *own, "the reference"))
        return replace(self, labels=found)

    def of_system(self, name: str, texts: Sequence[str], words: Sequence[Words]) -> Annotations:
        """The same for the hypotheses of a system."""
        if name not in self.system_labels:
            return self
        found = fitted(self.system_labels[name], texts, words, "the hypothesis")
        return replace(self, system_labels={**self.system_labels, name: found})


def fitted(
    labels: WordLabels | Sequence[Sequence[str]],
    texts: Sequence[str],
    words: Sequence[Words],
    what: str,
) -> WordLabels:
    """One label for each word that the metric sees."""
    if not isinstance(labels, WordLabels):
        lines = tuple(tuple(line.split() if isinstance(line, str) else line) for line in labels)
        labels = WordLabels((), lines)
    if len(labels.lines) == len(texts):
        spread_lines = tuple(map(spread, labels.lines, texts, words))
        labels = replace(labels, lines=spread_lines)
    check_labels(labels, words, what)
    check_texts("a label", (label for line in labels.lines for label in line))
    return labels


def spread(labels: Sequence[str], text: str, words: Words) -> tuple[str, ...]:
    """The label of each word that the metric sees, if the labels are of the words of the text between spaces.
    Else the labels as they are.

    >>> spread(["PRON", "VERB"], "He left.", ("he", "left", "."))
    ('PRON', 'VERB', 'VERB')
    """
    own = text.split()
    if len(labels) == len(words) or len(labels) != len(own):
        return tuple(labels)
    ends, at = [], 0
    for word in own:
        at = text.index(word, at) + len(word)
        ends.append(at)
    found, last = [], 0
    for span in spans(text, words):
        last = last if span is None else int(np.searchsorted(ends, span[0], side="right"))
        found.append(labels[min(last, len(labels) - 1)])
    return tuple(found)


# ---- kinds of words ------------------------------------------------------------------------------------


def label_kinds(
    annotations: Annotations, best: Sequence[Integers], words: Sequence[str], systems: Sequence[AlignedSystem]
) -> list[WordKind]:
    """One kind for each part of the labels. `best` has the best reference of each segment, for each system.

    A word of a hypothesis without labels has the label that it has most often in the references.
    """
    given = [labels for labels in annotations.labels if isinstance(labels, WordLabels)]
    if not given:
        return []
    theirs = [
        [label for k, which in enumerate(chosen.tolist()) for label in given[which].lines[k]]
        for chosen in best
    ]
    ours = []
    for system, labels in zip(systems, theirs, strict=True):
        own = annotations.system_labels.get(system.name)
        if isinstance(own, WordLabels):
            ours.append([label for line in own.lines for label in line])
        else:
            ours.append(_usual(system, labels, len(words)))
    parts = 1 + max((label.count(PART) for labels in theirs for label in labels), default=0)
    names = given[0].names
    return [
        _kind(f"label {k + 1}", _title(names, k, parts), _parts(theirs, k), _parts(ours, k))
        for k in range(parts)
    ]


def _title(names: Sequence[str], k: int, parts: int) -> str:
    if k < len(names):
        return names[k]
    return "label" if parts == 1 else f"label {k + 1}"


def _usual(system: AlignedSystem, labels: Sequence[str], size: int) -> list[str]:
    """The most frequent label of each word of the hypotheses."""
    counts: list[Counter[str]] = [Counter() for _ in range(size)]
    for word, label in zip(system.theirs.tokens.words.tolist(), labels, strict=True):
        counts[word][label] += 1
    usual = [count.most_common(1)[0][0] if count else UNKNOWN for count in counts]
    return [usual[word] for word in system.ours.tokens.words.tolist()]


def _parts(texts: Sequence[Sequence[str]], k: int) -> list[list[str]]:
    cut = {label: (label.split(PART) + [UNKNOWN] * (k + 1))[k] or UNKNOWN for text in texts for label in text}
    return [[UNKNOWN if label == UNKNOWN else cut[label] for label in text] for text in texts]


def _kind(name: str, title: str, theirs: list[list[str]], ours: list[list[str]]) -> WordKind:
    counts = Counter(label for text in (*theirs, *ours) for label in text if label != UNKNOWN)
    labels = [label for label, _ in counts.most_common()]
    numbers = as_numbers(labels)
    if numbers is not None and len(labels) > DISTINCT:
        limits = usual_bounds(np.repeat(numbers, [counts[label] for label in labels]))
        classes = list(titles(limits))
        places = np.searchsorted(limits, numbers, side="right").tolist()
    else:
        classes = [*labels[:MOST_LABELS], *([OTHER] if len(labels) > MOST_LABELS else [])]
        places = [min(k, MOST_LABELS) for k in range(len(labels))]
    of_label = {**dict(zip(labels, places, strict=True)), UNKNOWN: len(classes)}
    numbered = [
        tuple(np.array([of_label[label] for label in text], dtype=np.int64) for text in side)
        for side in (theirs, ours)
    ]
    return used(WordKind(name, title, (*classes, UNKNOWN), None, *numbered))
