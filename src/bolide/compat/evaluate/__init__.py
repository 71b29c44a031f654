"""METEOR as a module of Hugging Face's `evaluate`, without a download:

    import evaluate
    from bolide.compat.evaluate import path

    meteor = evaluate.load(path())              # the numbers of evaluate's module "meteor"
    meteor = evaluate.load(path(), "1.5")       # METEOR as in its official release
    meteor.compute(predictions=predictions, references=references)

The module of evaluate computes the mean of NLTK's scores on tokens by NLTK's `word_tokenize`.
"""

from __future__ import annotations

from pathlib import Path


def path() -> str:
    """The folder for `evaluate.load`."""
    return str(Path(__file__).parent / "meteor")
