"""The native core; private. Words are str, arrays are NumPy arrays. The arrays of a pack are not copied."""

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
    """Lines of a file: a sequence of texts that are decoded on access."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Lines: ...
    def __iter__(self) -> Iterator[str]: ...

@final
class LineBuffer(metaclass=_Type):
    """Splits blocks of bytes into lines. Lines end at LF or CR LF; with `java_ends`, also at CR."""

    def __init__(self, java_ends: bool) -> None: ...
    def feed(self, block: bytes) -> None: ...
    def close(self) -> None:
        """Ends the input: no more blocks follow."""
    @property
    def available(self) -> int:
        """The number of complete lines that are not taken yet."""
    @property
    def waiting(self) -> int:
        """The size of everything that is not taken yet, in bytes."""
    @property
    def incomplete(self) -> int:
        """The size of the incomplete line at the end, in bytes."""
    def take(self, count: int) -> Lines:
        """The next lines, at most `count`. A line that is not UTF-8 raises a UnicodeDecodeError; the lines
        before it then count as taken."""
    @property
    def taken(self) -> int:
        """The number of lines that are taken."""

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
    """METEOR's WordNet: the arrays of bolide.language.wordnet, and its rules (ending, replacement). Rules do
    not apply to words with fewer than `shortest` letters, and to the words in `without`."""

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
        """Offsets, and the synsets of each word, followed by those of its base forms."""
    def base_forms(self, words: list[str]) -> list[tuple[str, ...]]: ...

@disjoint_base
class PhraseTable(metaclass=_Type):
    """A paraphrase table; core/tables/phrase_table.hpp describes its arrays."""

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
    """Makes the arrays of a PhraseTable. Malformed data raises a ValueError that names the line."""

    def __init__(self) -> None: ...
    def feed(self, chunk: bytes) -> None:
        """Adds bytes of a Meteor paraphrase file: three lines per entry (probability, left phrase, right
        phrase)."""
    def add(self, left: str, right: str) -> None: ...
    @property
    def entries(self) -> int:
        """The number of entries so far."""
    def finish(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays words.bytes, words.offsets, nodes, starts and entries."""

@disjoint_base
class PhraseTableReader(metaclass=_Type):
    """Writes a table as text: three lines per entry (probability, always 1; left phrase; right phrase)."""

    def __init__(self, table: PhraseTable) -> None: ...
    def read(self, size: int) -> bytes:
        """The next whole entries, at least `size` bytes; fewer at the end, and then none."""

@disjoint_base
class PhraseFilter(metaclass=_Type):
    """The phrases of texts, to reduce a table to the entries that the texts need."""

    def __init__(self) -> None: ...
    def add(self, text: str) -> None:
        """Adds a text, tokens separated by spaces."""
    def keep(self, entries: bytes) -> bytes:
        """Those of the given whole entries (three lines each) with a phrase that occurs in a text."""

@disjoint_base
class SuffixStemmer(metaclass=_Type):
    """A stemmer defined by a table of suffixes (core/vocabulary/suffix_rules.hpp). A step is (sequel, rules);
    a rule is (suffix, number of letters to cut, letters to append, condition, whether a sequel follows).
    `irregular` has the stems of irregular words. A word shorter than `shortest` is its own stem."""

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
    """A WordNet with parts of speech, looked up as in NLTK: the arrays of bolide.language.dictionary, and
    rules (ending, replacement, parts of speech as bits)."""

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
        """Offsets, the synsets of each word, and the entries (numbers in `words`) that they come from."""
    def names(self, words: list[str]) -> tuple[_Int32s, _Int64s]:
        """Offsets, and the words (numbers in `names`) in the synsets of each word."""

@disjoint_base
class Analyst(metaclass=_Type):
    """Adds words to a vocabulary without Python; Engine.run accepts it in place of a function. It serves the
    vocabulary of one lexicon. Words are identified by their lower-cased spelling, or by its hash code in
    Java. The source of a stage's keys is "spelling", "stem", "synsets", "phrases" (the number in the phrase
    table) or, for a directed stage, "names": the words in the synsets of the stem."""

    def __init__(
        self,
        sources: list[str],
        *,
        stemmer: SuffixStemmer | None = None,
        dictionary: Dictionary | None = None,
        synonyms: Synonyms | None = None,
        phrase_words: WordIndex | None = None,
        stem_words: Callable[[list[str]], list[str]] | None = None,
        english_stems: bool = False,
        java_hashes: bool = False,
        function_words: list[str] = ...,
    ) -> None:
        """Stems are those of `stemmer`, or else of `stem_words`. With `english_stems`, the core stems words
        of ASCII characters."""
    @property
    def letters(self) -> int:
        """The letters of all words so far."""

