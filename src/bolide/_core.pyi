"""The native core; private. Words are str, arrays NumPy's; those of a pack are borrowed, not copied."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

_Int8s = npt.NDArray[np.int8]
_Int32s = npt.NDArray[np.int32]
_Int64s = npt.NDArray[np.int64]
_Words = tuple[_Int32s, npt.NDArray[np.uint8], _Int64s]
_Float64s = npt.NDArray[np.float64]
_Texts = tuple[npt.NDArray[np.uint8], _Int32s]  # bytes, offsets

class _Type(type): ...  # nanobind's metaclass

@final
class Lines(metaclass=_Type):
    """Lines of a file: a sequence of texts, decoded when they are looked at."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Lines: ...
    def __iter__(self) -> Iterator[str]: ...

@final
class LineBuffer(metaclass=_Type):
    """Cuts blocks of bytes into lines. They end at LF, and a CR before it belongs to the end; or, if
    `java_ends`, at LF, CR or CR LF."""

    def __init__(self, java_ends: bool) -> None: ...
    def feed(self, block: bytes) -> None: ...
    def close(self) -> None:
        """Nothing more will come."""
    @property
    def available(self) -> int:
        """Complete lines that are not taken yet."""
    def take(self, count: int) -> Lines:
        """The next lines, at most so many. What is not UTF-8 is a UnicodeDecodeError about its line; the
        lines before it then count as taken."""
    @property
    def taken(self) -> int: ...

@disjoint_base
class WordIndex(metaclass=_Type):
    """A sorted list of words: word k is bytes[offsets[k]:offsets[k + 1]]."""

    def __init__(self, bytes: npt.NDArray[np.uint8], offsets: npt.NDArray[np.uint32]) -> None: ...  # noqa: A002
    def find(self, words: list[str]) -> _Int32s:
        """The position of each word, or -1."""
    def word(self, index: int) -> str: ...
    def __len__(self) -> int: ...

@disjoint_base
class Synonyms(metaclass=_Type):
    """METEOR's WordNet: the arrays of bolide.language.wordnet, and its rules (ending, what to put in its
    place), which are not for words of fewer than `shortest` letters, nor for those `without`."""

    def __init__(
        self,
        words: WordIndex,
        offsets: npt.NDArray[np.uint32],
        ids: _Int32s,
        exceptions: WordIndex,
        exception_offsets: npt.NDArray[np.uint32],
        exception_bases: _Int32s,
        bases: WordIndex,
        shortest: int,
        without: list[str],
        rules: list[tuple[str, str]],
    ) -> None: ...
    def synsets(self, words: list[str]) -> tuple[_Int32s, _Int64s]:
        """Offsets, and the synsets of words: their own, then those of their base forms."""
    def base_forms(self, words: list[str]) -> list[tuple[str, ...]]: ...

@disjoint_base
class PhraseTable(metaclass=_Type):
    """A paraphrase table; the layout of its arrays is told in core/tables/phrase_table.hpp."""

    def __init__(
        self,
        word_bytes: npt.NDArray[np.uint8],
        word_offsets: npt.NDArray[np.uint32],
        nodes: npt.NDArray[np.uint64],
        starts: npt.NDArray[np.uint32],
        entries: npt.NDArray[np.uint16] | npt.NDArray[np.uint32],
    ) -> None: ...
    @property
    def words(self) -> WordIndex: ...

@disjoint_base
class PhraseTableBuilder(metaclass=_Type):
    """Makes the arrays of a PhraseTable. Malformed data is a ValueError that names the line."""

    def __init__(self) -> None: ...
    def feed(self, chunk: bytes) -> None:
        """More bytes of a Meteor paraphrase file: three lines an entry, probability, left, right phrase."""
    def add(self, left: str, right: str) -> None: ...
    @property
    def entries(self) -> int:
        """How many entries there are so far."""
    def finish(self) -> dict[str, npt.NDArray[Any]]:
        """words.bytes, words.offsets, nodes, starts, entries."""

