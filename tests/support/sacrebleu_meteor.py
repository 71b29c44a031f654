"""sacrebleu's own significance tests with bolide's metric, to check bolide's tests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from bolide import Meteor


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Set sacrebleu's seed, which is in the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "SACREBLEU_SEED", str(seed))
        yield


def paired_test(
    meteor: Meteor,
    systems: Mapping[str, Sequence[str]],
    references: Sequence[str],
    test: str,
    samples: int,
    seed: int,
) -> list[Any]:
    """sacrebleu's results, the baseline first: `score`, `p_value`, `mean`, `ci`. Scores are from 0 to 100."""
    significance = pytest.importorskip("sacrebleu.significance")
    from bolide.compat.sacrebleu import METEOR

    with seeded(seed):
        paired = significance.PairedTest(
            list(systems.items()),
            {"METEOR": METEOR(meteor=meteor)},
            [list(references)],
            {"bootstrap": "bs", "randomization": "ar"}[test],
            n_samples=samples,
        )
        found: list[Any] = paired()[1]["METEOR"]
    return found
