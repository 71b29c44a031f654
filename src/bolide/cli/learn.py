"""`bolide learn`: the resources of a language from parallel text; a file a command."""

from __future__ import annotations

import typer

from bolide.cli import learn_function_words, learn_language, learn_paraphrases, learn_phrases

app = typer.Typer(no_args_is_help=True, help="Learn a language from parallel text.")
app.command("language")(learn_language.language)
app.command("function-words")(learn_function_words.function_words)
app.command("phrases")(learn_phrases.phrases)
app.command("paraphrases")(learn_paraphrases.paraphrases)
