"""The PTB tokenizer compared with the real one: the jar in pycocoevalcap, and its wrapper."""

from __future__ import annotations

import gzip
import json
import lzma
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bolide.compat.coco import PTBTokenizer
from bolide.language.ptb import tokenize
from tests.conftest import missing
from tests.support import generate_ptb

Jar = Callable[[str], str]
JAR = "stanford-corenlp-3.4.1.jar"


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder of pycocoevalcap's tokenizer."""
    if shutil.which("java") is None:
        missing("java is not installed")
    if find_spec("pycocoevalcap") is None:
        missing("pycocoevalcap is not installed")
    spec = find_spec("pycocoevalcap.tokenizer")
    assert spec is not None and spec.submodule_search_locations is not None
    return Path(next(iter(spec.submodule_search_locations)))


@pytest.fixture(scope="module")
def jar(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Jar:
    text_file = tmp_path_factory.mktemp("ptb") / "text"

    def run(text: str) -> str:
        text_file.write_bytes(text.encode())
        program = ("java", "-cp", str(folder / JAR), "edu.stanford.nlp.process.PTBTokenizer")
        done = subprocess.run(
            [*program, "-preserveLines", "-lowerCase", str(text_file)], capture_output=True, check=True
        )
        return done.stdout.decode()

    return run


def compare(texts: list[str], jar: Jar) -> None:
    """Compares line by line, so that a difference is easy to read."""
    text = "\n".join(texts)
    found, expected = tokenize(text).split("\n"), jar(text).split("\n")
    differences = [(a, b) for a, b in zip(found, expected, strict=False) if a != b]
    assert differences[:20] == []
    assert len(found) == len(expected)


@pytest.mark.parametrize("seed", [11, 100])
def test_generated_text(jar: Jar, seed: int) -> None:
    compare(generate_ptb.lines(20_000, seed), jar)


def test_pairs_of_pieces(jar: Jar) -> None:
    """Every piece before every other one. About 100,000 lines."""
    pieces = [piece for piece in generate_ptb.PIECES if piece not in ("", "\n")]
    compare(["".join(texts) for texts in product(pieces, ("", " "), pieces)], jar)


def test_line_breaks(jar: Jar) -> None:
    """CR LF, and characters that are a line break for some rules only."""
    separator = "\nbetween\nbetween\n"
    text = separator.join(generate_ptb.blocks(10_000, seed=7))
    found, expected = tokenize(text).split(separator), jar(text).split(separator)
    assert [(a, b) for a, b in zip(found, expected, strict=True) if a != b][:20] == []


def test_abbreviations_in_any_case(jar: Jar) -> None:
    words = "ark assn co cont'd fig ill mfg mr ms mtg no Ph.D pte ptys".split(" ")  # noqa: SIM905
    spellings = [product(*zip(word, word.swapcase(), strict=True)) for word in words]
    behind = (" He", " he", " 5", " Ltd", ",", "", " LTD", "\u00a0Lim")
    compare([f"x {''.join(word)}.{text}" for each in spellings for word in each for text in behind], jar)


def test_letters_that_ignore_case(jar: Jar) -> None:
    """Java ignores the case of s and the long s, i and the two Turkish ones, k and the sign of kelvin."""
    texts = [
        "Miss. He",
        "Asst. x",
        "it's",
        "'tis",
        "the '90s",
        "gimme",
        "Is. This",
        "https://a.b",
        "2a.gif x",
    ]
    others = {"i": "\u0130\u0131", "s": "\u017f", "k": "\u212a"}
    texts += ["Ark. He", "Okla. he"]
    compare([text.replace(a, b) for text in texts for a in others for b in others[a] if a in text], jar)


def test_lower_case_of_sigma(jar: Jar) -> None:
    """It depends on the word of the sigma."""
    texts = map("".join, product("ΣΑ7-_.'\u2019\u00ad\u0301", repeat=4))
    compare([f"{text} x" for text in texts if "Σ" in text], jar)


def test_line_breaks_within_pieces(jar: Jar) -> None:
    choose = Random(5)
    pieces = [piece for piece in generate_ptb.PIECES if len(piece) > 2] + ["<a b='c d' e = \"f\">"] * 20

    def block() -> str:
        text = " ".join(choose.choices(pieces, k=4))
        for _ in range(2):
            at = choose.randrange(len(text))
            text = text[:at] + choose.choice(generate_ptb.BREAKS) + text[at:]
        return text

    separator = "\nbetween\nbetween\n"
    text = separator.join(block() for _ in range(10_000))
    found, expected = tokenize(text).split(separator), jar(text).split(separator)
    assert [(a, b) for a, b in zip(found, expected, strict=True) if a != b][:20] == []


def test_all_characters(jar: Jar) -> None:
    """Every character of the basic plane, alone and within a word."""
    breaks = "\n\v\f\r\u2028\u2029"
    characters = [chr(c) for c in range(1, 0x10000) if not 0xD800 <= c < 0xE000 and chr(c) not in breaks]
    compare([text for c in characters for text in (f"{c} x", f"a{c}b 1{c}2 x")], jar)


def test_characters_in_words_of_sigma(jar: Jar) -> None:
    """An address keeps its characters together, so the sigma is lower-cased as in one string."""
    # Java 17 knows the characters of Unicode 13, and this Python may know more.
    texts = [c for c in map(chr, range(0x21, 0x2C00)) if unicodedata.ucd_3_2_0.category(c) != "Cn"]
    texts = [c for c in texts if c not in '"<>(){}|\u0345\u0964\u0965']
    texts += "\ua69c\ua69d\ua770\uab5c\uab5f\u4db5\u4db6\u4dbf\u9ffc"
    compare(
        [f"http://b{a}Σ{b}/" for c in texts for a, b in ((c, ""), ("", c), ("", f"{c}b"), ("1", f"{c}1b"))],
        jar,
    )


def test_ends_of_texts(jar: Jar) -> None:
    for text in ("He left Acme Inc.", "at 5 p.m.", 'Acme Inc."', "Inc. \n\n", "vitamin C.", "in '90", ":)"):
        assert tokenize(text) == jar(text), text


def test_the_wrapper(folder: Path) -> None:
    real = import_module("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    lines = generate_ptb.lines(300, seed=3)
    captions: dict[Any, list[dict[str, str]]] = {
        "none": [],
        7: [{"caption": 'A man\'s (old) dog,\n"Rex".', "id": "x"}, {"caption": ""}],
        **{f"image {k}": [{"caption": line}, {"caption": "  "}] for k, line in enumerate(lines)},
        "addresses": [
            {"caption": "http://a.b/c\u3000"},
            {"caption": "me@a\u2003 ."},
            {"caption": "me@a\x1f"},
        ],
        "a tag of four lines": [{"caption": text} for text in ('A <b c="d ', ".", ",\u2028.\t", '"> e')],
        "last": [{"caption": "He left Acme Inc."}],
    }
    assert PTBTokenizer().tokenize(captions) == real.tokenize(captions)
    assert PTBTokenizer().tokenize({1: [{"caption": ""}]}) == real.tokenize({1: [{"caption": ""}]})


def test_line_breaks_in_captions(folder: Path) -> None:
    real = import_module("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    captions = {1: [{"caption": "a dog\r\nruns"}], 2: [{"caption": "a\u2028cat"}], 3: [{"caption": "a cow"}]}
    with pytest.warns(UserWarning, match=r"image 1 contains the line break '\\r'"):
        found = PTBTokenizer().tokenize(captions)
    assert found == real.tokenize(captions) == {1: ["a dog"], 2: ["runs"], 3: ["a"]}


# -----------------------------------------------------------------------------------------------------------
# Real text


def english_text(shared: Path) -> Iterator[list[str]]:
    data = shared / "data"
    for path in sorted(data.glob("wmt/*-en.ref.tsv.gz")):
        yield columns(path, 1) + columns(path.with_name(path.name.replace(".ref.", ".hyp.")), 2)
    for path in sorted(data.glob("people/*/*.jsonl.gz")):
        yield captions_of(path)
    for path in sorted(data.glob("bitext/*.tsv.xz")):
        yield [line.split("\t")[0] for line in unpacked(path)]
    for path in sorted(data.glob("nbest/*.nbest.xz")):
        yield [line.split(" ||| ")[1] for line in unpacked(path) if line]


def unpacked(path: Path) -> list[str]:
    unpack = gzip.decompress if path.suffix == ".gz" else lzma.decompress
    return unpack(path.read_bytes()).decode().split("\n")


def columns(path: Path, column: int) -> list[str]:
    rows = unpacked(path)[1:]
    return [row.split("\t")[column] for row in rows if row]


def captions_of(path: Path) -> list[str]:
    texts: list[str] = []
    for row in unpacked(path):
        if row:
            item = json.loads(row)
            texts += [*item["references"], *(item[key] for key in ("hypothesis", "a", "b") if key in item)]
    return [text.replace("\n", " ") for text in texts]


def test_a_sample_of_real_text(shared: Path, jar: Jar) -> None:
    compare([line for lines in english_text(shared) for line in lines[::100]], jar)


@pytest.mark.slow
def test_all_real_text(shared: Path, jar: Jar) -> None:
    compare([line for lines in english_text(shared) for line in dict.fromkeys(lines)], jar)
