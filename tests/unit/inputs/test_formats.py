"""Every format gives back what was written."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide.errors import InputError
from bolide.inputs.assembly import read_systems
from bolide.inputs.formats import format_of
from bolide.inputs.options import InputOptions
from tests.unit.inputs.test_text_files import COMPRESS, all_segments

pa: Any = pytest.importorskip("pyarrow")
pq: Any = pytest.importorskip("pyarrow.parquet")


class Row(NamedTuple):
    hypothesis: str
    references: list[str]
    document: str


Rows = list[Row]

# ---- writers: the real libraries, where there are any ----------------------------------------------


def write_jsonl(rows: Rows) -> bytes:
    return b"".join(
        json.dumps({"doc": row.document, "hyp": row.hypothesis, "refs": row.references}).encode() + b"\n"
        for row in rows
    )


def write_jsonl_columns(rows: Rows) -> bytes:
    """One column for each reference of the row."""
    made = [
        {
            "docid": row.document,
            "prediction": row.hypothesis,
            **{f"ref{k}": text for k, text in enumerate(row.references)},
        }
        for row in rows
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\r\n" for row in made).encode()


def write_parquet(rows: Rows) -> bytes:
    table = pa.table(
        {
            "hypothesis": pa.array([row.hypothesis for row in rows], pa.string()),
            "references": pa.array([row.references for row in rows], pa.list_(pa.string())),
            "document_id": pa.array([row.document for row in rows], pa.string()).dictionary_encode(),
        }
    )
    out = io.BytesIO()
    pq.write_table(table, out, row_group_size=3)
    return out.getvalue()


def delimited(delimiter: str, quoting: int = csv.QUOTE_MINIMAL) -> Callable[[Rows], bytes]:
    def write(rows: Rows) -> bytes:
        out = io.StringIO(newline="")
        writer = csv.writer(out, delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
        writer.writerow(["doc", "ref 1", "hyp", "ref 2"])
        writer.writerows([row.document, row.references[0], row.hypothesis, row.references[1]] for row in rows)
        return out.getvalue().encode()

    return write


def write_raw(rows: Rows) -> bytes:
    lines = [["doc", "ref1", "hyp", "ref2"]]
    lines += [[row.document, row.references[0], row.hypothesis, row.references[1]] for row in rows]
    return "".join("\t".join(line) + "\n" for line in lines).encode()


def element(tag: str, text: str, **attributes: str) -> str:
    named = "".join(f' {name}="{escape(value, {chr(34): "&quot;"})}"' for name, value in attributes.items())
    return f"<{tag}{named}>{text}</{tag}>"


def write_xml(rows: Rows) -> bytes:
    """As in WMT: one element for each run of consecutive segments of a document."""
    made = []
    for name, segments in _documents(rows).items():

        def part(tag: str, texts: dict[int, str], **attributes: str) -> str:
            inner = "".join(element("seg", escape(text), id=str(k)) for k, text in texts.items())
            return element(tag, f"<p>{inner}</p>", **attributes)

        parts = [part("src", dict.fromkeys(segments, "source"), lang="xx")]
        for k in range(max(len(row.references) for row in segments.values())):
            texts = {n: row.references[k] for n, row in segments.items() if k < len(row.references)}
            parts.append(part("ref", texts, lang="en", translator=f"T{k}"))
        parts.append(part("hyp", {n: r.hypothesis for n, r in segments.items()}, system="ours"))
        made.append(element("doc", "\n".join(parts), id=name, origlang="xx"))
    return f"<?xml version='1.0'?>\n<dataset>{''.join(made)}</dataset>".encode()


def write_sgml(rows: Rows) -> bytes:
    """All sets in one file. This is unusual, but one reader must accept it."""
    made = []
    width = max(len(row.references) for row in rows)
    for tag, k in [("tstset", 0), *(("refset", k) for k in range(width))]:
        parts = []
        for name, segments in _documents(rows).items():
            texts = {
                n: row.hypothesis if tag == "tstset" else "".join(row.references[k : k + 1])
                for n, row in segments.items()
                if tag == "tstset" or k < len(row.references)
            }
            inner = "\n".join(element("seg", f" {escape(text)} ", id=str(n)) for n, text in texts.items())
            parts.append(element("doc", f"<hl>\n{inner}\n</hl>", sysid=f"{tag}{k}", docid=name))
        made.append(element(tag, "\n".join(parts), setid="set"))
    return "\n".join(made).encode()


def _documents(rows: Rows) -> dict[str, dict[int, Row]]:
    found: dict[str, dict[int, Row]] = {}
    for number, row in enumerate(rows):
        found.setdefault(row.document, {})[number] = row
    return found


characters = st.characters(blacklist_categories=["Cs"])
texts = st.text(characters, max_size=20) | st.sampled_from(["a|||b", 'say "x"', "a\nb", "a\tb", "&lt;", ""])
simple = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), max_size=20)
ids = st.text("abc", min_size=1, max_size=2)


def rows(text: st.SearchStrategy[str], least: int = 1, most: int = 3) -> st.SearchStrategy[Rows]:
    row = st.builds(Row, text, st.lists(text, min_size=least, max_size=most), ids)
    return st.lists(row, min_size=1, max_size=8)


def without(characters: str) -> st.SearchStrategy[str]:
    return texts.map(lambda text: "".join(c for c in text if c not in characters))


# For each format: the suffix, the writer, rows that it can hold, and whether it groups them by document.
FORMATS: dict[str, tuple[str, Callable[[Rows], bytes], st.SearchStrategy[Rows], bool]] = {
    "jsonl": (".jsonl", write_jsonl, rows(texts), False),
    "jsonl-columns": (".json", write_jsonl_columns, rows(texts), False),
    "parquet": (".parquet", write_parquet, rows(texts), False),
    # In Python 3.10, CSV cannot hold NUL. A CR before an LF is part of the line end.
    # TSV rejects a field with a tab and a line end.
    "tsv": (".tsv", delimited("\t"), rows(without("\0\r\t"), 2, 2), False),
    "tsv-tabs": (".tsv", delimited("\t"), rows(without("\0\r\n"), 2, 2), False),
    "tsv-all-quoted": (".tsv", delimited("\t", csv.QUOTE_ALL), rows(without("\0\r\t"), 2, 2), False),
    "csv": (".csv", delimited(","), rows(without("\0\r"), 2, 2), False),
    "tsv-raw": (".raw", write_raw, rows(without("\t\n\r"), 2, 2), False),
    "xml": (".xml", write_xml, rows(simple), True),
    "sgml": (".sgm", write_sgml, rows(simple.filter(lambda text: "&" not in text), 1, 3), True),
}


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.data())
def test_what_is_written_is_read(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    suffix, write, strategy, grouped = FORMATS[name]
    expected = data.draw(strategy)
    compression = data.draw(st.sampled_from(list(COMPRESS)))
    path = tmp_path_factory.getbasetemp() / f"rows{suffix}{compression}"
    path.write_bytes(COMPRESS[compression](write(expected)))
    if grouped:
        expected = [row for document in _documents(expected).values() for row in document.values()]
    form = "tsv-raw" if name == "tsv-raw" else None
    [batch] = all_segments(path, input_format=form, doc_column="doc" if grouped else "")
    assert batch.hypotheses == [row.hypothesis for row in expected]
    assert batch.references == [text for row in expected for text in row.references]
    assert batch.counts.tolist() == [len(row.references) for row in expected]
    assert batch.documents == [row.document for row in expected]


# ---- names -----------------------------------------------------------------------------------------

RECORDS = [{"a": "x y", "b": "x z", "r": "x y", "n": 1}, {"a": "u", "b": "v", "r": "w", "n": 2}]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the records in several formats."""
    monkeypatch.chdir(tmp_path)
    Path("x.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    Path("x.tsv").write_text("a\tb\tr\tn\nx y\tx z\tx y\t1\nu\tv\tw\t2\n")
    pq.write_table(pa.Table.from_pylist(RECORDS), "x.parquet")
    Path("x.txt").write_text("x y\nu\n")
    return tmp_path


@pytest.mark.parametrize("name", ["x.jsonl", "x.tsv", "x.parquet"])
def test_columns_by_name(files: Path, name: str) -> None:
    options = InputOptions(hyp_columns=("a", "b"), ref_columns=("r", "a"), doc_column="n")
    first, second = read_systems([name], [], options)
    assert (first.name, second.name) == (f"{name}:a", f"{name}:b")
    [batch] = second.segments()
    assert batch.hypotheses == ["x z", "v"]
    assert batch.references == ["x y", "x y", "w", "u"]
    assert batch.documents == ["1", "2"]
    [batch] = all_segments("x.txt", name, ref_columns=("r",), doc_column="n")
    assert (batch.references, batch.documents) == (["x y", "w"], ["1", "2"])
    [batch] = all_segments(name, "x.txt", hyp_columns=("b",), docs="x.txt")
    assert (batch.references, batch.documents) == (["x y", "u"], ["x y", "u"])


@pytest.mark.parametrize("name", ["x.jsonl", "x.tsv", "x.parquet"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "has no column of hypotheses .hyp, hypothesis or prediction.; its columns are: a, b, r, n;"),
        ({"hyp_columns": ("hyp",)}, "has no column 'hyp'; its columns are: a, b, r, n"),
        ({"hyp_columns": ("a",)}, "has no column of references .* choose one with --ref-column"),
        ({"hyp_columns": ("a",), "ref_columns": ("b", "c")}, "has no column 'c'|no line has the column 'c'"),
        ({"hyp_columns": ("a",), "ref_columns": ("b",), "doc_column": ""}, "has no column of documents"),
    ],
)
def test_columns_that_are_not_there(files: Path, name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{name}.* {message}"):
        all_segments(name, **options)


def test_columns_by_number(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("x y\tr\nu\tw\n")
    [batch] = all_segments(path, hyp_columns=("1",), ref_columns=("2",))
    assert (batch.hypotheses, batch.references) == (["x y", "u"], ["r", "w"])
    with pytest.raises(InputError, match="has no column '3'; its columns are: 1, 2"):
        all_segments(path, hyp_columns=("1",), ref_columns=("3",))


def test_json_lines_without_names(tmp_path: Path) -> None:
    (tmp_path / "h.jsonl").write_text('"a\\nb"\n\n"c"\n')
    (tmp_path / "r.jsonl").write_text('["r", "s"]\n"t"\n')
    [batch] = all_segments(tmp_path / "h.jsonl", tmp_path / "r.jsonl")
    assert (batch.hypotheses, batch.references) == (["a\nb", "c"], ["r", "s", "t"])
    with pytest.raises(
        InputError, match=r"line 1: must be an object such as .* or give the references with -r"
    ):
        all_segments(tmp_path / "h.jsonl")


def test_the_format_is_in_the_name_or_said() -> None:
    names = {
        "a": "text", "a.txt.gz": "text", "b.SGM": "sgml", "b.sgml.xz": "sgml", "c.xml.zst": "xml",
        "d.jsonl.bz2": "jsonl", "e.tsv": "tsv", "f.parquet": "parquet", "-": "text", "g.gz": "text",
    }  # fmt: skip
    assert {name: format_of(name) for name in names} == names


# ---- SGML and XML ----------------------------------------------------------------------------------

WMT = """<dataset id="set"><collection id="general">
<doc id="one"><src lang="de"><p><seg id="1">a</seg><seg id="2">b</seg></p></src>
<ref lang="en" translator="A"><p><seg id="2">second</seg><seg id="1">first &amp; best</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">one</seg></p></ref>
<hyp lang="en" system="up"><p><seg id="1">hyp 1</seg></p><p><seg id="2">hyp 2</seg></p></hyp>
<hyp lang="en" system="down"><p><seg id="2">pyh 2</seg><seg id="1">pyh 1</seg></p></hyp></doc>
</collection></dataset>
"""
SUITE = '<doc id="suite"><hyp system="up"><seg id="1">more</seg></hyp></doc>'


def test_systems_and_translators(tmp_path: Path) -> None:
    path = tmp_path / "wmt.xml"
    path.write_text(WMT)
    up, down = read_systems([str(path)], [], InputOptions(doc_column="docid"))
    assert (up.name, down.name) == (f"{path}:up", f"{path}:down")
    # The order is the same for all systems, so that they can be compared segment by segment.
    for system, expected in ((up, ["hyp 1", "hyp 2"]), (down, ["pyh 1", "pyh 2"])):
        [batch] = system.segments()
        assert batch.hypotheses == expected
        assert batch.references == ["first & best", "one", "second"]
        assert (batch.counts.tolist(), batch.documents) == ([2, 1], ["one", "one"])
    [batch] = all_segments(path, hyp_columns=("down",), ref_columns=("A",))
    assert batch.references == ["first & best", "second"]
    with pytest.raises(InputError, match="segment 2 of document one has no reference"):
        all_segments(path, hyp_columns=("down",), ref_columns=("B",))
    with pytest.raises(InputError, match="has no 'left' among its hypotheses; choose one of: up, down"):
        all_segments(path, hyp_columns=("left",))


def test_documents_from_another_file(tmp_path: Path) -> None:
    (tmp_path / "wmt.xml").write_text(WMT)
    (tmp_path / "docs").write_text("x\ny\n")
    options = {"hyp_columns": ("up",), "docs": str(tmp_path / "docs")}
    [batch] = all_segments(tmp_path / "wmt.xml", **options)
    assert batch.documents == ["x", "y"]
    (tmp_path / "docs").write_text("x\n")
    with pytest.raises(InputError, match=r"docs has 1; each must have all, in the same order"):
        all_segments(tmp_path / "wmt.xml", **options)


def test_documents_without_references(tmp_path: Path) -> None:
    """As in the test suites of WMT."""
    path = tmp_path / "wmt.xml"
    path.write_text(WMT.replace("</collection>", f"{SUITE}</collection>"))
    with pytest.raises(
        InputError, match=r"segment 1 of document suite has no reference.*--skip-unreferenced"
    ):
        all_segments(path, hyp_columns=("up",))
    [system] = read_systems([str(path)], [], InputOptions(hyp_columns=("up",), skip_unreferenced=True))
    assert [len(batch) for batch in system.segments()] == [2]
    assert system.skipped == 1


def test_segments_of_several_files_are_matched_by_name(tmp_path: Path) -> None:
    (tmp_path / "ref.xml").write_text(WMT)
    (tmp_path / "h.sgm").write_text(
        '<TSTSET setid=x sysid="s">\n<DOC docid="one">\n<seg id=2> R&D &LT; 2\nlines </seg> <seg id=1>b</seg>'
    )
    [batch] = all_segments(tmp_path / "h.sgm", tmp_path / "ref.xml")
    assert batch.hypotheses == ["b", "R&D < 2\nlines"]
    assert batch.references == ["first & best", "one", "second"]
    # Combined with lines, segments are paired by their order.
    (tmp_path / "r.txt").write_text("x\ny\n")
    [batch] = all_segments(tmp_path / "h.sgm", tmp_path / "r.txt")
    assert (batch.hypotheses[1], batch.references) == ("b", ["x", "y"])
    (tmp_path / "h.sgm").write_text('<tstset><doc docid="one"><seg id="1">b</seg></doc></tstset>')
    with pytest.raises(InputError, match=r"lacks 1 segment of .*such as segment 2 of document one"):
        all_segments(tmp_path / "h.sgm", tmp_path / "ref.xml")


def test_comments_of_sgml_are_no_segments(tmp_path: Path) -> None:
    (tmp_path / "h.sgm").write_text(
        '<!-- <tstset> --><tstset sysid="s"><doc docid="d">\n<!-- <seg id="0">not this</seg>\n</doc> -->'
        '<seg id="1">one<!-- two --> three</seg><seg id="2">a <!-- b</seg><!----><seg id="3">c --> d</seg>'
    )
    (tmp_path / "r.txt").write_text("x\ny\nz\n")
    [batch] = all_segments(tmp_path / "h.sgm", tmp_path / "r.txt")
    assert batch.hypotheses == ["one three", "a <!-- b", "c --> d"]


@pytest.mark.parametrize("suffix", [".tsv", ".csv"])
def test_fields_of_as_many_words_as_a_segment_may_have(tmp_path: Path, suffix: str) -> None:
    path, text = tmp_path / f"x{suffix}", "somewhat-longer-word " * 100_000
    delimiter = "\t" if suffix == ".tsv" else ","
    path.write_text(f'hyp{delimiter}ref\n{text}{delimiter}"{text}"\n')
    [batch] = all_segments(path)
    assert batch.hypotheses == batch.references == [text]
