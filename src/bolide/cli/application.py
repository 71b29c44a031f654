"""The application: all commands except `java` and `run`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bolide._version import __version__
from bolide.cli import learn, resources
from bolide.cli.align import align
from bolide.cli.correlate import correlate
from bolide.cli.explain import explain
from bolide.cli.mert import mert
from bolide.cli.normalize import normalize
from bolide.cli.option_groups import add_command
from bolide.cli.oracle import oracle
from bolide.cli.profiles import profiles
from bolide.cli.rerank import rerank
from bolide.cli.score import score
from bolide.cli.signature import signature
from bolide.cli.stem import stem
from bolide.cli.streams import tell
from bolide.cli.tokenize import tokenize
from bolide.cli.tune import tune
from bolide.cli.xray import xray

app = typer.Typer(
    name="bolide",
    help="Compute METEOR, the machine-translation metric: the numbers of the Java release, without Java.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"bolide {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


_SCORING = (score, correlate, tune, mert, rerank, oracle, align, xray, explain)
for command in (*_SCORING, normalize, stem, tokenize, profiles, signature):
    add_command(app, command.__name__, command)
app.add_typer(resources.app, name="resources")
app.add_typer(learn.app, name="learn")


# These are for --help only: cli/__init__.py runs the commands without loading this application.
@app.command("java", context_settings={"ignore_unknown_options": True, "help_option_names": []})
def _java(arguments: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Run the command line of the Java release: the same options and the same output."""


@app.command("run", context_settings={"allow_interspersed_args": False})
def _run(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="A program and its arguments.")],
    no_patch: Annotated[
        bool, typer.Option("--no-patch", help="Replace only Java, not functions of Python packages.")
    ] = False,
) -> None:
    """Run any program with METEOR from bolide: without Java, and without changing the program."""


def application(arguments: list[str]) -> int:
    """Runs a command; its exit code."""
    try:
        return app(args=arguments, prog_name="bolide", standalone_mode=False) or 0
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
        tell(f"{message[0].lower()}{message[1:].rstrip('.')}; see {path} --help")
    return int(error.exit_code)
