"""Text files: blocks, lines, errors with exact positions; and how several files are combined."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import _core
from bolide.errors import ConfigurationError, InputError
from bolide.inputs import line_reader as reader
from bolide.inputs.assembly import read_systems
from bolide.inputs.files import ZSTD
from bolide.inputs.options import InputOptions
from bolide.inputs.segments import Segments
from bolide.inputs.text_files import read_lines, read_segments
from bolide.java import files
from tests.support.posix import not_for_root

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: import_module(ZSTD).compress(data),
}


def all_segments(hypothesis: object, *references: object, **options: object) -> list[Segments]:
    """Of the one system there is."""
    [system] = read_systems([str(hypothesis)], list(map(str, references)), InputOptions(**options))  # type: ignore[arg-type]
    with system.naming():
        return list(system.segments())


@pytest.fixture
def blocks_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Make blocks so small that lines, characters and line ends cross them."""
    return lambda size: monkeypatch.setattr(reader, "BLOCK", size)


class Trickle(io.RawIOBase):
    """A pipe: it cannot be read twice, and gives a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        assert size > 0
        found, self.data = self.data[:3], self.data[3:]
        return found


@given(st.binary(max_size=60) | st.text(st.sampled_from("aä\n\r\u2028\x85𝄞"), max_size=40).map(str.encode))
def test_lines_in_blocks_of_any_size(data: bytes) -> None:
    """The same as reading slowly, one line at a time."""
    expected: list[str] | str = []
    for number, line in enumerate(data.removeprefix(reader.MARK).split(b"\n"), 1):
        try:
            assert isinstance(expected, list)
            expected.append(line.decode())
        except UnicodeDecodeError as error:
            expected = (
                f"line {number}: not UTF-8 (byte 0x{line[error.start]:02x} at column {error.start + 1})"
            )
            break
    if isinstance(expected, list):
        *ended, last = expected
        expected = [line.removesuffix("\r") for line in ended] + ([last] if last else [])
    for stream in (io.BytesIO, Trickle):
        for size in (1, 2, 7, 1 << 17):
            before, reader.BLOCK = reader.BLOCK, size
            try:
                found: list[str] | str = list(reader.LineReader(stream(data), "x", drop_mark=True).take(100))
            except InputError as error:
                found = str(error)
            finally:
                reader.BLOCK = before
            assert found == expected if isinstance(expected, list) else expected in found


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("size", [5, 1 << 17])
def test_the_line_of_a_bad_byte(
    tmp_path: Path, suffix: str, size: int, blocks_of: Callable[[int], None]
) -> None:
    path = tmp_path / f"t.txt{suffix}"
    path.write_bytes(COMPRESS[suffix]("größe\n".encode() * 500 + "ab\u00e4".encode() + b"\xff\nc\n"))
    blocks_of(size)
    with pytest.raises(InputError, match=r"line 501: not UTF-8 \(byte 0xff at column 5\)"):
        list(read_lines(str(path)))


def test_a_line_longer_than_any_block(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("x" * 1_000_000 + "\ny\n" + "z" * 300_000)
    assert [len(line) for line in read_lines(str(path))] == [1_000_000, 1, 300_000]


@given(text=st.text(st.sampled_from("ab\n\r"), max_size=30))
def test_java_ends_lines_at_cr_too(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "java-lines"
    path.write_bytes(text.encode())
    expected = io.StringIO(text, newline=None).read()
    found = list(files.lines(str(path)))
    assert found == (expected.removesuffix("\n").split("\n") if expected else [])
    assert files._known_count(str(path)) == len(found)


def test_one_reference_stays_native(tmp_path: Path) -> None:
    (tmp_path / "h").write_bytes("grün\r\n\nb".encode())
    [batch] = read_segments(str(tmp_path / "h"), [str(tmp_path / "h")])
    assert isinstance(batch.references, _core.Lines)
    assert list(batch.references) == list(read_lines(str(tmp_path / "h"))) == ["grün", "", "b"]


def test_segments_of_several_files(tmp_path: Path) -> None:
    for name, texts in {"h": "123", "r": "abc", "s": "def", "d": "xxy"}.items():
        (tmp_path / name).write_text("\n".join(texts))
    batches = list(read_segments(str(tmp_path / "h"), [str(tmp_path / "r"), str(tmp_path / "s")], 2))
    assert [list(batch.hypotheses) for batch in batches] == [["1", "2"], ["3"]]
    assert [batch.references for batch in batches] == [["a", "d", "b", "e"], ["c", "f"]]
    assert [batch.first for batch in batches] == [1, 3]
    assert [batch.counts.tolist() for batch in batches] == [[2, 2], [2]]
    [batch] = all_segments(tmp_path / "h", tmp_path / "r", docs=str(tmp_path / "d"))
    assert batch.documents == ["x", "x", "y"]


def test_several_references_a_line(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("1\n2\n3\n")
    (tmp_path / "r").write_text("a\tb\nc\n\td\n")
    (tmp_path / "s").write_text("x ||| y\n\nz\n")
    [batch] = all_segments(tmp_path / "h", tmp_path / "r", ref_separator="\t")
    assert (batch.references, batch.counts.tolist()) == (["a", "b", "c", "", "d"], [2, 1, 2])
    [batch] = all_segments(tmp_path / "h", tmp_path / "r", ref_separator="\t", drop_empty_references=True)
    assert (batch.references, batch.counts.tolist()) == (["a", "b", "c", "d"], [2, 1, 1])
    [batch] = all_segments(tmp_path / "h", tmp_path / "s", ref_separator=" ||| ")
    assert (batch.references, batch.counts.tolist()) == (["x", "y", "", "z"], [2, 1, 1])
    # By default, a separator is text, and so is an empty line.
    [batch] = all_segments(tmp_path / "h", tmp_path / "s")
    assert list(batch.references) == ["x ||| y", "", "z"]


def test_an_empty_line_may_mean_no_reference(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("1\n2\n3\n")
    (tmp_path / "r").write_text("a\n\nc\n")
    (tmp_path / "s").write_text("d\ne\n \n")
    files = tmp_path / "h", tmp_path / "r", tmp_path / "s"
    [batch] = all_segments(*files)
    assert batch.counts.tolist() == [2, 2, 2]
    [batch] = all_segments(*files, drop_empty_references=True)
    assert (batch.references, batch.counts.tolist()) == (["a", "d", "e", "c"], [2, 1, 1])
    with pytest.raises(
        InputError, match=r"segment 2 has no reference; give it one, or .*--skip-unreferenced"
    ):
        all_segments(*files[:2], drop_empty_references=True)
    [batch] = all_segments(*files[:2], drop_empty_references=True, skip_unreferenced=True)
    assert batch.hypotheses == ["1", "3"]


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        (["1\n2\n3\n", "a\nb\n"], {}, "h has 3, r0 has 2; line k of each must be segment k"),
        (
            ["1\r2\r3\r", "a\nb\nc\n"],
            {},
            r"h has only CR as line ends, and so is one line: .* tr '\\r' '\\n'",
        ),
        (["1\n2\n", "a\rb"], {}, "r0 has only CR as line ends"),
        (["1\r2\n", "a\nb\n"], {}, "h has 1, r0 has 2"),
        (["1\n2\n", "a\nb\nc\nd\n"], {}, r"\(paste - - < r0\) and add --refs-per-line"),
        (
            ["1\n2\n3\n", "a\tb\tc\nd\te\tf\n"],
            {"ref_separator": "\t"},
            "r0 is transposed: it has 2 lists of 3",
        ),
        (["1\n2\n3\n", "a\nb\n", "c\nd\n", "e\nf\n"], {}, "transposed: each -r FILE must be a whole"),
        (["1\n2\n", "a\nb\n"], {"docs": "d"}, "d has 1; line k of each must be segment k"),
        (["1\n2\n", "a\nb\n", "c\nd\n"], {"docs": "d"}, "d has 1; line k of each must be segment k"),
        (["1\n", "a\n"], {"docs": "missing"}, "cannot read missing"),
        (["", ""], {}, "nothing to score: these files are empty: h, r0"),
        (["1\n", "\n"], {"drop_empty_references": True, "skip_unreferenced": True}, "no segment has a ref"),
        (["1\n"], {}, "references are missing"),
        (["1\n", "a\n"], {"hyp_columns": ("x",)}, "h is plain text and has no columns for --hyp-column"),
        (["1\n", "a\n"], {"ref_columns": ("x",)}, "r0 is plain text and has no columns for --ref-column"),
        (["1\n", "a\n"], {"doc_column": "x"}, "plain text has no columns: give documents"),
        (["1\n", "a\n"], {"doc_column": "x", "docs": "d"}, "not with both"),
        (["1\n", "a\n"], {"ref_separator": ""}, "must not be empty"),
        (["1\n", "a\n"], {"input_format": "xlm"}, "unknown input format 'xlm'; did you mean 'xml'"),
    ],
)
def test_what_does_not_fit(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    texts: list[str],
    options: dict[str, object],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["h", *(f"r{number}" for number in range(len(texts) - 1))]
    for name, text in zip(names, texts, strict=True):
        Path(name).write_text(text)
    Path("d").write_text("x\n")
    with pytest.raises((InputError, ConfigurationError), match=message):
        all_segments(*names, **options)


@pytest.mark.parametrize(
    ("data", "remedy"),
    [
        (gzip.compress(b"a\n", mtime=0), "must end in .gz"),
        (import_module(ZSTD).compress(b"a\n"), "must end in .zst"),
        (lzma.compress(b"a\n"), "must end in .xz"),
        ("a\n".encode("utf-16"), "it is UTF-16"),
        (b"PAR1\xff\xff", "it is Parquet"),
        (bytes(range(256)), "for example with iconv"),
    ],
)
def test_what_is_no_text(tmp_path: Path, data: bytes, remedy: str) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"line [12]: not UTF-8 .*{remedy}"):
        all_segments(path, path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "h").write_text("a\n")
    [system] = read_systems([str(tmp_path / "h")], [str(tmp_path / "h")])
    (tmp_path / "h").unlink()  # after it was there
    with pytest.raises(InputError, match=r"cannot read .*h: No such file"):
        list(system.segments())
    with pytest.raises(InputError, match="Is a directory"):
        all_segments(tmp_path, tmp_path)
    with pytest.raises(InputError, match="cannot read"):
        all_segments("a\0b", tmp_path)


@not_for_root
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "h"
    path.write_text("a\n")
    path.chmod(0)
    with pytest.raises(InputError, match="Permission denied"):
        all_segments(path, path)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """A reader that kept what it has read would hold 25 MB or more."""
    import tracemalloc

    path = tmp_path / "h"
    path.write_text("a sentence of a few words, such as there are\n" * 500_000)
    tracemalloc.start()
    try:
        assert sum(len(batch) for batch in read_segments(str(path), [str(path)])) == 500_000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
