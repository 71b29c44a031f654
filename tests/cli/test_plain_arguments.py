"""`plain_arguments` reads what Typer reads, or leaves it to Typer."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide.cli.option_groups import Command, Option
from bolide.cli.plain_arguments import COMMANDS, read
from bolide.cli.report_options import OutputFormat
from bolide.cli.typer_commands import add_command
from tests.support.examples import examples

VALUES = [
    *("a.txt", "b c", "-", "", "0", "7", "007", "1.5", ".5", "1.", "1_0", " 3", "1e3", "-1", "٣", "é", "x=y"),
    *("json", "JSON", "none", "rank", "inf", "99999999999999999999", "-r", "--quiet", "2024-01-01"),
]


@functools.cache
def command(name: str) -> Command:
    return Command(getattr(import_module(f"bolide.cli.{name}"), name))


@functools.cache
def application(name: str) -> tuple[typer.Typer, list[dict[str, Any]]]:
    """A Typer application with this command, which does nothing, and the list of what it was given."""
    function, received = command(name).function, []

    @functools.wraps(function)
    def record(**given: Any) -> None:
        received.append(given)

    app = typer.Typer(pretty_exceptions_enable=False)
    add_command(app, name, record)
    return app, received


def by_typer(name: str, words: list[str]) -> dict[str, Any] | None:
    app, received = application(name)
    received.clear()
    try:
        app(args=words, standalone_mode=False)
    except Exception as error:
        assert hasattr(error, "format_message"), error  # a mistake in the arguments
        return None
    return received[0] if received else None


def by_us(name: str, words: list[str]) -> dict[str, Any] | None:
    found = read(command(name).parameters, words)
    received: list[dict[str, Any]] = []
    if found is not None:
        made = Command(command(name).function)
        made.function = lambda **given: received.append(given)
        made(**found)
    return received[0] if received else None


@st.composite
def arguments(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A command, and words that are options of it, nearly options, and values."""
    name = draw(st.sampled_from(COMMANDS))
    names = [
        option
        for each in command(name).parameters
        if isinstance(each.info, Option)
        for option in each.info.names or (f"--{each.name.replace('_', '-')}",)
    ]
    value, option = st.sampled_from(VALUES), st.sampled_from([*names, "--no-such", "--", "-qh", "--help"])
    word = st.one_of(
        value.map(lambda it: [it]),
        option.map(lambda it: [it]),
        st.tuples(option, value).map(list),
        st.tuples(option, value).map(lambda it: [f"{it[0]}={it[1]}"]),
    )
    return name, [each for piece in draw(st.lists(word, max_size=6)) for each in piece]


@settings(max_examples=examples(2000))
@given(arguments())
def test_equals_typer(case: tuple[str, list[str]]) -> None:
    name, words = case
    found = by_us(name, words)
    if found is not None:
        assert repr(found) == repr(by_typer(name, words))


USUAL = [
    ("score", "a.txt b.txt -r ref.txt"),
    ("score", "a.txt --reference ref.txt -r ref2.txt --format json --quiet --seed 5 --profile=1.3"),
    ("score", "a.txt -r ref.txt --alpha 0.85 --language de -q --fail-under 0.5 --all-pairs"),
    ("stem", ""),
    ("normalize", "- --language fr"),
    ("signature", "1.5"),
    ("profiles", "1.3"),
]


@pytest.mark.parametrize(("name", "line"), USUAL)
def test_reads_the_usual_arguments(name: str, line: str) -> None:
    found = by_us(name, line.split())
    assert found is not None
    assert repr(found) == repr(by_typer(name, line.split()))


@pytest.mark.parametrize(
    "line", ["", "a --width 5", "a --help", "a -qr b", "a --no-such", "a --seed x", "a -r"]
)
def test_leaves_the_rest_to_typer(line: str) -> None:
    assert by_us("score", line.split()) is None


def test_values_have_their_types() -> None:
    found = by_us("score", ["a", "-r", "b", "--format", "json", "--seed", "3", "--alpha", "1"])
    assert found is not None
    assert found["report"].output is OutputFormat.json
    assert (found["tested"].seed, found["scorer"].alpha) == (3, 1.0)
    assert isinstance(found["scorer"].alpha, float)
    assert found["hypotheses"] == ["a"]
