"""Measure how long reading takes, by format: microseconds per segment of one hypothesis and one reference.

python -m bench.inputs [SEGMENTS]
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bolide.inputs.assembly import read_systems

Rows = list[tuple[str, str]]


def rows(count: int) -> Rows:
    """Generated sentences of twenty words."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghiknoprstuäé", k=chance.randint(1, 10))) for _ in range(5000)]
    return [
        (" ".join(chance.choices(words, k=20)), " ".join(chance.choices(words, k=20))) for _ in range(count)
    ]


def text(rows: Rows, folder: Path) -> list[Path]:
    files = [folder / "hyp.txt", folder / "ref.txt"]
    for file, texts in zip(files, zip(*rows, strict=True), strict=True):
        file.write_text("".join(f"{line}\n" for line in texts), encoding="utf-8")
    return files


def text_gz(rows: Rows, folder: Path) -> list[Path]:
    files = text(rows, folder)
    packed = [file.with_name(f"{file.name}.gz") for file in files]
    for file, target in zip(files, packed, strict=True):
        target.write_bytes(gzip.compress(file.read_bytes(), 6))
    return packed


def jsonl(rows: Rows, folder: Path) -> list[Path]:
    file = folder / "rows.jsonl"
    records = [json.dumps({"hyp": hyp, "ref": ref}, ensure_ascii=False) for hyp, ref in rows]
    file.write_text("\n".join(records), encoding="utf-8")
    return [file]


def tsv(rows: Rows, folder: Path) -> list[Path]:
    file = folder / "rows.tsv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, delimiter="\t").writerows([("hyp", "ref"), *rows])
    return [file]


def parquet(rows: Rows, folder: Path) -> list[Path]:
    arrow: Any = import_module("pyarrow")
    file = folder / "rows.parquet"
    table = arrow.table({"hyp": [hyp for hyp, _ in rows], "ref": [ref for _, ref in rows]})
    import_module("pyarrow.parquet").write_table(table, file)
    return [file]


def xml(rows: Rows, folder: Path) -> list[Path]:
    file = folder / "rows.xml"
    parts = [
        f"<{tag}>" + "".join(f'<seg id="{k}">{row[side]}</seg>\n' for k, row in enumerate(rows)) + f"</{tag}>"
        for side, tag in enumerate(("hyp", "ref"))
    ]
    file.write_text(f'<dataset><doc id="d">{"".join(parts)}</doc></dataset>', encoding="utf-8")
    return [file]


FORMATS: list[Callable[[Rows, Path], list[Path]]] = [text, text_gz, tsv, jsonl, parquet, xml]


def main() -> None:
    made = rows(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    print("| format | µs/segment |\n|---|---:|")
    for write in FORMATS:
        with tempfile.TemporaryDirectory() as folder:
            hypothesis, *references = map(str, write(made, Path(folder)))
            best = float("inf")
            for _ in range(3):
                start = time.perf_counter()
                [system] = read_systems([hypothesis], references)
                count = sum(len(batch) for batch in system.segments())
                best = min(best, (time.perf_counter() - start) / count)
            print(f"| {write.__name__.replace('_', '.')} | {best * 1e6:.2f} |")


if __name__ == "__main__":
    main()
