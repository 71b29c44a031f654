"""Custom matchers: objects with a name and a method, given among the modules of a scorer.

    class Beginning:
        name = "beginning"
        weight = 0.4                  # not needed if Meteor is given weights

        def keys(self, word: str) -> list[str]:
            return [word[:3]]

    Meteor(modules=["exact", "stem", Beginning()], weights=[1, 0.6, 0.4])

Two words match if they share a key. A word without keys matches nothing. What else a matcher may have:

- `equal_words = True`: it matches pairs of equal words too, which are otherwise left to the exact stage. A
  matcher that returns `[word]` for some words and `[]` for others is then an exact stage for some words.
- `hypothesis_keys(word)` and `reference_keys(word)` in place of `keys`, if the two sides differ: words match
  if the hypothesis word and the reference word share a key.
- `hash`: some hexadecimal digits that name the data of the matcher. The signature shows them.
- `key_arrays(words)` (or `hypothesis_key_arrays` and `reference_key_arrays`), if it is faster for many words
  at once. It returns integers in arrays, see `bolide.matching.matchers.KeyArrays`.

Ready-made: phrases from a table (`bolide.matching.phrases.Phrases`) and words with similar vectors
(`bolide.matching.vectors.Related`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from itertools import islice
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bolide._support import checks
from bolide.errors import ConfigurationError
from bolide.matching.matchers import (
    AnyMatcher,
    DirectedMatcher,
    KeyArrays,
    Matcher,
    Module,
    Numbering,
    Resource,
    Stage,
    WordIdentity,
)

# A word with more keys than this can only be a mistake.
MOST_KEYS = 255
# Answers of these types need no further check before they are used as lists of keys.
PLAIN = (list, tuple, set, frozenset)
# Names that can stand in a signature without being mistaken for something else.
NAME = re.compile(r"[A-Za-z0-9_-]+")

Integer = TypeVar("Integer", np.int32, np.int64)
AskForKeys: TypeAlias = Callable[[str], Iterable[Hashable]]


class CustomStage:
    """A custom matcher as a stage. It asks the matcher once for each word, numbers the keys, and reports what
    is wrong with them. It remembers words and keys, so every vocabulary needs its own."""

    resource: Resource = None

    def __init__(self, matcher: Matcher | DirectedMatcher) -> None:
        self.name = matcher.name
        if isinstance(matcher, DirectedMatcher):
            self._sides: list[AskForKeys] = [matcher.hypothesis_keys, matcher.reference_keys]
            self.kind = "directed-exact" if matches_equal_words(matcher) else "directed"
            methods = ["hypothesis_key_arrays", "reference_key_arrays"]
        else:
            self._sides = [matcher.keys]
            self.kind = "exact" if matches_equal_words(matcher) else "related"
            methods = ["key_arrays"]
        for_many = [getattr(matcher, method, None) for method in methods]
        self._for_many = [ask for ask in for_many if ask is not None] if None not in for_many else []
        self._numbering = Numbering()  # of the keys of both sides
        self._answers: list[dict[str, list[int]]] = [{} for _ in self._sides]

    def columns(self, words: list[str]) -> list[KeyArrays]:
        if self._for_many:
            return [self._arrays(ask, words) for ask in self._for_many]
        return [self._column(side, words) for side in range(len(self._sides))]

    def _arrays(self, ask: Callable[[list[str]], KeyArrays], words: list[str]) -> KeyArrays:
        try:
            offsets, keys = ask(words)
            given = _integers("offsets", offsets, np.int32), _integers("keys", keys, np.int64)
        except Exception as error:
            raise ConfigurationError(
                f"matcher '{self.name}' on {len(words)} words failed: {type(error).__name__}: {error}"
            ) from error
        ends = given[0].tolist()
        if len(ends) != len(words) + 1 or ends != sorted(ends) or (ends[0], ends[-1]) != (0, len(given[1])):
            raise ConfigurationError(
                f"matcher '{self.name}' gave offsets that do not fit: {len(words)} words need "
                f"{len(words) + 1} numbers that rise from 0 to the number of keys"
            )
        return given

    def _column(self, side: int, words: list[str]) -> KeyArrays:
        ask, answers = self._sides[side], self._answers[side]
        keys: list[int] = []
        offsets = [0]
        for word in words:
            answer = answers.get(word)
            if answer is None:
                answer = answers[word] = self._numbered(ask, word)
            keys += answer
            offsets.append(len(keys))
        return np.array(offsets, dtype=np.int32), np.array(keys, dtype=np.int64)

    def _numbered(self, ask: AskForKeys, word: str) -> list[int]:
        """The numbers of the keys of a word."""
        try:
            answer = ask(word)
            keys = answer if isinstance(answer, PLAIN) else self._listed(answer, word)
        except ConfigurationError:
            raise
        except Exception as error:
            raise self._error(word, f"failed: {type(error).__name__}: {error}") from error
        if len(keys) > MOST_KEYS:
            raise self._error(word, f"gave more than {MOST_KEYS} keys")
        try:
            return [self._numbering[key] for key in keys]
        except Exception as error:
            remedy = "give strings, numbers or tuples"
            raise self._error(word, f"gave keys that cannot be compared ({error}); {remedy}") from error

    def _listed(self, answer: object, word: str) -> list[Hashable]:
        if isinstance(answer, (str, bytes)):
            remedy = f"return [{answer!r}]"
            raise self._error(word, f"gave the text {answer!r} instead of a list of keys; {remedy}")
        if not isinstance(answer, Iterable):
            raise self._error(word, f"gave {answer!r} instead of a list of keys")
        return list(islice(answer, MOST_KEYS + 1))

    def _error(self, word: str, problem: str) -> ConfigurationError:
        return ConfigurationError(f"matcher '{self.name}' on the word {word!r} {problem}")


def _integers(what: str, given: Any, kind: type[Integer]) -> NDArray[Integer]:
    """An array of integers. Other numbers are refused, not rounded."""
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{what} must be integers, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=kind)


# ---- modules as callers give them ----------------------------------------------------------------


def split_modules(
    modules: Iterable[object], reserved: Container[str]
) -> tuple[tuple[str, ...], dict[str, AnyMatcher]]:
    """The names of modules that are names or matchers, and the matchers by name. `reserved` names belong to
    built-in modules, also in signatures."""
    names: list[str] = []
    matchers: dict[str, AnyMatcher] = {}
    for module in modules:
        if isinstance(module, str):
            names.append(module)
            continue
        matcher = checked(module)
        if matcher.name in reserved:
            raise ConfigurationError(
                f"'{matcher.name}' is the name of a built-in module, or its short name in signatures; give "
                f"{_described(matcher)} another name"
            )
        if matcher.name in matchers:
            raise ConfigurationError(
                f"there are two matchers named '{matcher.name}'; give {_described(matcher)} another name"
            )
        names.append(matcher.name)
        matchers[matcher.name] = matcher
    return tuple(names), matchers


def checked(matcher: object) -> AnyMatcher:
    """The matcher, if it can be used."""
    what = _described(matcher)
    if isinstance(matcher, type):
        raise ConfigurationError(f"a module is a name or a matcher object, not a class; write {what}()")
    if not _has_keys(matcher):
        raise ConfigurationError(
            f"a module must be a name or a matcher, not {matcher!r}; "
            "a matcher is an object with a name and a method keys(word)"
        )
    name = getattr(matcher, "name", None)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        shown = "none" if name is None else repr(name)
        raise ConfigurationError(
            f"matcher {what} needs a name of letters, digits, - and _, such as name = 'my-matcher', "
            f"for the signature; it has {shown}"
        )
    if not NAME.fullmatch(str(getattr(matcher, "hash", None) or "none")):
        raise ConfigurationError(f"the hash of matcher '{name}' must be letters and digits")
    if isinstance(matcher, (Stage, DirectedMatcher, Matcher)):
        matches_equal_words(matcher)
        return matcher
    raise ConfigurationError(f"matcher '{name}' lacks a method; it needs keys(word)")  # pragma: no cover


def matches_equal_words(matcher: AnyMatcher) -> bool:
    """Whether the matcher matches equal words too."""
    return checks.flag(f"equal_words of matcher '{matcher.name}'", getattr(matcher, "equal_words", False))


def has_phrases(matcher: AnyMatcher) -> bool:
    """Whether the matcher matches phrases, not only words."""
    return isinstance(matcher, Stage) and matcher.kind == "phrase"


def _has_keys(matcher: object) -> bool:
    methods = ("columns",), ("hypothesis_keys", "reference_keys"), ("keys",)
    return any(all(callable(getattr(matcher, method, None)) for method in group) for group in methods)


def _described(matcher: object) -> str:
    return matcher.__name__ if isinstance(matcher, type) else type(matcher).__name__


def stage(matcher: AnyMatcher) -> Stage:
    """The matcher as a stage for one vocabulary."""
    if not isinstance(matcher, Stage):
        return CustomStage(matcher)
    identity = getattr(matcher, "identity", None)
    if isinstance(identity, WordIdentity) and is_dataclass(matcher):
        return replace(matcher, identity=WordIdentity(identity.rule))
    return matcher


def _weight(matcher: AnyMatcher) -> float | None:
    """The weight that the matcher itself has."""
    found = getattr(matcher, "weight", None)
    if found is None:
        return None
    return checks.number(f"the weight of matcher '{matcher.name}'", found, checks.WEIGHT)


def weights(
    names: Sequence[str],
    matchers: Mapping[str, AnyMatcher],
    built_in: Callable[[Sequence[str]], Sequence[float]],
) -> tuple[float, ...]:
    """The weights of modules if the caller gives none: custom matchers have their own, `built_in` tells those
    of the other modules."""
    own = {name: _weight(matcher) for name, matcher in matchers.items()}
    for name, found in own.items():
        if found is None:
            raise ConfigurationError(
                f"matcher '{name}' has no weight; give it one (weight = 0.5), or give weights, "
                f"one for each of: {' '.join(names)}"
            )
    others = iter(built_in([name for name in names if name not in own]))
    return tuple(next(others) if (found := own.get(name)) is None else found for name in names)


def label(matcher: Module) -> str:
    """The matcher's name in signatures: NAME, or NAME@HASH if it has a hash. A name has no '@'."""
    name = matcher if isinstance(matcher, str) else matcher.name
    found = getattr(matcher, "hash", None)
    return f"{name}@{found}" if found else name
