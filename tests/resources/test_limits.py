"""Small files that unpack to large ones, and lines without an end: errors, in bounded memory."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import tarfile
import textwrap
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import Meteor, cli, resources
from bolide.cli import correlate
from bolide.errors import InputError, ResourceError
from bolide.evaluation import read_judged_texts
from bolide.evaluation.formats import read_all
from bolide.evaluation.texts import read_texts
from bolide.inputs import assembly, delimited, files, line_reader, parquet
from bolide.inputs.annotations import read_frequencies, read_labels, read_tags
from bolide.inputs.assembly import read_systems
from bolide.inputs.text_files import read_lines, read_segments
from bolide.java import alignments, stdio
from bolide.learning import filtered_packs
from bolide.matching.phrases import Phrases
from bolide.matching.vectors import Related
from bolide.mert.lists import NBest, read_references
from bolide.mert.weights import Weights
from bolide.resources import distribution, formats
from bolide.tuning.checkpoint import Checkpoint
from bolide.tuning.sets import read_statistics
from bolide.xray.score_files import read_score_file
from tests.support import fake_meteor

MEGABYTE = 1_000_000


def gzipped(path: Path, start: bytes, piece: bytes, times: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wb", 1) as stream:
        stream.write(start)
        for _ in range(times):
            stream.write(piece)
    return path


@pytest.fixture
def meteor(home: Path, tmp_path: Path) -> Path:
    return fake_meteor.folder(tmp_path / "meteor")


def test_a_line_without_end(meteor: Path) -> None:
    gzipped(meteor / "data/paraphrase-en.gz", b"1\na\nb\n1\n", b"x" * MEGABYTE, 50)
    with pytest.raises(ResourceError, match=r"paraphrase-en\.gz, line 5: longer than 1,048,576 bytes; is it"):
        resources.install("en", meteor)


def test_a_file_that_unpacks_to_too_much(meteor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "FREE", MEGABYTE)
    gzipped(meteor / "data/paraphrase-en.gz", b"", b"1\na\nb\n" * 100_000, 20)
    expected = r"paraphrase-en\.gz, line \d+: unpacks to more than 100 times its size; .*complete and right"
    with pytest.raises(ResourceError, match=expected):
        resources.install("en", meteor)
    monkeypatch.setattr(distribution, "FREE", 10**9)
    monkeypatch.setattr(distribution, "LARGEST", MEGABYTE)
    with pytest.raises(ResourceError, match=r"en\.gz, line \d+: unpacks to more than 1,000,000 bytes"):
        resources.install("en", meteor)


def test_a_small_file_that_is_large(meteor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "LARGEST_SMALL", MEGABYTE)
    files = fake_meteor.jar_files() | {"function/english.words": b"a\n" * MEGABYTE}
    with zipfile.ZipFile(meteor / "meteor-1.5.jar", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    with pytest.raises(ResourceError, match=r"english\.words.* has more than 1,000,000 bytes"):
        resources.install("en", meteor)
    monkeypatch.setattr(distribution, "LARGEST_SMALL", 10)
    with pytest.raises(ResourceError, match=r"meteor-1\.5\.jar has more than 10 bytes"):
        resources.install("en", meteor)


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", ""])
def test_a_header_of_a_tar_archive_that_is_large(home: Path, tmp_path: Path, ending: str) -> None:
    """The archive has 40 MB in the header of one member. Python's tarfile reads it into memory."""
    path = tmp_path / "meteor.tar"
    mode: Any = f"w:{ending}"
    with tarfile.open(path, mode, format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("meteor-1.5/README")
        member.pax_headers = {"comment": "x" * 40_000_000}
        archive.addfile(member, io.BytesIO())
    with pytest.raises(ResourceError, match=r"meteor\.tar cannot be read \(it has a header of"):
        resources.install("en", path)


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz"])
def test_tar_archives_of_every_compression(home: Path, tmp_path: Path, ending: str) -> None:
    folder = fake_meteor.folder(tmp_path / "meteor-1.5")
    mode: Any = f"w:{ending}"
    with tarfile.open(tmp_path / "meteor.tar", mode) as archive:
        archive.add(folder, "meteor-1.5")
    assert resources.install("en", tmp_path / "meteor.tar")[0].counts["paraphrases"] == 3


def test_an_encrypted_or_strange_archive(home: Path, tmp_path: Path) -> None:
    path = fake_meteor.jar(tmp_path / "meteor-1.5.jar")
    good = path.read_bytes()
    for place in range(0, len(good), 7):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0x41]) + good[place + 1 :])
        try:
            resources.install("en", path, force=True)
        except ResourceError as error:
            assert str(error)


