"""All system outputs of WMT12 and WMT13 (shared/data/wmt): 100% of the statistics must equal Java's."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import Meteor

MeteorFactory = Callable[..., Meteor]

ESS = {"modules": ["exact", "stem", "synonym"]}
INTO_ENGLISH = ["cs-en", "de-en", "es-en", "fr-en"]
# For these, no paraphrase tables are available, so Java was run without them.
OUT_OF_ENGLISH: dict[str, dict[str, Any]] = {
    "en-cs": {"language": "cs", "modules": ["exact"]},
    "en-de": {"language": "de", "modules": ["exact", "stem"]},
    "en-es": {"language": "es", "modules": ["exact", "stem"]},
    "en-fr": {"language": "fr", "modules": ["exact", "stem"]},
}


@pytest.mark.parametrize("year", ["wmt12", "wmt13"])
@pytest.mark.parametrize("pair", INTO_ENGLISH)
def test_into_english(year: str, pair: str, shared: Path, english: Meteor) -> None:
    check(english, shared, f"{year}.{pair}", "meteor15")


@pytest.mark.parametrize("year", ["wmt12", "wmt13"])
@pytest.mark.parametrize("pair", INTO_ENGLISH)
def test_into_english_without_paraphrases(year: str, pair: str, shared: Path, meteor: MeteorFactory) -> None:
    check(meteor(**ESS), shared, f"{year}.{pair}", "meteor15_ess")


@pytest.mark.parametrize("pair", OUT_OF_ENGLISH)
def test_wmt12_out_of_english(pair: str, shared: Path, meteor: MeteorFactory) -> None:
    check(meteor(**OUT_OF_ENGLISH[pair]), shared, f"wmt12.{pair}", "meteor15")


def check(scorer: Meteor, shared: Path, name: str, metric: str) -> None:
    """Check the statistics of all judged systems, and scores to the ten decimals of the file."""
    folder = shared / "data" / "wmt"
    outputs = {(system, segment): text for system, segment, text in rows(folder / f"{name}.hyp.tsv.gz")}
    references = {row[0]: row[1] for row in rows(folder / f"{name}.ref.tsv.gz")}
    table = rows(folder / f"{name}.scores.tsv.gz", header=True)
    column = next(table).index(metric)
    judged = list(table)
    statistics = scorer.statistics(
        [outputs[system, segment] for system, segment, *_ in judged], [references[row[1]] for row in judged]
    )
    expected = np.load(folder / f"{name}.{metric}.stats.npz")["stats"]
    assert len(statistics) == len(expected)
    unused = expected.shape[1] - statistics.shape[1]  # Java always has four modules
    of_ours = np.delete(expected, np.s_[-3 - unused : -3], axis=1)
    different = np.flatnonzero((statistics != of_ours).any(axis=1))
    assert [judged[k][:2] for k in different] == []
    scores = [f"{score:.10f}" for score in scorer.score(statistics)]
    assert list(map(float, scores)) == [float(row[column]) for row in judged]


def rows(path: Path, *, header: bool = False) -> Iterator[list[str]]:
    """Lines end only at a line feed; fields are not quoted."""
    lines = gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")
    return (line.split("\t") for line in lines[0 if header else 1 :])
