"""Texts for the benchmarks: WMT12 outputs if they are available, else generated sentences."""

from __future__ import annotations

import gzip
import os
import random
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def jar() -> Path:
    """The real jar: BOLIDE_JAR, or the copy that the tests use. Ends the program if there is none."""
    from tests.support import java_jar

    from bolide.errors import ResourceError

    try:
        return java_jar.find()
    except ResourceError as error:
        sys.exit(str(error))


def shared(folder: str) -> Path:
    """A folder of the shared data: in BOLIDE_SHARED, or beside the repository."""
    return Path(os.environ.get("BOLIDE_SHARED", ROOT.parent / "shared")) / "data" / folder


def require(files: Iterable[Path]) -> None:
    """End the program if one of these files of shared data is missing."""
    for file in files:
        if not file.exists():
            sys.exit(f"{file} is missing: BOLIDE_SHARED must name the folder of shared data")


def default(count: int) -> tuple[list[str], list[str], str]:
    """Hypotheses, references, and a description of them."""
    pairs = [shared("wmt") / f"wmt12.{pair}-en" for pair in ("de", "fr", "es", "cs")]
    if all(Path(f"{pair}.hyp.tsv.gz").exists() for pair in pairs):
        texts = [wmt(pair) for pair in pairs]
        hypotheses = [text for lines, _ in texts for text in lines]
        references = [text for _, lines in texts for text in lines]
        return hypotheses, references, "WMT12 system outputs into English"
    return (*made_up(count), "generated sentences")


def wmt(prefix: Path) -> tuple[list[str], list[str]]:
    def rows(name: str) -> list[list[str]]:
        with gzip.open(f"{prefix}.{name}.tsv.gz", "rt", encoding="utf-8", newline="\n") as stream:
            return [line.split("\t") for line in stream.read().split("\n")[1:] if line]

    reference = dict(rows("ref"))
    hypotheses = [row for row in rows("hyp") if row[1] in reference]
    return [text for _, _, text in hypotheses], [reference[segment] for _, segment, _ in hypotheses]


def made_up(count: int) -> tuple[list[str], list[str]]:
    """References of frequent and rare words. Hypotheses drop, move or replace some of their words."""
    from bolide import resources

    pack = resources.open_pack("en")
    assert pack.synonyms is not None
    choose = random.Random(1)
    frequent = sorted(pack.function_words)
    rare = [pack.synonyms.words.word(k) for k in range(0, len(pack.synonyms.words), 7)]
    rare = [word for word in rare if word.isalpha()]
    references, hypotheses = [], []
    for _ in range(count):
        words = [
            choose.choice(frequent if choose.random() < 0.5 else rare) for _ in range(choose.randint(8, 40))
        ]
        references.append(" ".join(words))
        kept = [
            choose.choice(frequent) if choose.random() < 0.2 else word
            for word in words
            if choose.random() < 0.9
        ]
        at = choose.randrange(len(kept) + 1)
        hypotheses.append(" ".join(kept[at:] + kept[:at]))
    return hypotheses, references


def join(text: list[tuple[str, str]], pieces: int) -> list[tuple[str, str]]:
    """Longer segments: each joins `pieces` consecutive segments."""
    groups = [text[k : k + pieces] for k in range(0, len(text) - pieces + 1, pieces)]
    return [(" ".join(h for h, _ in group), " ".join(r for _, r in group)) for group in groups]