# ---- texts ---------------------------------------------------------------------------------------

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}


@pytest.mark.parametrize("ending", COMPRESSIONS)
def test_a_text_with_a_line_without_end(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(line_reader, "LONGEST", MEGABYTE)
    path = tmp_path / f"text{ending}"
    path.write_bytes(COMPRESSIONS[ending](b"one\ntwo\n" + b"x" * 3 * MEGABYTE))
    with pytest.raises(InputError, match=r"line 3: longer than 1,000,000 bytes; .*one segment per line"):
        list(read_lines(str(path)))
    assert cli.run(["score", str(path), "-r", str(path), "--quiet"]) == 1
    assert "line 3: longer than" in capsys.readouterr().err


def test_many_long_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "MOST", MEGABYTE)
    path = tmp_path / "text"
    path.write_bytes((b"x" * 400_000 + b"\n") * 9)
    with pytest.raises(InputError, match=r"line \d: .*more than 1,000,000 bytes"):
        list(read_segments(str(path), [str(path)]))
    assert len(list(read_lines(str(path)))) == 9  # one by one they need little memory


def test_tables_of_phrases_and_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST", MEGABYTE)
    for start in (b"", b"a ||| b\n"):
        path = gzipped(tmp_path / "table.gz", start, b"x" * MEGABYTE, 3)
        line = start.count(b"\n") + 1
        for read in (Phrases, Related):
            if read is Related and start:
                continue
            with pytest.raises(InputError, match=f"table.gz, line {line}: longer than 1,000,000 bytes"):
                read(path)


def test_standard_input_with_a_line_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "LONGEST", MEGABYTE)
    with pytest.raises(InputError, match="a line of more than 1,000,000 bytes"):
        list(stdio._waiting_lines(io.BytesIO(b"SCORE ||| a ||| b\n" + b"x" * 3 * MEGABYTE)))


