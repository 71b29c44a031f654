"""Packs of word frequencies: installation, damaged lists, `bolide resources`, fetching, the real wheel."""

from __future__ import annotations

import gzip
import importlib.util
import math
import os
import pickle
import subprocess
import sys
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import resources
from bolide.errors import ConfigurationError, ResourceError
from bolide.language.languages import every
from bolide.resources import catalogue, distribution, frequencies, manifest, pip_download, thesauri, wordfreq
from tests.resources.conftest import Run
from tests.support import fake_meteor, fake_wordfreq
from tests.support.fake_wordfreq import HEADER, WORDS, cbpack, lists, packed
from tests.support.package_index import Index, forget_settings, page
from tests.support.processes import PATIENCE

WORD_LIST = "large_en.msgpack.gz"


@pytest.fixture
def wheel(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small wheel instead of the pinned one."""
    path = fake_wordfreq.wheel(tmp_path / "wheels")
    pinned = replace(frequencies.wheel(), sha256=fake_meteor.sha256(path), bytes=path.stat().st_size)
    monkeypatch.setattr(frequencies, "wheel", lambda: pinned)
    return path


def bits(language: str, *words: str) -> list[int]:
    pack = resources.open_frequencies(language)
    assert pack is not None
    assert pack.frequencies is not None
    found: list[int] = pack.frequencies.bits(words).tolist()
    return found


def is_clean(home: Path) -> bool:
    return not (home / "staging").exists() and all(
        len(list(folder.glob("arrays-*"))) == 1 for folder in (home / "packs").iterdir()
    )


# ---- installing ----------------------------------------------------------------------------------


def test_from_a_wheel_or_where_it_is_installed(home: Path, wheel: Path, tmp_path: Path) -> None:
    made = resources.install_frequencies("en", wheel)
    assert made.counts == {"words": 10}
    assert made.licences == {"frequencies": "CC-BY-SA-4.0"}
    assert {"LICENSE.txt", "METADATA"} < set(made.files)
    assert made.origin == {"file": wheel.name, "sha256": fake_meteor.sha256(wheel)}
    expected = [4, 10, 20, 27, 20, 13]
    assert bits("English", "the", "boat", "straße", "xyzzy", "well-known", "1990") == expected
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site-packages")
    again = resources.install_frequencies("en", tmp_path / "site-packages")
    assert again.hash == made.hash
    assert resources.install_frequencies("en") == again  # it is there
    assert is_clean(home)


def test_only_the_language_is_installed(home: Path, wheel: Path) -> None:
    resources.install_frequencies("en", wheel)
    assert [path.name for path in (home / "packs").iterdir()] == ["en-frequencies"]
    assert resources.verify(home / "packs" / "en-frequencies").counts == {"words": 10}


def test_pickled_by_name(home: Path, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resources.install_frequencies("en", wheel)
    pack = resources.open_frequencies("en")
    data = pickle.dumps(pack)
    assert len(data) < 200
    assert pickle.loads(data) is pack
    monkeypatch.setenv("BOLIDE_HOME", str(tmp_path / "other"))
    with pytest.raises(ResourceError, match="BOLIDE_OFFLINE forbids it"):
        pickle.loads(data)
    resources.install_frequencies("en", wheel)
    assert pickle.loads(data) == pack


def test_languages(home: Path) -> None:
    for name in ("th", "other", "klingon", "", "en-us"):
        assert not resources.has_frequencies(name)
        assert resources.open_frequencies(name) is None
    expected = {"se": "sv", "cz": "cs", "nb": "no", "Polish": "pl", " EN ": "en", "hr": "hr", "ja": "ja"}
    assert {name: frequencies.get(name).language for name in expected} == expected
    assert all(map(resources.has_frequencies, expected))
    with pytest.raises(ConfigurationError, match="there are no word frequencies for 'th', only for: ar, bg"):
        resources.install_frequencies("th")
    assert not home.exists()


def test_the_table_has_the_names_of_other_tables() -> None:
    names = [entry.name for entry in (*catalogue.entries(), *thesauri.entries(), *frequencies.entries())]
    assert len(set(names)) == len(names)
    for entry in frequencies.entries():
        assert thesauri.find_pack(entry.name) == entry
        assert entry.folder.name == entry.name
    for language in every():
        if found := frequencies.find(language.name):
            assert found == frequencies.find(language.code)
            assert found.title == f"{language.java_name} word frequencies"


def test_installs_at_the_same_time(home: Path, wheel: Path) -> None:
    program = (
        "from bolide import resources; import sys; "
        "print(resources.install_frequencies('en', sys.argv[1]).hash, end=''); "
        "print(resources.open_frequencies('en').frequencies.bits(['the']))"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(wheel)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = {process.communicate(timeout=PATIENCE)[0].strip() for process in started}
    assert outputs == {f"{resources.verify(home / 'packs' / 'en-frequencies').hash}[4]"}
    assert is_clean(home)


# ---- errors --------------------------------------------------------------------------------------

GOOD = cbpack()
LONG_LIST = b"\xdd\xff\xff\xff\xff"
SPOILED = {
    "nothing": (b"", "it is incomplete or not text"),
    "cut off in a word": (GOOD[:-3], "a word is longer than the file"),
    "cut off in a length": (packed([HEADER]) + b"\xdd\x00", "it has 0 lists"),
    "without its last list": (GOOD[:-9], "it is incomplete or not text"),
    "something after the end": (GOOD + b"\x90", "there is more after its end"),
    "no list": (packed({"format": "cB"}), "unexpected type 0x81"),
    "no header": (packed([["the"], ["boat"]]), "unexpected type 0x91"),
    "wrong version": (packed([{"format": "cB", "version": 2}, ["the"]]), "its header is wrong"),
    "wrong format": (packed([{"format": "dB", "version": 1}, ["the"]]), "its header is wrong"),
    "short header": (packed([{"format": "cB"}, ["the"]]), "its header is wrong"),
    "only a header": (packed([HEADER]), "it has 0 lists"),
    "no words": (packed([HEADER, [], []]), "it has no words"),
    "an empty word": (packed([HEADER, ["the", ""]]), "it has an empty word"),
    "a number as a word": (packed([HEADER, ["the", 7]]), "unexpected type 0x07"),
    "a list as a word": (packed([HEADER, ["the", ["a"]]]), "unexpected type 0x91"),
    "a word as a list": (packed([HEADER, "the"]), "unexpected type 0xa3"),
    "nothing as a list": (packed([HEADER])[:1].replace(b"\x91", b"\x92") + packed(HEADER) + b"\xc0", "0xc0"),
    "bytes as a word": (packed([HEADER, ["x"]])[:-2] + b"\xc4\x01x", "unexpected type 0xc4"),
    "not UTF-8": (packed([HEADER, ["the", "\udcff"]]), "it is incomplete or not text"),
    "a surrogate": (packed([HEADER, ["abc"]])[:-3] + b"\xed\xa0\x80", "it is incomplete or not text"),
    "too many lists": (packed([HEADER, *[[]] * 5001]), "it has 5,001 lists"),
    "a huge number of lists": (LONG_LIST + packed(HEADER), "it has 4,294,967,294 lists"),
    "a huge list": (b"\x92" + packed(HEADER) + LONG_LIST, "a list is longer than the file"),
    "a huge word": (b"\x92" + packed(HEADER) + b"\x91\xdb\xff\xff\xff\xff", "a word is longer than the file"),
    "nested lists": (b"\x91" * 100_000, "it has 0 lists"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_damaged_lists(home: Path, tmp_path: Path, wheel: Path, name: str) -> None:
    before = resources.install_frequencies("en", wheel)
    data, message = SPOILED[name]
    spoiled = fake_wordfreq.wheel(tmp_path / "spoiled", {WORD_LIST: gzip.compress(data)})
    with pytest.raises(ResourceError) as caught:
        resources.install_frequencies("en", spoiled)
    assert str(caught.value).startswith(f"{WORD_LIST} in {spoiled} is not a list of words of wordfreq (")
    assert message in str(caught.value)
    assert resources.verify(home / "packs" / "en-frequencies") == before
    assert is_clean(home)


def test_too_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordfreq, "_MOST_WORDS", 3)
    with pytest.raises(ResourceError, match="it has more than 3 words"):
        wordfreq.compile_frequencies(GOOD, "here")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"no gzip", "cannot be read (Error -3 while decompressing data"),
        (gzip.compress(GOOD)[:-9], "cannot be read (it ends too early)"),
        (gzip.compress(bytes(3000)), "unpacks to more than 2,000 bytes: is it the right file?"),
    ],
)
def test_damaged_gzip(
    home: Path, tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, message: str
) -> None:
    monkeypatch.setattr(distribution, "LARGEST_SMALL", 2000)
    with pytest.raises(ResourceError) as caught:
        resources.install_frequencies("en", fake_wordfreq.wheel(tmp_path / "spoiled", {WORD_LIST: data}))
    assert message in str(caught.value)
    assert is_clean(home) if (home / "packs").exists() else True


def test_wrong_files(home: Path, tmp_path: Path, wheel: Path) -> None:
    (tmp_path / "notes.txt").write_text("no archive")
    (tmp_path / "empty").mkdir()
    for path, message in (
        (tmp_path / "notes.txt", "cannot be read"),
        (tmp_path / "none.whl", "none.whl does not exist"),
        (tmp_path / "empty", "empty has no wordfreq/data/large_en.msgpack.gz: give the wheel wordfreq-"),
        (fake_meteor.wheel(tmp_path / "meteor"), "has no wordfreq/data/large_en.msgpack.gz"),
    ):
        with pytest.raises(ResourceError, match=message):
            resources.install_frequencies("en", path)
    with pytest.raises(ResourceError, match=r"has no wordfreq/data/large_fr\.msgpack\.gz"):
        resources.install_frequencies("fr", wheel)
    assert not (home / "packs").exists()


@pytest.mark.parametrize("damage", ["shorter", "other type"])
def test_arrays_that_do_not_fit(home: Path, wheel: Path, damage: str) -> None:
    resources.install_frequencies("en", wheel)
    [path] = (home / "packs" / "en-frequencies").glob("arrays-*/frequencies.bits.npy")
    array = np.load(path)
    np.save(path, array[:-1] if damage == "shorter" else array.astype(np.int64))
    found = manifest.read(home / "packs" / "en-frequencies")
    sizes = {**found.files, path.name: manifest.PackFile(path.stat().st_size, fake_meteor.sha256(path))}
    (path.parents[1] / manifest.NAME).write_text(replace(found, files=sizes).to_toml())
    with pytest.raises(ResourceError, match=r"are damaged.*install en --frequencies --force"):
        resources.load_pack(home / "packs" / "en-frequencies")


# ---- the format ----------------------------------------------------------------------------------

_WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300)


@given(st.dictionaries(st.integers(0, 300), st.lists(_WORDS, max_size=20), min_size=1))
def test_lists_of_any_length(words: dict[int, list[str]]) -> None:
    expected: dict[str, int] = {}
    for number in sorted(words):
        for word in words[number]:
            expected.setdefault(word, number)
    if expected:
        assert wordfreq.decode(cbpack(words)) == expected


def test_longer_lengths() -> None:
    words = {0: ["x" * 70_000], 20: ["y" * 300, *(f"w{k}" for k in range(70_000))]}
    assert wordfreq.decode(cbpack(words)) == {word: number for number in words for word in words[number]}


@given(st.data())
def test_any_bytes_are_a_list_or_an_error(data: st.DataObject) -> None:
    spoiled = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 4))):
        spoiled[data.draw(st.integers(0, 40) | st.integers(0, len(GOOD) - 1))] = data.draw(
            st.integers(0, 255)
        )
    try:
        arrays = wordfreq.compile_frequencies(bytes(spoiled), "here")
    except ResourceError as error:
        assert str(error).startswith("here is not a list of words of wordfreq (")
    else:
        assert arrays["bits"].dtype == np.uint8


def test_msgpack_itself_reads_the_lists_of_these_tests() -> None:
    msgpack = pytest.importorskip("msgpack")
    assert msgpack.loads(GOOD) == [HEADER, *lists(WORDS)]


# ---- bolide resources ----------------------------------------------------------------------------


def test_command_line(bolide: Run, home: Path, wheel: Path) -> None:
    folder = home / "packs" / "en-frequencies"
    code, out, errors = bolide("install", "en", "German", "--frequencies", "--from", wheel)
    hash_of = manifest.read(folder).hash
    assert (code, errors) == (0, "")
    assert out.splitlines()[0] == f"en-frequencies installed in {folder} ({hash_of}): 10 words"
    assert out.splitlines()[1].startswith("de-frequencies installed in ")
    assert bolide("install", "english", "--frequencies") == (
        0,
        f"en-frequencies is installed already ({hash_of}); --force installs it again\n",
        "",
    )
    assert bolide("path", "en-frequencies") == (0, f"{folder}\n", "")
    assert "all correct" in bolide("verify", "en-frequencies")[1]
    code, out, _ = bolide("info", "en-frequencies")
    assert code == 0
    assert "en-frequencies (English word frequencies)" in out
    assert "word frequencies: CC-BY-SA-4.0" in out
    rows = [line.split()[0] for line in bolide("list")[1].splitlines()]
    assert rows[-2:] == ["de-frequencies", "en-frequencies"]
    assert len(bolide("list", "--frequencies")[1].splitlines()) == 8 + len(frequencies.entries())
    [path] = folder.glob("arrays-*/frequencies.bits.npy")
    path.write_bytes(path.read_bytes()[:-1] + b"\x00")
    code, _, errors = bolide("verify", "en-frequencies")
    assert code == 1
    assert "repair it with `bolide resources install en --frequencies --force`" in errors


def test_command_line_failures(bolide: Run, home: Path, wheel: Path, tmp_path: Path) -> None:
    for arguments, code, message in (
        (["info", "fr-frequencies"], 1, "run `bolide resources install fr --frequencies`"),
        (["install", "th", "--frequencies"], 2, "there are no word frequencies for 'th'"),
        (["install", "en", "--frequencies", "--synonyms", "wordnet"], 2, "install one at a time"),
        (["install", "en", "--frequencies", "--from", tmp_path / "none"], 1, "No such file or directory"),
        (["install", "en", "--frequencies"], 1, "BOLIDE_OFFLINE forbids it"),
    ):
        found = bolide(*arguments)
        assert (found[0], found[1]) == (code, "")
        assert message in found[2]
        assert found[2].count("\n") == 1
    assert f"copy the folder that `bolide resources path en-frequencies` prints there to {home}" in found[2]
    assert "bolide resources install en --frequencies --from FILE` with wordfreq-3.1.1-py3" in found[2]


# ---- fetching ------------------------------------------------------------------------------------


@pytest.fixture
def index(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """A package index with the small wheel."""
    forget_settings(monkeypatch)
    monkeypatch.delenv("BOLIDE_OFFLINE")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("PIP_CACHE_DIR", str(tmp_path / "cache"))
    with Index(wheel) as found:
        target = f"/files/{wheel.name}"
        found.answers["/simple/wordfreq/"] = page(f'<a href="../..{target}">the wheel</a>')
        found.answers[target] = lambda handler: handler.reply(found.data, "application/zip")
        monkeypatch.setenv("PIP_INDEX_URL", found.url)
        yield found


@pytest.mark.parametrize("with_pip", [True, False])
def test_first_use_fetches(
    home: Path, index: Index, monkeypatch: pytest.MonkeyPatch, capfd: Any, with_pip: bool
) -> None:
    if not with_pip:
        monkeypatch.setattr(pip_download, "pip_command", lambda: None)
    assert bits("en", "the", "boat") == [4, 10]
    out, errors = capfd.readouterr()
    assert out == ""
    assert errors.startswith(f"Installing the English word frequencies in {home} (once; fetches 0 MB) ...")
    assert errors.count("\n") == 1
    fetched = len(index.paths())
    assert bits("en", "well") == [10]
    assert len(index.paths()) == fetched
    assert bits("de", "der") == [5]
    assert is_clean(home)


def test_another_file_under_the_name_is_refused(home: Path, index: Index, tmp_path: Path) -> None:
    index.data = fake_wordfreq.wheel(tmp_path / "other", {WORD_LIST: b""}).read_bytes()
    with pytest.raises(ResourceError, match="nothing was installed; use another index or give") as caught:
        resources.open_frequencies("en")
    assert "with `--frequencies --from FILE`" in str(caught.value)
    assert not (home / "packs").exists()


# ---- the real lists ------------------------------------------------------------------------------

SAMPLES = ("en", "de", "cs", "ru", "fi", "ar", "hi", "el", "tr")


@pytest.fixture(scope="module")
def real() -> Any:
    """The package wordfreq. Its folder has the same lists as the pinned wheel."""
    return pytest.importorskip("wordfreq", reason="needs the package wordfreq")


def is_plain(word: str) -> bool:
    return all(unicodedata.category(letter)[0] in "LM" for letter in word)


@pytest.mark.parametrize("language", SAMPLES)
def test_bits_are_those_of_wordfreq(home: Path, real: Any, language: str) -> None:
    resources.install_frequencies(language, Path(real.__file__).parents[1])
    words = [word for word in real.top_n_list(language, 20_000) if is_plain(word)][::40]
    assert len(words) > 200
    expected = [round(-math.log2(real.word_frequency(word, language))) for word in words]
    found = bits(language, *words)
    assert max(abs(one - other) for one, other in zip(found, expected, strict=True)) <= 1
    assert sum(one != other for one, other in zip(found, expected, strict=True)) < len(words) / 20


def test_every_list_can_be_read(real: Any) -> None:
    msgpack = pytest.importorskip("msgpack")
    lengths = {}
    for entry in frequencies.entries():
        path = Path(real.__file__).with_name("data") / entry.parts[0].files[0]
        if entry.language in (*SAMPLES, "ja", "ko", "zh"):
            data = gzip.decompress(path.read_bytes())
            words = msgpack.loads(data)[1:]
            lengths[entry.language] = sum(map(len, words))
            assert wordfreq.decode(data) == {word: k for k, row in enumerate(words) for word in row}
        assert path.is_file()
    assert min(lengths.values()) > 10_000


def test_the_pinned_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetched from PyPI. pip keeps it in its cache."""
    if importlib.util.find_spec("pip") is None or os.environ.get("BOLIDE_OFFLINE"):
        pytest.skip("needs pip and a network")
    monkeypatch.setenv("BOLIDE_HOME", str(tmp_path))
    try:
        assert bits("vi", "là", "xyzzy") == [6, 27]
    except ResourceError as error:
        pytest.skip(str(error))
    made = manifest.read(tmp_path / "packs" / "vi-frequencies")
    assert made.origin["sha256"] == frequencies.wheel().sha256
    assert made.counts == {"words": 10719}
