"""Matchers: what may be tied to what.

A word matcher is nothing but a function from a word to a set of keys: two words match if they share one. It
is asked once for each word *type*; the matching itself is native. Those that have names:

    exact        the word itself
    stem         its stem
    synonym      its WordNet synsets (and those of its base forms)
    paraphrase   no keys, but phrases, tied by a table

One's own is an object with a name and a method, and stands among the modules like any other:

    class Beginning:
        name = "beginning"
        weight = 0.4                  # may be left out if Meteor is given weights

        def keys(self, word: str) -> list[str]:
            return [word[:3]]

    Meteor(modules=["exact", "stem", Beginning()], weights=[1, 0.6, 0.4])

A word without keys matches nothing. Pairs of equal words are left to the exact stage, unless the matcher has
`equal_words = True`: so one that gives `[word]` for some words and `[]` for others is an exact stage without
those others. A matcher whose two sides differ has `hypothesis_keys` and `reference_keys` in place of `keys`:
words match if a key of the hypothesis word is one of the reference word's. What the scores depend on beyond
the name may be told in `hash`, some hexadecimal digits that the signature then shows. A matcher that answers
faster for many words at once may have `key_arrays(words)` too (or `hypothesis_key_arrays` and
`reference_key_arrays`), which gives integers in arrays, see `KeyArrays`.

Phrases of one's own are `bolide.matching.phrases.Phrases`; words with near vectors,
`bolide.matching.vectors.Related`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bolide import _core
from bolide._support import checks
from bolide.errors import ConfigurationError
from bolide.language import stemmers
from bolide.language.wordnet import WordNet

# More keys than this a word can only be a mistake.
MOST_KEYS = 255
# What needs no look before it is taken for a list of keys.
PLAIN = (list, tuple, set, frozenset)


@runtime_checkable
class Matcher(Protocol):
    """A word matcher, as users write it."""

    @property
    def name(self) -> str: ...

    def keys(self, word: str) -> Iterable[Hashable]: ...


@runtime_checkable
class DirectedMatcher(Protocol):
    """A word matcher with keys of its own for each side."""

    @property
    def name(self) -> str: ...

    def hypothesis_keys(self, word: str) -> Iterable[Hashable]: ...

    def reference_keys(self, word: str) -> Iterable[Hashable]: ...


# The keys of many words: those of word k are keys[offsets[k]:offsets[k + 1]]. Any integers will do.
KeyArrays: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]
Integer = TypeVar("Integer", np.int32, np.int64)
Answer = TypeVar("Answer")
Resource: TypeAlias = "_core.PhraseTable | _core.Vectors | None"
# Where the core itself finds the keys of words: see _core.Analyst. A stage may have it as `native`.
Native: TypeAlias = "tuple[str, _core.SuffixStemmer | None, _core.Dictionary | None]"


@runtime_checkable
class Stage(Protocol):
    """A matcher as the lexicon and the core need it: what kind of stage it is (see _core.Engine), what the
    core looks things up in, and the columns of keys of words, two if it is directed, else one."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def resource(self) -> Resource: ...

    def columns(self, words: list[str]) -> list[KeyArrays]: ...


AnyMatcher: TypeAlias = Matcher | DirectedMatcher | Stage
Module: TypeAlias = str | AnyMatcher


def one_each(keys: NDArray[np.int64]) -> KeyArrays:
    """A key for each word."""
    return np.arange(len(keys) + 1, dtype=np.int32), keys


def one_or_none(numbers: NDArray[np.int32]) -> KeyArrays:
    """A key for each word whose number is not negative."""
    there = numbers >= 0
    return np.concatenate(([0], np.cumsum(there))).astype(np.int32), numbers[there].astype(np.int64)


