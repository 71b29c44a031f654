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
    instructions: str | None = None,
) -> tuple[_Int32s, bool]:
    """What an aligner chooses among candidate matches (rows of reference start, length, hypothesis start,
    length, stage), and whether that is proven best by its rule. `instructions` is one of
    `_core.available_instructions()`, by default the best; any other is a ValueError."""

def likely_paraphrases(
    entries: npt.NDArray[np.uint16] | npt.NDArray[np.uint32],
    places: list[int],
    words: _Int32s,
    instructions: str | None = None,
) -> list[tuple[int, int]]:
    """Which paraphrases may occur in a sentence of these words of the table: left phrase and number. The
    paraphrases of left phrase k begin at places[k]. `instructions` as in `choose`."""

def paraphrases(table: PhraseTable, phrase: list[str]) -> list[list[str]]:
    """The paraphrases of a phrase, in file order."""

def ptb_rules() -> list[tuple[str, str, str, int, str, str, str]]:
    """The rules of the PTB tokenizer: name, pattern, context, way of writing, replacement, example and the
    tokens of the example."""

def ptb_definitions() -> dict[str, str]:
    """The named patterns of the PTB tokenizer."""

def ptb_sets() -> dict[str, list[tuple[int, int]]]:
    """The named sets of characters of the PTB tokenizer, as ranges of code points."""

def ptb_decisions(text: str) -> tuple[list[str], int]:
    """The names of the rules that decide about a text, and how many bytes the searches for them read."""

def ptb_next(state: int, character: str) -> tuple[int, str]:
    """The state of the automaton after a character of ASCII, and the name of the rule that matches there, if
    any. The first state is 2. In state 1, no rule can match any more."""

def ptb_build_all() -> None:
    """Build all states of the automata. Raises an error if there are more than they have room for."""

def wide_operation(operation: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    """The result of an operator (+ - * & | &~ << >> < ==) for numbers of 128 bits, as the core computes it if
    the compiler has no such numbers. A number is given as its higher and its lower half."""

def shortest_decimal(number: float, plain: bool) -> str:
    """The fewest digits that identify a positive number, as the core finds them if the C++ library cannot:
    with an exponent, or without one if `plain`."""

def sweep_scores(sweep: Sweep, points: _Float64s, threads: int) -> _Float64s:
    """The scores of all segments (columns) at all points (rows)."""

def power(bases: _Float64s, exponents: _Float64s) -> _Float64s:
    """bases ** exponents, correctly rounded (core/score/power.hpp)."""

def compare_scores(
    pairs: _Float64s, gamma: float, decimals: int, instructions: str | None = None
) -> tuple[int, int]:
    """In how many pairs the better segment has the higher score, and in how many the scores are equal. A row
    has the Fmean and fragmentation ** beta of the better segment, and those of the worse one. Scores are
    rounded to `decimals` first, unless that is negative. `instructions` as in `choose`."""
