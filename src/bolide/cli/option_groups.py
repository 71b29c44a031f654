"""Option groups: frozen dataclasses whose fields are options. Commands share groups instead of repeating
options.

    @dataclass(frozen=True)
    class SamplingOptions:
        seed: int = option("NUMBER", "Seed of the samples.", default=12345)

    def score(hypotheses: HypothesesArgument, *, sampling: SamplingOptions) -> None:
        "Score system outputs."

    add_command(app, "score", score)  # bolide score HYP --seed NUMBER
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, get_type_hints

import typer

OPTION = "option"  # the key of an option or argument in the metadata of a field
REQUIRED: Any = MISSING


@dataclass(frozen=True)
class Panel:
    """A panel of the help text, with the options in it."""

    title: str | None = None  # None: Options

    def option(self, metavar: str | None, text: str, *names: str, default: Any = None, **limits: int) -> Any:
        """An option with a value, as a field of a group or a parameter of a command. Without `names`, it has
        the name of the field or parameter. With the default `REQUIRED`, the user must give it."""
        return field(default=default, metadata={OPTION: self.info(metavar, text, *names, **limits)})

    def flag(self, text: str, *names: str, default: Any = False) -> Any:
        """An option without a value, or with one of the values of an enumeration."""
        return self.option(None, text, *names, default=default)

    def info(
        self, metavar: str | None, text: str, *names: str, least: int | None = None, most: int | None = None
    ) -> Any:
        """An option for an `Annotated` type, which several commands share."""
        panel = self.title
        return typer.Option(*names, help=text, rich_help_panel=panel, metavar=metavar, min=least, max=most)


OPTIONS = Panel()
option, flag, info = OPTIONS.option, OPTIONS.flag, OPTIONS.info


def argument(metavar: str, text: str, default: Any = REQUIRED) -> Any:
    """An argument, as a field of a group or a parameter of a command."""
    return field(default=default, metadata={OPTION: typer.Argument(metavar=metavar, help=text)})


def add_command(app: typer.Typer, name: str, command: Callable[..., None]) -> None:
    """Adds a command whose parameters are arguments, options and option groups."""
    app.command(name)(_expanded(command))


def _expanded(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of its groups as parameters. Typer reads options from a signature and does
    not know groups; this is the only place that changes a signature."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            of_group = get_type_hints(groups[name], include_extras=True)
            parameters += [_parameter(each.name, of_group[each.name], each) for each in fields(groups[name])]
        else:
            parameters.append(_parameter(name, hints[name], parameter.default))

    @functools.wraps(command)
    def expanded(**given: Any) -> None:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        command(**made, **given)

    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return expanded


def _parameter(name: str, hint: Any, default: Any) -> inspect.Parameter:
    """A parameter as Typer knows it. The default may be a field, which has the option."""
    if isinstance(default, Field):
        hint = Annotated[hint, default.metadata[OPTION]] if OPTION in default.metadata else hint
        default = inspect.Parameter.empty if default.default is REQUIRED else default.default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


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
