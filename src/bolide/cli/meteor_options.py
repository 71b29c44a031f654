"""The options of a scorer: one for every keyword of `Meteor`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import typer

from bolide.cli.option_groups import option
from bolide.errors import ConfigurationError
from bolide.scoring.meteor import Meteor
from bolide.scoring.resolve import Choices, choose, open_packs
from bolide.scoring.signature import Signature

LanguageOption = Annotated[
    str, option("--language", "-l", metavar="NAME", text="Language of the text: code or name.")
]
NORMALIZE = option(
    metavar="NAME", text="How to normalise: keep-punctuation, keep-case, no-punctuation, lower, or none."
)
FilesArgument = Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Default: standard input.")]


@dataclass(frozen=True)
class MeteorOptions:
    """Which METEOR to compute."""

    weights_option: ClassVar[str] = "--weights"  # for messages

    profile: Annotated[
        str, option(metavar="NAME", text="Which METEOR: see `bolide profiles`; or a file NAME.toml.")
    ] = "1.5"
    language: LanguageOption = "en"
    task: Annotated[
        str | None,
        option(
            *("--task", "-t"),
            metavar="NAME",
            text="Task of profile 1.5: rank (default), adq, hter, util, tune, li, or universal.",
        ),
    ] = None
    modules: Annotated[
        str | None, option(metavar="NAMES", text="Modules, for example 'exact stem synonym paraphrase'.")
    ] = None
    module_weights: Annotated[
        str | None,
        option("--weights", metavar="NUMBERS", text="One weight per module, for example '1.0 0.6 0.8 0.6'."),
    ] = None
    alpha: Annotated[float | None, option(metavar="NUMBER", text="Balance of precision and recall.")] = None
    beta: Annotated[float | None, option(metavar="NUMBER", text="Shape of the penalty.")] = None
    gamma: Annotated[float | None, option(metavar="NUMBER", text="Size of the penalty.")] = None
    delta: Annotated[
        float | None, option(metavar="NUMBER", text="Weight of content words against function words.")
    ] = None
    normalize: Annotated[str | None, NORMALIZE] = None
    characters: Annotated[bool, option("--characters", text="Count characters instead of words.")] = False
    aligner: Annotated[
        str | None, option(metavar="NAME", text="Aligner: beam, exact, staged, or greedy.")
    ] = None
    search_weights: Annotated[
        str | None,
        option(
            metavar="WEIGHTS",
            text="Weights for the search: paper, halves, java, or for example 'exact=2 other=1'.",
        ),
    ] = None
    beam: Annotated[int, option(metavar="NUMBER", text="Width of the beam.")] = 40
    union: Annotated[
        bool, option("--union", text="Match words in any of the references, not only in the best one.")
    ] = False
    stop_words: Annotated[
        str | None, option(metavar="FILE", text="Words that the exact module ignores, one per line.")
    ] = None
    synonyms: Annotated[
        str | None,
        option(metavar="SOURCE", text="Synonyms: wordnet, mythes, or a folder; default: the language pack."),
    ] = None
    threads: Annotated[
        int | None, option(metavar="NUMBER", text="Number of threads; default: BOLIDE_THREADS, or all cores.")
    ] = None
    resources: Annotated[
        str | None, option(metavar="FOLDER", text="Folder of a language pack; default: the installed pack.")
    ] = None

    def choose(self, **others: str | None) -> Choices:
        """The settings, checked without opening a language pack; with other options in place of these."""
        chosen = replace(self, **others)  # type: ignore[arg-type]
        return choose(
            chosen.profile,
            chosen.language,
            chosen.task,
            modules=words(chosen.modules),
            weights=_numbers(chosen.module_weights, self.weights_option),
            alpha=chosen.alpha,
            beta=chosen.beta,
            gamma=chosen.gamma,
            delta=chosen.delta,
            normalize=chosen.normalize,
            characters=chosen.characters or None,  # None: the profile decides
            aligner=chosen.aligner,
            search_weights=_search_weights(chosen.search_weights),
            beam=chosen.beam,
            references="union" if chosen.union else "best",
            stop_words=chosen.stop_words,
            synonyms=chosen.synonyms,
            threads=chosen.threads,
            resources=chosen.resources,
        )

    def choose_named(self, name: str) -> Callable[[], Meteor]:
        """The same for a profile, or for a signature, in place of these options. The result opens it."""
        if "|" not in name:
            choices = self.choose(profile=name)
            return lambda: open_meteor(choices)
        from bolide.scoring.reproduction import choose_signature, open_signature

        signature = Signature.parse(name)
        choices = choose_signature(
            signature,
            self.threads,
            stop_words=self.stop_words,
            synonyms=self.synonyms,
            resources=self.resources,
        )
        return lambda: Meteor.from_settings(open_signature(signature, choices))


def open_meteor(choices: Choices) -> Meteor:
    """The scorer. This may download the language pack: check all inputs before."""
    return Meteor.from_settings(open_packs(choices))


def words(text: str | None) -> list[str] | None:
    return None if text is None else text.replace(",", " ").split()


def _numbers(text: str | None, name: str) -> list[float] | None:
    try:
        return None if text is None else [float(word) for word in words(text) or ()]
    except ValueError:
        raise ConfigurationError(f"{name} must be numbers, for example '1.0 0.6', not '{text}'") from None


def _search_weights(text: str | None) -> str | dict[str, float] | None:
    if text is None or "=" not in text:
        return text
    try:
        pairs = [word.split("=") for word in words(text) or ()]
        return {module: float(weight) for module, weight in pairs}
    except ValueError:
        raise ConfigurationError(
            f"--search-weights must be paper, halves, java, or for example 'exact=2 other=1', not '{text}'"
        ) from None
