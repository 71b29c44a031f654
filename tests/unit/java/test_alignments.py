"""Reading Java's alignment files: complete records, or an error that names the file and the line."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from bolide import InputError
from bolide.java.alignments import is_alignments, read, records
from tests.support.java_golden import ALIGNMENT, HERE

PLAIN = HERE / "alignments" / "expected" / "mine-align.out"


def test_is_alignments(tmp_path: Path) -> None:
    assert is_alignments(str(PLAIN))
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(PLAIN.read_bytes()))
    assert is_alignments(str(packed))
    for name, content in {"text": b"Alignment is all\n", "empty": b"", "broken.gz": b"no gzip"}.items():
        (tmp_path / name).write_bytes(content)
        assert not is_alignments(str(tmp_path / name))
    assert not is_alignments("-")
    assert not is_alignments(str(tmp_path / "missing"))


def test_cut_anywhere(tmp_path: Path) -> None:
    """Either complete records, or an error that names the file and the line."""
    data = "".join(ALIGNMENT.replace("\t1\t1.0", f"\t{k}\t1.0") for k in (1, 2)).encode()
    whole = {0, len(data) // 2, len(data)}
    path = tmp_path / "cut-align.out"
    for end in range(1, len(data) + 1):
        path.write_bytes(data[:end])
        if end in whole:
            assert len(list(records(str(path)))) == 2 * end // len(data)
            continue
        with pytest.raises(InputError, match=rf"^{re.escape(str(path))}, line \d+: "):
            list(records(str(path)))


MISTAKES = {
    "line 1: expected 'Alignment'": ("Alignment\t1", "Alignments\t1"),
    "line 1: expected 'Alignment', the number": ("\t1\t1.0\t0.5", "\t1\t1.0"),
    "line 1: expected 'Alignment', the": ("0.6\t0.2", "0.6\tmuch"),
    "line 4: expected 'Line2Start:Length": ("Line2Start", "Line3Start"),
    "line 5: expected a match such as": ("0:1\t\t\t0:1\t\t\t0", "0:1\t\t\t0:x\t\t\t0"),
    "line 5: expected a match such as.*99999999": ("0:1\t\t\t0:1\t\t\t0", "99999999999:1\t\t\t0:1\t\t\t0"),
    "line 6: 1:2 is outside the hypothesis, which has 2 words": (
        "1:1\t\t\t0\t\t1.0\n\n",
        "1:2\t\t\t0\t\t1.0\n\n",
    ),
    "line 6: 3:1 is outside the reference, which has 3 words": ("2:1\t\t\t1:1", "3:1\t\t\t1:1"),
    "line 5: 0:0 is outside the reference": ("0:1\t\t\t0:1", "0:0\t\t\t0:1"),
    "line 6: matches must be in the order of the reference": ("2:1\t\t\t1:1", "0:1\t\t\t1:1"),
    "line 7: word 0 of the hypothesis is in two matches": ("2:1\t\t\t1:1", "2:1\t\t\t0:1"),
    "line 9: the file ends inside record 2": ("1.0\n\n", "1.0\n\nAlignment\t2\t1\t1\t1\t1\n"),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes(message: str, tmp_path: Path) -> None:
    old, new = MISTAKES[message]
    assert old in ALIGNMENT
    path = tmp_path / "x-align.out"
    path.write_text(ALIGNMENT.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read(str(path))


def test_not_utf8_and_empty(tmp_path: Path) -> None:
    path = tmp_path / "x-align.out"
    path.write_bytes(ALIGNMENT.encode().replace(b"a c b", b"a \xff b"))
    with pytest.raises(InputError, match="line 3: not UTF-8"):
        read(str(path))
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        read(str(path))