class Numbering(dict[Hashable, int]):
    """Numbers keys as they are first seen. Threads may share it: each number is given once, and the first one
    that a key gets stays. A copy by pickle begins anew, for numbers mean nothing outside of a vocabulary."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a key may number others while it is compared

    def __missing__(self, key: Hashable) -> int:
        with self._lock:
            return self.setdefault(key, len(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Numbering, ()

    def of(self, keys: Iterable[Hashable]) -> NDArray[np.int64]:
        number = self.setdefault  # not __missing__, which costs a call in Python for each new key
        with self._lock:
            return np.array([number(key, len(self)) for key in keys], dtype=np.int64)


class Remembering(Generic[Answer]):
    """A function of a list of words that keeps its last answer: the stages of a lexicon ask for the same list
    one after the other. Threads may share it."""

    def __init__(self, function: Callable[[list[str]], Answer]) -> None:
        self._function = function
        self._last: tuple[list[str], Answer] | None = None

    def __call__(self, words: list[str]) -> Answer:
        last = self._last
        if last is None or last[0] is not words:
            last = self._last = words, self._function(words)
        return last[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return Remembering, (self._function,)


class WordIdentity(Remembering[NDArray[np.int64]]):
    """When two spellings are the same word, as numbers: by the whole spelling, or by Java's 32-bit hash code,
    as the release compares words, so that "al" and "c." are one word to it."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        super().__init__(_core.java_hashes if rule == "java-hash" else Numbering().of)

    def __reduce__(self) -> tuple[Any, ...]:
        return WordIdentity, (self.rule,)


class BuiltIn:
    """A matcher that answers for many words at once, in arrays."""

    kind: ClassVar[str] = "related"
    resource: ClassVar[Resource] = None

    def key_arrays(self, words: list[str]) -> KeyArrays:
        raise NotImplementedError

    def columns(self, words: list[str]) -> list[KeyArrays]:
        return [self.key_arrays(words)]

    def keys(self, word: str) -> Iterable[Hashable]:
        keys: list[int] = self.key_arrays([word])[1].tolist()
        return keys


@dataclass(frozen=True)
class Exact(BuiltIn):
    """Equal words, stop words excepted."""

    kind: ClassVar[str] = "exact"
    identity: WordIdentity
    stop_words: frozenset[str] = frozenset()
    name: str = "exact"

    @property
    def native(self) -> Native | None:
        return None if self.stop_words else ("spelling", None, None)

    def key_arrays(self, words: list[str]) -> KeyArrays:
        keys = self.identity(words)
        if not self.stop_words:
            return one_each(keys)
        counts = np.array([word not in self.stop_words for word in words], dtype=bool)
        return np.concatenate(([0], np.cumsum(counts))).astype(np.int32), keys[counts]


@dataclass(frozen=True)
class Stem(BuiltIn):
    """Words with equal stems, by the language's Snowball stemmer."""

    language: str
    identity: WordIdentity
    name: str = "stem"

    def __post_init__(self) -> None:
        stemmers.get(self.language)  # imports it: not in a thread, whose import lock a fork would keep locked

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return one_each(self.identity(stemmers.get(self.language)(words)))


@dataclass(frozen=True)
class PorterStem(BuiltIn):
    """Words with equal stems, by one of the two versions in `bolide.language.porter`."""

    stems: Callable[[list[str]], list[str]]
    identity: WordIdentity
    name: str
    stemmer: _core.SuffixStemmer | None = None  # the same for words in lower case, for the core

    @property
    def native(self) -> Native | None:
        return None if self.stemmer is None else ("stem", self.stemmer, None)

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return one_each(self.identity(self.stems(words)))


@dataclass(frozen=True)
class Synonym(BuiltIn):
    """Words that are together in a synset."""

    wordnet: WordNet = field(repr=False)
    name: str = "synonym"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return self.wordnet.synset_arrays(words)


@dataclass(frozen=True)
class Paraphrase:
    """Phrase pairs of a table."""

    kind: ClassVar[str] = "phrase"
    table: _core.PhraseTable = field(repr=False)
    name: str = "paraphrase"

    @property
    def resource(self) -> _core.PhraseTable:
        return self.table

    def columns(self, words: list[str]) -> list[KeyArrays]:
        return [one_or_none(self.table.words.find(words))]


def integers(what: str, given: Any, kind: type[Integer]) -> NDArray[Integer]:
    """An array of integers, which other numbers do not become by being cut off."""
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{what} must be integers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=kind)