@disjoint_base
class PhraseTableReader(metaclass=_Type):
    """A table as text again: three lines an entry, probability (always 1), left, right phrase."""

    def __init__(self, table: PhraseTable) -> None: ...
    def read(self, size: int) -> bytes:
        """At least so many bytes of whole entries; fewer only at the end, then none."""

@disjoint_base
class PhraseFilter(metaclass=_Type):
    """The phrases of texts, to reduce a table to what these need."""

    def __init__(self) -> None: ...
    def add(self, text: str) -> None:
        """One more text, tokens with spaces between them."""
    def keep(self, entries: bytes) -> bytes:
        """Of whole entries, three lines each, those of which a phrase occurs in a text."""

@disjoint_base
class SuffixStemmer(metaclass=_Type):
    """A stemmer that is a table of suffixes (core/vocabulary/suffix_rules.hpp): steps (sequel, rules) of
    rules (suffix,
    how many letters to cut, what to append, condition, whether it leads on to a sequel). Irregular words have
    the stems given, words below the shortest length are their own."""

    def __init__(
        self,
        vowels: str,
        semivowels: str,
        long_consonants: str,
        steps: list[tuple[bool, list[tuple[str, int, str, str, bool]]]],
        irregular: dict[str, str] = {},
        shortest: int = 0,
    ) -> None: ...
    def stem(self, words: list[str]) -> list[str]:
        """The stem of each word."""

@disjoint_base
class Dictionary(metaclass=_Type):
    """A WordNet with parts of speech, looked up as NLTK does; the arrays of bolide.language.dictionary, and
    rules (ending, what to put in its place, parts of speech as bits)."""

    def __init__(
        self,
        words: WordIndex,
        offsets: npt.NDArray[np.uint32],
        ids: _Int32s,
        exceptions: WordIndex,
        exception_offsets: npt.NDArray[np.uint32],
        exception_bases: _Int32s,
        exception_parts: npt.NDArray[np.uint8],
        bases: WordIndex,
        part_starts: _Int32s,
        names: WordIndex,
        member_offsets: npt.NDArray[np.uint32],
        members: _Int32s,
        rules: list[tuple[str, str, int]],
    ) -> None: ...
    def synsets(self, words: list[str]) -> tuple[_Int32s, _Int64s, _Int32s]:
        """Offsets, the synsets of words, and by which entries, numbers in `words`, they have them."""
    def names(self, words: list[str]) -> tuple[_Int32s, _Int64s]:
        """Offsets, and the words in the synsets of words, numbers in `names`."""

@disjoint_base
class Analyst(metaclass=_Type):
    """Adds words to a vocabulary without Python: in place of `analyse` (see Engine.run), for the vocabulary
    of one lexicon. Words are known by their lower-cased spelling. Keys come from the "spelling", the "stem",
    or, of a directed stage, the "names" of WordNet that a stem has."""

    def __init__(
        self, sources: list[str], stemmer: SuffixStemmer | None, dictionary: Dictionary | None
    ) -> None: ...

@disjoint_base
class PhraseExtractor(metaclass=_Type):
    """Phrase pairs of word-aligned sentences, with at most so many words on each side
    (core/learning/phrase_pairs.hpp). Words are separated by single spaces; links are such as "0-0 1-2",
    source first.
    All sentence pairs must be counted before any is extracted from. What is wrong with pair k is a ValueError
    "k: …"."""

    def __init__(self, longest: int) -> None: ...
    def count(self, sources: list[str] | Lines, targets: list[str] | Lines, links: list[str] | Lines) -> None:
        """Counts which words are linked, for the lexical weights."""
    def extract(
        self,
        sources: list[str] | Lines,
        targets: list[str] | Lines,
        links: list[str] | Lines,
        threads: int,
    ) -> list[tuple[_Texts, _Texts, npt.NDArray[np.uint64], _Float64s, _Float64s]]:
        """Tables, a row each time that a pair is extracted: source and target phrases, links within (bit
        s * LONGEST_PHRASE + t), lexical weights of the source given the target, and the other way round."""

