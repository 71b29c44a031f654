"""Working ahead: the same items, errors in their place, and Ctrl-C is answered."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bolide.pipeline import ahead


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_items_in_their_order(threads: int) -> None:
    assert list(ahead(iter(range(100)), threads)) == list(range(100))
    assert list(ahead(iter([]), threads)) == []


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_comes_behind_the_items_before_it(threads: int) -> None:
    def items() -> Iterator[int]:
        yield from (1, 2)
        raise ValueError("three")

    stream = ahead(items(), threads)
    assert [next(stream), next(stream)] == [1, 2]
    with pytest.raises(ValueError, match="three"):
        next(stream)


def test_only_one_item_is_made_ahead() -> None:
    made = []

    def items() -> Iterator[int]:
        for k in range(10):
            made.append(k)
            yield k

    stream = ahead(items(), 2)
    assert next(stream) == 0
    time.sleep(0.2)
    assert made == [0, 1]


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
        time.sleep(3)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 130