class Custom:
    """A user's matcher as a stage: asks it once for each word, numbers its keys, and says what is wrong with
    them. Has a memory, so every lexicon needs its own."""

    resource: Resource = None

    def __init__(self, matcher: Matcher | DirectedMatcher) -> None:
        self.name = matcher.name
        what = f"equal_words of matcher '{matcher.name}'"
        equal_words = checks.flag(what, getattr(matcher, "equal_words", False))
        if isinstance(matcher, DirectedMatcher):
            self._questions: list[Question] = [matcher.hypothesis_keys, matcher.reference_keys]
            self.kind = "directed-exact" if equal_words else "directed"
            methods = ["hypothesis_key_arrays", "reference_key_arrays"]
        else:
            self._questions = [matcher.keys]
            self.kind = "exact" if equal_words else "related"
            methods = ["key_arrays"]
        for_many = [getattr(matcher, method, None) for method in methods]
        self._for_many = [ask for ask in for_many if ask is not None] if None not in for_many else []
        self._numbering = Numbering()  # of the keys of both sides
        self._answers: list[dict[str, list[int]]] = [{} for _ in self._questions]

    def columns(self, words: list[str]) -> list[KeyArrays]:
        if self._for_many:
            return [self._arrays(ask, words) for ask in self._for_many]
        return [self._column(side, words) for side in range(len(self._questions))]

    def _arrays(self, ask: Callable[[list[str]], KeyArrays], words: list[str]) -> KeyArrays:
        try:
            offsets, keys = ask(words)
            given = integers("offsets", offsets, np.int32), integers("keys", keys, np.int64)
        except Exception as error:
            raise ConfigurationError(
                f"matcher '{self.name}' on {len(words)} words failed: {type(error).__name__}: {error}"
            ) from error
        ends = given[0].tolist()
        if len(ends) != len(words) + 1 or ends != sorted(ends) or (ends[0], ends[-1]) != (0, len(given[1])):
            raise ConfigurationError(
                f"matcher '{self.name}' gave offsets that do not fit: those of {len(words)} words are "
                f"{len(words) + 1} numbers that rise from 0 to the number of keys"
            )
        return given

    def _column(self, side: int, words: list[str]) -> KeyArrays:
        question, answers = self._questions[side], self._answers[side]
        keys: list[int] = []
        offsets = [0]
        for word in words:
            answer = answers.get(word)
            if answer is None:
                answer = answers[word] = self._ask(question, word)
            keys += answer
            offsets.append(len(keys))
        return np.array(offsets, dtype=np.int32), np.array(keys, dtype=np.int64)

    def _ask(self, question: Question, word: str) -> list[int]:
        try:
            answer = question(word)
            keys = answer if isinstance(answer, PLAIN) else self._listed(answer, word)
        except ConfigurationError:
            raise
        except Exception as error:
            raise self._wrong(word, f"failed: {type(error).__name__}: {error}") from error
        if len(keys) > MOST_KEYS:
            raise self._wrong(word, f"gave more than {MOST_KEYS} keys")
        try:
            return [self._numbering[key] for key in keys]
        except Exception as error:
            remedy = "give strings, numbers or tuples"
            raise self._wrong(word, f"gave keys that cannot be compared ({error}); {remedy}") from error

    def _listed(self, answer: object, word: str) -> list[Hashable]:
        if isinstance(answer, (str, bytes)):
            remedy = f"return [{answer!r}]"
            raise self._wrong(word, f"gave the text {answer!r} instead of a list of keys; {remedy}")
        if not isinstance(answer, Iterable):
            raise self._wrong(word, f"gave {answer!r} instead of a list of keys")
        return list(islice(answer, MOST_KEYS + 1))

    def _wrong(self, word: str, what: str) -> ConfigurationError:
        return ConfigurationError(f"matcher '{self.name}' on the word {word!r} {what}")


Question: TypeAlias = Callable[[str], Iterable[Hashable]]


# ---- modules as a caller names them --------------------------------------------------------------

# What may stand in a signature without being mistaken for something else.
NAME = re.compile(r"[A-Za-z0-9_-]+")


