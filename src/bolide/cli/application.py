"""The application: all commands except `java` and `run`."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer

from bolide._version import __version__
from bolide.cli.plain_arguments import COMMANDS
from bolide.cli.streams import tell
from bolide.cli.typer_commands import add_command
from bolide.cli.wrong_usage import given_value, told

GROUPS = ("resources", "learn")  # each is the `app` of the module of this name


def _version(wanted: bool) -> None:
    if wanted:
        print(f"bolide {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


# These are for --help only: cli/__init__.py runs the commands without loading this application.
def _java(arguments: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Run the command line of the Java release: the same options and the same output."""


def _run(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="A program and its arguments.")],
    no_patch: Annotated[
        bool, typer.Option("--no-patch", help="Replace only Java, not functions of Python packages.")
    ] = False,
) -> None:
    """Run any program with METEOR from bolide: without Java, and without changing the program."""


def create_app(command: str | None = None) -> typer.Typer:
    """The application with this command, or with all commands if there is no such command. The modules of all
    commands together take longer to load than scoring a small file."""
    app = typer.Typer(
        name="bolide",
        help="Compute METEOR, the machine-translation metric: the numbers of the Java release, without Java.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    known = [name for name in (*COMMANDS, *GROUPS) if name == command]
    for name in known or (*COMMANDS, *GROUPS):
        module = import_module(f"bolide.cli.{name}")
        if name in GROUPS:
            app.add_typer(module.app, name=name)
        else:
            add_command(app, name, getattr(module, name))
    if not known:
        unparsed = {"ignore_unknown_options": True, "help_option_names": []}
        app.command("java", context_settings=unparsed)(_java)
        app.command("run", context_settings={"allow_interspersed_args": False})(_run)
    return app


def application(arguments: list[str]) -> int:
    """Runs a command; its exit code."""
    try:
        return create_app(*arguments[:1])(args=arguments, prog_name="bolide", standalone_mode=False) or 0
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # Typer would exit with code 1
            raise end.__context__ from None
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception as error:
        if not hasattr(error, "format_message"):  # not a mistake in the options
            raise
        return _wrong_usage(error)


def _wrong_usage(error: Any) -> int:
    """Tells what is wrong with the arguments, in the style of all messages. Newer versions of Typer have
    their own copy of Click, so the class of the error has no name that works for all."""
    message, context = error.format_message(), getattr(error, "ctx", None)
    if message:  # not if the help has been shown, because there were no arguments
        path = "bolide" if context is None else context.command_path
        what = told(message, given_value(error))
        if path == "bolide explain" and "extra argument" in what:
            what += "; give references with --reference (-r)"
        tell(f"{what}{' ' if what.endswith('?') else '; '}see {path} --help")
    return int(error.exit_code)