def test_filter_file_with_a_line_without_end(meteor: Path, tmp_path: Path) -> None:
    resources.install("en", meteor)
    path = gzipped(tmp_path / "table.gz", b"1\na\nb\n1\n", b"x" * MEGABYTE, 20)
    (tmp_path / "corpus").write_bytes(b"a\n")
    with pytest.raises(ResourceError, match=r"table\.gz, line 5: longer than 1,048,576 bytes"):
        filtered_packs.filter_file(path, [tmp_path / "corpus"], tmp_path / "out.gz")


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz"])
def test_filter_file_that_unpacks_to_too_much(
    meteor: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(distribution, "FREE", MEGABYTE)
    resources.install("en", meteor)
    path = tmp_path / f"table.{ending}"
    module: Any = {"gz": gzip, "bz2": bz2, "xz": lzma}[ending]
    path.write_bytes(module.compress(b"1\na\nb\n" * 1_000_000))
    (tmp_path / "corpus").write_bytes(b"a\n")
    with pytest.raises(ResourceError, match=r"table\.\w+, line \d+: unpacks to more than 100 times its size"):
        filtered_packs.filter_file(path, [tmp_path / "corpus"], tmp_path / "out.gz")
    assert not (tmp_path / "out.gz").exists()


@pytest.mark.parametrize("form", ["sgml", "xml"])
def test_compressed_files_that_are_read_whole(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(files, "WHOLE", MEGABYTE)
    segments = "".join(f'<seg id="{k}">{"word " * 40}</seg>\n' for k in range(9_000))
    text = f'<tstset setid="s" srclang="x" trglang="y"><doc docid="d" sysid="a">{segments}</doc></tstset>'
    path = tmp_path / f"system.{form}.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert cli.run(["score", str(path), "-r", str(path), "--input-format", form]) == 1
    assert f"system.{form}.gz unpacks to more than 1,000,000 bytes" in capsys.readouterr().err


# A file that is kept in memory: its name, how it begins, what follows again and again, and its reader.
KEPT: dict[str, tuple[str, str, str, Callable[[str], object]]] = {
    "frequencies": ("words.gz", "", "word\t1\n", read_frequencies),
    "tags": ("tags.gz", "", "news\n", lambda path: read_tags(path, 3)),
    "labels": ("labels.gz", "", "NN VB\n", lambda path: read_labels(path, 3)),
    "judgments": ("pairs.tsv.gz", "segid\tbetter\tworse\n", "1\ta\tb\n", read_all),
    "scores": ("h.tsv.gz", "a\n", "0.5\n", lambda path: read_score_file(path, {"a": "a"}, 3)),
    "judged texts": (
        "data.jsonl.gz",
        "",
        '{"segment": 1, "hypothesis": "a", "references": ["b"], "human": 1}\n',
        read_judged_texts,
    ),
    "texts": (
        "texts.tsv.gz",
        "system\tsegid\thyp\tref\n",
        "",
        lambda path: read_texts([path], []),
    ),
    "references": ("ref.gz", "", "a text\n", lambda path: read_references([path])),
    "n-best lists": ("list.gz", "", "0 ||| a ||| f= 1 ||| 2\n", lambda path: NBest.read([path])),
    "weights": ("weights.gz", "", "# f= 1\n", Weights.read),
    "statistics": ("rows.gz", "", "1 2 3\n", read_statistics),
    "stop words": ("stop.gz", "", "the\n", lambda path: Meteor("linear", modules=["exact"], stop_words=path)),
    "system map": ("map.gz", "", "a\tb\n", correlate._read_names),
    "alignments": (
        "a-align.out.gz",
        "",
        "Alignment\tsystem\na\na\n"
        "Line2Start:Length\tLine1Start:Length\tModule\t\tScore\n0:1\t\t\t0:1\t\t\t0\t\t1.0\n\n",
        alignments.read,
    ),
}


@pytest.mark.parametrize("kept", KEPT.values(), ids=list(KEPT))
def test_compressed_files_that_are_kept_in_memory(
    tmp_path: Path, kept: tuple[str, str, str, Callable[[str], object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "WHOLE", MEGABYTE // 4)
    name, start, piece, read = kept
    pieces = (
        piece * (MEGABYTE // 2 // len(piece))
        if piece
        else "".join(f"a\t{k}\tx\ty\n" for k in range(MEGABYTE // 16))
    )
    path = gzipped(tmp_path / name, start.encode(), pieces.encode(), 1)
    with pytest.raises(InputError, match=rf"{name} unpacks to more than 250,000 bytes: unpack it first"):
        read(str(path))


def test_archives_of_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.npz"
    np.savez_compressed(path, stats=np.zeros((3, 11)))
    assert read_statistics(str(path)).shape == (3, 11)
    np.savez_compressed(path, stats=np.zeros((MEGABYTE, 11)))
    assert path.stat().st_size < MEGABYTE
    monkeypatch.setattr(files, "WHOLE", MEGABYTE)
    with pytest.raises(InputError, match=r"rows\.npz: it unpacks to more than 1,000,000 bytes"):
        read_statistics(str(path))
    with pytest.raises(InputError, match=r"rows\.npz is not a checkpoint"):
        Checkpoint(path, "key")


TABLES = {"csv": delimited.Csv, "tsv": delimited.Delimited}


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_a_row_without_end(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line has the end of one field, and the start of the next."""
    monkeypatch.setattr(delimited, "LONGEST", MEGABYTE)
    separator = {"csv": ",", "tsv": "\t"}[form]
    path = tmp_path / f"table.{form}"
    path.write_text(f"hyp{separator}ref\n" + f'"a\n"{separator}' * MEGABYTE, encoding="utf-8")
    with pytest.raises(InputError, match=rf"table\.{form}, line 2: a row of more than 1,000,000 characters"):
        list(TABLES[form](str(path)).rows())


@pytest.mark.parametrize("form", ["jsonl", "csv", "tsv"])
def test_many_long_records(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, text = tmp_path / f"table.{form}", "x" * 200_000
    rows = {
        "jsonl": f'{{"hyp": "{text}", "ref": "{text}"}}\n' * 9,
        "csv": "hyp,ref\n" + f"{text},{text}\n" * 9,
        "tsv": "hyp\tref\n" + f"{text}\t{text}\n" * 9,
    }
    path.write_text(rows[form], encoding="utf-8")

    def sizes(*references: str, size: int | None = None) -> list[int]:
        [system] = read_systems([str(path)], references)
        return [len(batch) for batch in system.segments(size)]

    assert sizes() == [9]
    monkeypatch.setattr(assembly, "PIECE", 1)
    monkeypatch.setattr(assembly, "ENOUGH", MEGABYTE)
    assert sizes() == [3, 3, 3]  # a batch of long records has fewer
    assert sizes(str(path)) == [6, 3]  # here each has one text
    assert sizes(size=4) == [4, 4, 1]
    monkeypatch.setattr(assembly, "MOST", MEGABYTE)
    with pytest.raises(InputError, match=r"table\.\w+: 3 segments that follow one another have more"):
        sizes(size=4)


@pytest.mark.skipif(not find_spec("pyarrow"), reason="needs pyarrow")
def test_a_parquet_file_of_equal_long_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow
    from pyarrow import parquet as writer

    path = tmp_path / "table.parquet"
    column = pyarrow.array(["x" * 100_000] * 300)
    writer.write_table(pyarrow.table({"hyp": column, "ref": column}), path, compression="zstd")
    assert path.stat().st_size < MEGABYTE // 10
    monkeypatch.setattr(parquet, "MOST", MEGABYTE)
    [system] = read_systems([str(path)], [])
    with pytest.raises(InputError, match=r"table\.parquet, row 1: 256 rows have more than 1,000,000 bytes"):
        list(system.segments())


# ---- memory --------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units")
def test_memory_stays_bounded(home: Path, meteor: Path, tmp_path: Path) -> None:
    """300 KB that unpack to 300 MB, as one line and as a small piece of gzip: less than 60 MB more memory."""
    gzipped(meteor / "data/paraphrase-en.gz", b"1\n", b"x" * MEGABYTE, 300)
    gzipped(tmp_path / "text.gz", b"", b"x" * MEGABYTE, 300)
    code = """
        import resource, sys
        from bolide import Meteor, resources
        from bolide.errors import BolideError
        from bolide.inputs.text_files import read_lines
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        resources.install("de", sys.argv[1])
        before = peak()
        try:
            resources.install("en", sys.argv[1])
        except BolideError:
            print(peak() - before)
        try:
            list(read_lines(sys.argv[2]))
        except BolideError:
            print(peak() - before)
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(meteor), str(tmp_path / "text.gz")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    table, text = map(int, done.stdout.split())
    assert table < 60
    assert text < 300  # the longest line is 64 MiB


def test_formats_states_its_limit() -> None:
    assert formats.LONGEST == 1 << 20


def test_zip_members_are_read_up_to_their_size(tmp_path: Path) -> None:
    """zipfile never returns more bytes than the table of contents states, so checking that is enough."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"x" * MEGABYTE)
    with zipfile.ZipFile(path) as archive:
        archive.getinfo("a").file_size = 10
        with archive.open("a") as stream, pytest.raises(zipfile.BadZipFile):
            stream.read()
