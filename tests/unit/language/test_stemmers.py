"""Stems compared with Java's: golden words, its answers on real words, and the jar on generated words."""

from __future__ import annotations

import gzip
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide._support import toml as _toml
from bolide.errors import ConfigurationError
from bolide.language import languages, stemmers
from tests.support import java_jar
from tests.support.paths import GOLDEN

STEMS: dict[str, dict[str, str]] = _toml.read(GOLDEN / "stems.toml")
PATCHES = [
    (language, number, row)
    for language, rows in _toml.package_data("language/stemmers.toml").items()
    for number, row in enumerate(rows)
]
STEMMED = [language.code for language in languages.every() if language.stemmer]


def test_there_are_golden_stems_for_every_stemmer() -> None:
    assert sorted(STEMS) == sorted(STEMMED)


@pytest.mark.parametrize("language", STEMMED)
def test_golden_stems(language: str) -> None:
    words = list(STEMS[language])
    assert dict(zip(words, stemmers.get(language)(words), strict=True)) == STEMS[language]


@pytest.mark.parametrize(("stemmer", "number", "row"), PATCHES)
def test_every_patch_is_needed(stemmer: str, number: int, row: dict[str, str]) -> None:
    language = languages.get(stemmer).code
    rows = _toml.package_data("language/stemmers.toml")[stemmer]
    without = stemmers.Patches(rows[:number] + rows[number + 1 :])
    library = stemmers.get(language)._library.stem_word
    assert {word: without.stem(word, library) for word in STEMS[language]} != STEMS[language]


@pytest.mark.parametrize("language", STEMMED)
def test_stems_of_frequent_words(language: str, shared: Path) -> None:
    path = shared / "data" / "parity" / "stems" / f"{languages.get(language).java_code}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        expected = dict(row.rstrip("\n").split("\t") for row in rows)
    stems = stemmers.get(language)(list(expected))
    assert dict(zip(expected, stems, strict=True)) == expected


@pytest.mark.parametrize("language", STEMMED)
def test_stems_of_made_up_words(language: str, jar: Path) -> None:
    words = made_up_words(random.Random(language), list(STEMS[language]), 3000)
    command = [*java_jar.java(), "-cp", str(jar), "Stemmer", languages.get(language).java_code]
    done = subprocess.run(command, input="\n".join(words).encode(), capture_output=True, check=True)
    java = done.stdout.decode().split("\n")[: len(words)]
    stems = stemmers.get(language)(words)
    assert [row for row in zip(words, java, stems, strict=True) if row[1] != row[2]] == []


def made_up_words(chance: random.Random, words: list[str], count: int) -> list[str]:
    """Random combinations of beginnings and endings of real words."""
    everything = [word for golden in STEMS.values() for word in golden]
    made = []
    for _ in range(count):
        start, end, more = chance.choice(words), chance.choice(words), chance.choice(everything)
        word = start[: chance.randint(0, len(start))] + end[-chance.randint(1, 7) :]
        made.append(word + chance.choice(["", "", "", more[-chance.randint(1, 4) :]]))
    return made


def test_words_in_a_batch_do_not_affect_each_other() -> None:
    for language in STEMMED:
        stem = stemmers.get(language)
        words = [word for golden in STEMS.values() for word in golden]
        assert stem(words) == [stem([word])[0] for word in words]


LETTERS = st.characters(exclude_categories=["Cs", "Co"]) | st.sampled_from("dnstuçõőûè😀")
ENDINGS = st.sampled_from(["", "den", "siin", "nisse", "ução", "ución", "e"])
WORDS = st.builds("".join, st.tuples(st.text(LETTERS), ENDINGS))


@given(st.lists(WORDS))
def test_stand_ins_never_stay_in_a_stem(words: list[str]) -> None:
    for language in STEMMED:
        for word, stem in zip(words, stemmers.get(language)(words), strict=True):
            new = set(stem) - set(word)
            assert not [letter for letter in new if letter in "□#" or "\ue000" <= letter <= "\ue7ff"]


def test_nothing_and_nearly_nothing() -> None:
    for language in STEMMED:
        assert stemmers.get(language)([]) == []
        assert stemmers.get(language)(["", "a"]) == ["", "a"]


def test_huge_words_are_left_alone() -> None:
    for language in STEMMED:
        stem = stemmers.get(language)
        for letter in "és":
            huge = letter * (stemmers.LONGEST_WORD + 1)
            assert stem([huge, "running"]) == [huge, *stem(["running"])]


def test_long_words_take_reasonable_time() -> None:
    # With backtracking patterns this would not finish.
    words = ["s" * 16000, "d" * 16000 + "a", "ba" * 8000, "uc" * 8000 + "ó", "ß" * 16000, "😀" * 8000]
    for language in STEMMED:
        assert len(stemmers.get(language)(words)) == len(words)


def test_any_sequence_will_do_and_is_not_changed() -> None:
    words = ["running", "cats"]
    assert stemmers.get("en")(tuple(words)) == stemmers.get("en")(words) == ["run", "cat"]
    assert words == ["running", "cats"]


def test_stemmers_pickle_by_language() -> None:
    stemmer = stemmers.get("hu")
    assert pickle.loads(pickle.dumps(stemmer)) is stemmer
    assert repr(stemmer) == "Stemmer('hu')"


def test_threads_share_a_stemmer() -> None:
    words = list(STEMS["fi"]) * 50
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(stemmers.get("fi"), [words] * 16))
    assert results == [stemmers.get("fi")(words)] * 16


@pytest.mark.parametrize(("language", "name"), [("cs", "Czech"), ("cz", "Czech"), ("other", "Other")])
def test_languages_without_a_stemmer(language: str, name: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        stemmers.get(language)
    assert str(refusal.value) == (
        f"there is no stemmer for {name}; leave out the module 'stem', or choose one of: "
        "en, de, es, fr, ru, da, fi, hu, it, nl, no, pt, ro, sv, tr"
    )


def test_the_library_is_imported_when_a_stemmer_is_asked_for() -> None:
    asked = (
        "import sys; from bolide.language import stemmers; print(*sys.modules); stemmers.get('en'); "
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    before, after = done.stdout.splitlines()
    assert "py_rust_stemmers" not in before.split()
    assert "py_rust_stemmers" in after.split()
