"""Files of statistics, in the formats of NumPy and Java. Damaged ones are errors that name the file."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from bolide.errors import InputError
from bolide.tuning.sets import read_statistics

ROWS = np.arange(22).reshape(2, 11)


def saved(**arrays: object) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays) if arrays else np.save(stream, ROWS)  # type: ignore[arg-type]
    return stream.getvalue()


def test_all_formats(tmp_path: Path) -> None:
    texts = "\n".join(" ".join(map(str, row)) for row in ROWS.tolist()).encode()
    files = {"a.npy": saved(), "a.npz": saved(stats=ROWS), "one.npz": saved(x=ROWS), "java.txt": texts}
    # NumPy chooses by the content, not by the name.
    for name, data in {**files, "b.npz": saved(), "b.npy": saved(other=0, stats=ROWS)}.items():
        (tmp_path / name).write_bytes(data)
        np.testing.assert_array_equal(read_statistics(str(tmp_path / name)), ROWS)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.npy", b""),
        ("text.npy", b"1 2 3"),
        ("cut.npy", saved()[:-1]),
        ("cut.npz", saved(stats=ROWS)[:-30]),
        ("none.npz", b"PK\x05\x06" + bytes(18)),
        ("huge.npy", saved().replace(b"(2, 11), }" + b" " * 12, b"(9999999999, 9999999), }")),
        ("words.npz", saved(stats=np.array([["a"]]))),
        ("nan.npz", saved(stats=np.array([[np.nan]]))),
        ("large.txt", b"1 2 1e300"),
        ("infinite.txt", b"1 2 inf"),
        ("word.txt", b"1 2 word"),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=name):
        read_statistics(str(tmp_path / name))