@disjoint_base
class TokenCache(metaclass=_Type):
    """What pieces of texts, between spaces, become: tokens with spaces between them, or None if it takes more
    than the piece to tell. A place is 0 (first in a text, with a quote), 1 (within) or 2 (last)."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def clear(self) -> None: ...
    def set(self, place: int, piece: str, tokens: str | None) -> None: ...
    def get(self, place: int, piece: str) -> str | None: ...
    def lines(self, texts: list[str]) -> tuple[list[str | None], list[list[str]]]:
        """The tokens of texts, None where the pieces do not tell; and the pieces that are not there, by
        place."""

@disjoint_base
class Vectors(metaclass=_Type):
    """Word vectors, the rows of a table of any lengths; those with at least this cosine are near."""

    def __init__(self, table: npt.NDArray[np.float32], threshold: float) -> None: ...
    def cosine(self, a: int, b: int) -> float:
        """The cosine of two rows, as the core computes it; NaN if one has no length."""

@disjoint_base
class Tokenizer(metaclass=_Type):
    """Meteor's normaliser for one language."""

    def __init__(
        self, style: str, prefixes: list[str], numeric_prefixes: list[str], punctuation: bool
    ) -> None: ...
    def normalize(self, text: str) -> str:
        """The text, normalised but not lower-cased."""

@disjoint_base
class Vocabulary(metaclass=_Type):
    """Word types as integers, for stages of these kinds (see Engine). Threads may share it."""

    def __init__(self, stages: list[str]) -> None: ...
    def __len__(self) -> int: ...
    def lacking(self, words: list[str]) -> list[str]:
        """Those of the words that are not there."""
    def add(
        self,
        words: list[str],
        identities: _Int64s,
        functions: npt.NDArray[np.uint8],
        lengths: _Int32s,
        columns: list[tuple[_Int32s, _Int64s]],
    ) -> None:
        """Adds words, with the columns of all stages, each (offsets, keys). A directed stage has two columns,
        the hypothesis side's first, others one. Keys are any integers; in a phrase stage the word's number
        in the table, in a near stage the row of its vector, or none. Words already there are passed over."""

@disjoint_base
class Engine(metaclass=_Type):
    """Text to statistics, as set up for one scorer."""

    def __init__(
        self,
        stages: list[str],
        aligner: str,
        gain_weights: list[float],
        beam: int,
        characters: bool,
        tokenizer: Tokenizer | None,
        resources: list[PhraseTable | Vectors | None],
        identical_by_first: bool = False,
    ) -> None:
        """Kinds of stages: "exact" (words that share a key), "related" (different words that do), "directed"
        (different words such that a key of the hypothesis word is one of the reference word),
        "directed-exact" (the same, equal words too), "phrase" and "near", which need a PhraseTable and
        Vectors as resources. The aligner is "beam", "exact", "staged" or "greedy". `identical_by_first`: on
        identical sentences only the first stage is run."""
    def run(
        self,
        hypotheses: list[str] | Lines,
        references: list[str] | Lines,
        counts: _Int32s,
        vocabulary: Vocabulary,
        analyse: Analyst | Callable[[list[str]], None],
        threads: int,
        normalized: bool,
        with_matches: bool,
    ) -> tuple[_Int32s, npt.NDArray[np.uint8], _Int32s | None, _Int64s | None]:
        """Statistics and flags (BOUNDED, UNPROVEN), a row for each reference; and, if asked for, all matches
        (reference start, length, hypothesis start, length, stage, chunk) with the offsets of each row's.
        `analyse` is called with the words that the vocabulary lacks. The GIL is released."""
    def segment(
        self,
        texts: list[Any],
        vocabulary: Vocabulary,
        analyse: Analyst | Callable[[list[str]], None],
        parameters: Parameters,
    ) -> list[tuple[float, float, float, float, float, float]] | None:
        """One segment, hypothesis first, each text a list of words: for each reference what `score` gives.
        None if a text is not a list of words."""
    def count_alignments(
        self,
        hypotheses: list[str] | Lines,
        references: list[str] | Lines,
        matches: _Int32s,
        offsets: _Int64s,
        vocabulary: Vocabulary,
        analyse: Analyst | Callable[[list[str]], None],
        threads: int,
    ) -> _Int32s:
        """The statistics of alignments that were chosen elsewhere (see `chunks`), of texts that are words
        separated by spaces: row k is of hypothesis k with reference k."""
    def count_words(
        self,
        texts: list[str] | Lines,
        vocabulary: Vocabulary,
        analyse: Analyst | Callable[[list[str]], None],
        threads: int,
        normalized: bool,
    ) -> _Words:
        """The words of texts as statistics count them: size (1, or in characters), function word or not, and
        the offsets of each text's."""

