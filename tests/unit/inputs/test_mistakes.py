"""Every format reports what is wrong with a file, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bolide.errors import BolideError, InputError
from tests.unit.inputs.test_text_files import all_segments

pa: Any = pytest.importorskip("pyarrow")
pq: Any = pytest.importorskip("pyarrow.parquet")

BOMB = (
    '<!DOCTYPE d [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY a{k} "{"&a;" * 10}">' for k in range(9))
    + "]><dataset>&a;</dataset>"
)


# file → contents, and the message
MISTAKES: dict[str, list[tuple[str, str]]] = {
    "x.xml": [
        (BOMB, "line 1: the entity &a; is not allowed"),
        ('<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]><d>&e;</d>', "the entity &e; is not allowed"),
        ('<!DOCTYPE d SYSTEM "other.dtd"><d><ref><seg>&e;</seg></ref></d>', "the entity &e; is not allowed"),
        ("<d>\n<ref></hyp>", r"line 2: not XML \(mismatched tag at column 8\)"),
        ("", r"not XML \(no element found"),
        ("<d>AT&T</d>", r"line 1: not XML .* --input-format sgml"),
        ("<d/>", "has no segments of systems or references"),
        ('<d><doc id="a"><src><seg id="1">a</seg></src></doc></d>', "has no segments"),
        ('<d><doc id="a"><ref><seg id="1">a</seg></ref></doc></d>', "has no hypotheses, only references"),
        ('<d><doc id="a"><hyp><seg id="1">a</seg></hyp></doc></d>', "has no references, only hypotheses"),
        ("<d><doc><hyp><seg>a</seg></hyp></doc></d>", r"a document without a name; write <doc docid="),
        ('<d><doc id="a"><hyp><seg>a</seg></hyp></doc></d>', r"a segment without a name; write <seg id="),
        ('<d><doc id="a"><seg id="1">a</seg></doc></d>', "a segment outside <tstset>, <refset>"),
        ("<d><hyp>\n<seg>a</seg></hyp></d>", "line 2: a segment outside a document"),
        (
            '<d><doc id="a"><hyp system="s"><seg id="1">a</seg>\n<seg id="1">b</seg></hyp></doc></d>',
            "line 2: segment 1 of document a occurs twice in 's'",
        ),
        ('<d><doc id="a"><hyp><seg id="1"><seg id="2"/></seg></hyp></doc></d>', "inside a segment"),
        (
            '<tstset><doc docid="a"><seg id="1">a</seg></doc>\n<seg id="2">b</seg></tstset>',
            "line 2: a segment outside a document; put it into <doc>",
        ),
        *(
            (
                f'<?xml version="1.0" encoding="{encoding}"?>\n<d/>',
                f"line 1: the encoding {encoding} cannot be read; convert the file to UTF-8",
            )
            for encoding in ("foo", "GB2312", "Shift_JIS", "idna", "base64", "utf-16", "utf-32")
        ),
    ],
    "x.sgm": [
        ('<refset><doc docid="a">\n<seg id="1">a\n<seg id="2">b</seg>', "line 2: a segment without </seg>"),
        ('<refset><doc docid="a">\n<seg id="1">a', "line 2: a segment without </seg>"),
        ("a\nb\n", "has no segments of systems or references"),
        (
            '<refset><doc docid="a"><seg id="1">a</seg></doc>\n<seg id="2">b</seg>',
            "line 2: a segment outside a document; put it into <doc>",
        ),
        ('<refset>\n<!-- x\n<doc docid="a"><seg id="1">a</seg>', "line 2: a comment without -->"),
    ],
    "x.jsonl": [
        ('{"hyp": "a", "ref": "b"}\n{"hyp": "a"', r"line 2: not JSON \(Expecting ',' .* at column 12\)"),
        ("[\n{}]", "line 1: not JSON .*`jq -c"),
        ('{"hyp": 5, "ref": "b"}', "line 1: hyp is a number, not a text; write it in quotes"),
        ('{"hyp": null, "ref": "b"}', "line 1: hyp has no value"),
        ('{"hyp": "a", "ref": ["b", 0.5]}', "line 1: ref is a number, not a text"),
        ('{"hyp": "a", "ref": {"b": 1}}', "line 1: ref is an object, not a text"),
        ('{"hyp": "a", "ref": []}', "segment 1 has no reference"),
        ('{"hyp": "a", "ref": null}', "segment 1 has no reference"),
        ('{"hyp": "a\\ud800", "ref": "b"}', r"line 1: \\ud800 is half a character"),
        ('{"hyp": "a", "ref": ["b", "\\uDC00"]}', r"line 1: \\udc00 is half a character"),
        ('{"hyp": "a", "prediction": "b", "ref": "c"}', "several columns that could be the hypoth"),
        ("[" * 100_000, "line 1: not JSON"),
        ('{"hyp": "a", "ref": ' + "9" * 5000 + "}", "line 1: "),
        ("", "nothing to score: these files are empty"),
        ('{"hyp": "a", "ref": "b"}\n\udcff', "line 2: not UTF-8"),
    ],
    "x.tsv": [
        ("", "line 1: must name the columns"),
        ("hyp\tref\n", "nothing to score"),
        ("hyp\tx\n", "no column of references"),
        ("hyp\tref\na\tb\nc\n", "line 3: the first line has 2 fields, this line has 1; a field with tabs"),
        ('hyp\tref\na\t"b" c\n', r"line 2: cannot be split into fields .* --input-format tsv-raw"),
        ('hyp\tref\na\t"b\nc\nd\te\n', r"line 2: cannot be split into fields \(unexpected end of data"),
        ("hyp\tref\tref\na\tb\tc\n", "has several columns 'ref'"),
        # Two rows that would be merged into one.
        (
            'hyp\tref\n"x\ny"\tz\na\t"b\nc\td"\n',
            r"line 4: a quotation mark opens a field of 2 lines that holds tabs .* --input-format tsv-raw",
        ),
        ('hyp\tref\n"a\nb"\t"c\nd\te\nf"\n', "line 3: a quotation mark opens a field of 3 lines"),
        ("hyp\tref\na\t\udcff\n", "line 2: not UTF-8"),
    ],
    "x.csv": [
        ("hyp,ref\na,b,c\n", "line 2: the first line has 2 fields, this line has 3; a field with commas")
    ],
    "x.parquet": [
        ("", "cannot read x.parquet as Parquet: .*"),
        ("PAR1 and junk PAR1", "cannot read x.parquet as Parquet: .*"),
        ("hyp\tref\n", "cannot read x.parquet as Parquet: .*"),
    ],
}


@pytest.mark.parametrize(
    ("name", "content", "message"), [(name, *row) for name, rows in MISTAKES.items() for row in rows]
)
def test_what_is_wrong_is_said_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(BolideError, match=message) as caught:
        all_segments(name)
    assert name in str(caught.value) and "\n" not in str(caught.value)


def test_transposed_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("h.txt").write_text("a\nb\nc\n")
    Path("r.jsonl").write_text('["r", "s", "t"]\n["u", "v", "w"]\n')
    with pytest.raises(InputError, match=r"r\.jsonl is transposed: it has 2 lists of 3 .* list k must have"):
        all_segments("h.txt", "r.jsonl")
    Path("r.jsonl").write_text('["r", "s"]\n["u", "v"]\n')
    with pytest.raises(
        InputError, match=r"number of segments: h\.txt has 3, r\.jsonl has 2; each must have all"
    ):
        all_segments("h.txt", "r.jsonl")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"hyp": [1, 2], "ref": ["a", "b"]}, "column 'hyp' is of type int64; hypotheses must be strings"),
        (
            {"hyp": ["a", "b"], "ref": [b"a", b"b"]},
            "column 'ref' is of type binary; references must be strings",
        ),
        ({"hyp": ["a", "b"], "ref": [[1], [2]]}, "column 'ref' is of type list<.*int64>"),
        ({"hyp": ["a", None], "ref": ["a", "b"]}, "row 2: hyp has no value"),
        ({"hyp": ["a", "b"], "ref": ["a", None]}, "segment 2 has no reference"),
    ],
)
def test_types_of_parquet(tmp_path: Path, columns: dict[str, list[Any]], message: str) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(InputError, match=message):
        all_segments(path)


def test_damaged_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"hyp": [f"text {k}" for k in range(5000)], "ref": ["b"] * 5000}), path)
    data = path.read_bytes()
    for damaged in (data[:-100], data[: len(data) // 2] + b"\xff" * 200 + data[len(data) // 2 + 200 :]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"x\.parquet"):
            all_segments(path)
