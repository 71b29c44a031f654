"""`bolide learn`: the resources of a language from parallel text."""

from __future__ import annotations

import typer

from bolide.cli import learn_paraphrases

app = typer.Typer(no_args_is_help=True, help="Learn a language from parallel text.")
app.command("paraphrases")(learn_paraphrases.paraphrases)
