"""`-stdio`: every line is answered at once and in order, however the input arrives."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import InputError, Meteor
from bolide.java import stdio

OPTIONS = {"language": "en", "modules": ["exact", "stem"], "normalize": "lower", "threads": 1}
ZEROS = " ".join(["0"] * 23)


@pytest.fixture(scope="module")
def scorer(meteor: Callable[..., Meteor]) -> Meteor:
    return meteor(**OPTIONS)


class Piecewise(io.RawIOBase):
    """A stream that returns its data in given pieces."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self.pieces = [piece for piece in pieces if piece]
        self.before_read: Callable[[], None] = lambda: None

    def read1(self, size: int) -> bytes:
        self.before_read()
        return self.pieces.pop(0) if self.pieces else b""


def served(scorer: Meteor, *pieces: bytes) -> list[str]:
    output = io.StringIO()
    stdio.serve(scorer, Piecewise(pieces), output)  # type: ignore[arg-type]
    return output.getvalue().splitlines()


def test_score_then_eval_gives_the_segments_score(scorer: Meteor) -> None:
    statistics = served(scorer, b"SCORE ||| the cat sat ||| the cats sat\n")[0]
    score = served(scorer, f"EVAL ||| {statistics}\n".encode())[0]
    assert float(score) == float(scorer.sentence_score("the cats sat", "the cat sat"))


def test_the_best_reference_counts(scorer: Meteor) -> None:
    best = scorer.statistics(["a b f"], [["a b c", "d e f"]], layout="segments")[0]
    answer = served(scorer, b"SCORE ||| a b c ||| d e f ||| a b f\n")[0].split()
    assert [float(number) for number in answer[:12]] == best[:12].tolist()
    assert [float(number) for number in answer[-3:]] == best[-3:].tolist()


@pytest.mark.parametrize(
    ("line", "answer"),
    {
        "SCORE": stdio.NO_REFERENCE,
        "SCORE ||| one": stdio.NO_REFERENCE,
        "SCORE ||| one |||": stdio.NO_REFERENCE,
        "EVAL": stdio.NO_STATISTICS,
        "EVAL ||| 1 2 3": f"{stdio.NO_STATISTICS} (23 numbers, not 3)",
        "EVAL ||| one two": f"{stdio.NO_STATISTICS} ('one' is not a number)",
        f"EVAL ||| {ZEROS} ||| {ZEROS}": "0.0\n0.0\n0.0",
        f"EVAL|||{ZEROS}|||{ZEROS}|||": "0.0\n0.0\n0.0",
        f"EVAL ||| {ZEROS} ||| 1 2 3": f"{stdio.NO_STATISTICS} (row 2: 23 numbers, not 3)",
        f"EVAL ||| one ||| {ZEROS}": f"{stdio.NO_STATISTICS} (row 1: 'one' is not a number)",
        f"EVAL ||| {ZEROS} ||| |||": f"{stdio.NO_STATISTICS} (row 2: 23 numbers, not 0)",
        f"EVAL ||| {ZEROS}": "0.0",
        f"EVAL ||| {ZEROS} 7 7": "0.0",
        "": stdio.UNKNOWN,
        "Score ||| a ||| a": stdio.UNKNOWN,
        "SING ||| a": stdio.UNKNOWN,
    }.items(),
)
def test_answers(line: str, answer: str, scorer: Meteor) -> None:
    assert stdio.answers(scorer, [line]) == [answer]


@pytest.mark.parametrize(
    ("line", "answer"),
    {
        f"EVAL ||| {ZEROS}": "0.0\n0.0",
        f"EVAL ||| {ZEROS} ||| {ZEROS}": "0.0\n0.0\n0.0",
        f"SING ||| {ZEROS}": "0.0",
        f"sing ||| {ZEROS} ||| {ZEROS}": stdio.NO_STATISTICS,
        "SING": stdio.NO_STATISTICS,
        "EVAL": stdio.NO_STATISTICS,
        "nonsense": "Error: specify SCORE or EVAL or SING",
    }.items(),
)
def test_answers_of_the_copy_in_coco_caption(line: str, answer: str, scorer: Meteor) -> None:
    assert stdio.answers(scorer, [line], coco=True) == [answer]


def contribution(row: list[float]) -> list[float]:
    """A pair that is matched completely and in one chunk adds no chunk."""
    whole = row[20] == 1 and row[:2] == [sum(row[4:20:2]), sum(row[5:20:2])]
    return [*row[:20], 0.0 if whole else row[20], *row[21:]]


counts = st.integers(0, 40) | st.floats(0, 40).map(lambda number: round(number, 3))


rows_of_counts = st.lists(counts, min_size=23, max_size=23)
whole_rows = st.lists(st.integers(0, 9), min_size=20, max_size=20).map(
    lambda row: [sum(row[4:20:2]), sum(row[5:20:2]), *row[2:20], 1, 9, 9]
)


@given(st.lists(rows_of_counts | whole_rows, min_size=1, max_size=9), st.booleans())
def test_rows_are_scored_alone_and_summed_in_order(
    scorer: Meteor, rows: list[list[float]], coco: bool
) -> None:
    total = [0.0] * 23
    for row in rows:
        total = [old + new for old, new in zip(total, contribution(row), strict=True)]
    texts = [" ".join(map(repr, row)) for row in [*rows, total]]
    alone = stdio.answers(scorer, [f"EVAL ||| {text}" for text in texts])
    together = stdio.answers(scorer, ["EVAL ||| " + " ||| ".join(texts[:-1])], coco=coco)
    assert together == ["\n".join(alone if coco or len(rows) > 1 else alone[:1])]


