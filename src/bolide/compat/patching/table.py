"""What `patch()` replaces, as a table.

A row names an object of another package, and the object of bolide that takes its place. It is enough to name
the module that defines the object: other modules that import it are found by identity.

To add a package, add a row to `FRAMEWORKS`, and to `ROWS` if its METEOR is its own.
"""

from __future__ import annotations

from typing import NamedTuple


class PatchRow(NamedTuple):
    """One replacement. `kind` is a function of `bolide.compat.patching.kinds`."""

    framework: str
    module: str
    attribute: str
    kind: str
    target: str
    # False: only in this module. Other modules use the object for other purposes.
    everywhere: bool = True

    @property
    def name(self) -> str:
        return f"{self.module}.{self.attribute}"


# The packages that users can name, and the frameworks whose rows they need besides their own.
FRAMEWORKS: dict[str, tuple[str, ...]] = {
    "aac-metrics": (),
    "azure-ai-evaluation": ("nltk",),
    "evaluate": ("nltk",),
    "fmeval": ("nltk",),
    "jury": ("nltk",),
    "nlg-eval": (),
    "nltk": (),
    "opik": ("nltk",),
    "pycocoevalcap": (),
    "unitxt": ("nltk",),
}

_NLTK = "nltk.translate.meteor_score"
_NLTK_FUNCTIONS = ["meteor_score", "single_meteor_score", "align_words"]
_NLTK_FUNCTIONS += ["exact_match", "stem_match", "wordnetsyn_match"]
_OFFLINE = "bolide.compat.patching.offline"
_AAC = "bolide.compat.aac"
_COCO = "bolide.compat.coco"

ROWS: tuple[PatchRow, ...] = (
    *(PatchRow("nltk", _NLTK, name, "function", f"bolide.compat.nltk.{name}") for name in _NLTK_FUNCTIONS),
    PatchRow("nltk", "nltk.downloader", "download", "around", f"{_OFFLINE}.download"),
    PatchRow("evaluate", "evaluate.loading", "load", "around", f"{_OFFLINE}.load"),
    PatchRow(
        "opik",
        "opik.evaluation.metrics.heuristics.meteor",
        "wordnet",
        "instance",
        f"{_OFFLINE}.NoWordNet",
        everywhere=False,
    ),
    PatchRow("pycocoevalcap", "pycocoevalcap.meteor.meteor", "Meteor", "subclass", f"{_COCO}.Meteor"),
    PatchRow(
        "pycocoevalcap",
        "pycocoevalcap.tokenizer.ptbtokenizer",
        "PTBTokenizer",
        "subclass",
        f"{_COCO}.PTBTokenizer",
    ),
    PatchRow("nlg-eval", "nlgeval.pycocoevalcap.meteor.meteor", "Meteor", "subclass", f"{_COCO}.Meteor"),
    PatchRow("aac-metrics", "aac_metrics.functional.meteor", "meteor", "function", f"{_AAC}.meteor"),
    PatchRow(
        "aac-metrics",
        "aac_metrics.utils.tokenization",
        "ptb_tokenize_batch",
        "function",
        f"{_AAC}.ptb_tokenize_batch",
    ),
)

# The oldest version of a package whose numbers are bolide's, by module.
OLDEST: dict[str, tuple[str, tuple[int, ...]]] = {_NLTK: ("nltk", (3, 6, 6))}

# Modules that ask NLTK to download WordNet for METEOR, besides the module "meteor" of evaluate.
DOWNLOADERS = frozenset(
    {
        "azure.ai.evaluation._common.utils",
        "fmeval.transforms.summarization_accuracy_metrics",
        "unitxt.metrics",
    }
)


def modules_of(frameworks: frozenset[str]) -> dict[str, list[PatchRow]]:
    """The rows of frameworks, and of those that they need, by module."""
    needed = frameworks.union(*(FRAMEWORKS[name] for name in frameworks))
    found: dict[str, list[PatchRow]] = {}
    for row in ROWS:
        if row.framework in needed:
            found.setdefault(row.module, []).append(row)
    return found
