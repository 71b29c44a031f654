"""Phrase tables: text of Moses and cdec, Parquet, and errors in them."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide.errors import BolideError, ConfigurationError, InputError

pyarrow = pytest.importorskip("pyarrow")
from bolide.learning import phrase_table, phrase_table_text  # noqa: E402
from tests.support.examples import examples  # noqa: E402

MOSES = """\
das haus ||| the house ||| 0.5 0.25 0.125 1 ||| 0-0 1-1 ||| 2 8 1
das  alte\thaus ||| the old house ||| 1e-05 0.25 1 1 2.718 ||| 0-0 1-1 2-2
über ||| about ||| 1 0.5 0.25\r
"""
CDEC = """\
[X] ||| das haus ||| the house ||| EgivenFCoherent=0.30103 SampleCountF=0.47712 CountEF=0.30103 ||| 0-0 1-1
[X] ||| das [X,1] ||| the [X,1] ||| EgivenFCoherent=0.30103 ||| 0-0
[X] ||| haus ||| house ||| EgivenFCoherent=0 SampleCountF=0.47712 CountEF=0.47712 MaxLexFgivenE=1 ||| 0-0
"""


def rows(name: str | Path) -> list[dict[str, Any]]:
    return [row for batch in phrase_table.batches(str(name)) for row in batch.to_pylist()]


def table(folder: Path, text: str | bytes) -> Path:
    path = folder / "table"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_line_of_moses_is_read_field_by_field(tmp_path: Path) -> None:
    first, second, third = rows(table(tmp_path, MOSES))
    assert first == {
        "source": "das haus",
        "target": "the house",
        "p_source_given_target": 0.5,
        "lex_source_given_target": 0.25,
        "p_target_given_source": 0.125,
        "lex_target_given_source": 1.0,
        "alignment": "0-0 1-1",
        "count_target": 2.0,
        "count_source": 8.0,
        "count_joint": 1.0,
        "line": 1,
    }
    assert second["source"] == "das alte haus"
    assert (second["p_source_given_target"], second["count_joint"], second["line"]) == (1e-05, None, 2)
    assert (third["source"], third["lex_target_given_source"], third["alignment"]) == ("über", None, None)


@pytest.mark.parametrize(
    ("ending", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_tables_are_read_as_they_are(ending: str, compress: Any, tmp_path: Path) -> None:
    path = tmp_path / f"table{ending}"
    path.write_bytes(compress(MOSES.encode()))
    assert rows(path) == rows(table(tmp_path, MOSES))


def test_blocks_end_with_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rows(table(tmp_path, "\ufeff" + MOSES * 9))
    assert whole[0]["source"] == "das haus"
    monkeypatch.setattr(phrase_table_text, "BLOCK", 100)
    assert rows(tmp_path / "table") == whole
    assert [row["line"] for row in whole] == list(range(1, 28))


def test_a_grammar_of_cdec_is_read_without_its_gaps(tmp_path: Path) -> None:
    first, second = rows(table(tmp_path, CDEC))
    assert (first["source"], first["target"], first["alignment"]) == ("das haus", "the house", "0-0 1-1")
    assert first["p_target_given_source"] == pytest.approx(0.5, abs=1e-6)
    assert first["p_source_given_target"] is None
    assert (first["count_source"], first["count_joint"]) == (2.0, 1.0)
    assert (second["line"], second["lex_source_given_target"]) == (3, 0.1)


def test_there_and_back(tmp_path: Path) -> None:
    source = table(tmp_path, MOSES)
    assert phrase_table.convert(str(source), tmp_path / "t.parquet") == 3
    assert phrase_table.convert(str(tmp_path / "t.parquet"), tmp_path / "t.gz") == 3
    assert gzip.decompress((tmp_path / "t.gz").read_bytes()).decode().splitlines()[0] == MOSES.splitlines()[0]
    again = rows(tmp_path / "t.gz")
    for row, expected in zip(again, rows(source), strict=True):
        assert row == expected | {"lex_target_given_source": expected["lex_target_given_source"] or 1.0}
    assert rows(tmp_path / "t.parquet") == rows(source)


def test_equal_tables_are_equal_files(tmp_path: Path) -> None:
    source = table(tmp_path, MOSES)
    for name in ("a.gz", "b.gz"):
        phrase_table.convert(str(source), tmp_path / name)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="|[]"), min_size=1
)
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
NUMBERS = st.floats(0, 1)


@settings(max_examples=examples(50))
@given(st.lists(st.tuples(PHRASES, PHRASES, NUMBERS, NUMBERS), min_size=1, max_size=20))
def test_phrases_and_numbers_survive(entries: list[tuple[str, str, float, float]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        lines = (f"{s} ||| {t} ||| {p!r} 1 {q!r} 1\n" for s, t, p, q in entries)
        source = table(Path(folder), "".join(lines))
        phrase_table.convert(str(source), Path(folder) / "t.parquet")
        phrase_table.convert(f"{folder}/t.parquet", Path(folder) / "t.txt")
        for path in (source, f"{folder}/t.parquet", f"{folder}/t.txt"):
            names = ("source", "target", "p_source_given_target", "p_target_given_source")
            assert [tuple(row[name] for name in names) for row in rows(path)] == entries


MISTAKES = {
    "a ||| b": "expected: source ||| target",
    "": "expected: source ||| target",
    "a ||| ||| 1 1 1": "the target phrase has no words",
    " ||| b ||| 1 1 1": "the source phrase has no words",
    "a ||| b ||| 1 1": "2 scores",
    "a ||| b ||| 1 1 -2.3": "'-2.3' is not a probability",
    "a ||| b ||| 1.5 1 1": "'1.5' is not a probability",
    "a ||| b ||| nan 1 1": "'nan' is not a probability",
    "a ||| b ||| 1 x 1": "'x' is not a number",
    "a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 b": "'b' is not a number",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_what_is_wrong_is_told_with_file_and_line(line: str, tmp_path: Path) -> None:
    path = table(tmp_path, MOSES + line + "\n" + MOSES)
    with pytest.raises(InputError) as error:
        rows(path)
    assert str(error.value).startswith(f"{path}, line 4: {MISTAKES[line]}")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[X] ||| a ||| b ||| Other=1", "a grammar of cdec needs the feature EgivenF or EgivenFCoherent"),
        ("[X] ||| a ||| b ||| EgivenF=-1", "EgivenF=-1 is not −log10 of a probability"),
        ("[X] ||| a ||| b ||| EgivenF=x", "EgivenF=x is not a number"),
    ],
)
def test_what_is_wrong_with_a_grammar_is_told_too(line: str, problem: str, tmp_path: Path) -> None:
    path = table(tmp_path, CDEC + line + "\n")
    with pytest.raises(InputError) as error:
        rows(path)
    assert str(error.value).startswith(f"{path}, line 4: {problem}")


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 4: not UTF-8 .byte 0xff at column 1"):
        rows(table(tmp_path, MOSES.encode() + b"\xff ||| b ||| 1 1 1\n"))
    with pytest.raises(InputError, match=r"its name must end in \.gz"):
        rows(table(tmp_path, gzip.compress(MOSES.encode())))
    with pytest.raises(InputError, match="cannot read"):
        rows(tmp_path / "nothing")
    with pytest.raises(InputError, match="a line of more than"):
        rows(table(tmp_path, b"a" * 9_000_000))


def test_parquet_of_others_needs_four_columns(tmp_path: Path) -> None:
    from pyarrow import parquet

    columns = {name: [0.5] for name in phrase_table.REQUIRED} | {"source": ["a"], "target": ["b"]}
    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    (row,) = rows(path)
    assert (row["source"], row["p_target_given_source"], row["count_joint"], row["line"]) == (
        "a",
        0.5,
        None,
        None,
    )
    del columns["target"]
    parquet.write_table(pyarrow.table(columns), path)
    with pytest.raises(InputError, match="has no column 'target'"):
        phrase_table.check(str(path))
    path.write_bytes(b"PAR1 but no more")
    with pytest.raises(InputError, match=r"cannot read .* as Parquet"):
        rows(path)


def test_nothing_is_left_of_a_file_that_fails(tmp_path: Path) -> None:
    place = tmp_path / "out.parquet"
    place.write_text("old")
    with pytest.raises(InputError):
        phrase_table.convert(str(table(tmp_path, MOSES + "wrong\n")), place)
    assert place.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.parquet", "table"]
    with pytest.raises(BolideError, match=r"cannot write .*No such file"):
        phrase_table.convert(str(tmp_path / "table"), tmp_path / "no" / "t.parquet")
    with pytest.raises(ConfigurationError, match="choose"):
        phrase_table.convert(str(tmp_path / "table"), tmp_path / "t.bz2")


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    batches = list(phrase_table.batches(str(table(tmp_path, MOSES))))
    with pytest.raises(OSError, match="No space left"):
        phrase_table_text.write(batches, full)
