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
from bolide.inputs.annotations import PART, Link, WordLabels, WordLinks, check_labels, word_links
from bolide.xray.names import check_texts
from bolide.xray.spans import spans

Words = tuple[str, ...]

LABEL = "label "  # begins the names of kinds
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
    - `alignments`: for each reference translation, the links of each segment between words of the source and
      words of the reference, counted from 0: `"0-0 1-2"`, or pairs of numbers.
    - `source_labels`: of the words of the source texts between spaces.
    - `media`: a picture, sound or video of each segment: a file, or an address in the network; or None.

    Labels belong to the words as the metric sees them, or to those of the text between spaces.
    """

    tags: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    labels: Sequence[WordLabels | Sequence[Sequence[str]]] = ()
    system_labels: Mapping[str, WordLabels | Sequence[Sequence[str]]] = field(default_factory=dict)
    frequencies: Mapping[str, int] | None = None
    alignments: Sequence[WordLinks | Sequence[str | Sequence[Link]]] = ()
    source_labels: WordLabels | Sequence[Sequence[str]] | None = None
    media: Sequence[str | None] | None = None

    def check_segments(self, segments: int) -> None:
        """Fails if the tags are not of so many segments."""
        if self.media is not None and len(self.media) != segments:
            raise InputError(
                f"{len(self.media)} media for {segments} segments; give each segment one, or None"
            )
        for name, values in self.tags.items():
            if len(values) != segments:
                raise InputError(
                    f"tags '{name}' have {len(values)} values for {segments} segments; give each segment one"
                )
            check_texts("a tag", (value for value in (name, *values) if not isinstance(value, (int, float))))

    def of_references(self, texts: Sequence[Sequence[str]], words: Sequence[Sequence[Words]]) -> Annotations:
        """The same, with one label for each word of the references that the metric sees. `texts` and `words`
        have the references of each segment."""
        for what, given in (("labels", self.labels), ("alignments", self.alignments)):
            wrong = next((len(r) for r in words if given and len(r) != len(given)), None)
            if wrong is not None:
                raise InputError(
                    f"{what} of {len(given)} references are given, but a segment has {wrong}; "
                    "give them for all"
                )
        own = [
            ([references[k] for references in texts], [references[k] for references in words])
            for k in range(max(len(self.labels), len(self.alignments)))
        ]
        labels = [fitted(labels, *of, "the reference") for labels, of in zip(self.labels, own, strict=False)]
        links = [fitted_links(links, *of) for links, of in zip(self.alignments, own, strict=False)]
        return replace(self, labels=labels, alignments=links)

    def of_sources(self, sources: Sequence[str | None]) -> Annotations:
        """The same, with labels and alignments that fit the source texts."""
        if not self.alignments:
            if self.source_labels is not None:
                raise InputError("labels of source words need an alignment with the reference")
            return self
        words = [tuple((source or "").split()) for source in sources]
        if not any(words):
            raise InputError("an alignment of source words needs the source texts")
        for links in self.alignments:
            checked = links if isinstance(links, WordLinks) else word_links(links)
            _check_links(checked, 0, list(map(len, words)), "the source")
        if self.source_labels is None:
            return self
        texts = [" ".join(line) for line in words]
        return replace(self, source_labels=fitted(self.source_labels, texts, words, "the source"))

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


def fitted_links(
    links: WordLinks | Sequence[str | Sequence[Link]], texts: Sequence[str], words: Sequence[Words]
) -> WordLinks:
    """Links to the words that the metric sees. They are given to these, or to the words of the text between
    spaces: so if all fit."""
    if not isinstance(links, WordLinks):
        links = word_links(links)
    lengths = [len(text.split()) for text in texts]
    if len(links.lines) == len(texts) and _fits(links, 1, lengths) is None:
        places = map(word_places, texts, words)
        spread_lines = (
            tuple((i, at) for i, j in line for at in own[j])
            for line, own in zip(links.lines, places, strict=True)
        )
        return replace(links, lines=tuple(spread_lines))
    _check_links(links, 1, list(map(len, words)), "the reference")
    return links


def _fits(links: WordLinks, side: int, lengths: Sequence[int]) -> int | None:
    """The first segment with a link to a word that a text has not."""
    pairs = enumerate(zip(links.lines, lengths, strict=True))
    return next((k for k, (line, size) in pairs if any(link[side] >= size for link in line)), None)


def _check_links(links: WordLinks, side: int, lengths: Sequence[int], what: str) -> None:
    """Fails if the links do not fit."""
    if len(links.lines) != len(lengths):
        where = "" if links.file is None else f"{links.file}: "
        raise InputError(f"{where}alignments of {len(links.lines)} segments for {len(lengths)} segments")
    if (segment := _fits(links, side, lengths)) is not None:
        link = next(link for link in links.lines[segment] if link[side] >= lengths[segment])
        raise InputError(
            f"{links.where(segment)} links word {link[side]} of {what} in {link[0]}-{link[1]}, but it has "
            f"{lengths[segment]} words, counted from 0; give the texts that were aligned"
        )


def word_places(text: str, words: Words) -> list[list[int]]:
    """For each word of the text between spaces, the words that the metric sees.

    >>> word_places("He left.", ("he", "left", "."))
    [[0], [1, 2]]
    """
    found: list[list[int]] = [[] for _ in text.split()]
    for k, owner in enumerate(_owners(text, words)):
        found[owner].append(k)
    return found


def spread(labels: Sequence[str], text: str, words: Words) -> tuple[str, ...]:
    """The label of each word that the metric sees, if the labels are of the words of the text between spaces.
    Else the labels as they are.

    >>> spread(["PRON", "VERB"], "He left.", ("he", "left", "."))
    ('PRON', 'VERB', 'VERB')
    """
    if len(labels) == len(words) or len(labels) != len(text.split()):
        return tuple(labels)
    return tuple(labels[owner] for owner in _owners(text, words))


def _owners(text: str, words: Words) -> list[int]:
    """For each word that the metric sees, the word of the text between spaces that it is in."""
    ends, at = [], 0
    for word in text.split():
        at = text.index(word, at) + len(word)
        ends.append(at)
    found, last = [], 0
    for span in spans(text, words):
        last = last if span is None else int(np.searchsorted(ends, span[0], side="right"))
        found.append(min(last, len(ends) - 1))
    return found


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
    return kinds_of_labels(given[0].names, theirs, ours)


def kinds_of_labels(names: Sequence[str], theirs: list[list[str]], ours: list[list[str]]) -> list[WordKind]:
    """The same, of the labels of the words of both sides of each system."""
    parts = 1 + max((label.count(PART) for labels in theirs for label in labels), default=0)
    return [
        _kind(f"{LABEL}{k + 1}", _title(names, k, parts), _parts(theirs, k), _parts(ours, k))
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
