"""Compare each drop-in with the package that it replaces, in one run on the same text.

    python -m bench.dropins                print the table
    python -m bench.dropins --docs         also write it into docs/benchmarks.md

- NLTK's `single_meteor_score`, called in a loop, and all segments at once by `Meteor("nltk")`.
- pycocoevalcap's `Meteor().compute_score`, including the start of Java; and the time per additional caption.
- `compute` of evaluate's "meteor", which calls NLTK's functions in a loop. Only bolide's time includes
  evaluate's own reading and writing of tables.

Scores must be equal. Every run starts with an empty vocabulary, so learning about words is part of the work.
Needs java and the extra `test`.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bench import corpus, run
from bench.profiles import best_of
from bolide import Meteor
from bolide.compat import coco, nltk
from bolide.compat.evaluate import path, scoring, tokens

Texts = tuple[list[str], list[str]]
TIMES = 3


def row(what: str, unit: str, theirs: float, ours: float, digits: int = 0) -> str:
    return (
        f"| {what} | {theirs:,.{digits}f} {unit} | {ours:,.{max(digits, 1)}f} {unit} | {theirs / ours:.0f}× |"
    )


def check(what: str, found: object, expected: object) -> None:
    if found != expected:
        sys.exit(f"{what}: the scores differ from those of the package")


Pairs = list[tuple[list[str], list[str]]]


def in_words(texts: Texts) -> Pairs:
    tokenizer = Meteor()
    hypotheses, references = ([tokenizer.normalized(text).split() for text in side] for side in texts)
    return list(zip(hypotheses, references, strict=True))


def nltk_ours(pairs: Pairs) -> tuple[list[float], list[list[float]]]:
    """Seconds and scores: in a loop, in a loop with all words known, and at once.

    Run this in a process that has not imported NLTK, like the process of a user who changes the import.
    """
    found: list[list[float]] = [[], [], []]

    def loop() -> None:
        nltk._make_scorer.cache_clear()
        again(0)

    def again(which: int) -> None:
        found[which] = [nltk.single_meteor_score(r, h) for h, r in pairs]

    def at_once() -> None:
        segments = Meteor("nltk").corpus_score([h for h, _ in pairs], [r for _, r in pairs]).segments
        assert segments is not None
        found[2] = segments.tolist()

    return [best_of(TIMES, work) for work in (loop, lambda: again(1), at_once)], found


def nltk_rows(pairs: Pairs, ours: tuple[list[float], list[list[float]]], reader: Any) -> list[str]:
    real = import_module("nltk.translate.meteor_score").single_meteor_score
    expected: list[float] = []

    def theirs() -> None:
        expected[:] = [real(r, h, wordnet=reader) for h, r in pairs]

    scale = 1e6 / len(pairs)
    seconds = best_of(TIMES, theirs) * scale
    names = [
        f"NLTK → `compat.nltk`, a loop over {len(pairs):,} segments",
        "the same, words known",
        'NLTK → `Meteor("nltk")`, all at once',
    ]
    for name, found in zip(names, ours[1], strict=True):
        check(name, found, expected)
    return [row(name, "µs/segment", seconds, mine * scale) for name, mine in zip(names, ours[0], strict=True)]


def coco_rows(texts: Texts) -> list[str]:
    """Java as the wrapper drives it, one line at a time."""
    wrapper_path = corpus.jar().parent / "meteor.py"
    spec = importlib.util.spec_from_file_location("pycocoevalcap_meteor", wrapper_path)
    assert spec is not None and spec.loader is not None
    wrapper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wrapper)
    res = {k: [text] for k, text in enumerate(texts[0])}
    gts = {k: [text] for k, text in enumerate(texts[1])}
    expected: list[Any] = []

    def theirs(count: int) -> None:
        real = wrapper.Meteor()
        expected.append(real.compute_score(*({k: side[k] for k in range(count)} for side in (gts, res))))

    def ours(count: int) -> None:
        coco._shared.cache_clear()
        found = coco.Meteor().compute_score(*({k: side[k] for k in range(count)} for side in (gts, res)))
        if count > 1:
            check("coco", found, expected[-1])

    count = len(res)
    one, whole = (best_of(TIMES, lambda n=n: theirs(n)) for n in (1, count))  # type: ignore[misc]
    our_one, our_whole = (best_of(TIMES, lambda n=n: ours(n)) for n in (1, count))  # type: ignore[misc]
    steady, our_steady = ((each / (count - 1)) * 1e6 for each in (whole - one, our_whole - our_one))
    return [
        row("pycocoevalcap → `compat.coco`, 1 caption", "s", one, our_one, 3),
        row(f"{count:,} captions", "s", whole, our_whole, 3),
        row("per additional caption", "µs", steady, our_steady),
    ]


def evaluate_rows(texts: Texts, reader: Any, folder: Path) -> list[str]:
    from tests.support import nltk_punkt

    nltk_punkt.provide()
    word_tokenize = import_module("nltk").word_tokenize
    real = import_module("nltk.translate.meteor_score").single_meteor_score
    word_tokenize("It is read. Both are.")
    expected: list[Any] = []

    def theirs() -> None:
        scores = (
            real(word_tokenize(r), word_tokenize(h), wordnet=reader) for h, r in zip(*texts, strict=True)
        )
        expected.append(np.mean(list(scores)))

    def ours() -> None:
        scoring._scorer.cache_clear()
        tokens.forget()
        again()

    def again() -> None:
        found = module.compute(predictions=texts[0], references=texts[1])
        check("evaluate", found, {"meteor": expected[0]})

    seconds = best_of(TIMES, theirs)
    module = import_module("evaluate").load(path(), cache_dir=str(folder))
    scale = 1e6 / len(texts[0])
    what = f"`evaluate` → `compat.evaluate`, {len(texts[0]):,} segments"
    return [
        row(name, "µs/segment", seconds * scale, best_of(TIMES, work) * scale)
        for name, work in ((what, ours), ("the same again, as after an epoch", again))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--segments", type=int, default=10000)
    parser.add_argument("--captions", type=int, default=2000)
    parser.add_argument("--docs", action="store_true", help="write the table into docs/benchmarks.md")
    options = parser.parse_args()
    hypotheses, references, what = corpus.default(options.segments)
    texts = hypotheses[: options.segments], references[: options.segments]
    captions = texts[0][: options.captions], texts[1][: options.captions]
    from tests.support import nltk_wordnet

    pairs = in_words(texts)
    ours = nltk_ours(pairs)
    with tempfile.TemporaryDirectory() as folder, nltk_wordnet.reader(nltk_wordnet.find()) as reader:
        import_module("nltk.translate.meteor_score").single_meteor_score(["a"], ["b"], wordnet=reader)
        rows = [
            "| | the package | bolide | |",
            "|---|---:|---:|---:|",
            *nltk_rows(pairs, ours, reader),
            *coco_rows(captions),
            *evaluate_rows(texts, reader, Path(folder)),
        ]
    print(f"{len(texts[0]):,} segments: {what}", *rows, sep="\n")
    if options.docs:
        run.write(rows, "dropins")


if __name__ == "__main__":
    main()
