"""Commands and option groups: frozen dataclasses whose fields are options. Commands share groups instead of
repeating options.

    @dataclass(frozen=True)
    class SamplingOptions:
        seed: int = option("NUMBER", "Seed of the samples.", default=12345)

    def score(hypotheses: HypothesesArgument, *, sampling: SamplingOptions) -> None:
        "Score system outputs."

    Command(score)  # bolide score HYP --seed NUMBER

`plain_arguments` reads the arguments of a command, and `typer_commands` passes it to Typer. Nothing here
needs Typer, which takes longer to load than all of bolide.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

OPTION = "option"  # the key of an option or argument in the metadata of a field
REQUIRED: Any = MISSING


@dataclass(frozen=True)
class Argument:
    metavar: str
    text: str


@dataclass(frozen=True)
class Option:
    """An option with a value, or a flag. Without `names`, it has the name of the field or parameter."""

    text: str
    names: tuple[str, ...] = ()
    metavar: str | None = None
    least: int | None = None
    most: int | None = None
    panel: str | None = None


@dataclass(frozen=True)
class Panel:
    """A panel of the help text, with the options in it."""

    title: str | None = None  # None: Options

    def option(self, metavar: str | None, text: str, *names: str, default: Any = None, **limits: int) -> Any:
        """An option with a value, as a field of a group or a parameter of a command. With the default
        `REQUIRED`, the user must give it."""
        return field(default=default, metadata={OPTION: self.info(metavar, text, *names, **limits)})

    def flag(self, text: str, *names: str, default: Any = False) -> Any:
        """An option without a value, or with one of the values of an enumeration."""
        return self.option(None, text, *names, default=default)

    def info(
        self, metavar: str | None, text: str, *names: str, least: int | None = None, most: int | None = None
    ) -> Any:
        """An option for an `Annotated` type, which several commands share."""
        return Option(text, names, metavar, least, most, self.title)


OPTIONS = Panel()
option, flag, info = OPTIONS.option, OPTIONS.flag, OPTIONS.info


def argument(metavar: str, text: str, default: Any = REQUIRED) -> Any:
    """An argument, as a field of a group or a parameter of a command."""
    return field(default=default, metadata={OPTION: Argument(metavar, text)})


class Parameter(NamedTuple):
    """A parameter of a command, or a field of one of its groups."""

    name: str
    hint: Any
    default: Any
    info: Argument | Option


class Command:
    """A function with its parameters. Those of its groups are parameters of their own."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function
        hints = get_type_hints(function, include_extras=True)
        self.groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
        self.parameters: list[Parameter] = []
        for name, parameter in inspect.signature(function).parameters.items():
            if name in self.groups:
                of_group = get_type_hints(self.groups[name], include_extras=True)
                members = fields(self.groups[name])
                self.parameters += [_parameter(each.name, of_group[each.name], each) for each in members]
            else:
                self.parameters.append(_parameter(name, hints[name], parameter.default))

    def __call__(self, **given: Any) -> None:
        """Runs the command with a value for each parameter."""
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in self.groups.items()
        }
        self.function(**made, **given)


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    """The option is in the type, or in a field that is the default."""
    infos = list(get_args(hint)[1:]) if get_origin(hint) is Annotated else []
    if infos:
        hint = get_args(hint)[0]
    if isinstance(default, Field):
        infos += default.metadata.values()
        default = default.default
    (info,) = infos
    return Parameter(name, hint, REQUIRED if default is inspect.Parameter.empty else default, info)


def as_text(argument: str) -> str:
    """An argument that is text, not the name of a file. In a locale without UTF-8, as in some containers,
    Python turns each byte beyond ASCII into a surrogate. Names of files must stay like this; texts are
    decoded as UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        with suppress(UnicodeError):
            return os.fsencode(argument).decode()
    return argument
