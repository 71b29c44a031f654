"""Score millions of segments with many word types, and watch the memory, files and threads of the process.

    python -m bench.soak                      5 million segments, 1.5 million word types, all ways
    python -m bench.soak --millions 1 java    one of them, with fewer segments

The table has the largest memory in each fifth of a run, the growth per million segments from the second fifth
to the last, and the most open files and threads. Needs Linux, and the English pack; `spark` needs pyarrow.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

TYPES = 1_500_000
WORDS = 8
BATCH = 2048
FIFTHS = 5
COMMON = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "that",
    "for",
    "it",
    "on",
    "with",
    "as",
    "was",
    "by",
    "are",
    "this",
    "be",
    "not",
]

# What each process runs. `{h}` and `{r}` are the files of hypotheses and references.
BOLIDE = [sys.executable, "-m", "bolide"]
API = """
import sys
from bolide import Meteor
from itertools import islice
corpus = Meteor().corpus()
with open(sys.argv[1]) as hypotheses, open(sys.argv[2]) as references:
    while batch := list(islice(zip(hypotheses, references), 2048)):
        corpus.add(*zip(*batch))
print(corpus.score().score)
"""
# The function that Spark calls for each partition, with Arrow batches as Spark passes them.
WORKER = """
import pickle, sys
import pyarrow
from itertools import islice
from bolide import Meteor
from bolide.distributed.spark import ScorerRecipe, _Summed
meteor = Meteor(threads=1)
recipe = ScorerRecipe(pickle.dumps((Meteor, meteor.settings)), None, meteor.get_signature())
def batches():
    with open(sys.argv[1]) as hypotheses, open(sys.argv[2]) as references:
        while batch := list(islice(zip(hypotheses, references), 10_000)):
            yield pyarrow.record_batch([list(column) for column in zip(*batch)], ["h", "r"])
print(*(row.to_pylist()[0]["segments"] for row in _Summed(recipe, ("h", "r"))(batches())))
"""
WAYS = {
    "score": [*BOLIDE, "score", "{h}", "-r", "{r}"],
    "segments": [*BOLIDE, "score", "{h}", "-r", "{r}", "--segments"],
    "java": [*BOLIDE, "java", "{h}", "{r}", "-l", "en", "-norm", "-q"],
    "stdio": [*BOLIDE, "java", "-", "-", "-stdio", "-l", "en", "-norm"],
    "api": [sys.executable, "-c", API, "{h}", "{r}"],
    "spark": [sys.executable, "-c", WORKER, "{h}", "{r}"],
}


class Sample(NamedTuple):
    """A look at a process."""

    seconds: float
    megabytes: float
    files: int
    threads: int


def pairs(count: int) -> Iterator[tuple[str, str]]:
    """Generated hypotheses and references. All word types occur, the low numbers more often."""
    draw = random.Random(1)
    for number in range(count):
        words = [f"w{number % TYPES}"]
        words += [f"w{int(TYPES ** draw.random())}" for _ in range(WORDS // 2)]
        words += draw.choices(COMMON, k=WORDS - len(words))
        draw.shuffle(words)
        other = draw.randrange(WORDS)
        yield " ".join(words), " ".join([*words[:other], draw.choice(COMMON), *words[other + 1 :]])


def look(process: int, start: float) -> Sample | None:
    folder = Path(f"/proc/{process}")
    try:
        fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        files = len([*(folder / "fd").iterdir()])
        return Sample(
            time.perf_counter() - start, int(fields["VmRSS"].split()[0]) / 1024, files, int(fields["Threads"])
        )
    except (OSError, KeyError):  # it has ended
        return None


def feed(process: subprocess.Popen[bytes], hypotheses: Path, references: Path) -> None:
    """Writes requests for `-stdio`."""
    assert process.stdin is not None
    with hypotheses.open() as hyps, references.open() as refs, process.stdin as stream:
        lines = zip(hyps, refs, strict=True)
        while batch := list(islice(lines, BATCH)):
            requests = (f"SCORE ||| {ref.rstrip()} ||| {hyp.rstrip()}\n" for hyp, ref in batch)
            stream.write("".join(requests).encode())


def watched(way: str, hypotheses: Path, references: Path) -> list[Sample]:
    """Looks at the process twice per second until it ends."""
    command = [part.format(h=hypotheses, r=references) if "{" in part[:1] else part for part in WAYS[way]]
    with tempfile.TemporaryFile() as errors:
        source = subprocess.PIPE if way == "stdio" else subprocess.DEVNULL
        stream = errors if way != "java" else subprocess.DEVNULL  # with -q it prints scores there
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL, stderr=stream)
        if way == "stdio":
            threading.Thread(target=feed, args=(process, hypotheses, references), daemon=True).start()
        samples = []
        while process.poll() is None:
            if found := look(process.pid, start):
                samples.append(found)
            time.sleep(0.5)
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"{way} failed: {errors.read().decode(errors='replace')}")
    return samples


def row(way: str, samples: list[Sample], millions: float) -> str:
    end = samples[-1].seconds
    fifths = [
        max((s.megabytes for s in samples if k <= s.seconds / end * FIFTHS <= k + 1), default=0.0)
        for k in range(FIFTHS)
    ]
    growth = (fifths[-1] - fifths[1]) / (millions * (FIFTHS - 2) / FIFTHS)
    files, threads = max(s.files for s in samples), max(s.threads for s in samples)
    shown = " | ".join(f"{megabytes:.0f}" for megabytes in fifths)
    return f"| {way} | {end:.0f} s | {shown} | {growth:+.1f} | {files} | {threads} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("ways", nargs="*", metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--millions", type=float, default=5.0)
    arguments = parser.parse_args()
    if unknown := set(arguments.ways) - set(WAYS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; choose from {', '.join(WAYS)}")
    with tempfile.TemporaryDirectory() as folder:
        hypotheses, references = Path(folder, "hypotheses"), Path(folder, "references")
        with hypotheses.open("w") as hyps, references.open("w") as refs:
            for hyp, ref in pairs(int(arguments.millions * 1_000_000)):
                hyps.write(f"{hyp}\n")
                refs.write(f"{ref}\n")
        print("| way | time | MB in fifth 1 | 2 | 3 | 4 | 5 | MB per million | files | threads |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
        for way in arguments.ways or WAYS:
            print(row(way, watched(way, hypotheses, references), arguments.millions), flush=True)


if __name__ == "__main__":
    main()
