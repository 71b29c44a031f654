"""The normaliser and the token split: cases by rule, the slow oracle, and the official jar.

Every expectation in CASES is the answer of the official Meteor 1.5 (which prints it lower-cased).
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bolide import _core
from tests.support import java_meteor
from tests.support.oracle import normalizer as oracle

PREFIXES = ["Mr", "Dr", "př", "g", "DOTMULTI"]
NUMERIC_PREFIXES = ["No", "č"]
STYLES = ("english", "french", "other_western")

same = None  # the French or other text equals the English one

# text, English, French, other western languages
CASES: list[tuple[str, str, str | None, str | None]] = [
    # Nothing to change, or no text.
    ("plain words", "plain words", same, same),
    ("", "", same, same),
    (" \t\x0b\x0c ", "", same, same),
    # Steps 1 and 2: symbols are tokens, letters and digits of the western alphabets stay together.
    ("(a+b)*2=$5%", "( a + b ) * 2 = $ 5 %", same, same),
    ('He said: "yes"!', 'He said : " yes " !', same, same),
    ("Žluťoučký kůň Ÿ Ŋ жёлтый Ԥ", "Žluťoučký kůň Ÿ Ŋ жёлтый Ԥ", same, same),
    ("a×b÷c ſ", "a × b ÷ c ſ", same, same),
    ("λόγος", "λ ό γ ο ς", same, same),
    ("日本 a😀b👨‍👩", "日 本 a 😀 b 👨 \u200d 👩", same, same),
    ("e\u0301", "e \u0301", same, same),
    # Step 3: a run of dots is a token.
    ("wait..what...", "wait .. what ...", same, same),
    (". .. ... ....", ". .. ... ....", same, same),
    ("...-a ..'a ..,1", "... -a .. ' a .. , 1", same, same),
    # Steps 3 and 10, as visible from outside.
    ("DOTMULTI xDOTDOTMULTIy", ". x..y", same, same),
    ("DOTMULTI. DOTMULTI..z", ".. . .. z", same, same),
    ("DOTMULTI.DOTMULTI.z", ".. ..z", same, same),
    ("..DOTMULTI.z", ".. ..z", same, same),
    ("...DOTMULTI.z", "... .. z", same, same),
    ("DOT.MULTI. x", ". x", same, same),
    # Step 4: commas, except between digits.
    ("a,b 1,000 1,a a,1", "a , b 1,000 1 , a a , 1", same, same),
    ("a,,b a,,,b 1,,2", "a , ,b a , ,,b 1 , , 2", same, same),
    # Step 5: quotes.
    ("“a” ``b'' '''c", '" a " " b " " \' c', same, same),
    ("a''b", 'a " b', same, same),
    # Step 6: dashes.
    ("a – b a–b a — b", "a - b a - b a — b", same, same),
    ("a -- b a --- b", "a - b a -- b", same, same),
    # Step 7: hyphens inside words.
    ("state-owned 1-2 a.-b", "state owned 1 2 a. b", same, same),
    ("a-b-c-d a--b -a a-", "a b-c d a b -a a-", same, same),
    ("λ-a-λ", "λ -a- λ", same, same),
    # Step 8: apostrophes.
    ("it's", "it 's", "it' s", "it ' s"),
    ("l’été", "l 'été", "l' été", "l ' été"),
    ("dogs' 'quoted'", "dogs ' ' quoted '", same, same),
    ("1990's 5'6", "1990 's 5 ' 6", "1990 ' s 5 ' 6", "1990 ' s 5 ' 6"),
    ("1'a", "1'a", "1 ' a", "1 ' a"),
    ("a'b'c", "a 'b'c", "a' b'c", "a ' b ' c"),
    # Step 9: final dots.
    ("The end.", "The end .", same, same),
    ("U.S. and U.S.A. e.g. 1.2. 1.2.3", "US and USA eg 1.2 . 1.2.3", same, same),
    ("ж.ж. λ.λ.", "жж λ . λ .", same, same),
    ("Mr. Smith. mr. Smith", "Mr. Smith. mr . Smith", same, same),
    ("No. 5 No. V No.", "No. 5 No . V No .", same, same),
    ("end. next end. Next end. 1 end. état", "end. next end . Next end . 1 end . état", same, same),
    ("end.\u00a0next end. 'next'", "end . next end . ' next '", same, same),
    # Step 12: spaces; characters that Java trims.
    ("a\u00a0b\u2003\u202fc\u205f\u3000d\u200be", "a b c d \u200b e", same, same),
    ("a\u2028b\u0085c\u1680d", "a \u2028 b \u0085 c \u1680 d", same, same),
    ("\x01\x02 a \x03 b\x1f", "a \x03 b", same, same),
    ("\x0ba\x0bb.\x0b", "a\x0bb.", same, same),
    ("a\tb\nc\rd\x0ce", "a b c d e", same, same),
]

NO_PUNCTUATION = [
    ("It's 1,000-odd words, Mr. Smith: ...", "It s 1 000 odd words Mr Smith"),
    ("U.S. 3.14 l’été", "US 3 14 l été"),
    ("a\x0bb\u00a0日 λ \x01 c", "a b c"),
    ("?!... DOTMULTI", ""),
]


def native(style: str, punctuation: bool = True) -> _core.Tokenizer:
    return _core.Tokenizer(style, PREFIXES, NUMERIC_PREFIXES, punctuation)


def slow(style: str, punctuation: bool = True) -> oracle.Normalizer:
    return oracle.Normalizer(style, PREFIXES, NUMERIC_PREFIXES, punctuation)


def cases() -> Iterator[tuple[str, str, str]]:
    for text, english, *others in CASES:
        for style, expected in zip(STYLES, (english, *others), strict=True):
            yield style, text, english if expected is None else expected


@pytest.mark.parametrize(("style", "text", "expected"), list(cases()))
def test_case(style: str, text: str, expected: str) -> None:
    assert native(style).normalize(text) == expected
    assert slow(style).normalize(text) == expected


@pytest.mark.parametrize(("text", "expected"), NO_PUNCTUATION)
@pytest.mark.parametrize("style", STYLES)
def test_no_punctuation(style: str, text: str, expected: str) -> None:
    assert native(style, punctuation=False).normalize(text) == expected
    assert slow(style, punctuation=False).normalize(text) == expected


def test_example_of_the_header() -> None:
    text = 'It\'s 1,000-odd words, Mr. Smith: "..."'
    assert native("english").normalize(text) == 'It \'s 1,000 odd words , Mr. Smith : " ... "'


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("a", ["a"]),
        ("  a  b\t\n\x0c\rc ", ["a", "b", "c"]),
        ("a\x0bb a\u00a0b a\x1cb", ["a\x0bb", "a\u00a0b", "a\x1cb"]),
        ("\x01 \x0ba \x01 b\x0b\x1f", ["\x01", "\x0ba", "\x01", "b\x0b\x1f"]),
        ("\x7fa\u00a0", ["\x7fa\u00a0"]),
    ],
)
def test_split(text: str, tokens: list[str]) -> None:
    assert _core.split(text) == tokens
    assert oracle.tokens(text) == tokens


# Properties. The texts have many of the characters that the rules treat, and any others as well.

ESCAPES = ["DOT", "MULTI", "DOTMULTI", "DOTMULTI.", "DOTDOTMULTI"]
DOTTED = [f"{prefix}." for prefix in (*PREFIXES, *NUMERIC_PREFIXES)]
FRAGMENTS = [*ESCAPES, *DOTTED, "..", "...", "--", "''", "U.S.", "1,000", "'s", ". a", ". 1"]
MARKS = ".,'`-\u2018\u2019\u201c\u201d\u2013\u2014 \t\n\r\x0b\x0c\x01\u00a0\u2003\u3000"
LETTERS = "aszAZS019éŠжԧԨꙮꚗᴀᵿλſ日😀\u0301"

texts = st.lists(
    st.sampled_from(MARKS)
    | st.sampled_from(LETTERS)
    | st.sampled_from(FRAGMENTS)
    | st.characters(codec="utf-8"),
    max_size=30,
).map("".join)
styles = st.sampled_from(STYLES)


@given(styles, st.booleans(), texts)
@example("english", True, "a" * 300 + "." * 300 + "DOTMULTI." * 300)
def test_native_equals_oracle(style: str, punctuation: bool, text: str) -> None:
    assert native(style, punctuation).normalize(text) == slow(style, punctuation).normalize(text)


@given(styles, st.booleans(), texts)
def test_split_equals_oracle(style: str, punctuation: bool, text: str) -> None:
    assert _core.split(text) == oracle.tokens(text)
    normalized = native(style, punctuation).normalize(text)
    assert _core.split(normalized) == normalized.split(" " if normalized else None)


@given(styles, st.lists(st.integers(0, 70)), st.lists(texts))
def test_long_lines_equal_the_oracles(style: str, gaps: list[int], parts: list[str]) -> None:
    """The core reads 64 bytes at a time. The characters that the rules treat may be anywhere in them."""
    text = "".join("é" * (gap % 2) + "q" * gap + part for gap, part in zip(gaps, parts, strict=False))
    assert native(style).normalize(text) == slow(style).normalize(text)
    assert _core.split(text) == oracle.tokens(text)


@given(styles, texts)
def test_no_punctuation_leaves_letters_and_digits(style: str, text: str) -> None:
    """A second pass changes nothing: only letters, digits and single spaces are left."""
    tokenizer = native(style, punctuation=False)
    normalized = tokenizer.normalize(text)
    assert tokenizer.normalize(normalized) == normalized


@pytest.mark.parametrize("style", STYLES)
def test_every_short_line(style: str) -> None:
    """All lines of up to five characters that the rules treat."""
    tokenizer, expected = native(style), slow(style)
    for length in range(1, 6):
        for characters in itertools.product("a1.,'- ", repeat=length):
            text = "".join(characters)
            assert tokenizer.normalize(text) == expected.normalize(text)


def test_every_character() -> None:
    """Each code point (above U+FFFF only some), in a word and beside a dot, apostrophe, hyphen and comma."""
    tokenizer, expected = native("english"), slow("english")
    codes = [*range(0xD800), *range(0xE000, 0x10000), *range(0x10000, 0x110000, 101)]
    for first in range(0, len(codes), 100):
        characters = map(chr, codes[first : first + 100])
        text = " ".join(f"a{c}b x.{c}. {c}'{c} 1-{c},{c}-1" for c in characters)
        assert tokenizer.normalize(text) == expected.normalize(text)


# The official program. No fragment here is on its lists of prefixes, which may not be published here.

JAVA_LANGUAGES = {"en": "english", "fr": "french", "cz": "other_western"}
JAVA_OPTIONS = ["-m", "exact", "-w", "1.0", "-p", "0.85 0.2 0.6 0.75", "-norm"]


def random_lines(random: Random, count: int) -> list[str]:
    """Lines that Java accepts: a carriage return would end one. No single ASCII letter: some are prefixes."""
    fragments = [c for c in MARKS + LETTERS if c not in "\n\r" + string.ascii_letters]
    fragments += [*ESCAPES, *["qz", "qz.", "qz.zq.", "'sqz", "QZ", "..", "...", "--", "''"]]
    return ["".join(random.choices(fragments, k=random.randint(1, 20))) for _ in range(count)]


@pytest.mark.parametrize("punctuation", [True, False])
@pytest.mark.parametrize("language", JAVA_LANGUAGES)
def test_native_equals_java(jar: Path, language: str, punctuation: bool) -> None:
    texts = random_lines(Random(f"{language} {punctuation}"), 3000)
    options = ["-l", language, *JAVA_OPTIONS, *([] if punctuation else ["-noPunct"])]
    alignments = java_meteor.run(jar, texts, [["x"]] * len(texts), options).alignments
    tokenizer = _core.Tokenizer(JAVA_LANGUAGES[language], [], [], punctuation)
    for text, alignment in zip(texts, alignments, strict=True):
        tokens = [token.lower() for token in _core.split(tokenizer.normalize(text))]
        assert java_meteor.printed_words(tokens) == alignment.hypothesis, repr(text)
