"""Give hostile input to bolide, Java Meteor, NLTK and sacrebleu, and show what each of them does.

    python -m bench.hostile            print the table
    python -m bench.hostile --docs     also write it into docs/concepts/promises.md

Needs java, nltk and sacrebleu; the jar and WordNet come from where the tests get them. A program gets 60
seconds and 4 GB. Each cell has the exit code, the time, and the score or the last line of the message.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench import corpus

DOCUMENT = corpus.ROOT / "docs" / "concepts" / "promises.md"
BEGIN, END = "<!-- hostile: begin -->", "<!-- hostile: end -->"
SECONDS, BYTES = 60, 4 << 30
WIDTH = 90  # characters of a message

# Reads files and scores them as NLTK's documentation shows, with words split at spaces.
NLTK = """
import sys
from tests.support import nltk_wordnet
from nltk.translate.meteor_score import meteor_score
hypotheses, references = (open(name, encoding="utf-8").read().splitlines() for name in sys.argv[1:])
with nltk_wordnet.reader(nltk_wordnet.find()) as reader:
    scores = [
        meteor_score([reference.split()], hypothesis.split(), wordnet=reader)
        for hypothesis, reference in zip(hypotheses, references)
    ]
print(sum(scores) / len(scores))
"""

# Bytes of hypotheses and references.
INPUTS: dict[str, Callable[[], tuple[bytes, bytes]]] = {
    "2,000 equal words but one": lambda: (b"the " * 2000 + b"a\n", b"the " * 2000 + b"b\n"),
    "10,000 words of ten kinds": lambda: (_words(10_000, 7), _words(10_000, 3)),
    "a text of 200,000 words": lambda: (_words(200_000, 7), _words(200_000, 3)),
    "a word of 10 million letters": lambda: (b"a" * 10_000_000 + b"\n", b"b\n"),
    "invalid UTF-8": lambda: (b"the c\xff\xfet\n", b"the cat\n"),
    "3 hypotheses, 2 references": lambda: (b"a\nb\nc\n", b"a\nb\n"),
    "empty files": lambda: (b"", b""),
    "blank lines": lambda: (b"\n\n", b"\n\n"),
    "control characters": lambda: (b"the \x1b[31mcat\x00 sat\n", b"the cat sat\n"),
}


def _words(count: int, step: int) -> bytes:
    return b" ".join(b"w%d" % (k * k * step % 10) for k in range(count)) + b"\n"


def programs(jar: Path) -> dict[str, list[str]]:
    """The command of each program. HYP and REF are the files."""
    bolide = [sys.executable, "-m", "bolide", "score", "HYP", "-r", "REF", "--quiet"]
    java = ["java", "-Xmx2G", "-jar", str(jar), "HYP", "REF", "-l", "en", "-norm"]
    nltk = [sys.executable, "-c", NLTK, "HYP", "REF"]
    sacrebleu = [sys.executable, "-m", "sacrebleu", "REF", "-i", "HYP", "-m", "chrf", "-b"]
    return {"bolide": bolide, "Java Meteor": java, "NLTK": nltk, "sacrebleu (chrF)": sacrebleu}


def outcome(command: list[str], hypothesis: Path, reference: Path) -> str:
    names = {"HYP": str(hypothesis), "REF": str(reference)}
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [names.get(part, part) for part in command],
            cwd=corpus.ROOT,
            capture_output=True,
            timeout=SECONDS,
            preexec_fn=None
            if command[0] == "java"  # it reserves more than it uses
            else lambda: resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES)),
        )
    except subprocess.TimeoutExpired:
        return f"no answer after {SECONDS} s"
    seconds = time.perf_counter() - start
    lines = (done.stdout if done.returncode == 0 else done.stderr).decode(errors="replace").strip()
    last = "".join(c for c in (lines or "nothing").splitlines()[-1] if c.isprintable())
    for folder in (hypothesis.parent,):
        last = last.replace(f"{folder}/", "")
    shown = last if len(last) <= WIDTH else f"{last[:WIDTH]}…"
    return f"exit {done.returncode}, {seconds:.1f} s: {shown.replace('|', '/')}"


def table(jar: Path, folder: Path) -> list[str]:
    columns = programs(jar)
    found = [f"| input | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    hypothesis, reference = folder / "hyp", folder / "ref"
    for name, make in INPUTS.items():
        for path, data in zip((hypothesis, reference), make(), strict=True):
            path.write_bytes(data)
        cells = [outcome(command, hypothesis, reference) for command in columns.values()]
        found.append(f"| {name} | {' | '.join(cells)} |")
        print(found[-1], flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--docs", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lines = table(corpus.jar(), Path(folder))
    if arguments.docs:
        page = DOCUMENT.read_text(encoding="utf-8")
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        DOCUMENT.write_text("\n".join([before + BEGIN, *lines, END]) + after, encoding="utf-8")


if __name__ == "__main__":
    main()
