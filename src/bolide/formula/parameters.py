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
    `power`: the power in the penalty, as "java" or the C "library" computes it. The last digit differs.
    `whole`: a segment that is matched completely and in one chunk is "unpenalised", or "penalised" as any
    other.
    """

    fmean: str = "harmonic"
    power: str = "java"
    whole: str = "unpenalised"

    @property
    def core(self) -> _core.Formula:
        return _core.Formula(self.fmean == "ratio", self.power == "library", self.whole == "unpenalised")


FORMULA_CHOICES = {
    "fmean": ("harmonic", "ratio"),
    "power": ("java", "library"),
    "whole": ("unpenalised", "penalised"),
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
        weights, formula = list(self.weights), self.formula.core
        return _core.Parameters(
            self.alpha, self.beta, self.gamma, self.delta, weights, formula, java_powers()
        )


@lru_cache(maxsize=1)
def java_powers() -> _core.Powers:
    """The powers fragmentation^β that Java's library rounds differently than the core (java_powers.tsv)."""
    path = Path(__file__).parent / "java_powers.tsv"
    rows = []
    for line in path.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            beta, chunks, matches, value = line.split("\t")
            rows.append((float(beta), int(chunks) / (int(matches) / 2), float(value)))
    return _core.Powers(rows)
