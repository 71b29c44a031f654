"""The options of a scorer: one for every keyword of `Meteor`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from bolide.cli.option_groups import Argument, flag, info, option
from bolide.errors import ConfigurationError
from bolide.scoring.meteor import Meteor
from bolide.scoring.resolve import Choices, choose, open_packs
from bolide.scoring.signature import Signature

LanguageOption = Annotated[str, info("NAME", "Language of the text: code or name.", "--language", "-l")]
NORMALIZE = info("NAME", "How to normalize: keep-punctuation, keep-case, no-punctuation, lower, or none.")
SEGMENTATION = info(
    "NAME", "Words of zh, ja, ko, th: characters, jieba, mecab, kiwi, pythainlp, unicode, or spaces."
)
FilesArgument = Annotated[list[str] | None, Argument("FILE", "Default: standard input.")]
# The options that are arguments of `Meteor` as they are.
SAME = (
    *("profile", "language", "task", "alpha", "beta", "gamma", "delta", "normalize", "aligner", "beam"),
    *("unit", "segmentation", "stop_words", "synonyms", "threads", "resources"),
)


@dataclass(frozen=True)
class MeteorOptions:
    """Which METEOR to compute."""

    weights_option: ClassVar[str] = "--weights"  # for messages

    profile: str = option(
        "NAME", "METEOR to compute: a name from `bolide profiles`, or a file NAME.toml.", default="1.5"
    )
    language: LanguageOption = "en"
    task: str | None = option(
        "NAME",
        "Task of profile 1.5: rank (default), adq, hter, util, tune, li, or universal; of bolide-2: "
        "translation (default), caption, summary, or data-to-text.",
        "--task",
        "-t",
    )
    modules: str | None = option("NAMES", "Modules, for example 'exact stem synonym paraphrase'.")
    module_weights: str | None = option(
        "NUMBERS", "One weight per module, for example '1.0 0.6 0.8 0.6'.", "--weights"
    )
    alpha: float | None = option("NUMBER", "Weight of recall against precision.")
    beta: float | None = option("NUMBER", "Shape of the penalty.")
    gamma: float | None = option("NUMBER", "Size of the penalty.")
    delta: float | None = option("NUMBER", "Weight of content words against function words.")
    normalize: Annotated[str | None, NORMALIZE] = None
    unit: str | None = option("NAME", "What to count: words, characters, information, or squared-bits.")
    segmentation: Annotated[str | None, SEGMENTATION] = None
    aligner: str | None = option("NAME", "Aligner: beam, exact, staged, greedy, or repeat.")
    search_weights: str | None = option(
        "WEIGHTS", "Weights for the search: paper, halves, java, or for example 'exact=2 other=1'."
    )
    beam: int = option("NUMBER", "Width of the beam.", default=40)
    union: bool = flag("Match words in any of the references, not only in the best one.", "--union")
    stop_words: str | None = option("FILE", "Words that the exact module ignores, one per line.")
    synonyms: str | None = option(
        "SOURCE", "Synonyms: wordnet, mythes, or a folder; default: the language pack."
    )
    threads: int | None = option("NUMBER", "Number of threads; default: BOLIDE_THREADS, or all cores.")
    resources: str | None = option("FOLDER", "Folder of a language pack; default: the installed pack.")

    def choose(self, **others: str | None) -> Choices:
        """The settings, checked without opening a language pack; with other options in place of these."""
        chosen = replace(self, **others)  # type: ignore[arg-type]
        return choose(
            **{name: getattr(chosen, name) for name in SAME},
            modules=words(chosen.modules),
            weights=_numbers(chosen.module_weights, self.weights_option),
            search_weights=_search_weights(chosen.search_weights),
            references="union" if chosen.union else None,  # None: the profile decides
        )

    def choose_named(self, name: str) -> Callable[[], Meteor]:
        """The same for a profile, PROFILE:TASK or a signature, in place of these options. The result opens
        it."""
        if "|" not in name:
            profile, colon, task = name.rpartition(":")
            is_task = bool(colon) and not name.endswith(".toml")  # a path may have a colon
            choices = self.choose(profile=profile, task=task) if is_task else self.choose(profile=name)
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


def words_only(choices: Choices) -> Meteor:
    """A scorer that splits texts into the same words, but needs no language pack."""
    exact = "exact"
    settings = replace(choices.settings, modules=(exact,), module_labels=(exact,), matchers={})
    return Meteor.from_settings(settings)


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
