"""Java's answers on real text (shared/data/parity): every statistic and every score must be equal."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import Meteor

MeteorFactory = Callable[..., Meteor]


def only(modules: str, *weights: float) -> dict[str, Any]:
    return {"modules": modules.split(), "weights": weights}


# run: options for bolide. The text is s600 unless the run names another.
ENGLISH: dict[str, dict[str, Any]] = {
    "en-rank-norm": {},
    "en-adq-norm": {"task": "adq"},
    "en-hter-norm": {"task": "hter"},
    "en-li-norm": {"task": "li"},
    "en-tune-norm": {"task": "tune"},
    "en-util-norm": {"task": "util"},
    "en-rank-nopunct": {"normalize": "no-punctuation"},
    "en-rank-lower": {"normalize": "lower"},
    "en-rank-raw": {"normalize": "none"},
    "en-rank-ch": {"unit": "characters"},
    "en-exact": only("exact", 1.0),
    "en-exact-stem": only("exact stem", 1.0, 0.6),
    "en-exact-synonym": only("exact synonym", 1.0, 0.8),
    "en-exact-paraphrase": only("exact paraphrase", 1.0, 0.6),
    "en-exact-stem-synonym": only("exact stem synonym", 1.0, 0.6, 0.8),
    "en-beam1": {"beam": 1},
    "en-beam5": {"beam": 5},
    "en-beam200": {"beam": 200},
    "en-params": {"alpha": 0.9, "beta": 3.0, "gamma": 0.5, "delta": 0.5, "weights": (1.0, 1.0, 1.0, 1.0)},
    "en-2refs": {},
    "other": {"language": "other", "normalize": "none"},
}
OTHERS: dict[str, dict[str, Any]] = {
    "sde.de-exact-stem": {"language": "de", **only("exact stem", 1.0, 0.8)},
    "sfr.fr-exact-stem": {"language": "fr", **only("exact stem", 1.0, 0.2)},
    "ses.es-exact-stem": {"language": "es", **only("exact stem", 1.0, 0.8)},
    "scs.cs-exact": {"language": "cs", **only("exact", 1.0)},
    "sru.ru-exact-stem": {"language": "ru", **only("exact stem", 1.0, 0.5)},
    "sde.it-exact-stem": {"language": "it", "normalize": "none"},
}


@pytest.mark.parametrize("run", ENGLISH)
def test_english(run: str, shared: Path, meteor: MeteorFactory) -> None:
    parity = shared / "data" / "parity"
    reference_count = 2 if run == "en-2refs" else 1
    references = lines(parity / "text" / ("s600.ref2" if reference_count == 2 else "s600.ref"))
    groups = [references[k : k + reference_count] for k in range(0, len(references), reference_count)]
    check(meteor(**ENGLISH[run]), lines(parity / "text" / "s600.hyp"), groups, parity / f"s600.{run}")


@pytest.mark.parametrize("run", OTHERS)
def test_other_languages(run: str, shared: Path, meteor: MeteorFactory) -> None:
    folder = shared / "data" / "parity" / "langs"
    text = run.split(".")[0]
    groups = [[reference] for reference in lines(folder / f"{text}.ref")]
    check(meteor(**OTHERS[run]), lines(folder / f"{text}.hyp"), groups, folder / run)


def check(scorer: Meteor, hypotheses: list[str], references: list[list[str]], answers: Path) -> None:
    statistics = scorer.statistics(hypotheses, references, layout="segments")
    np.testing.assert_array_equal(as_java(statistics), read_statistics(with_suffix(answers, ".stats.gz")))
    corpus = scorer.corpus_score(hypotheses, references, layout="segments")
    assert corpus.segments is not None
    assert corpus.segments.tolist() == [float(line) for line in lines(with_suffix(answers, ".seg.gz"))]
    assert corpus.score == float(with_suffix(answers, ".sys").read_text())


def as_java(statistics: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Java always prints four stages."""
    unused = np.zeros((len(statistics), 23 - statistics.shape[1]), dtype=statistics.dtype)
    return np.hstack([statistics[:, :-3], unused, statistics[:, -3:]])


def with_suffix(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def read_statistics(path: Path) -> np.ndarray[Any, Any]:
    return np.array([[float(number) for number in line.split()] for line in lines(path)]).astype(np.int64)


def lines(path: Path) -> list[str]:
    """Lines end only at a line feed, as in Java; the texts contain other line ends of Python."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return content.decode().removesuffix("\n").split("\n")
