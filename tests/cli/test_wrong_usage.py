"""Mistakes in the options, as users make them, with the words of the installed version of Typer."""

from __future__ import annotations

import pytest

from bolide.cli.wrong_usage import told
from tests.cli.test_commands import REFERENCE, SYSTEM, run

SCORE = f"score {SYSTEM} -r {REFERENCE}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{SCORE} --width 99", "--width must be at most 17, not '99'; see bolide score --help"),
        (f"{SCORE} --width -1", "--width must be at least 0, not '-1'; see bolide score --help"),
        (f"{SCORE} --width x", "--width must be a whole number, not 'x'; see bolide score --help"),
        (f"{SCORE} --alpha x", "--alpha must be a number, not 'x'; see bolide score --help"),
        (
            f"{SCORE} --test t",
            "unknown --test 't'; choose one of: bootstrap, randomization, none; see bolide score --help",
        ),
        ("scor", "no such command 'scor'; did you mean 'score'? see bolide --help"),
        ("score", "missing argument 'HYP'; see bolide score --help"),
    ],
)
def test_one_style(line: str, message: str) -> None:
    done = run(*line.split())
    assert (done.returncode, done.stdout) == (2, b"")
    found = done.stderr.decode().strip()
    # Older versions of Typer name both limits.
    both = message.replace("at most 17", "from 0 to 17").replace("at least 0", "from 0 to 17")
    assert found in (f"bolide: {message}", f"bolide: {both}")


def test_the_words_of_other_versions() -> None:
    assert told("Invalid value for '--width': 99 is not in the range 0<=x<=17.") == (
        "--width must be from 0 to 17, not '99'"
    )
    assert told("Invalid value for '--width' / '-w': -1 is not in the range x>=0.") == (
        "--width must be at least 0, not '-1'"
    )
    assert (
        told("Invalid value for '--seed': 'x' is not a valid int.")
        == "--seed must be a whole number, not 'x'"
    )
    assert told("No such option: --nope (Possible options: --names, --union)") == (
        "no such option: --nope; possible options: --names, --union"
    )
    assert told("Something new happened.") == "something new happened"
