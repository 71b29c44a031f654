"""Compares the PTB tokenizer with the jar in pycocoevalcap, on one thread each.

    python -m bench.ptb                    20,000 lines of WMT, or generated sentences
    python -m bench.ptb FILE...            each file on its own, with one sentence per line
    python -m bench.ptb --docs             also write the table into docs/benchmarks.md

The speed of the jar is its steady speed: the text is tokenized so often in one process that it reads ENOUGH
characters, and twice as often in another one. The difference counts, so neither the start of Java nor most of
its compilation is part of it.

Times are CPU times of the processes (user and system), which depend less on other programs than the time of a
clock. Both programs run in turn, ROUNDS times, and the shortest time counts. The tokens must be equal. Needs
java and the extra `test`.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from bench import corpus, run
from bolide.language.ptb import tokenize

LINES = 20_000
ENOUGH = 20_000_000
ROUNDS = 4


def jar_command(text: Path) -> list[str]:
    found = find_spec("pycocoevalcap") and find_spec("pycocoevalcap.tokenizer")
    if not found or found.submodule_search_locations is None:
        sys.exit("pycocoevalcap is not installed")
    jar = Path(next(iter(found.submodule_search_locations))) / "stanford-corenlp-3.4.1.jar"
    program = ["java", "-XX:+UseSerialGC", "-cp", str(jar), "edu.stanford.nlp.process.PTBTokenizer"]
    return [*program, "-preserveLines", "-lowerCase", str(text)]


def cpu_seconds(whose: int) -> float:
    usage = resource.getrusage(whose)
    return usage.ru_utime + usage.ru_stime


def seconds_of_jar(text: str, repeats: int) -> float:
    """CPU seconds of a process that tokenizes the text so often. Its tokens are compared."""
    texts = "\n".join([text] * repeats)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text"
        file.write_bytes(texts.encode())
        begin = cpu_seconds(resource.RUSAGE_CHILDREN)
        done = subprocess.run(jar_command(file), check=True, capture_output=True)
        seconds = cpu_seconds(resource.RUSAGE_CHILDREN) - begin
    if done.stdout.decode() != tokenize(texts):
        sys.exit("the tokens differ from those of the jar")
    return seconds


def seconds_of_ours(text: str, repeats: int) -> float:
    begin = cpu_seconds(resource.RUSAGE_SELF)
    for _ in range(repeats):
        tokenize(text)
    return cpu_seconds(resource.RUSAGE_SELF) - begin


def compare(what: str, text: str) -> str:
    """A row of the table."""
    repeats = ENOUGH // max(len(text), 1) + 1
    ours, some, more = [], [], []
    for _ in range(ROUNDS):
        ours.append(seconds_of_ours(text, repeats))
        some.append(seconds_of_jar(text, repeats))
        more.append(seconds_of_jar(text, 2 * repeats))
    mine, theirs = min(ours), min(more) - min(some)
    tokens = repeats * len(tokenize(text).split()) / 1e6
    return f"| {what} | {tokens / theirs:.1f} | {tokens / mine:.1f} | {theirs / mine:.1f}× |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/benchmarks.md")
    options = parser.parse_args()
    texts = {file.name: file.read_bytes().decode() for file in options.files}
    if not texts:
        hypotheses, _, what = corpus.default(LINES)
        texts = {what: "\n".join(hypotheses[:LINES])}
    rows = ["| million tokens per CPU second | the jar | bolide | |", "|---|---:|---:|---:|"]
    rows += [compare(what, text) for what, text in texts.items()]
    print(*rows, sep="\n")
    if options.docs:
        run.write(rows, "ptb")


if __name__ == "__main__":
    main()