@final
class StatisticsLayout(metaclass=_Type):
    """The columns of a row of statistics (core/score/statistics_layout.hpp): lengths and function words of
    both texts, four counts for each stage, chunks, and word matches of both texts."""

    STAGE_COLUMNS: tuple[str, ...]
    """The names of a stage's columns."""

    def __init__(self, stages: Sequence[str]) -> None: ...
    @staticmethod
    def of_width(width: int) -> StatisticsLayout:
        """The layout of rows with this many columns; stages are named stage1, stage2, ..."""
    @staticmethod
    def is_width(width: int) -> bool:
        """Whether rows of statistics can have this many columns."""
    @property
    def stages(self) -> tuple[str, ...]: ...
    @property
    def width(self) -> int: ...
    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, in order."""
    @property
    def hypothesis_length(self) -> int: ...
    @property
    def reference_length(self) -> int: ...
    @property
    def hypothesis_function_words(self) -> int: ...
    @property
    def reference_function_words(self) -> int: ...
    def stage(self, number: int) -> slice:
        """The columns of one stage, in the order of STAGE_COLUMNS."""
    @property
    def all_stages(self) -> slice:
        """The columns of all stages."""
    @property
    def chunks(self) -> int: ...
    @property
    def hypothesis_matches(self) -> int: ...
    @property
    def reference_matches(self) -> int: ...

@disjoint_base
class Formula(metaclass=_Type):
    """How a METEOR writes the formula (core/score/score.hpp)."""

    def __init__(self, ratio: bool, library_power: bool, whole_unpenalised: bool) -> None: ...

@disjoint_base
class Powers(metaclass=_Type):
    """Values of fragmentation ** beta that override the library's: rows (beta, fragmentation, value)."""

    def __init__(self, rows: list[tuple[float, float, float]]) -> None: ...

@disjoint_base
class Parameters(metaclass=_Type):
    """The parameters of a score."""

    def __init__(
        self,
        alpha: float,
        beta: float,
        gamma: float,
        delta: float,
        weights: list[float],
        formula: Formula,
        powers: Powers,
    ) -> None: ...

@disjoint_base
class Sweep(metaclass=_Type):
    """Statistics, scored at many points: rows of alpha, beta, gamma, delta, weights (core/tuning/sweep.hpp).
    Segment
    k has the rows offsets[k] to offsets[k + 1], one for each reference; its best one counts. Judgments of
    several data sets lie one after the other, `ends` says where each ends."""

    def __init__(self, statistics: _Float64s, offsets: _Int64s, formula: Formula, powers: Powers) -> None: ...
    @property
    def distinct(self) -> int:
        """Different rows."""

    def rankings(
        self,
        points: _Float64s,
        better: _Int32s,
        worse: _Int32s,
        ends: _Int64s,
        decimals: int,
        threads: int,
    ) -> _Int64s:
        """Points × data sets × (concordant, tied); scores are rounded to `decimals` first, unless it is
        negative."""

    def ratings(
        self,
        points: _Float64s,
        segments: _Int32s,
        ratings: _Float64s,
        weights: _Float64s,
        ends: _Int64s,
        coefficient: str,
        threads: int,
    ) -> _Float64s:
        """Points × data sets: Pearson's or Spearman's coefficient."""

    def comparisons(
        self,
        points: _Float64s,
        first: _Int32s,
        second: _Int32s,
        human: _Int8s,
        weights: _Float64s,
        ends: _Int64s,
        threads: int,
    ) -> _Float64s:
        """Points × data sets × (accuracy with tie calibration, its epsilon)."""

