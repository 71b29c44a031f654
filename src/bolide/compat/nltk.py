"""A drop-in for `nltk.translate.meteor_score`: change the import.

    from bolide.compat.nltk import meteor_score, single_meteor_score

The same functions with the same arguments return the same numbers, to the last digit. NLTK need not be
installed. NLTK does not compute METEOR as its papers define it. `profile="1.5"` gives the score of the
official release for the same tokens (any profile of `bolide.Meteor` can be used).

    >>> hypothesis, reference = "the cats sat on a rug".split(), "the cat sat on the rug".split()
    >>> round(meteor_score([reference], hypothesis), 4)
    0.7433
    >>> round(meteor_score([reference], hypothesis, profile="1.5"), 4)
    0.4087

`profile="nltk-3.6"` gives the numbers of NLTK before 3.6.3, for old results. With it, texts may also be
strings, as that NLTK wanted them, and `wordnet` is ignored, as it was.

Synonyms are from WordNet 3.0, in a pack of bolide. A `stemmer` (an object with `stem(word)`) and a `wordnet`
(with `synsets(word)`, such as `nltk.corpus.wordnet`) are called once per word type. All calls and threads
share one scorer. For many segments, `bolide.Meteor("nltk")` is faster.

Exceptions are those of NLTK, or are derived from them. An exception of your stemmer or WordNet reaches you as
it is. If bolide's WordNet is missing and cannot be installed, the error is also a `LookupError`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from bolide import _core, profiles, resources
from bolide.errors import ConfigurationError, InputError, ResourceError
from bolide.formula.parameters import Parameters
from bolide.inputs.segments import by_segment
from bolide.language import porter
from bolide.language.dictionary import Dictionary
from bolide.matching.matchers import Module
from bolide.scoring.meteor import Meteor

__all__ = ["align_words", "exact_match", "meteor_score", "single_meteor_score", "stem_match"]
__all__ += ["wordnetsyn_match"]

OLD = "nltk-3.6"  # the profile of NLTK before 3.6.3
NltkTokens = Iterable[str]
Preprocess = Callable[[str], str]
# Pairs of positions, hypothesis first; unmatched words of the hypothesis; unmatched words of the reference.
Matched = tuple[list[tuple[int, int]], list[tuple[int, str]], list[tuple[int, str]]]


class NltkStemmer(Protocol):
    """The interface of NLTK's StemmerI."""

    def stem(self, token: str) -> str: ...


class TokensError(InputError, TypeError):
    """Not a list of tokens. NLTK raises a TypeError, too."""


class DataError(ResourceError, LookupError):
    """Data of bolide, such as WordNet, is missing or damaged. NLTK raises a LookupError, too."""


# ---- scores --------------------------------------------------------------------------------------


def meteor_score(
    references: Iterable[NltkTokens],
    hypothesis: NltkTokens,
    preprocess: Preprocess = str.lower,
    stemmer: NltkStemmer | None = None,
    wordnet: Any = None,
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    *,
    profile: str = "nltk",
) -> float:
    """The score of the hypothesis against its best reference. Parameters default to those of the profile;
    those of NLTK are 0.9, 3 and 0.5."""
    read = _words
    if profile == OLD:
        read, wordnet = _words_or_string, None
    words = read("hypothesis", hypothesis, preprocess)
    others = [read("reference", reference, preprocess) for reference in references]
    if not others:
        raise InputError("references are empty; give at least one list of tokens")
    scorer = _scorer(profile, "align", preprocess is str.lower, *_key(stemmer, wordnet))
    parameters = None
    if not alpha is beta is gamma is None:
        parameters = _parameters(scorer.parameters, alpha, beta, gamma)
    texts = [words, *others]
    with _unwrapped():
        # NltkTokens are checked one by one only if this fails, which is rare.
        rows = scorer.segment(texts, parameters) or _segment_of_any_tokens(scorer, texts, parameters)
    return max([_score(*row[3:5]) for row in rows])


def single_meteor_score(
    reference: NltkTokens,
    hypothesis: NltkTokens,
    preprocess: Preprocess = str.lower,
    stemmer: NltkStemmer | None = None,
    wordnet: Any = None,
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
    *,
    profile: str = "nltk",
) -> float:
    """The score of the hypothesis against one reference."""
    return meteor_score(
        (reference,), hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma, profile=profile
    )


def _segment_of_any_tokens(
    scorer: Meteor, texts: list[list[str]], parameters: _core.Parameters | None
) -> list[tuple[float, float, float, float, float, float]]:
    """Scores tokens that are not words for bolide, such as tokens with spaces."""
    hidden = [_hidden(text) for text in texts]
    rows = scorer.segment(hidden, parameters)
    if rows is None:
        scorer.measure(by_segment(hidden[:1], [hidden[1:]]))  # raises the error
        raise TokensError("tokens cannot be read")  # pragma: no cover
    return rows


