"""Parts of the native core that only tests call; releases do not contain this module."""

import numpy as np
import numpy.typing as npt

from bolide._core import PhraseTable, Sweep

_Int32s = npt.NDArray[np.int32]
_Float64s = npt.NDArray[np.float64]

def choose(
    matches: _Int32s,
    hypothesis_length: int,
    reference_length: int,
    aligner: str,
    gain_weights: list[float],
    beam: int = 40,
    budget: int = 0,
    instructions: int = 2,
) -> tuple[_Int32s, bool]:
    """What an aligner chooses among candidate matches (rows of reference start, length, hypothesis start,
    length, stage), and whether that is proven best by its rule. `instructions` are those of the
    processor that it may use, if they are there: 0 none in particular, 1 AVX2, 2 AVX-512 too."""

def likely_paraphrases(
    entries: npt.NDArray[np.uint16] | npt.NDArray[np.uint32],
    places: list[int],
    words: _Int32s,
    instructions: int = 2,
) -> list[tuple[int, int]]:
    """Which paraphrases may occur in a sentence of these words of the table: left phrase and number. The
    paraphrases of left phrase k begin at places[k]. `instructions` as in `choose`."""

def paraphrases(table: PhraseTable, phrase: list[str]) -> list[list[str]]:
    """The paraphrases of a phrase, in file order."""

def sweep_scores(sweep: Sweep, points: _Float64s, threads: int) -> _Float64s:
    """The scores of all segments (columns) at all points (rows)."""
