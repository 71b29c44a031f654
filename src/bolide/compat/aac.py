"""Drop-ins for aac-metrics: `aac_metrics.functional.meteor.meteor`, `aac_metrics.classes.meteor.METEOR` and
`aac_metrics.utils.tokenization.ptb_tokenize_batch`. Change the import.

    from bolide.compat.aac import METEOR, meteor

    scores, sentence_scores = meteor(candidates, mult_references)

The tensors and the tokens are the same, without Java. The arguments for Java (`cache_path`, `java_path`,
`java_max_memory`, `use_shell`, `tmp_path`) are accepted and have no effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bolide._support.extras import extra
from bolide.compat.coco import separated
from bolide.errors import InputError
from bolide.java.options import JavaOptions
from bolide.java.settings import resources_for, settle
from bolide.java.stdio import SEPARATOR
from bolide.language import ptb
from bolide.scoring.meteor import Meteor

if TYPE_CHECKING:
    import torch

LANGUAGES = ("en", "cz", "de", "es", "fr")
QUOTES_AND_BRACKETS = ("''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-")
PUNCTUATION = (*QUOTES_AND_BRACKETS, ".", "?", "!", ",", ":", "-", "--", "...", ";")
# What aac-metrics replaces, in this order, with `normalize_apostrophe`.
APOSTROPHES = {" s ": " s'", "'": "' ", "'  ": "' ", " '": "'"}

TensorScores = dict[str, "torch.Tensor"]


def meteor(
    candidates: list[str],
    mult_references: list[list[str]],
    return_all_scores: bool = True,
    *,
    cache_path: str | Path | None = None,
    java_path: str | Path | None = None,
    java_max_memory: str = "2G",
    language: str = "en",
    use_shell: bool | None = None,
    params: Iterable[float] | None = None,
    weights: Iterable[float] | None = None,
    verbose: int = 0,
) -> tuple[TensorScores, TensorScores] | torch.Tensor:
    """The corpus score and the scores of the sentences, or only the corpus score, as 64-bit tensors."""
    _check(candidates, mult_references)
    if language not in LANGUAGES:
        raise InputError(f"Invalid argument language={language!r}. (expected one of {LANGUAGES})")
    scorer = _scorer(language, _four("params", params), _four("weights", weights))
    return _tensors(scorer, candidates, mult_references, return_all_scores)


def _tensors(
    scorer: Meteor, candidates: list[str], references: list[list[str]], everything: bool
) -> tuple[TensorScores, TensorScores] | torch.Tensor:
    with extra("torch"):
        torch = import_module("torch")
    found = scorer.corpus_score(
        [text.replace(SEPARATOR, "") for text in candidates],
        [separated(texts) for texts in references],
        layout="segments",
    )
    score = torch.as_tensor(found.score, dtype=torch.float64)
    if not everything:
        return score
    assert found.segments is not None
    return {"meteor": score}, {"meteor": torch.as_tensor(found.segments.tolist(), dtype=torch.float64)}


def _check(candidates: list[str], references: list[list[str]]) -> None:
    """The checks of aac-metrics. It raises a ValueError, too."""
    if not _texts(candidates):
        raise InputError(f"candidates must be a list of strings, not {candidates!r:.80}")
    if not isinstance(references, list) or not all(map(_texts, references)):
        raise InputError(f"mult_references must be a list of lists of strings, not {references!r:.80}")
    if len(candidates) != len(references):
        raise InputError(f"{len(candidates)} candidates, but references for {len(references)}")
    if not candidates:
        raise InputError("candidates are empty; give at least one sentence")
    if not all(references):
        raise InputError(f"no reference for candidate {references.index([])} (counted from 0)")


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _four(name: str, numbers: Iterable[float] | None) -> str | None:
    """Four numbers as Java's options have them."""
    if numbers is None:
        return None
    values = list(numbers)
    if len(values) != 4:
        raise InputError(f"{name} must be 4 numbers, not {len(values)}: {values}")
    return " ".join(map(str, values))


@lru_cache(maxsize=8)
def _scorer(language: str, parameters: str | None, weights: str | None) -> Meteor:
    options = JavaOptions("-", "-", language, parameters=parameters, weights=weights, normalize=True)
    settings = settle(options)
    return settings.meteor(resources_for(options, settings))


def ptb_tokenize_batch(
    sentences: Iterable[str],
    audio_ids: Iterable[Any] | None = None,
    cache_path: str | Path | None = None,
    java_path: str | Path | None = None,
    tmp_path: str | Path | None = None,
    punctuations: Iterable[str] = PUNCTUATION,
    normalize_apostrophe: bool = False,
    verbose: int = 0,
) -> list[list[str]]:
    """The tokens of each sentence, in the order of `audio_ids`, which are positions."""
    texts = list(sentences)
    if not _texts(texts):
        raise InputError("sentences must be strings")
    if any("\n" in text for text in texts):
        raise InputError("a sentence contains a line break; remove it")
    if not texts:
        return []
    places = list(range(len(texts)) if audio_ids is None else audio_ids)
    if len(places) != len(texts):
        raise InputError(f"{len(texts)} sentences, but {len(places)} audio_ids")
    text = "\n".join(texts)
    if normalize_apostrophe:
        for old, new in APOSTROPHES.items():
            text = text.replace(old, new)
    lines = ptb.tokenize(text).split("\n")
    if len(lines) != len(texts):
        raise RuntimeError(
            f"{len(texts)} sentences have {len(lines)} lines; remove line breaks such as '\\r'"
        )
    removed = set(punctuations)
    found: list[Any] = [None] * len(texts)
    for place, line in zip(places, lines, strict=True):
        found[place] = [token for token in line.rstrip().split(" ") if token not in removed]
    return found


def __getattr__(name: str) -> Any:
    """`METEOR`, the class, is made on first use, because it needs aac-metrics."""
    if name != "METEOR":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return _class()


@lru_cache(maxsize=1)
def _class() -> type:
    with extra("aac-metrics"):
        base = import_module("aac_metrics.classes.meteor").METEOR

    class METEOR(base):  # type: ignore[misc,valid-type]
        """aac-metrics' class with bolide's function."""

        def compute(self) -> Any:
            return meteor(
                self._candidates,
                self._mult_references,
                self._return_all_scores,
                language=self._language,
                params=self._params,
                weights=self._weights,
            )

    return METEOR