@lru_cache(maxsize=64)
def _parameters(
    own: Parameters, alpha: float | None, beta: float | None, gamma: float | None
) -> _core.Parameters:
    given = {"alpha": alpha, "beta": beta, "gamma": gamma}
    changed: Any = {name: float(value) for name, value in given.items() if value is not None}
    return replace(own, **changed).core()


def _score(fmean: float, penalty: float) -> float:
    """The score as in NLTK: negative for large parameters, 0 without a match."""
    return (1 - penalty) * fmean if math.isfinite(fmean) else 0.0


# ---- alignments ----------------------------------------------------------------------------------


def align_words(
    hypothesis: NltkTokens, reference: NltkTokens, stemmer: NltkStemmer | None = None, wordnet: Any = None
) -> Matched:
    """Matches equal words, then equal stems, then synonyms, in the order of the hypothesis. Unmatched words
    are returned as stems."""
    stem = porter.nltk_stem if stemmer is None else stemmer.stem
    matches, ours, theirs = _matched("align", hypothesis, reference, stem, *_key(stemmer, wordnet))
    return matches[::-1], ours, theirs


def exact_match(hypothesis: NltkTokens, reference: NltkTokens) -> Matched:
    """Matches equal words, starting with the last word."""
    return _matched("exact", hypothesis, reference, str)


def stem_match(hypothesis: NltkTokens, reference: NltkTokens, stemmer: NltkStemmer | None = None) -> Matched:
    """Matches words with equal stems. Unmatched words are returned as stems."""
    stem = porter.nltk_stem if stemmer is None else stemmer.stem
    return _matched("stem", hypothesis, reference, stem, *_key(stemmer, None))


def wordnetsyn_match(hypothesis: NltkTokens, reference: NltkTokens, wordnet: Any = None) -> Matched:
    """Matches two words if one is in a synset of the other."""
    return _matched("synonym", hypothesis, reference, str, *_key(None, wordnet))


def _matched(
    stages: str,
    hypothesis: NltkTokens,
    reference: NltkTokens,
    form: Callable[[str], str],
    stemmer: _ByIdentity | None = None,
    wordnet: _ByIdentity | None = None,
) -> Matched:
    sides = [
        [word.lower() for word in _strings(_words(side, text, str.lower))]
        for side, text in (("hypothesis", hypothesis), ("reference", reference))
    ]
    scorer = _scorer("nltk", stages, True, stemmer, wordnet)
    with _unwrapped():
        found = scorer.align(*(_hidden(words) for words in sides)).matches
    pairs = sorted(((m.hypothesis_start, m.reference_start) for m in found), reverse=True)
    matched = [{pair[side] for pair in pairs} for side in (0, 1)]
    ours, theirs = (
        [(k, form(word)) for k, word in enumerate(words) if k not in done]
        for words, done in zip(sides, matched, strict=True)
    )
    return pairs, ours, theirs


# ---- tokens --------------------------------------------------------------------------------------

# In NLTK any string is a token. Characters that bolide does not allow in a word are replaced by characters
# that do not occur in text: noncharacters, and the end of the last private plane for lone surrogates. Each is
# replaced by one character, so that stems do not change.
_NOT_WORDS = {character: chr(0xFDD0 + k) for k, character in enumerate(" \t\n\r\f")}
_HALVES = {chr(0xD800 + k): chr(0x10F800 + k) for k in range(0x800)}
_NOT_WORDS |= _HALVES
_HIDE = str.maketrans(_NOT_WORDS)
_SHOW = str.maketrans({hidden: character for character, hidden in _NOT_WORDS.items()})
_EMPTY = chr(0xFDDF)


def _words(side: str, text: NltkTokens, preprocess: Preprocess) -> list[str]:
    if type(text) is list and preprocess is str.lower:  # the usual case
        return text
    if isinstance(text, str):
        raise TokensError(f'"{side}" expects pre-tokenized {side} (Iterable[str]): {text}')
    if not isinstance(text, Iterable):
        raise TokensError(f'"{side}" expects pre-tokenized {side} (Iterable[str]), not {text!r}')
    # The scorer lower-cases each word type once.
    return list(text if preprocess is str.lower else map(preprocess, text))


def _words_or_string(side: str, text: NltkTokens, preprocess: Preprocess) -> list[str]:
    return preprocess(text).split() if isinstance(text, str) else _words(side, text, preprocess)


def _strings(words: list[str]) -> list[str]:
    for word in words:
        if not isinstance(word, str):
            raise TokensError(f"tokens must be strings, not {word!r}")
    return words


def _hidden(words: list[str]) -> list[str]:
    return [word.translate(_HIDE) or _EMPTY for word in _strings(words)]