def test_a_text_too_long_does_not_stop_the_others(scorer: Meteor) -> None:
    long, fine = "a " * 100_001, "SCORE ||| a cat ||| a cat"
    lines = [f"SCORE ||| a ||| {long}", fine, f"SCORE ||| a ||| {long} ||| a", "EVAL", fine]
    found = stdio.answers(scorer, lines)
    assert found[1] == found[4] == stdio.answers(scorer, [fine])[0]
    assert found[0].startswith("Error: hypothesis: 100001 words; the longest allowed ")
    assert found[2].startswith("Error: reference 2: 100001 words; the longest allowed ")
    assert found[3] == stdio.NO_STATISTICS


def test_the_unknown_command_is_answered_as_the_official_release_does(scorer: Meteor) -> None:
    assert stdio.answers(scorer, ["nonsense"]) == ["Error: specify SCORE or EVAL"]


def test_fractions_are_scored(scorer: Meteor) -> None:
    """Online tuners send decayed sums."""
    whole = stdio.answers(scorer, ["EVAL ||| 20 20 0 0 10 10 0 0 " + "0 " * 12 + "5 10 10"])
    tenth = stdio.answers(scorer, ["EVAL ||| 2.5 2.5 0 0 1.25 1.25 0 0 " + "0 " * 12 + "0.625 1.25 1.25"])
    assert tenth == whole
    assert float(tenth[0]) > 0


LINES = [
    "SCORE ||| the cat sat ||| a cat sat",
    "SCORE ||| a ||| b ||| a b",
    f"EVAL ||| {ZEROS}",
    "nonsense",
    "SCORE",
    "SCORE ||| naïve café ||| cafés",
    "",
]


@given(st.lists(st.sampled_from(LINES), max_size=12), st.lists(st.integers(0, 400), max_size=8), st.data())
def test_pieces_of_input_do_not_matter(
    scorer: Meteor, lines: list[str], cuts: list[int], data: st.DataObject
) -> None:
    end = data.draw(st.sampled_from(["\n", "\r", "\r\n"]))
    stream = "".join(line + end for line in lines).encode()
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    pieces = [stream[a:b] for a, b in pairwise(places)]
    assert served(scorer, *pieces) == stdio.answers(scorer, lines)


def test_the_last_line_needs_no_end(scorer: Meteor) -> None:
    assert len(served(scorer, b"SCORE ||| a ||| a\nSCORE ||| a ||| b")) == 2
    assert served(scorer) == []


def test_each_answer_is_flushed_before_more_is_read(scorer: Meteor) -> None:
    seen: list[int] = []
    output = io.StringIO()
    source = Piecewise([b"SCORE ||| a ||| a\n", b"SCORE ||| a ||| b\nEV", b"AL\r", b"\nSCORE\n"])
    source.before_read = lambda: seen.append(output.getvalue().count("\n"))
    stdio.serve(scorer, source, output)  # type: ignore[arg-type]
    assert seen == [0, 1, 2, 3, 4]


def test_bad_utf8_ends_the_service_after_the_answers_before_it(scorer: Meteor) -> None:
    output = io.StringIO()
    source = Piecewise([b"SCORE ||| a ||| a\n", b"nonsense\nSCORE ||| \xff ||| a\nSCORE ||| a ||| a\n"])
    with pytest.raises(InputError, match=r"standard input, line 3: not UTF-8 \(byte 0xff at column 11\)"):
        stdio.serve(scorer, source, output)  # type: ignore[arg-type]
    assert output.getvalue().count("\n") == 2


def test_a_long_line_arrives_in_one_piece(scorer: Meteor) -> None:
    words = " ".join(f"w{n}" for n in range(2000))
    line = f"SCORE ||| {words} ||| {words}\n".encode()
    (answer,) = served(scorer, *(line[k : k + 100] for k in range(0, len(line), 100)))
    assert answer.startswith("2000.0 2000.0 ")


def test_a_conversation_through_pipes(scorer: Meteor) -> None:
    """One line, one answer, and so on. It would hang if an answer waited for more input."""
    command = [sys.executable, "-c", "import bolide.cli; bolide.cli.main()", "java", "-", "-", "-stdio"]
    server = subprocess.Popen(
        [*command, "-l", "en", "-lower", "-m", "exact stem"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert server.stdin is not None
    assert server.stdout is not None
    with server:
        for line, expected in zip(LINES, stdio.answers(scorer, LINES), strict=True):
            server.stdin.write(line + "\n")
            server.stdin.flush()
            assert server.stdout.readline() == expected + "\n"
        server.stdin.close()
        assert server.stdout.read() == ""
    assert server.returncode == 0


def test_statistics_are_those_of_the_scorer(scorer: Meteor) -> None:
    pairs = [("the dogs ran home", "a dog runs home"), ("", "x"), ("y", ""), ("z z z", "z z")]
    answers = stdio.answers(
        scorer, [f"SCORE ||| {reference} ||| {hypothesis}" for hypothesis, reference in pairs]
    )
    rows = np.array([[float(number) for number in answer.split()] for answer in answers])
    expected = scorer.statistics([h for h, _ in pairs], [r for _, r in pairs])
    assert (rows[:, :12] == expected[:, :12]).all()
    assert (rows[:, 12:20] == 0).all()
    assert (rows[:, -3:] == expected[:, -3:]).all()
