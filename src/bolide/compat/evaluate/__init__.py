"""METEOR as a module of HuggingFace's `evaluate`, without a download:

    import evaluate
    from bolide.compat.evaluate import path

    meteor = evaluate.load(path())              # the numbers of evaluate's own "meteor"
    meteor = evaluate.load(path(), "1.5")       # METEOR as its official release computes it
    meteor.compute(predictions=predictions, references=references)

The numbers of evaluate's own module are NLTK's, on tokens by NLTK's `word_tokenize`, averaged over segments.
"""

from __future__ import annotations

from pathlib import Path


def path() -> str:
    """The folder to give to `evaluate.load`."""
    return str(Path(__file__).parent / "meteor")
