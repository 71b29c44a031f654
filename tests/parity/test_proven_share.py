"""The share of proven alignments on real text, and the agreement with people there: WMT12 into English."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

import bolide

PAIRS = ("cs-en", "de-en", "es-en", "fr-en")


def rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        return [line.split("\t") for line in stream.read().split("\n")[1:] if line]


def agreement(meteor: bolide.Meteor, folder: Path) -> tuple[float, float]:
    """Kendall's τ over all judgments, and the share of proven alignments. Ties of the metric are wrong."""
    concordant = judgments = unproven = segments = 0
    for pair in PAIRS:
        reference = {row[0]: row[1] for row in rows(folder / f"wmt12.{pair}.ref.tsv.gz")}
        outputs = rows(folder / f"wmt12.{pair}.hyp.tsv.gz")
        found = meteor.corpus_score([row[2] for row in outputs], [reference[row[1]] for row in outputs])
        assert found.segments is not None
        scores = {(row[0], row[1]): score for row, score in zip(outputs, found.segments, strict=True)}
        for segment, better, worse in rows(folder / f"wmt12.{pair}.pairs.tsv.gz"):
            concordant += bool(scores[better, segment] > scores[worse, segment])
            judgments += 1
        unproven += found.unproven
        segments += found.segment_count
    return 2 * concordant / judgments - 1, 1 - unproven / segments


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({"profile": "1.5"}, 0.247),
        ({"profile": "1.3"}, 0.257),
        ({"profile": "1.3", "search_weights": "halves"}, 0.262),
    ],
    ids=["1.5", "1.3", "halves"],
)
def test_agreement_with_people(
    meteor: Callable[..., bolide.Meteor], shared: Path, options: dict[str, str], least: float
) -> None:
    tau, proven = agreement(meteor(**options), shared / "data" / "wmt")
    assert tau >= least
    assert proven >= 0.9999


def test_crosses_are_proven_fewest(meteor: Callable[..., bolide.Meteor], shared: Path) -> None:
    _, proven = agreement(meteor(profile="2005"), shared / "data" / "wmt")
    assert proven >= 0.9999
