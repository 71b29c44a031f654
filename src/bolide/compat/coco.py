"""A drop-in for `pycocoevalcap.meteor.meteor.Meteor`: change the import.

    from bolide.compat.coco import Meteor

    score, scores = Meteor().compute_score(gts, res)

The numbers are the same, without Java, a subprocess or a lock. `COCOEvalCap` makes its own scorers; use it
there by:

    import pycocoevalcap.eval
    pycocoevalcap.eval.Meteor = bolide.compat.coco.Meteor

    >>> Meteor().compute_score({7: ["a dog runs", "a brown dog"]}, {7: ["a brown dog runs"]})
    (0.48704502558483637, [0.48704502558483637])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import bolide
from bolide.errors import InputError

# The wrapper does not remove the separator of its protocol from references, so Java sees two references.
SEPARATOR = "|||"


class CaptionError(InputError, AssertionError):
    """Captions that do not fit together. The wrapper raises an AssertionError, too."""


class Meteor:
    """A scorer of captions. `profile` and `options` are those of `bolide.Meteor`."""

    def __init__(self, profile: str = "coco", **options: Any) -> None:
        self._meteor = bolide.Meteor(profile, **options) if options else _shared(profile)

    def compute_score(
        self, gts: Mapping[Any, Sequence[str]], res: Mapping[Any, Sequence[str]]
    ) -> tuple[float, list[float]]:
        """Returns the corpus score, and the score of each caption in the order of `gts`. For each image,
        `gts` has a list of references, and `res` a list with one caption."""
        if gts.keys() != res.keys():
            raise CaptionError(f"gts and res must have the same images; {_example(gts, res)}")
        if not gts:
            raise CaptionError("gts and res are empty; give at least one image with its captions")
        hypotheses = [_texts("res", image, res[image]) for image in gts]
        for image, texts in zip(gts, hypotheses, strict=True):
            if len(texts) != 1:
                raise CaptionError(f"res must have one caption per image; image {image!r} has {len(texts)}")
        references = [_texts("gts", image, texts) for image, texts in gts.items()]
        found = self._meteor.corpus_score(
            [texts[0] for texts in hypotheses],
            [[part for text in texts for part in text.split(SEPARATOR)] for texts in references],
            layout="segments",
        )
        assert found.segments is not None
        return found.score, found.segments.tolist()

    def method(self) -> str:
        return "METEOR"

    def get_signature(self) -> str:
        """The signature of the scorer, for reports."""
        return self._meteor.get_signature()


@lru_cache(maxsize=4)
def _shared(profile: str) -> bolide.Meteor:
    return bolide.Meteor(profile)


def _example(gts: Mapping[Any, Any], res: Mapping[Any, Any]) -> str:
    for name, here, there in (("res", gts, res), ("gts", res, gts)):
        for image in here:
            if image not in there:
                return f"{name} lacks {image!r}"
    return "they do not"  # pragma: no cover


def _texts(name: str, image: Any, texts: Sequence[str]) -> list[str]:
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Sequence) or not texts:
        raise CaptionError(f"{name}[{image!r}] must be a list of captions, not {texts!r}")
    for text in texts:
        if not isinstance(text, str):
            raise CaptionError(f"{name}[{image!r}]: a caption must be a string, not {text!r}")
    return list(texts)