def named(
    modules: Iterable[object], reserved: Container[str]
) -> tuple[tuple[str, ...], dict[str, AnyMatcher]]:
    """The names of modules that may be names or matchers, and the matchers by name. `reserved` are the names
    that built-in modules have, in signatures too."""
    names: list[str] = []
    matchers: dict[str, AnyMatcher] = {}
    for module in modules:
        if isinstance(module, str):
            names.append(module)
            continue
        matcher = checked(module)
        if matcher.name in reserved:
            raise ConfigurationError(
                f"'{matcher.name}' is a built-in module, or what signatures call one; give "
                f"{describe(matcher)} another name"
            )
        if matcher.name in matchers:
            raise ConfigurationError(
                f"there are two matchers named '{matcher.name}'; give {describe(matcher)} another name"
            )
        names.append(matcher.name)
        matchers[matcher.name] = matcher
    return tuple(names), matchers


def checked(matcher: object) -> AnyMatcher:
    """The matcher, if it is one that can be used."""
    what = describe(matcher)
    if isinstance(matcher, type):
        raise ConfigurationError(f"a module is a name or a matcher object, not a class; write {what}()")
    name = getattr(matcher, "name", None)
    if not has_keys(matcher):
        raise ConfigurationError(
            f"a module must be a name or a matcher, not {matcher!r}; "
            "a matcher is an object with a name and a method keys(word)"
        )
    if not isinstance(name, str) or not NAME.fullmatch(name):
        shown = "none" if name is None else repr(name)
        raise ConfigurationError(
            f"matcher {what} needs a name of letters, digits, - and _, such as name = 'my-matcher', "
            f"for the signature; it has {shown}"
        )
    if not NAME.fullmatch(str(getattr(matcher, "hash", None) or "none")):
        raise ConfigurationError(f"the hash of matcher '{name}' must be letters and digits")
    if isinstance(matcher, (Stage, DirectedMatcher, Matcher)):
        return matcher
    raise ConfigurationError(f"matcher '{name}' lacks a method; it needs keys(word)")  # pragma: no cover


def has_keys(matcher: object) -> bool:
    methods = ("columns",), ("hypothesis_keys", "reference_keys"), ("keys",)
    return any(all(callable(getattr(matcher, method, None)) for method in group) for group in methods)


def describe(matcher: object) -> str:
    return matcher.__name__ if isinstance(matcher, type) else type(matcher).__name__


def stage(matcher: AnyMatcher) -> Stage:
    """The matcher as a stage, for one lexicon, which has words numbered by nobody else."""
    if isinstance(matcher, Stage):
        identity = getattr(matcher, "identity", None)
        if isinstance(identity, WordIdentity) and is_dataclass(matcher):
            return replace(matcher, identity=WordIdentity(identity.rule))
        return matcher
    return Custom(matcher)


def weight(matcher: AnyMatcher) -> float | None:
    """The weight that the matcher itself asks for."""
    found = getattr(matcher, "weight", None)
    if found is None:
        return None
    return checks.number(f"the weight of matcher '{matcher.name}'", found, checks.WEIGHT)


def weights(
    names: Sequence[str], matchers: dict[str, AnyMatcher], known: Callable[[Sequence[str]], Sequence[float]]
) -> tuple[float, ...]:
    """The weights of modules where none are given: matchers have their own, the others are `known`."""
    own = {name: weight(matcher) for name, matcher in matchers.items()}
    for name, found in own.items():
        if found is None:
            raise ConfigurationError(
                f"matcher '{name}' has no weight; give it one (weight = 0.5), or give weights, "
                f"one for each of: {' '.join(names)}"
            )
    others = iter(known([name for name in names if name not in own]))
    return tuple(next(others) if (found := own.get(name)) is None else found for name in names)


def label(matcher: Module) -> str:
    """How a signature names the matcher: its name and, if it has one, its hash; a name has no '@'."""
    name = matcher if isinstance(matcher, str) else matcher.name
    found = getattr(matcher, "hash", None)
    return f"{name}@{found}" if found else name
