"""Option groups: frozen dataclasses whose fields are options. Commands share groups instead of repeating
options.

    @dataclass(frozen=True)
    class SamplingOptions:
        seed: Annotated[int, option(metavar="NUMBER", text="Seed of the samples.")] = 12345

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
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import typer


def option(
    *names: str,
    text: str,
    panel: str | None = None,
    metavar: str | None = None,
    least: int | None = None,
    most: int | None = None,
) -> Any:
    """An option, in a panel of the help text. Without names it is called as its parameter."""
    return typer.Option(*names, help=text, rich_help_panel=panel, metavar=metavar, min=least, max=most)


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
        members = _parameters(groups[name]) if name in groups else [parameter.replace(annotation=hints[name])]
        parameters += [member.replace(kind=inspect.Parameter.KEYWORD_ONLY) for member in members]

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


def _parameters(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    found = inspect.signature(group).parameters.values()
    return [parameter.replace(annotation=hints[parameter.name]) for parameter in found]


def as_text(argument: str) -> str:
    """An argument that is text, not the name of a file. In a locale without UTF-8, which small containers
    have, Python turns each byte beyond ASCII into a surrogate: names stay so, texts are decoded as UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        with suppress(UnicodeError):
            return os.fsencode(argument).decode()
    return argument
