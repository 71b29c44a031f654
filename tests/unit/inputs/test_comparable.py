"""Systems with their own references or segment names: paired by name or rejected, never paired wrong."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import bolide
from bolide.errors import InputError
from bolide.inputs.assembly import read_systems
from bolide.inputs.options import InputOptions
from tests.cli.test_commands import run
from tests.unit.inputs.test_formats import Row, Rows, delimited, write_parquet, write_sgml, write_xml

KEYS = [(f"d{k // 3}", k % 3) for k in range(12)]
WORDS = ["the", "cat", "sat", "on", "a", "mat", "while", "it", "rained", "all", "day"]
OPTIONS = ["--modules", "exact", "--task", "li", "--format", "json"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meteor: Callable[..., bolide.Meteor]) -> None:
    monkeypatch.chdir(tmp_path)
    meteor(task="li", modules=["exact"])  # skips where resources are missing


def rows(seed: int) -> Rows:
    """The same references for every seed, with different hypotheses."""
    ours = random.Random(seed)
    return [
        Row(" ".join(ours.sample(WORDS, 7)), [" ".join(random.Random(k).sample(WORDS, 9)), f"also {k}"], doc)
        for k, (doc, _) in enumerate(KEYS)
    ]


def xml(seed: int, documents: Sequence[int] = range(4), turned: bool = False) -> str:
    """A system's file with its documents in this order, optionally with the segments of each reversed."""
    made = []
    for d in documents:
        numbers = [k for k, (doc, _) in enumerate(KEYS) if doc == f"d{d}"]
        numbers = numbers[::-1] if turned else numbers
        texts = {"ref": "", "hyp": ""}
        for k in numbers:
            row = rows(seed)[k]
            texts["ref"] += f'<seg id="{KEYS[k][1]}">{row.references[0]}</seg>'
            texts["hyp"] += f'<seg id="{KEYS[k][1]}">{row.hypothesis}</seg>'
        made.append(f'<doc id="d{d}"><ref>{texts["ref"]}</ref><hyp>{texts["hyp"]}</hyp></doc>')
    return f"<dataset>{''.join(made)}</dataset>"


def read(*names: str, references: Sequence[str] = (), **options: Any) -> list[list[str]]:
    """The hypotheses of each system, in batches of 2."""
    systems = read_systems(names, references, InputOptions(**options))
    return [[text for batch in s.segments(2) for text in batch.hypotheses] for s in systems]


def report(*arguments: str) -> Any:
    done = run("score", *arguments, *OPTIONS)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    return [{**s, "system": None} for s in json.loads(done.stdout)["systems"]]


def test_documents_in_another_order_give_the_same_p() -> None:
    Path("a.xml").write_text(xml(1))
    Path("b.xml").write_text(xml(2))
    Path("turned.xml").write_text(xml(2, [2, 0, 3, 1], turned=True))
    expected = report("a.xml", "b.xml")
    assert report("a.xml", "turned.xml") == expected
    assert expected[1]["p_value"] is not None
    assert read("a.xml", "turned.xml") == [[row.hypothesis for row in rows(seed)] for seed in (1, 2)]
    # With references in separate files too. The second file has the documents that the first lacks.
    Path("r1.xml").write_text(xml(3, [1]))
    Path("r2.xml").write_text(xml(3, [3, 0, 2]))
    one, two = read("a.xml", "turned.xml", references=["r1.xml", "r2.xml"])
    order = [3, 4, 5, 9, 10, 11, 0, 1, 2, 6, 7, 8]
    assert one == [rows(1)[k].hypothesis for k in order]
    assert two == [rows(2)[k].hypothesis for k in order]


def test_sgml_in_another_order() -> None:
    Path("a.sgm").write_bytes(write_sgml(rows(1)))
    documents = re.compile("<doc .*?</doc>", re.DOTALL)
    sets = write_sgml(rows(2)).decode().split("<refset ")
    turned = [f"{''.join(documents.findall(part)[::-1])}" for part in sets]
    Path("b.sgm").write_text(
        f"<tstset>{turned[0]}</tstset>{''.join(f'<refset>{part}</refset>' for part in turned[1:])}"
    )
    assert read("a.sgm", "b.sgm")[1] == [row.hypothesis for row in rows(2)]
    assert read("b.sgm", "a.sgm")[0][:3] == [row.hypothesis for row in rows(2)[9:]]


def test_other_segments_are_refused() -> None:
    Path("a.xml").write_text(xml(1))
    Path("b.xml").write_text(xml(2, [0, 2, 3]))
    message = (
        "a.xml and b.xml cannot be compared: record 4 is segment 0 of document d1 in the first file and "
        "segment 0 of document d2 in the second; put the segments"
    )
    with pytest.raises(InputError, match=message):
        read("a.xml", "b.xml")
    Path("b.xml").write_text(xml(2, [0, 1, 2]))
    with pytest.raises(InputError, match=r"number of segments: a\.xml has 12, b\.xml has 9"):
        read("a.xml", "b.xml")


