"""Commands as Typer knows them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from bolide.cli.option_groups import REQUIRED, Argument, Command, Parameter


def add_command(app: typer.Typer, name: str, function: Callable[..., None]) -> None:
    """Adds a command whose parameters are arguments, options and option groups."""
    command = Command(function)

    def run(**given: Any) -> None:
        command(**given)

    # Typer reads options from a signature. This is the only place that changes a signature.
    parameters = [_parameter(each) for each in command.parameters]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__doc__ = function.__doc__
    app.command(name)(run)


def _parameter(parameter: Parameter) -> inspect.Parameter:
    name, hint, default, info = parameter
    made: Any
    if isinstance(info, Argument):
        made = typer.Argument(metavar=info.metavar, help=info.text)
    else:
        made = typer.Option(
            *info.names,
            help=info.text,
            rich_help_panel=info.panel,
            metavar=info.metavar,
            min=info.least,
            max=info.most,
        )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is REQUIRED else default,
        annotation=Annotated[hint, made],
    )