@disjoint_base
class PhraseExtractor(metaclass=_Type):
    """Extracts phrase pairs from word-aligned sentences, with at most `longest` words on each side
    (core/learning/phrase_pairs.hpp). Words are separated by single spaces. Links look like "0-0 1-2", source
    first. Count all sentence pairs before the first extraction. An error in pair k raises a ValueError
    "k: …"."""

    def __init__(self, longest: int) -> None: ...
    def count(self, sources: list[str] | Lines, targets: list[str] | Lines, links: list[str] | Lines) -> None:
        """Counts which words are linked, for the lexical weights."""
    def extract(
        self, sources: list[str] | Lines, targets: list[str] | Lines, links: list[str] | Lines, threads: int
    ) -> list[tuple[_Texts, _Texts, npt.NDArray[np.uint64], _Float64s, _Float64s]]:
        """Tables with one row per extracted pair: source phrases, target phrases, links inside the pair (bit
        s * LONGEST_PHRASE + t), lexical weights of the source given the target, and of the target given the
        source."""

@disjoint_base
class TokenCache(metaclass=_Type):
    """The tokens of pieces of texts; spaces separate pieces and tokens. The tokens are None if they do not
    depend on the piece alone. A place is 0 (first in a text, with a quote), 1 (within) or 2 (last)."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def clear(self) -> None: ...
    def set(self, place: int, piece: str, tokens: str | None) -> None: ...
    def get(self, place: int, piece: str) -> str | None: ...
    def lines(self, texts: list[str]) -> tuple[list[str | None], list[list[str]]]:
        """The tokens of each text, or None if a piece is missing or has None; and the missing pieces, by
        place."""

@disjoint_base
class Vectors(metaclass=_Type):
    """Word vectors: the rows of a table, of any length. Two words are near if their cosine is at least
    `threshold`."""

    def __init__(self, table: npt.NDArray[np.float32], threshold: float) -> None: ...
    def cosine(self, a: int, b: int) -> float:
        """The cosine of two rows, as the core computes it; NaN if a row is zero."""

@disjoint_base
class Tokenizer(metaclass=_Type):
    """Meteor's normalizer for one language."""

    def __init__(
        self, style: str, prefixes: list[str], numeric_prefixes: list[str], punctuation: bool
    ) -> None: ...
    def normalize(self, text: str) -> str:
        """The normalized text, not lower-cased."""

@disjoint_base
class Vocabulary(metaclass=_Type):
    """Numbers word types, for stages of these kinds (see Engine). Threads may share it."""

    def __init__(self, stages: list[str]) -> None: ...
    def __len__(self) -> int: ...
    def lacking(self, words: list[str]) -> list[str]:
        """Those of the words that the vocabulary does not have."""
    def add(
        self,
        words: list[str],
        identities: _Int64s,
        functions: npt.NDArray[np.uint8],
        sizes: _Int32s,
        columns: list[tuple[_Int32s, _Int64s]],
    ) -> None:
        """Adds words with their keys: a column (offsets, keys) per stage. A directed stage has two columns,
        for the hypothesis side and for the reference side. Keys are any integers. In a phrase stage the key
        is the number of the word in the table, in a near stage the row of its vector; there may be none.
        Words that the vocabulary has already are ignored."""

