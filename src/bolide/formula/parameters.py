"""The parameters of the score: α, β, γ, δ, module weights, and the variant of the formula."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bolide import _core


@dataclass(frozen=True)
class Formula:
    """The variants of the formula.

    `fmean`: "harmonic", 1 / ((1−α)/P + α/R), or "ratio", P·R / (α·P + (1−α)·R). The last digit differs.
    `power`: how the power in the penalty is rounded. "exact" is the nearest number. "java" is the number that
    Java has. Both are the same on every machine. "library" is what the C library of this machine computes, as
    in Python's `**`. The last digit differs.
    `whole`: a segment that is matched completely and in one chunk is "unpenalised", or "penalised" as any
    other.
    `fragments`: the penalty counts "chunks", or "breaks": the chunks after the first one. A hypothesis that
    is matched in one chunk has no break, and no penalty (if β > 0).
    """

    fmean: str = "harmonic"
    power: str = "java"
    whole: str = "unpenalised"
    fragments: str = "chunks"

    @property
    def core(self) -> _core.Formula:
        return _core.Formula(self.fmean == "ratio", self.power == "library", self.exempts_whole)

    @property
    def exempts_whole(self) -> bool:
        """Whether a segment that is matched completely and in one chunk is an exception."""
        return self.whole == "unpenalised" and self.fragments == "chunks"

    @property
    def counts_breaks(self) -> bool:
        return self.fragments == "breaks"

    @property
    def powers(self) -> _core.Powers:
        """The powers that are not rounded to the nearest number."""
        return java_powers() if self.power == "java" else _no_powers()


FORMULA_CHOICES = {
    "fmean": ("harmonic", "ratio"),
    "power": ("java", "exact", "library"),
    "whole": ("unpenalised", "penalised"),
    "fragments": ("chunks", "breaks"),
}
JAVA = Formula()


@dataclass(frozen=True)
class Parameters:
    """α, β, γ, δ, one weight per module (modules without a weight do not count), and the formula."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]
    formula: Formula = JAVA

    def core(self) -> _core.Parameters:
        weights, formula, powers = list(self.weights), self.formula.core, self.formula.powers
        return _core.Parameters(self.alpha, self.beta, self.gamma, self.delta, weights, formula, powers)


@lru_cache(maxsize=1)
def java_powers() -> _core.Powers:
    """The powers fragmentation^β that Java does not round to the nearest number (java_powers.tsv)."""
    path = Path(__file__).parent / "java_powers.tsv"
    rows = []
    for line in path.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            beta, chunks, matches, value = line.split("\t")
            rows.append((float(beta), int(chunks) / (int(matches) / 2), float(value)))
    return _core.Powers(rows)


@lru_cache(maxsize=1)
def _no_powers() -> _core.Powers:
    return _core.Powers([])
