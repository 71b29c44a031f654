"""`bolide java - - -stdio` in place of the jar: typical conversations of tuners, recorded with the jar.

    moses     one reference; a line, its answer, the next line; EVAL of the sum of the 1-best
    zmert     several references; all hypotheses of a list, then EVAL of running sums along a line search
    cdec      one line at a time; EVAL of each hypothesis, and of decaying sums (fractions)

and of programs for captions (coco): EVAL of all captions at once.

    python -m tests.parity.test_mert_stdio

repeats them with the real jar, and writes its answers to golden/stdio. A file has the options, then lines of
`> request` and `< answer`.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bolide import Meteor
from tests.support import java_jar
from tests.support.paths import GOLDEN

STDIO = GOLDEN / "stdio"
BOLIDE = [sys.executable, "-c", "from bolide.cli import main; main()", "java"]
# For each sentence, its references and a decoder's hypotheses.
LISTS = [
    (
        ["the committee has postponed its decision until next week .", "the decision was put off ."],
        ["the committee postponed the decision to next week .", "the committee has its decision until week .",
         "committee decision postponed ."],
    ),
    (
        ["heavy rains in the north have damaged many bridges .", "rain damaged several northern bridges ."],
        ["strong rain in the north damaged several bridges .", "in the north bridges damaged heavy rain .",
         "rain bridges ."],
    ),
    (
        ["nobody was hurt , the mayor said on friday .", "on friday the mayor said nobody was injured ."],
        ["no one was injured , said the mayor on friday .", "the mayor said friday nobody .",
         "nobody was hurt , the mayor said on friday ."],
    ),
]  # fmt: skip
OPTIONS = {
    "moses": "-stdio -lower -t tune -l en",
    "zmert": "-stdio -norm -t tune -l en",
    "cdec": "-stdio -lower -t hter -l en",
    "coco": "-stdio -l en -norm",
}
Ask = Callable[[str], str]
Conversation = list[tuple[str, str]]


def moses(ask: Ask) -> None:
    best = [[float(n) for n in ask(f"SCORE ||| {refs[0]} ||| {hyps[0]}").split()] for refs, hyps in LISTS]
    for refs, hyps in LISTS:
        for hypothesis in hyps[1:]:
            ask(f"SCORE ||| {refs[0]} ||| {hypothesis}")
    ask("EVAL ||| " + " ".join(str(int(sum(column))) for column in zip(*best, strict=True)))


def zmert(ask: Ask) -> None:
    rows = [
        [[float(n) for n in ask(f"SCORE ||| {' ||| '.join(refs)} ||| {text}").split()] for text in hyps]
        for refs, hyps in LISTS
    ]
    chosen = [0, 0, 0]
    for sentence, change in ((0, 1), (2, 2), (1, 1), (1, 2), (0, 2)):
        total = [sum(column) for column in zip(*(rows[s][k] for s, k in enumerate(chosen)), strict=True)]
        ask(f"EVAL ||| {' '.join(map(str, total))}")
        chosen[sentence] = change


def cdec(ask: Ask) -> None:
    background = [0.0] * 23
    for refs, hyps in LISTS:
        for hypothesis in hyps:
            row = [float(number) for number in ask(f"SCORE ||| {refs[0]} ||| {hypothesis}").split()]
            ask("EVAL ||| " + " ".join(map(str, row)))
            background = [0.9 * (old + new) for old, new in zip(background, row, strict=True)]
            ask("EVAL ||| " + " ".join(f"{number:.6g}" for number in background))


def coco(ask: Ask) -> None:
    rows = [ask(f"SCORE ||| {' ||| '.join(refs)} ||| {text}") for refs, hyps in LISTS for text in hyps]
    ask("EVAL ||| " + " ||| ".join(rows))
    ask(f"EVAL ||| {rows[0]} ||| {rows[3]}")
    ask(f"eval|||{rows[4]} 1|||  {rows[2]} ||| {rows[2]}|||")


TUNERS: dict[str, Callable[[Ask], None]] = {"moses": moses, "zmert": zmert, "cdec": cdec, "coco": coco}


def held(command: list[str], tuner: Callable[[Ask], None], *, repeats: bool = False) -> Conversation:
    """A conversation through pipes: each line is sent after the answer to the previous one.

    The available copy of the jar `repeats` its answer to EVAL of one row (docs/differences.md).
    """
    said: Conversation = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def ask(line: str) -> str:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(line + "\n")
            server.stdin.flush()
            rows = line.rstrip("|").count("|||") if line[:4].upper() == "EVAL" else 0
            answer = [server.stdout.readline() for _ in range(rows + 1 if rows > 1 else 1)]
            assert not (repeats and rows == 1) or server.stdout.readline() == answer[0]
            said.append((line, "".join(answer).rstrip("\n")))
            return said[-1][1]

        tuner(ask)
        server.stdin.close()
        assert server.stdout.read() == ""
    assert server.returncode == 0
    return said


def lines(options: str, said: Conversation) -> Iterator[str]:
    yield options
    for request, answer in said:
        yield f"> {request}"
        yield from (f"< {text}" for text in answer.split("\n"))


@pytest.mark.parametrize("name", TUNERS)
def test_recorded_conversations(name: str, english: Meteor) -> None:
    options, *recorded = (STDIO / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert options == OPTIONS[name]
    found = held([*BOLIDE, "-", "-", *shlex.split(options)], TUNERS[name])
    assert list(lines(options, found)) == [options, *recorded]


@pytest.mark.slow  # test_java_live.py has a shorter conversation with the jar
@pytest.mark.parametrize("name", TUNERS)
def test_the_jar_still_says_so(name: str, jar: Path) -> None:
    recorded = (STDIO / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    found = held([*java(jar), "-", "-", *shlex.split(OPTIONS[name])], TUNERS[name], repeats=True)
    assert list(lines(OPTIONS[name], found)) == recorded


def test_all_lines_at_once(english: Meteor) -> None:
    """Lines from a program that does not wait for answers get the same answers, in order."""
    options, *recorded = (STDIO / "zmert.txt").read_text(encoding="utf-8").splitlines()
    requests = [line[2:] for line in recorded if line.startswith("> ")] * 50
    answers = [line[2:] for line in recorded if line.startswith("< ")] * 50
    command = [*BOLIDE, "-", "-", *shlex.split(options)]
    done = subprocess.run(
        command, input="\n".join(requests) + "\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == answers


def java(jar: Path) -> list[str]:
    return [*java_jar.java(), "-jar", str(jar.resolve())]


def main() -> None:
    STDIO.mkdir(parents=True, exist_ok=True)
    for name, tuner in TUNERS.items():
        said = held([*java(java_jar.find()), "-", "-", *shlex.split(OPTIONS[name])], tuner, repeats=True)
        text = "".join(f"{line}\n" for line in lines(OPTIONS[name], said))
        (STDIO / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