@disjoint_base
class Engine(metaclass=_Type):
    """From text to statistics, with the settings of one scorer."""

    def __init__(
        self,
        stages: list[str],
        aligner: str,
        gain_weights: list[float],
        beam: int,
        sizes: bool,
        tokenizer: Tokenizer | None,
        resources: list[PhraseTable | Vectors | None],
        identical_by_first: bool = False,
        breaks: bool = False,
    ) -> None:
        """With `sizes`, statistics count the sizes of words (see Vocabulary.add), not words. With `breaks`,
        their column `chunks` has the chunks after the first one.

        Kinds of stages: "exact" (words with a common key), "related" (different words with a common key),
        "directed" (different words; a key of the hypothesis side equals a key of the reference side),
        "directed-exact" (the same, also for equal words), "phrase" (the resource is a PhraseTable), "near"
        (the resource is Vectors) and "letters" (words that the aligner leaves over; their keys are their
        letters). The aligner is "beam", "exact", "staged", "greedy" or "repeat". With
        `identical_by_first`, only the first stage matches identical sentences."""
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
        """Statistics and flags (BOUNDED, UNPROVEN), one row per reference. With `with_matches` also all
        matches (reference start, length, hypothesis start, length, stage, chunk), and the offsets of the
        matches of each row. Calls `analyse` with the words that the vocabulary does not have. Releases the
        GIL."""
    def pairwise(
        self,
        hypotheses: list[str] | Lines,
        references: list[str] | Lines,
        hypothesis_counts: _Int32s,
        reference_counts: _Int32s,
        vocabulary: Vocabulary,
        analyse: Analyst | Callable[[list[str]], None],
        threads: int,
        normalized: bool,
        symmetric: bool,
        parameters: Parameters | None,
        out: _Float64s | npt.NDArray[np.integer[Any]],
    ) -> None:
        """Fills `out` for all pairs of hypotheses with references, for many sources: with scores if there are
        parameters, otherwise with rows of statistics. The counts say how many hypotheses and references each
        source has. With `symmetric`, both sides must have the same texts, and of (a, b) and (b, a) only one
        is aligned. Releases the GIL, and handles signals several times a second."""
    def segment(
        self,
        texts: list[Any],
        vocabulary: Vocabulary,
        analyse: Analyst | Callable[[list[str]], None],
        parameters: Parameters,
    ) -> list[tuple[float, float, float, float, float, float]] | None:
        """The result of `score` for each reference of one segment. The first text is the hypothesis. Returns
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
        """The statistics of given alignments (see `chunks`). The words of a text are separated by spaces. Row
        k is for hypothesis k and reference k."""
    def count_words(
        self,
        texts: list[str] | Lines,
        vocabulary: Vocabulary,
        analyse: Analyst | Callable[[list[str]], None],
        threads: int,
        normalized: bool,
    ) -> _Words:
        """The words of texts as statistics count them: the size of each word (1, or as the vocabulary has
        it), whether it is a function word, and the offsets of the words of each text."""

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
    """The variant of the score formula (core/score/score.hpp)."""

    def __init__(self, ratio: bool, library_power: bool, whole_unpenalised: bool) -> None: ...

@disjoint_base
class Powers(metaclass=_Type):
    """Values of fragmentation ** beta that replace the correctly rounded ones: rows (beta, fragmentation,
    value)."""

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
    """Scores statistics at many points (core/tuning/sweep.hpp). A point is a row of alpha, beta, gamma,
    delta, weights. Segment k has the rows offsets[k] to offsets[k + 1], one per reference; its score is the
    best of them. Judgments of several data sets are concatenated, and `ends` has the end of each data set."""

    def __init__(self, statistics: _Float64s, offsets: _Int64s, formula: Formula, powers: Powers) -> None: ...
    @property
    def distinct(self) -> int:
        """The number of different rows."""

    def rankings(
        self, points: _Float64s, better: _Int32s, worse: _Int32s, ends: _Int64s, decimals: int, threads: int
    ) -> _Int64s:
        """Points × data sets × (concordant, tied). Scores are rounded to `decimals` first, unless that is
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
    """The hypotheses of n-best lists (core/mert/nbest.hpp): the features of all hypotheses, the offsets of
    each sentence's hypotheses, the number of each hypothesis' text, and the statistics of all texts."""

    def __init__(
        self, features: _Float64s, offsets: _Int64s, texts: _Int64s, statistics: _Int64s
    ) -> None: ...
    def best(self, weights: _Float64s, threads: int) -> _Int64s:
        """For each sentence the hypothesis with the highest model score; of equal ones the first."""

    def surface(
        self, origin: _Float64s, direction: _Float64s, low: float, high: float, threads: int
    ) -> tuple[_Float64s, _Int64s]:
        """The values of t between low and high where the best hypotheses of origin + t * direction change,
        and the sums of their statistics in the intervals between these values: one row more than values."""

BOUNDED: int
UNPROVEN: int
LONGEST_PHRASE: int

def never_free(kept: object) -> None:
    """Keeps an object until the process has ended, even while Python frees everything else."""

