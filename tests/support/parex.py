"""Run the jar's Parex, which makes paraphrases from a phrase table, and read what it writes."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

from tests.support.phrase_tables import Files

Paraphrases = dict[tuple[str, str], float]


def command(jar: Path, files: Files, output: Path, *options: str, memory: str = "2G") -> list[str]:
    java = ["java", f"-Xmx{memory}", "-Dfile.encoding=UTF-8", "-cp", str(jar), "Parex"]
    names = (files.pivot, files.target, files.table, files.target, output)
    return [*java, *map(str, names), *options]


def run(jar: Path, files: Files, output: Path, *options: str) -> Paraphrases:
    """Paraphrases whose left phrase is in the text of the target language."""
    subprocess.run(command(jar, files, output, *options), check=True, capture_output=True)
    return read_parex(output / "paraphrase.gz")


def read_parex(path: Path) -> Paraphrases:
    """Lines of `phrase ||| paraphrase ||| probability`."""
    lines = gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")
    rows = (line.split(" ||| ") for line in lines if line)
    return {(left, right): float(p) for left, right, p in rows}


def read_meteor(path: Path) -> Paraphrases:
    """Three lines each: probability, phrase, paraphrase."""
    lines = gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")
    if lines == [""]:
        return {}
    rows = zip(lines[0::3], lines[1::3], lines[2::3], strict=True)
    return {(left, right): float(p) for p, left, right in rows}
