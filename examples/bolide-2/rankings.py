"""Writes rankings of translations as pairs that `bolide correlate` and `bolide tune` read.

    python examples/bolide-2/rankings.py FOLDER OUTPUT SET...

FOLDER has the gzipped TSV files of each SET, such as wmt12.en-de (see judgments.py). The pairs of a set are
written to OUTPUT/rankings/SET.pairs.jsonl. OUTPUT is the folder of judged sets (sets.py).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from judgments import rows


def pairs(folder: Path, name: str) -> Iterator[dict[str, object]]:
    texts = {(system, segment): text for system, segment, text in rows(folder / f"{name}.hyp.tsv.gz")}
    reference = dict(rows(folder / f"{name}.ref.tsv.gz"))
    for segment, better, worse in rows(folder / f"{name}.pairs.tsv.gz"):
        yield {
            "segment": segment,
            "a": texts[better, segment],
            "b": texts[worse, segment],
            "references": [reference[segment]],
            "preferred": "a",
        }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("sets", nargs="+", metavar="SET")
    options = parser.parse_args()
    target = options.output / "rankings"
    target.mkdir(parents=True, exist_ok=True)
    for name in options.sets:
        lines = (json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs(options.folder, name))
        (target / f"{name}.pairs.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
