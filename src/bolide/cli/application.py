"""All commands but `java`, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from bolide._version import __version__
from bolide.cli import (
    align,
    correlate,
    explain,
    learn,
    mert,
    normalize,
    oracle,
    profiles,
    rerank,
    resources,
    score,
    signature,
    stem,
    tune,
    xray,
)

app = typer.Typer(
    name="bolide",
    help="METEOR, the machine-translation metric: the official numbers, many times faster, no JVM.",
    no_args_is_help=True,
    add_completion=False,
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


app.command("score")(score.score)
app.command("correlate")(correlate.correlate)
app.command("tune")(tune.tune)
app.command("mert")(mert.mert)
app.command("rerank")(rerank.rerank)
app.command("oracle")(oracle.oracle)
app.command("align")(align.align)
app.command("xray")(xray.xray)
app.command("explain")(explain.explain)
app.command("normalize")(normalize.normalize)
app.command("stem")(stem.stem)
app.command("profiles")(profiles.profiles)
app.command("signature")(signature.signature)
app.add_typer(resources.app, name="resources")
app.add_typer(learn.app, name="learn")


# Listed for --help only: cli/__init__.py answers it before this application is loaded.
@app.command("java", context_settings={"ignore_unknown_options": True, "help_option_names": []})
def _java(arguments: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """The command line of the Java release, to the byte; its options are those of the jar."""


def application(arguments: list[str]) -> int:
    """Runs a command; its exit code."""
    try:
        app(args=arguments, prog_name="bolide")
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # which typer would have end in 1
            raise end.__context__ from None
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0