def test_lines_have_no_names_to_bring_segments_in_order() -> None:
    Path("a.xml").write_text(xml(1))
    Path("b.xml").write_text(xml(2))
    Path("turned.xml").write_text(xml(2, [2, 0, 3, 1]))
    Path("ref.txt").write_text("".join(f"{row.references[0]}\n" for row in rows(1)))
    assert len(report("a.xml", "b.xml", "-r", "ref.txt")) == 2
    done = run("score", "a.xml", "turned.xml", "-r", "ref.txt", *OPTIONS)
    assert (done.returncode, done.stdout) == (1, b"")
    assert (
        b"a.xml and turned.xml cannot be compared: record 1 is segment 0 of document d0 in the first file "
        b"and segment 0 of document d2 in the second; put the segments in the same order, or give references "
        b"whose segments have names" in done.stderr
    )


def test_names_are_compared_beside_a_system_without() -> None:
    Path("a.jsonl").write_bytes(jsonl(rows(1)))
    Path("b.xml").write_text(xml(1))
    Path("turned.xml").write_text(xml(2, [2, 0, 3, 1]))
    Path("ref.txt").write_text("".join(f"{row.references[0]}\n" for row in rows(1)))
    with pytest.raises(InputError, match=r"b\.xml and turned\.xml cannot be compared: record 1 is"):
        read("a.jsonl", "b.xml", "turned.xml", references=["ref.txt"])


def jsonl(made: Rows) -> bytes:
    return "".join(f"{json.dumps({'hyp': r.hypothesis, 'refs': r.references})}\n" for r in made).encode()


WRITERS: dict[str, Callable[[Rows], bytes]] = {
    "jsonl": jsonl,
    "tsv": delimited("\t"),
    "csv": delimited(","),
    "parquet": write_parquet,
    "xml": write_xml,
}


@pytest.mark.parametrize("suffix", WRITERS)
def test_other_references_are_refused(suffix: str) -> None:
    write, one, two = WRITERS[suffix], rows(1), rows(2)
    files = [f"one.{suffix}", f"two.{suffix}"]
    Path(files[0]).write_bytes(write(one))
    Path(files[1]).write_bytes(write([row._replace(references=row.references[::-1]) for row in two]))
    assert read(*files)[1] == [row.hypothesis for row in two]  # any order of translators
    two[4] = two[4]._replace(references=["another", "also 4"])
    Path(files[1]).write_bytes(write(two))
    done = run("score", *files, *OPTIONS)
    assert (done.returncode, done.stdout) == (1, b"")
    where = "segment 4 of document d1" if suffix == "xml" else "segment 5"
    assert (
        f"{files[0]} and {files[1]} cannot be compared: the references of {where} differ; put the "
        "segments in the same order, or give the references with -r FILE"
    ) in " ".join(done.stderr.decode().split())
    # References that are given for all systems replace those in the files.
    assert len(read(*files, references=[files[0]])) == 2


def test_rows_in_another_order_are_refused() -> None:
    Path("a.jsonl").write_bytes(jsonl(rows(1)))
    made = rows(2)
    Path("b.jsonl").write_bytes(jsonl([*made[:5], made[6], made[5], *made[7:]]))
    with pytest.raises(InputError, match="references of segment 6 differ"):
        read("a.jsonl", "b.jsonl")


def test_one_order_of_formats_that_differ() -> None:
    Path("a.jsonl").write_bytes(jsonl(rows(1)))
    Path("b.xml").write_bytes(write_xml(rows(2)))
    assert len(read("a.jsonl", "b.xml")[1]) == 12
    Path("b.xml").write_bytes(write_xml(rows(2)[::-1]))
    with pytest.raises(InputError, match="references of segment 0 of document d3 differ"):
        read("a.jsonl", "b.xml")


def test_each_must_leave_out_the_same_segments() -> None:
    """The remaining references are the same, but the segments are not."""

    def without(made: Rows, number: int) -> bytes:
        same = [row._replace(references=["it rained"]) for row in made]
        same[number] = same[number]._replace(references=[])
        return jsonl(same)

    Path("a.jsonl").write_bytes(without(rows(1), 3))
    Path("b.jsonl").write_bytes(without(rows(2), 3))
    assert [len(texts) for texts in read("a.jsonl", "b.jsonl", skip_unreferenced=True)] == [11, 11]
    Path("b.jsonl").write_bytes(without(rows(2), 7))
    with pytest.raises(InputError, match=r"only one of them has references for segment 4 \(--skip-unref"):
        read("a.jsonl", "b.jsonl", skip_unreferenced=True)


def test_texts_are_not_kept() -> None:
    """References of 20 MB in each file. Only their hashes may stay in memory."""
    import tracemalloc

    for name in ("a", "b"):
        with Path(f"{name}.jsonl").open("w") as out:
            for k in range(10_000):
                out.write(json.dumps({"hyp": name, "ref": f"{k} " + "x" * 2000}) + "\n")
    tracemalloc.start()
    try:
        for system in read_systems(["a.jsonl", "b.jsonl"], []):
            assert sum(len(batch) for batch in system.segments(100)) == 10_000
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()
