"""Hostile text takes time in proportion to its length: regular expressions and readers.

The tests compare the times for two lengths. Eight times the text takes eight times as long if the work is
linear, and 64 times if it is quadratic. The limit is far from both.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bolide
from bolide._support import java_number
from bolide.errors import BolideError
from bolide.inputs import sgml
from bolide.inputs.keyed import KeyedBuilder
from bolide.java import sgml_reader
from bolide.learning.phrase_table_text import GAP

SHORT, FACTOR, LIMIT = 3_000, 8, 28
NOISE = 0.01  # seconds: work that ends sooner is not measured


def seconds(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    with suppress(BolideError):
        work(text)
    return time.process_time() - start


def growth(work: Callable[[str], object], hostile: Callable[[int], str]) -> float:
    """How many times longer the work takes on a text that is FACTOR times as long."""
    short = min(seconds(work, hostile(SHORT)) for _ in range(3))
    long = min(seconds(work, hostile(FACTOR * SHORT)) for _ in range(2))
    return long / max(short, NOISE / LIMIT)


# ---- regular expressions -----------------------------------------------------------------------------

PACKAGES = ("_support", "inputs", "java", "mert", "learning", "evaluation", "resources", "scoring", "compat")
# Patterns that are compared with whole texts only. A search for them would take longer.
WHOLE = {
    "compat.evaluate.tokens.PLAIN_END",
    "java.alignments.MATCH",
    "resources.mythes._ENCODING",
    "resources.mythes._HEADER",
}
STARTS = ("", "<", "<seg", "<seg id=", 'setid="', "[", "[a,", "(", "a", "1.", "meteor@", "a=", "1:1\t")
ATOMS = ("a", "1", " ", "\t", "<", "(", "[", "|", ",", "=", '"', "-", "_", ".", ":", "a ", "a,", "a=", "<!--")
ENDS = ("", "!", ">", '"', "]")


def patterns() -> dict[str, re.Pattern[str]]:
    found = {"learning.phrase_table_text.GAP": re.compile(GAP)}
    for package in PACKAGES:
        for module in pkgutil.walk_packages([f"{bolide.__path__[0]}/{package}"], f"bolide.{package}."):
            with suppress(ImportError, BolideError):
                for name, value in vars(importlib.import_module(module.name)).items():
                    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                        found.setdefault(f"{module.name.removeprefix('bolide.')}.{name}", value)
    return found


PATTERNS = patterns()


def hostile_texts() -> Iterator[tuple[str, str, str]]:
    return ((start, atom, end) for start in STARTS for atom in ATOMS for end in ENDS)


def pumped(start: str, atom: str, end: str, size: int) -> str:
    return start + atom * (size // len(atom)) + end


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns(name: str) -> None:
    pattern = PATTERNS[name]
    slow = []
    for how in (pattern.fullmatch,) if name in WHOLE else (pattern.fullmatch, pattern.findall):
        for start, atom, end in hostile_texts():
            # Quadratic work on this length takes longer than NOISE; linear work does not.
            if seconds(how, start + atom * SHORT + end) > NOISE:
                found = growth(how, partial(pumped, start, atom, end))
                if found > LIMIT:
                    slow.append(f"{start!r} + {atom!r} * n + {end!r}: {found:.0f} times")
                    break
    assert not slow


# ---- readers -----------------------------------------------------------------------------------------

HOSTILE: dict[str, Callable[[int], str]] = {
    "spaces after <": lambda n: "<" + " " * n,
    "spaces after </": lambda n: "</" + " " * n,
    "comments that do not end": lambda n: "<!--" * (n // 4),
    "comments in a segment": lambda n: f'<seg id="1">{"<!--" * (n // 4)}</seg>',
    "tags that do not end": lambda n: "<seg " * (n // 5),
    "tags that do not end, in a segment": lambda n: '<seg id="1">' + "<seg " * (n // 5),
    "a long attribute": lambda n: f"<seg {'a' * n}>",
    "many attributes": lambda n: f"<seg {'a ' * (n // 2)}>",
    "attributes that do not end": lambda n: f"<seg {'a=' * (n // 2)}>",
    "an id of spaces": lambda n: "<seg id=" + " " * n,
    "an id of quotes and spaces": lambda n: '<seg id="' + " " * n,
    "ids in ids": lambda n: "<seg id=" * (n // 8) + '"a"b>',
    "ids in ids, quoted": lambda n: '<seg id="' * (n // 9) + ">",
    "a segment that does not end": lambda n: '<seg id="1">\n' + "a\n" * (n // 2),
    "a segment with an open tag": lambda n: '<seg id="1"><\n' + " \n" * (n // 2),
    "a name that is not closed": lambda n: "<seg id=" * (n // 16) + '"' + " " * (n // 2) + "b>",
    "a segment with tags": lambda n: '<seg id="1">\n' + "<\n>\n" * (n // 4),
    "entities": lambda n: '<seg id="1">' + "&amp;" * (n // 5) + "</seg>",
}
HEAD = '<tstset setid="s">\n<doc docid="d" sysid="x">\n'


def read_sgml(text: str, path: Path) -> KeyedBuilder:
    path.write_text(text, encoding="utf-8")
    builder = KeyedBuilder(str(path))
    sgml.Sgml(str(path)).read(builder)
    return builder


@pytest.mark.parametrize("name", HOSTILE)
def test_sgml(name: str, tmp_path: Path) -> None:
    assert growth(lambda text: read_sgml(HEAD + text, tmp_path / "a"), HOSTILE[name]) < LIMIT


@pytest.mark.parametrize("name", HOSTILE)
def test_sgml_of_java(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a"

    def work(text: str) -> None:
        path.write_text(HEAD + text, encoding="utf-8")
        sgml_reader.read(str(path))

    assert growth(work, HOSTILE[name]) < LIMIT


# ---- the same results as the patterns that took longer -----------------------------------------------

PIECES = st.lists(
    st.sampled_from(["<seg id=", "<SEG\tid =", "<seg", ">", '"', " ", "\n", "a", "=", "'", "<!--", "-->"]),
    max_size=14,
).map("".join)


@given(PIECES)
def test_the_start_of_a_segment_is_that_of_java(text: str) -> None:
    pattern = re.compile(r'<\s*seg\s+id\s*=\s*"?([^">]+?)"?\s*>', re.IGNORECASE)
    found = pattern.search(text)
    assert sgml_reader.segment_start(text) == (None if found is None else (found[1], found.end()))


@given(PIECES)
def test_comments_and_attributes(text: str) -> None:
    assert sgml._without_comments(text) == re.sub("<!--.*?-->", "", text, flags=re.DOTALL)
    attribute = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
    assert sgml.ATTRIBUTE.findall(text) == attribute.findall(text)


@given(st.text("[]X1, a", max_size=12))
def test_gaps(text: str) -> None:
    assert bool(re.search(GAP, text)) == bool(re.search(r"\[[^ \],]+,[0-9]+\]", text))


@given(st.text("0123.eE+-fN", max_size=8))
def test_numbers(text: str) -> None:
    pattern = r"[+-]?(NaN|Infinity|((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?))"
    assert bool(java_number.DECIMAL.fullmatch(text)) == bool(re.fullmatch(pattern, text))