def _shown(word: str) -> str:
    return "" if word == _EMPTY else word.translate(_SHOW)


# ---- scorers -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Stems:
    """The caller's stemmer as a matcher."""

    stem: Callable[[str], str]
    name: str = "own-stem"
    weight: float = 1.0
    equal_words: bool = True

    def keys(self, word: str) -> Iterable[str]:
        return [self.stem(_shown(word))]


@dataclass(frozen=True)
class _NltkSynonyms:
    """NLTK's synonyms, with the caller's stemmer or WordNet. The keys of a hypothesis word are its form and
    all single words of its synsets; the form of the reference word must be one of them."""

    form: Callable[[str], str]
    synonyms: Callable[[str], set[str]]
    name: str = "own-synonym"
    weight: float = 1.0
    equal_words: bool = True

    def hypothesis_keys(self, word: str) -> Iterable[str]:
        form = self.form(_shown(word))
        return {form} | self.synonyms(form)

    def reference_keys(self, word: str) -> Iterable[str]:
        return [self.form(_shown(word))]


class _unwrapped:  # noqa: N801
    """Raises what the caller's stemmer or WordNet has raised, as NLTK does. bolide's matchers wrap it."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ConfigurationError) and error.__cause__ is not None:
            raise error.__cause__


class _ByIdentity:
    """The caller's object, hashed by its identity, because it may not be hashable."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and self.value is other.value


def _key(stemmer: NltkStemmer | None, wordnet: Any) -> tuple[_ByIdentity | None, _ByIdentity | None]:
    """Stemmer and WordNet as keys of scorers. NLTK's default stemmer is replaced by bolide's, because callers
    may make a new one for each call."""
    if stemmer is None and wordnet is None:
        return None, None
    kind = type(stemmer)
    porters = (kind.__module__, kind.__name__, getattr(stemmer, "mode", None))
    if porters == ("nltk.stem.porter", "PorterStemmer", "NLTK_EXTENSIONS"):
        stemmer = None
    given = (None if value is None else _ByIdentity(value) for value in (stemmer, wordnet))
    return next(given), next(given)


_lock = threading.Lock()


def _scorer(
    profile: str, stages: str, lower: bool, stemmer: _ByIdentity | None, wordnet: _ByIdentity | None
) -> Meteor:
    try:
        with _lock:  # so that only one of several threads makes the scorer
            return _make_scorer(profile, stages, lower, stemmer, wordnet)
    except ResourceError as error:
        raise DataError(str(error)) from error


@lru_cache(maxsize=16)
def _make_scorer(
    profile: str, stages: str, lower: bool, stemmer: _ByIdentity | None, wordnet: _ByIdentity | None
) -> Meteor:
    normalize = None if lower else "none"
    if profile == OLD and stemmer:
        modules: list[Module] = ["exact", _Stems(stemmer.value.stem), _NltkSynonyms(str, _from_pack())]
        return Meteor(replace(profiles.get(OLD), synonyms=None), modules=modules, normalize=normalize)
    if profile != "nltk":
        if stemmer or wordnet:
            raise ConfigurationError(
                f"profile '{profile}' has its own stemmer and synonyms; leave out stemmer and wordnet, or "
                "use bolide.Meteor with custom modules"
            )
        return Meteor(profile, normalize=normalize)
    stem: Callable[[str], str] = stemmer.value.stem if stemmer else porter.nltk_stem
    stems: Module = _Stems(stem) if stemmer else "nltk-stem"
    # The pack is needed only with bolide's WordNet.
    bare = replace(profiles.get("nltk"), synonyms=None)
    if stages in ("exact", "stem"):
        return Meteor(bare, modules=["exact" if stages == "exact" else stems], normalize=normalize)
    if stages == "align" and not stemmer and not wordnet:
        return Meteor("nltk", normalize=normalize)
    synonyms = _from_reader(wordnet.value) if wordnet else _from_pack()
    own: dict[str, list[Module]] = {
        "align": ["exact", stems, _NltkSynonyms(stem, synonyms)],
        "synonym": [_NltkSynonyms(str, synonyms)],
    }
    return Meteor(bare, modules=own[stages], normalize=normalize)


def _from_pack() -> Callable[[str], set[str]]:
    arrays = resources.open_synonyms("wordnet", "en").synonyms
    known, hide = Dictionary(arrays).synonyms, str.maketrans(_HALVES)  # type: ignore[arg-type]
    return lambda word: known(word.translate(hide))


def _from_reader(wordnet: Any) -> Callable[[str], set[str]]:
    def synonyms(word: str) -> set[str]:
        names = (lemma.name() for synset in wordnet.synsets(word) for lemma in synset.lemmas())
        return {name for name in names if "_" not in name}

    return synonyms
