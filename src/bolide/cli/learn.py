"""`bolide learn`: the resources of a language from parallel text; one file per command."""

from __future__ import annotations

import typer

from bolide.cli.learn_function_words import function_words
from bolide.cli.learn_language import language
from bolide.cli.learn_paraphrases import paraphrases
from bolide.cli.learn_phrases import phrases
from bolide.cli.typer_commands import add_command

app = typer.Typer(no_args_is_help=True, help="Learn a language from parallel text.")
add_command(app, "language", language)
add_command(app, "function-words", function_words)
add_command(app, "phrases", phrases)
add_command(app, "paraphrases", paraphrases)
