"""Reading ahead: the same items, errors in their place, and a working Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bolide.inputs.read_ahead import worked_ahead
from tests.support.processes import PATIENCE, until_read


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_items_in_their_order(threads: int) -> None:
    found = list(worked_ahead(lambda k: k * k, iter(range(100)), threads))
    assert found == [(k, k * k) for k in range(100)]
    assert list(worked_ahead(abs, iter([]), threads)) == []


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_come_behind_the_items_before_them(threads: int) -> None:
    stream = worked_ahead(lambda k: 12 // k, iter([1, 2, 0, 3]), threads)
    assert [next(stream), next(stream)] == [(1, 12), (2, 6)]
    with pytest.raises(ZeroDivisionError):
        next(stream)


def test_few_items_are_taken_ahead() -> None:
    taken = []

    def items() -> Iterator[int]:
        for k in range(10):
            taken.append(k)
            yield k

    stream = worked_ahead(abs, items(), 2)
    assert next(stream) == (0, 0)
    assert taken == [0, 1, 2]


def test_interrupt_while_standard_input_is_open(tmp_path: Path) -> None:
    reference = tmp_path / "ref"
    reference.write_text("a b c\n", encoding="utf-8")
    command = [
        sys.executable,
        "-c",
        "from bolide.cli import main; main()",
        "score",
        "-",
        "-r",
        str(reference),
    ]
    options = ["--threads", "2", "--profile", "linear", "--normalize", "lower"]
    with subprocess.Popen(
        [*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        running.stdin.write(b"a b c\n")
        running.stdin.flush()
        until_read(running.stdin, running)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=PATIENCE) == 130