def map_file(descriptor: int, size: int) -> npt.NDArray[np.uint8]:
    """Maps the first bytes of an open file into memory. The file may be closed then."""

def available_instructions() -> list[str]:
    """The sets of CPU instructions that the core may use: "portable", and those that the CPU has, up to the
    one that BOLIDE_INSTRUCTIONS names. The core uses the last of them. An unknown name in BOLIDE_INSTRUCTIONS
    raises a ConfigurationError."""

def chunks(matches: _Int32s, offsets: _Int64s) -> _Int32s:
    """The chunk of each match of given alignments. Matches are rows of reference start, length, hypothesis
    start, length, stage, in order of reference start; `offsets` says where the rows of each alignment
    begin."""

def unite(
    statistics: _Int32s,
    counts: _Int32s,
    best: _Int64s,
    matches: _Int32s,
    offsets: _Int64s,
    hypothesis_words: _Words,
    reference_words: _Words,
) -> _Int32s:
    """The statistics of each segment with the union of its references (core/score/reference_union.hpp). The
    arguments are the results of Engine.run, the row of each segment's best reference, and the words of all
    hypotheses and all references (Engine.count_words)."""

def pool(
    summed: _Int64s, counts: _Int32s, matches: _Int32s, offsets: _Int64s, hypothesis_words: _Words
) -> _Int64s:
    """The statistics of each segment with the pool of its references (core/score/reference_union.hpp).
    `summed` has the sums of the statistics of all references; the other arguments are those of `unite`."""

def count_edits(
    hypotheses: list[str],
    hypothesis_offsets: _Int64s,
    references: list[str],
    reference_offsets: _Int64s,
    threads: int,
) -> _Int64s:
    """The edits of sacrebleu's TER (core/mert/ter.hpp): for each hypothesis the fewest edits to one of the
    references of its sentence, and the number of words in all of these references. Words are separated by
    single spaces."""

def count_ngrams(
    hypotheses: list[str],
    hypothesis_offsets: _Int64s,
    references: list[str],
    reference_offsets: _Int64s,
    threads: int,
) -> _Int64s:
    """The n-grams of sacrebleu's BLEU (core/mert/ngrams.hpp): for each hypothesis its length, the length of
    the reference that is nearest in length, the correct n-grams of four orders, and all n-grams."""

def split(text: str) -> list[str]:
    """The tokens of a text, separated by space, tab, LF, CR or FF."""

def ptb_tokenize(text: str, punctuation: bool) -> list[str]:
    """The tokens of the PTB tokenizer (core/text/ptb/lexer.hpp), separated by spaces, with the line breaks of
    the text, in pieces to be joined. Only letters of ASCII are lower-cased. The pieces at odd positions are
    tokens with other characters."""

def join(texts: list[Any]) -> list[str] | None:
    """Joins the words of each text, a list or tuple, into one line. Returns None if a text is something else,
    or if an item is not a single word."""

def link_texts(links: npt.NDArray[np.uint64]) -> _Texts:
    """Links of phrase pairs as text, such as "0-0 1-2"."""

def grow_diag_final_and(first: list[str] | Lines, second: list[str] | Lines) -> list[str]:
    """Combines the alignments of two directions (core/learning/word_links.hpp). An error in number k raises a
    ValueError "k: …"."""

LONGEST_STEMMED_WORD: int

def english_stems(words: list[str]) -> list[str | None]:
    """The stem of each English word (core/vocabulary/english_stemmer.hpp); None for words with characters
    beyond ASCII."""

def common_runs(one: list[int], two: list[int]) -> list[tuple[int, int, int]]:
    """The runs of letters that a stage of letters finds in two words: where they begin in each, and their
    length. Words are given as the numbers of their letters."""

def java_hashes(words: list[str]) -> _Int64s:
    """Java's String.hashCode of each word."""

def utf16_lengths(words: list[str]) -> _Int32s:
    """The length of each word in UTF-16 code units."""

def score(statistics: _Float64s, parameters: Parameters) -> _Float64s:
    """Precision, recall, f1, fmean, penalty, score for each row of statistics."""

def aggregate(statistics: _Float64s, formula: Formula) -> _Float64s:
    """The statistics of a corpus from those of its segments."""

def java_double(number: float) -> str:
    """The number as Java's `Double.toString` writes it."""

def java_lines(rows: _Float64s) -> str:
    """Rows of numbers as Java writes them: one line per row, with tabs between the numbers."""
