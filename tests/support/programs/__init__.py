"""Programs that use METEOR of other packages, as their users write them. They know nothing of bolide.

Each has a function `scores`. `tests/support/patched_program.py` runs them with and without `patch()`.
"""

from __future__ import annotations

from tests.support import generate

PAIRS = generate.pairs("en", 25, seed=21)
HYPOTHESES = [pair.hypothesis for pair in PAIRS]
REFERENCES = [pair.reference for pair in PAIRS]
# Two references for each.
GROUPS = [[one, other] for one, other in zip(REFERENCES, REFERENCES[1:] + REFERENCES[:1], strict=True)]
