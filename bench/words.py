"""Compare the words of an X-ray with compare-mt on system outputs, and stop if they differ.

    python -m bench.words

The text is WMT13, German into English, if it is available, else generated. Both programs read the words of
`bolide normalize`, and match equal words only. Needs compare-mt, whose packages conflict with others: install
it in an environment of its own, with the extra `test`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from tests.support.compare_mt_words import CASED, Texts, check_ngrams, check_word_classes, word_report, xray

from bench import corpus
from bench.xray import rows, without
from bolide import Meteor
from bolide.analysis import classes
from bolide.analysis.classes import reference_bands


def texts() -> tuple[Texts, dict[str, Texts], str]:
    """Words of the references and of each system, and a description of them."""
    split = Meteor("linear", modules=["exact"], normalize="keep-case").normalized
    prefix = corpus.shared("wmt") / "wmt13.de-en"
    systems: dict[str, list[str]] = {}
    if Path(f"{prefix}.hyp.tsv.gz").exists():
        for system, _, text in rows(Path(f"{prefix}.hyp.tsv.gz")):
            systems.setdefault(system, []).append(text)
        references = [text for _, text in rows(Path(f"{prefix}.ref.tsv.gz"))]
        what = "WMT13 system outputs, German into English"
    else:
        hypotheses, references = corpus.made_up(3000)
        systems = {f"system-{k}": [without(text, k + 4) for text in hypotheses] for k in range(5)}
        what = "generated sentences"

    def words(lines: list[str]) -> Texts:
        return [split(line).split() or ["-"] for line in lines]

    return words(references), {name: words(lines) for name, lines in systems.items()}, what


def timed(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    references, systems, what = texts()
    outs = list(systems.values())
    total = sum(map(len, references))
    print(f"{what}; {len(references):,} segments × {len(outs)} systems; {total:,} words in the references.\n")
    analysis = xray(references, outs, CASED).words()
    checked = 0
    for kind, own, names in (
        ("freq", "frequency", reference_bands()),
        ("case", "case", classes.CASES),
    ):
        for k, statistics in enumerate(report(references, outs, kind).statistics):
            checked += check_word_classes(analysis.classes(k, own), names, statistics)
    print(f"words by frequency and by case: {checked:,} equal numbers")
    print(
        f"words and n-grams of two systems: {check_ngrams(references, outs[:: len(outs) - 1]):,} equal rows"
    )
    theirs = timed(lambda: report(references, outs, "freq"))
    ours = timed(lambda: xray(references, outs, CASED).words().class_counts("frequency"))
    print(f"words by frequency: compare-mt {theirs:.1f} s, bolide {ours:.1f} s (with the alignments)")


def report(references: Texts, outs: list[Texts], kind: str) -> Any:
    """compare-mt's report, which it also prints."""
    with redirect_stdout(StringIO()):
        return word_report(references, outs, bucket_type=kind)


if __name__ == "__main__":
    main()
