"""The options of a scorer: one for every keyword of `Meteor`, shared by the commands that make one."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

import typer

from bolide.errors import ConfigurationError, ModuleError
from bolide.scoring.meteor import Meteor

# Options that several commands share.
Language = Annotated[
    str, typer.Option("--language", "-l", metavar="NAME", help="Language of the text: code or name.")
]
Normalize = Annotated[
    str, typer.Option(metavar="NAME", help="keep-punctuation, keep-case, no-punctuation, lower, or none.")
]
Files = Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Default: standard input.")]


def as_text(argument: str) -> str:
    """An argument that is text, not a file's name. Bytes that the locale does not know (in small
    containers all beyond ASCII) are surrogates, which the system understands in names; in text, UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        with suppress(UnicodeError):
            return os.fsencode(argument).decode()
    return argument


def _words(text: str | None) -> list[str] | None:
    return None if text is None else text.replace(",", " ").split()


def _numbers(text: str | None) -> list[float] | None:
    try:
        return None if text is None else [float(word) for word in _words(text) or ()]
    except ValueError:
        raise ConfigurationError(f"--weights must be numbers such as '1.0 0.6', not '{text}'") from None


def _search_weights(text: str | None) -> str | dict[str, float] | None:
    if text is None or "=" not in text:
        return text
    try:
        pairs = [word.split("=") for word in _words(text) or ()]
        return {module: float(weight) for module, weight in pairs}
    except ValueError:
        raise ConfigurationError(
            f"--search-weights must be paper, halves, java, or such as 'exact=2 other=1', not '{text}'"
        ) from None


def _meteor(
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="Which METEOR: see `bolide profiles`; or a file NAME.toml.")
    ] = "1.5",
    language: Language = "en",
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            "-t",
            metavar="NAME",
            help="Of profile 1.5: rank (default), adq, hter, util, tune, li, or universal.",
        ),
    ] = None,
    modules: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Such as 'exact stem synonym paraphrase'.")
    ] = None,
    weights: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="One for each module, such as '1.0 0.6 0.8 0.6'.")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Balance of precision and recall.")
    ] = None,
    beta: Annotated[float | None, typer.Option(metavar="NUMBER", help="Shape of the penalty.")] = None,
    gamma: Annotated[float | None, typer.Option(metavar="NUMBER", help="Size of the penalty.")] = None,
    delta: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Weight of content words against function words.")
    ] = None,
    normalize: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="keep-punctuation, keep-case, no-punctuation, lower, or none."),
    ] = None,
    characters: Annotated[
        bool, typer.Option("--characters", help="Count characters instead of words.")
    ] = False,
    aligner: Annotated[
        str | None, typer.Option(metavar="NAME", help="beam, exact, staged, or greedy.")
    ] = None,
    search_weights: Annotated[
        str | None,
        typer.Option(metavar="WEIGHTS", help="paper, halves, java, or such as 'exact=2 other=1'."),
    ] = None,
    beam: Annotated[int, typer.Option(metavar="NUMBER", help="Width of the beam.")] = 40,
    union: Annotated[
        bool, typer.Option("--union", help="A word may be matched in any reference, not only the best.")
    ] = False,
    stop_words: Annotated[
        str | None, typer.Option(metavar="FILE", help="Words that the exact module passes over.")
    ] = None,
    synonyms: Annotated[
        str | None,
        typer.Option(metavar="SOURCE", help="wordnet, mythes, or a folder; default: the language pack."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Number of threads; default: BOLIDE_THREADS, or all cores."),
    ] = None,
    resources: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="A pack of the language; default: the installed one."),
    ] = None,
) -> Meteor:
    try:
        return Meteor(
            profile,
            language,
            task,
            modules=_words(modules),
            weights=_numbers(weights),
            alpha=alpha,
            beta=beta,
            gamma=gamma,
            delta=delta,
            normalize=normalize,
            characters=characters or None,  # None: as the profile says
            aligner=aligner,
            search_weights=_search_weights(search_weights),
            beam=beam,
            references="union" if union else "best",
            stop_words=stop_words,
            synonyms=synonyms,
            threads=threads,
            resources=resources,
        )
    except ModuleError as error:
        how = "with --modules (and --weights)"
        raise ConfigurationError(error.told(how, error.choices, error.remedies.values())) from None


def in_place_of(name: str, make: Callable[..., Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command, in place of the argument `name`, the options of the function that makes it."""
    options = list(inspect.signature(make, eval_str=True).parameters.values())

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def wrapper(**arguments: Any) -> None:
            made = make(**{option.name: arguments.pop(option.name) for option in options})
            command(**{name: made}, **arguments)

        own = inspect.signature(command, eval_str=True).parameters.values()
        kept = [parameter for parameter in own if parameter.name != name]
        parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in (*kept, *options)]
        wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
        return wrapper

    return decorated


with_meteor = in_place_of("meteor", _meteor)
