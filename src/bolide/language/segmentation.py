"""Segmentation: spaces between the words of Chinese, Japanese, Korean and Thai text.

It is the first step of scoring. A segmenter only adds spaces. It adds them next to characters of these
languages (`bolide.language.characters`), never within a character or within other text:

    >>> find("characters").segment("我用iPhone 15拍照。")
    '我 用 iPhone 15 拍 照 。'

    characters   every character is a word; built in
    jieba        Chinese words, by jieba
    mecab        Japanese words, by MeCab with the dictionary IPADIC
    kiwi         Korean morphemes, by Kiwi
    pythainlp    Thai words, by PyThaiNLP (newmm)
    unicode      the word boundaries of Unicode (UAX #29), by the package regex
    spaces       for text that has spaces between words already

Then the normalizer splits the rest of the text. It would split words of these languages into characters, or
delete them with the punctuation; so it does not see them.

The versions of the packages are in signatures, because other versions may find other words.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise, zip_longest

from bolide import _core
from bolide._support import checks
from bolide._support.extras import extra, require
from bolide._support.folders import user_folder
from bolide._support.platform import after_fork
from bolide.errors import ConfigurationError
from bolide.language import languages
from bolide.language.characters import LETTERS, boundaries
from bolide.language.languages import Language

Cuts = Callable[[str], Iterable[int]]  # from a text to the positions at which words begin or end

# Stands for a word that the normalizer must not change. It is a letter there, and hardly any text has it.
STAND_IN = "\ua66e"
REMEMBERED = 1 << 14  # texts; systems are scored against the same references


@cache
def _kept() -> re.Pattern[str]:
    """Finds words that the normalizer must not change."""
    return re.compile(f"[{LETTERS}{STAND_IN}]")


@dataclass(frozen=True)
class Method:
    """A way to segment: a row of the table."""

    meaning: str
    languages: tuple[str, ...]
    load: Callable[[], Cuts]
    extra: str = ""  # the extra of bolide that installs its packages
    modules: tuple[str, ...] = ()  # what Python imports
    packages: tuple[str, ...] = ()  # whose versions are in signatures


def _jieba() -> Cuts:
    with extra("zh"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own syntax, and of setuptools
        import jieba

    import logging

    jieba.setLogLevel(logging.CRITICAL)  # it reports every start, and that it cannot write its cache
    tokenizer = jieba.Tokenizer()
    # jieba reads a cache file that any user could have put into the common folder for temporary files.
    folder = user_folder("cache") / "jieba"
    with suppress(OSError):  # without a cache, it starts more slowly
        folder.mkdir(parents=True, exist_ok=True)
    tokenizer.tmp_dir = str(folder)
    return lambda text: (start for _, start, _ in tokenizer.tokenize(text))


def _mecab() -> Cuts:
    with extra("ja"):
        import ipadic
        import MeCab

    tagger = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")
    # MeCab would end at a null character.
    return lambda text: _starts(text, tagger.parse(text.replace("\0", " ")).split())


def _kiwi() -> Cuts:
    with extra("ko"):
        from kiwipiepy import Kiwi

    kiwi = Kiwi(num_workers=1)
    # A contracted syllable has several morphemes: none of them begins within it.
    return lambda text: (token.start for token in kiwi.tokenize(text))


def _pythainlp() -> Cuts:
    with extra("th"):
        from pythainlp.tokenize import word_tokenize

    return lambda text: _starts(text, word_tokenize(text, engine="newmm"))


def _unicode() -> Cuts:
    with extra("unicode"):
        import regex

    boundary = regex.compile(r"\b", regex.WORD | regex.VERSION1)
    return lambda text: (match.start() for match in boundary.finditer(text))


def _no_cuts(text: str) -> Iterable[int]:
    return ()


EVERY = ("zh", "ja", "ko", "th")
METHODS: dict[str, Method] = {
    "characters": Method("every character is a word", EVERY, lambda: boundaries),
    "jieba": Method("words, by jieba", ("zh",), _jieba, "zh", ("jieba",), ("jieba",)),
    "mecab": Method(
        "words, by MeCab with IPADIC",
        ("ja",),
        _mecab,
        "ja",
        ("MeCab", "ipadic"),
        ("mecab-python3", "ipadic"),
    ),
    "kiwi": Method(
        "morphemes, by Kiwi",
        ("ko",),
        _kiwi,
        "ko",
        ("kiwipiepy", "kiwipiepy_model"),
        ("kiwipiepy", "kiwipiepy_model"),
    ),
    "pythainlp": Method("words, by PyThaiNLP", ("th",), _pythainlp, "th", ("pythainlp",), ("pythainlp",)),
    "unicode": Method(
        "word boundaries of Unicode, by regex",
        ("zh", "ja", "ko"),  # they do not divide Thai
        _unicode,
        "unicode",
        ("regex",),
        ("regex",),
    ),
    "spaces": Method("the text has spaces between words already", EVERY, lambda: _no_cuts),
}


@dataclass(frozen=True)
class Segmenter:
    """A method with the versions of its packages. It is loaded when it is first used."""

    name: str
    versions: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """As signatures name it: `jieba-0.42.1`."""
        return "-".join([self.name, *self.versions])

    def segment(self, text: str) -> str:
        """The text with spaces between words."""
        text.encode()  # raises an error if there is a lone surrogate, which a package may not know
        return _segmented(self.name, text)

    def tokenize(self, text: str, normalize: Callable[[str], str] | None = None) -> str:
        """The tokens of a text, with spaces between them: words of these languages as they are, and the rest
        normalized."""
        words = self.segment(text).split()
        if normalize is None:
            return " ".join(words)
        is_kept = _kept().search
        kept = [word for word in words if is_kept(word)]
        rest = normalize(" ".join(STAND_IN if is_kept(word) else word for word in words))
        if not kept:
            return rest
        parts = rest.split(STAND_IN)
        return "".join(chain.from_iterable(zip_longest(parts, kept, fillvalue="")))


def find(name: str) -> Segmenter:
    """The segmenter with this name. An error says how to install it if it is missing."""
    method = METHODS[checks.choice("segmentation", name, METHODS)]
    require(method.extra, *method.modules)
    from importlib.metadata import version  # slow to import

    return Segmenter(name, tuple(map(version, method.packages)))


def choose(name: str | None, language: Language, *, has_pack: bool = False) -> Segmenter | None:
    """The segmenter for a language; None if it has none. If the language has a pack, the caller need not
    choose: it has been learned from text that the normalizer has split."""
    if name is None and not language.spaces and not has_pack:
        raise _undecided(language)
    if name is None:
        return None
    method = METHODS[checks.choice("segmentation", name, METHODS)]
    if method.languages != EVERY and language.code not in (*method.languages, "other"):
        titles = ", ".join(f"{languages.get(code).java_name} ({code})" for code in method.languages)
        raise ConfigurationError(
            f"segmentation '{name}' is for {titles}, not for {language.java_name} ({language.code}); choose "
            "another one, or leave it out"
        )
    return find(name)


def _undecided(language: Language) -> ConfigurationError:
    """The error if the caller has to choose a segmenter. It has the choices."""
    rows = [(name, method.meaning) for name, method in METHODS.items() if language.code in method.languages]
    shown = "".join(f"\n  {name:<11} {meaning}" for name, meaning in rows)
    gaps = "spaces between morphemes" if language.code == "ko" else "spaces"
    return ConfigurationError(
        f"{language.java_name} is written without {gaps}: choose what counts as a word, since scores depend "
        f"on it. Give --segmentation NAME (in Python segmentation=NAME), where NAME is one of:{shown}"
    )


def _starts(text: str, words: Sequence[str]) -> Iterator[int]:
    """Where words begin and end that are found one after the other in a text."""
    position = 0
    for word in words:
        start = text.find(word, position)
        if start < 0:  # not as in the text
            continue
        position = start + len(word)
        yield start
        yield position


_loaded: dict[str, Cuts] = {}


def _cuts(name: str) -> Cuts:
    return _loaded.get(name) or _loaded.setdefault(name, METHODS[name].load())


def _after_fork() -> None:
    """In a new process, a package lacks its threads. Freeing it would wait for them forever."""
    _core.never_free(tuple(_loaded.values()))
    _loaded.clear()


after_fork(_after_fork)


@lru_cache(maxsize=REMEMBERED)
def _segmented(name: str, text: str) -> str:
    allowed = boundaries(text)
    if not allowed:
        return text  # also fast for text in other languages
    cuts = sorted(allowed.intersection(_cuts(name)(text)) | {0, len(text)})
    pieces = [text[start:end] for start, end in pairwise(cuts)]
    spaced = [
        piece if piece[-1].isspace() or following[0].isspace() else f"{piece} "
        for piece, following in pairwise(pieces)
    ]
    return "".join([*spaced, pieces[-1]])
