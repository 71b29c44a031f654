"""Reads arguments that are written in the usual way, without Typer, which takes longer to load than all of
bolide.

The usual way is `HYP -r FILE --name VALUE --name=VALUE --flag`. For anything else, such as `--help`, joined
short options, negative numbers and all mistakes, `read` returns None, and Typer reads the same arguments.
"""

from __future__ import annotations

import types
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any, Union, get_args, get_origin

from bolide.cli.option_groups import REQUIRED, Command, Option, Parameter

# Each command is the function of this name in the module of this name.
COMMANDS = (
    *("score", "correlate", "tune", "mert", "rerank", "oracle", "mbr", "align", "xray", "explain"),
    *("normalize", "stem", "tokenize", "profiles", "signature"),
)


def run(arguments: list[str]) -> bool:
    """Runs the command; False: without effect, because Typer must read the arguments."""
    name = arguments[0] if arguments else None
    if name not in COMMANDS:
        return False
    command = Command(getattr(import_module(f"bolide.cli.{name}"), name))
    given = read(command.parameters, arguments[1:])
    if given is None:
        return False
    command(**given)
    return True


def read(parameters: list[Parameter], words: list[str]) -> dict[str, Any] | None:
    """A value for each parameter."""
    # A flag without names is left to Typer, which gives it two: --NAME and --no-NAME.
    options = {
        name: each
        for each in parameters
        if isinstance(each.info, Option) and (each.info.names or each.hint is not bool)
        for name in each.info.names or (f"--{each.name.replace('_', '-')}",)
    }
    found: dict[str, list[str]] = {each.name: [] for each in parameters}
    positional = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "-" or not word.startswith("-"):
            positional.append(word)
        elif name not in options or (equals and not name.startswith("--")):
            return None
        elif options[name].hint is not bool:
            found[options[name].name].append(value if equals else next(rest, ""))
        elif equals:
            return None
        else:
            found[options[name].name].append("")
    for each in parameters:
        if not isinstance(each.info, Option):
            count = len(positional) if _element(each.hint)[1] else 1
            found[each.name], positional = positional[:count], positional[count:]
    if positional:
        return None
    try:
        return {each.name: _value(each, found[each.name]) for each in parameters}
    except ValueError:
        return None


def _element(hint: Any) -> tuple[Any, bool]:
    """The type of a value, and if the hint is a list of them."""
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (each for each in get_args(hint) if each is not type(None))
    return (get_args(hint)[0], True) if get_origin(hint) is list else (hint, False)


def _value(parameter: Parameter, words: list[str]) -> Any:
    """The value of a parameter. Raises ValueError if Typer must read it."""
    if not words:
        if parameter.default is REQUIRED:
            raise ValueError
        return parameter.default
    kind, several = _element(parameter.hint)
    values = [_converted(kind, word) for word in words]
    if isinstance(parameter.info, Option) and (parameter.info.least, parameter.info.most) != (None, None):
        raise ValueError
    return values if several else values[-1]


def _converted(kind: Any, word: str) -> Any:
    if kind is bool:
        return True
    if not word or (word.startswith("-") and word != "-"):
        raise ValueError
    if kind in (int, float):
        digits = word.replace(".", "", 1) if kind is float else word
        if not (digits.isascii() and digits.isdigit()):  # otherwise Python and Typer differ
            raise ValueError
    elif kind not in (str, Path) and not issubclass(kind, Enum):
        raise ValueError
    return kind(word)
