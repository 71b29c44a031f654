"""Drop-ins for `pycocoevalcap.meteor.meteor.Meteor` and
`pycocoevalcap.tokenizer.ptbtokenizer.PTBTokenizer`: change the import.

    from bolide.compat.coco import Meteor, PTBTokenizer

    tokenizer = PTBTokenizer()
    score, scores = Meteor().compute_score(tokenizer.tokenize(gts), tokenizer.tokenize(res))

The tokens and the numbers are the same, without Java, a subprocess or a lock. `COCOEvalCap` makes its own
tokenizer and scorers; `bolide.compat.patch()` replaces them there.

    >>> Meteor().compute_score({7: ["a dog runs", "a brown dog"]}, {7: ["a brown dog runs"]})
    (0.48704502558483637, [0.48704502558483637])
    >>> PTBTokenizer().tokenize({7: [{"caption": "A dog runs."}, {"caption": "It's brown!"}]})
    {7: ['a dog runs', "it 's brown"]}
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

import bolide
from bolide.compat.coco_process import Process
from bolide.errors import InputError
from bolide.inputs.segments import one_segment
from bolide.java.output import statistics
from bolide.java.stdio import SEPARATOR
from bolide.language import ptb

# Characters other than LF at which the tokenizer begins a new line.
LINE_BREAKS = "\v\f\r\u2028\u2029"


class CaptionError(InputError, AssertionError):
    """Captions that do not fit together. The wrapper raises an AssertionError, too."""


class Meteor:
    """A scorer of captions. `profile` and `options` are those of `bolide.Meteor`.

    It also has the internals of pycocoevalcap's class, for programs that use them: `lock`, `meteor_p`,
    `_stat` and `_score`, and `close()` of nlg-eval's class. `meteor_p` answers in the place of the Java
    process. `lock` is there for programs that take it; the methods do not need it.
    """

    def __init__(self, profile: str = "coco", **options: Any) -> None:
        self._meteor = bolide.Meteor(profile, **options) if options else _shared(profile)
        self._open()

    def _open(self) -> None:
        self.lock = Lock()
        self.meteor_p = Process(self._meteor)

    def __getstate__(self) -> bolide.Meteor:
        return self._meteor

    def __setstate__(self, meteor: bolide.Meteor) -> None:
        self._meteor = meteor
        self._open()

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
            [separated(texts) for texts in references],
            layout="segments",
        )
        assert found.segments is not None
        return found.score, found.segments.tolist()

    def method(self) -> str:
        return "METEOR"

    def close(self) -> None:
        """Ends `meteor_p`. The scorer can still be used. In nlg-eval this ends Java."""
        self.meteor_p.kill()

    def _stat(self, hypothesis_str: str, reference_list: Sequence[str]) -> str:
        """The statistics of a caption as Java writes them: 23 numbers, separated by spaces."""
        segment = one_segment(hypothesis_str, separated(reference_list))
        return statistics(self._meteor.measure(segment).statistics)[0]

    def _score(self, hypothesis_str: str, reference_list: Sequence[str]) -> float:
        """The score of a caption."""
        return self._meteor.sentence_score(hypothesis_str, separated(reference_list)).score

    def get_signature(self) -> str:
        """The signature of the scorer, for reports."""
        return self._meteor.get_signature()


class PTBTokenizer:
    """The tokenizer of captions. Its tokens are those of pycocoevalcap, which runs Stanford CoreNLP 3.4.1 and
    removes punctuation marks."""

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Mapping[str, Any]]]) -> dict[Any, list[str]]:
        """Returns the tokens of each caption, separated by spaces. For each image, `captions_for_image` has a
        list of captions, each a dict with the key "caption"."""
        images = [image for image, captions in captions_for_image.items() for _ in captions]
        texts = [
            caption["caption"].replace("\n", " ")
            for captions in captions_for_image.values()
            for caption in captions
        ]
        lines = ptb.tokenize("\n".join(texts), punctuation=False).split("\n")
        if len(lines) > max(len(texts), 1):
            _warn_of_line_breaks(images, texts)
        tokenized: dict[Any, list[str]] = {}
        for image, line in zip(images, lines, strict=False):
            tokenized.setdefault(image, []).append(line)
        return tokenized


def _warn_of_line_breaks(images: list[Any], texts: list[str]) -> None:
    for image, text in zip(images, texts, strict=True):
        found = [character for character in LINE_BREAKS if character in text]
        if found:
            warnings.warn(
                f"a caption of image {image!r} contains the line break {found[0]!r}. As in pycocoevalcap, "
                "the rest of it counts as the next caption, and all later captions move by one. Remove it",
                stacklevel=3,
            )
            return


@lru_cache(maxsize=4)
def _shared(profile: str) -> bolide.Meteor:
    return bolide.Meteor(profile)


def separated(references: Sequence[str]) -> list[str]:
    """The references that Java sees. pycocoevalcap does not remove the protocol's separator from references,
    so a reference that contains it becomes two."""
    return [part for text in references for part in text.split(SEPARATOR)]


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