@disjoint_base
class NBestLists(metaclass=_Type):
    """The hypotheses of n-best lists (core/mert/nbest.hpp): their features, the offsets of the sentences
    among them, and of each the row of its text among the statistics."""

    def __init__(
        self, features: _Float64s, offsets: _Int64s, texts: _Int64s, statistics: _Int64s
    ) -> None: ...
    def best(self, weights: _Float64s, threads: int) -> _Int64s:
        """Of each sentence the hypothesis with the highest model score; of equal ones the first."""

    def surface(
        self, origin: _Float64s, direction: _Float64s, low: float, high: float, threads: int
    ) -> tuple[_Float64s, _Int64s]:
        """Where along origin + t * direction, between low and high, choices change; and the sums of the
        statistics chosen between these points, a row more than there are points."""

BOUNDED: int
UNPROVEN: int
LONGEST_PHRASE: int

def available_instructions() -> list[str]:
    """The sets of CPU instructions that the core may use here: "portable", and those that the CPU has, up to
    the one that BOLIDE_INSTRUCTIONS names. The core uses the last. An unknown name there is a
    ConfigurationError."""

def chunks(matches: _Int32s, offsets: _Int64s) -> _Int32s:
    """The chunk of each match of alignments that were chosen elsewhere: rows of reference start, length,
    hypothesis start, length, stage, ascending by reference start, and where those of each begin."""

def unite(
    statistics: _Int32s,
    counts: _Int32s,
    best: _Int64s,
    matches: _Int32s,
    offsets: _Int64s,
    hypothesis_words: _Words,
    reference_words: _Words,
) -> _Int32s:
    """The statistics of each segment with all of its references together (core/score/reference_union.hpp),
    from what
    Engine.run gives for each reference, the row of each segment's best reference, and the words of all
    hypotheses and all references (Engine.count_words)."""

def count_edits(
    hypotheses: list[str],
    hypothesis_offsets: _Int64s,
    references: list[str],
    reference_offsets: _Int64s,
    threads: int,
) -> _Int64s:
    """As sacrebleu's TER counts them (core/mert/ter.hpp): of each hypothesis the fewest edits to one of its
    sentence's references, and the words of all of these. Texts are words with single spaces between them."""

def count_ngrams(
    hypotheses: list[str],
    hypothesis_offsets: _Int64s,
    references: list[str],
    reference_offsets: _Int64s,
    threads: int,
) -> _Int64s:
    """As sacrebleu's BLEU counts them (core/mert/ngrams.hpp): of each hypothesis its length, that of the
    reference nearest in length, n-grams of four orders that are right, and all n-grams."""

def split(text: str) -> list[str]:
    """The tokens of a text: what space, tab, LF, CR and FF separate."""

def join(texts: list[Any]) -> list[str] | None:
    """Texts given as lists or tuples of words, each as one line; None if one is not so, or an item is no
    word."""

def link_texts(links: npt.NDArray[np.uint64]) -> _Texts:
    """Links of phrase pairs as text, such as "0-0 1-2"."""

def grow_diag_final_and(first: list[str] | Lines, second: list[str] | Lines) -> list[str]:
    """Alignments in two directions as one (core/learning/word_links.hpp). What is wrong with number k is a
    ValueError "k: …"."""

def java_hashes(words: list[str]) -> _Int64s:
    """Java's String.hashCode of each word."""

def utf16_lengths(words: list[str]) -> _Int32s:
    """The length of each word in UTF-16 code units."""

def score(statistics: _Float64s, parameters: Parameters) -> _Float64s:
    """Precision, recall, f1, fmean, penalty, score for each row of statistics."""

def aggregate(statistics: _Float64s, formula: Formula) -> _Float64s:
    """The corpus statistics of segment statistics."""

def java_double(number: float) -> str:
    """What Java's `Double.toString` gives."""

def java_lines(rows: _Float64s) -> str:
    """Rows of numbers as Java prints them, a line a row, with tabs between them."""
