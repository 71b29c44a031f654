"""A small decoder for tests, whose search space is a file.

The pool has lines of `id ||| hypothesis ||| features ||| 0`. The decoder prints, for each sentence, the
hypotheses with the highest scores by the weights.

    python pool_decoder.py POOL WEIGHTS SIZE [OUTPUT]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def weights_of(path: str) -> dict[str, float]:
    rows = [line.replace("=", " ").split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return {name: float(value) for name, value in rows}


def main(pool: str, weights_file: str, size: str, *output: str) -> None:
    weights = weights_of(weights_file)
    scored: dict[int, list[tuple[float, str]]] = {}
    for line in Path(pool).read_text(encoding="utf-8").splitlines():
        sentence, text, features, _ = line.split(" ||| ")
        pairs = [word.split("=") for word in features.replace("= ", "=").split()]
        score = sum(weights[name] * float(value) for name, value in pairs)
        scored.setdefault(int(sentence), []).append(
            (score, f"{sentence} ||| {text} ||| {features} ||| {score!r}")
        )
    lines = []
    for _, hypotheses in sorted(scored.items()):
        lines += [line for _, line in sorted(hypotheses, key=lambda each: -each[0])[: int(size)]]
    log = os.environ.get("DECODER_LOG")
    if log:
        with Path(log).open("a", encoding="utf-8") as file:
            file.write("decoded\n")
    with Path(output[0]).open("w", encoding="utf-8") if output else sys.stdout as file:
        file.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
