"""Scores for columns of the real pandas and polars."""

from __future__ import annotations

from typing import Any

import pytest

from bolide import Meteor
from bolide.errors import InputError
from tests.support import generate

HYPOTHESES, FIRST, SECOND = (
    [getattr(pair, side) for pair in generate.pairs("en", 30, seed)]
    for side, seed in (("hypothesis", 1), ("reference", 1), ("reference", 2))
)
LISTS = [[one, other] if k % 2 else [one] for k, (one, other) in enumerate(zip(FIRST, SECOND, strict=True))]


def expected(meteor: Meteor, references: list[Any]) -> list[float]:
    found = meteor.corpus_score(HYPOTHESES, references, layout="segments").segments
    assert found is not None
    scores: list[float] = found.tolist()
    return scores


def both() -> list[list[str]]:
    return [list(pair) for pair in zip(FIRST, SECOND, strict=True)]


def test_pandas(english: Meteor) -> None:
    pd = pytest.importorskip("pandas")
    from bolide.compat.pandas import score

    index = pd.Index([f"s{k}" for k in range(30)][::-1], name="segment")
    table = pd.DataFrame({"out": HYPOTHESES, "one": FIRST, "two": SECOND, "all": LISTS}, index=index)
    found = score(table, "out", "one")
    assert isinstance(found, pd.Series) and found.dtype == "float64" and found.name == "meteor"
    assert found.index.equals(index)
    assert found.tolist() == expected(english, [[text] for text in FIRST])
    assert score(table, "out", ["one", "two"]).tolist() == expected(english, both())
    assert score(table, "out", "all").tolist() == expected(english, LISTS)
    exact = Meteor(modules=["exact"])
    assert score(table, "out", "one", meteor=exact).tolist() == expected(exact, [[text] for text in FIRST])
    table["meteor"] = found
    assert len(score(table.iloc[:0], "out", "one")) == 0
    assert score(table.astype({"out": "string"}), "out", "one").tolist() == found.tolist()


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("out", None, r"column 'out' has no text in 1 of 2 rows \(the first is row 1"),
        ("out", float("nan"), "column 'out' has no text in 1 of 2 rows"),
        ("one", None, "column 'one' has no text"),
        ("out", 5, "column 'out', row 1 .counted from 0.: 5 is not a text"),
        ("one", [], "row 1 .counted from 0.: .. is not a text or a list of at least one text"),
        ("one", [None], "None is not a text"),
        ("one", 7, "7 is not a text or a list"),
        ("one", b"a", "b'a' is not a text"),
        ("one", {"text": "b"}, "row 1 .counted from 0.: {'text': 'b'} is not a text or a list of texts"),
        ("one", {"b"}, "{'b'} is not a text or a list of texts"),
        ("one", frozenset(["b"]), "is not a text or a list of texts"),
    ],
)
def test_pandas_errors(english: Meteor, column: str, value: Any, message: str) -> None:
    pd = pytest.importorskip("pandas")
    from bolide.compat.pandas import score

    columns = {"out": ["a", "b"], "one": ["a", "b"]}
    columns[column][1] = value
    with pytest.raises(InputError, match=message):
        score(
            pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()}),
            "out",
            "one",
        )


def test_no_references(english: Meteor) -> None:
    pd = pytest.importorskip("pandas")
    from bolide.compat.pandas import score

    with pytest.raises(InputError, match="name at least one"):
        score(pd.DataFrame({"out": ["a"]}), "out", [])
    with pytest.raises(InputError, match="there is no column 'three'; there are: out"):
        score(pd.DataFrame({"out": ["a"]}), "out", "three")


def test_columns_of_one_name(english: Meteor) -> None:
    pd = pytest.importorskip("pandas")
    from bolide.compat.pandas import score

    table = pd.DataFrame([["a", "b", "c"]], columns=["out", "one", "one"])
    with pytest.raises(InputError, match="there are 2 columns 'one'; rename or drop all but the one to read"):
        score(table, "out", "one")
    table.columns = ["out", "one", "out"]
    with pytest.raises(InputError, match="there are 2 columns 'out'"):
        score(table, "out", "one")
    table.columns = ["other", "out", "other"]
    assert len(score(table.assign(one="b"), "out", "one")) == 1  # others may


def test_polars(english: Meteor) -> None:
    pl = pytest.importorskip("polars")
    from bolide.compat.polars import meteor, score

    table = pl.DataFrame({"out": HYPOTHESES, "one": FIRST, "two": SECOND, "all": LISTS})
    for references, groups in (("one", [[t] for t in FIRST]), (["one", "two"], both()), ("all", LISTS)):
        scores = expected(english, groups)
        found = score(table, "out", references)
        assert found.dtype == pl.Float64 and found.name == "meteor" and found.to_list() == scores
        added = table.with_columns(meteor("out", references))
        assert added.columns == [*table.columns, "meteor"] and added["meteor"].to_list() == scores
        lazy = table.lazy().select(meteor("out", references).alias("score")).collect()
        assert lazy["score"].to_list() == scores
    exact = Meteor(modules=["exact"])
    assert score(table, "out", "one", meteor=exact).to_list() == expected(exact, [[t] for t in FIRST])


def test_polars_errors(english: Meteor) -> None:
    pl = pytest.importorskip("polars")
    from bolide.compat.polars import meteor, score

    table = pl.DataFrame({"out": ["a", None], "one": ["a", "b"], "n": [1, 2]})
    with pytest.raises(InputError, match="column 'out' has no text in 1 of 2 rows"):
        score(table, "out", "one")
    with pytest.raises(InputError, match=r"column 'n', row 0 .counted from 0.: 1 is not a text"):
        score(table, "n", "one")
    with pytest.raises(InputError, match="there is no column 'three'; there are: out one n"):
        score(table, "out", "three")
    with pytest.raises(Exception, match="column 'out' has no text in 1 of 2 rows"):
        table.select(meteor("out", "one"))
