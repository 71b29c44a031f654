"""Packs from strangers: nothing outside the pack is read or written, and every mistake has its error."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bolide import Meteor, cli, resources
from bolide._support import outputs
from bolide.distributed import spark
from bolide.errors import BolideError, ResourceError
from bolide.learning import filtered_packs
from bolide.resources import installation, load, manifest
from bolide.resources.pack_files import is_plain_name
from tests.support import fake_meteor
from tests.support.examples import examples
from tests.support.posix import needs_pipes

PLAIN = ["synonyms.ids.npy", "COPYING.WORDNET", "arrays-1f0c93a2", "LICENSE", "a b", "é"]
NOT_PLAIN = [
    "",
    ".",
    "..",
    ".hidden",
    "/dev/zero",
    "a/b",
    "../a",
    "a\\b",
    "C:a",
    "a\0",
    "a\n",
    "\x1b[2J",
    "a.",
]
NOT_PLAIN += ["nul", "CON", "com1.npy", "Aux.txt", "a ", "a*", "x" * 256]


@pytest.fixture
def pack(home: Path, tmp_path: Path) -> Path:
    """A pack in a folder, as a stranger would send it."""
    folder = tmp_path / "pack"
    shutil.copytree(fake_meteor.arrays(fake_meteor.installed(tmp_path)).parent, folder)
    return folder


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "corpus").write_text("a small boat\n", encoding="utf-8")
    return tmp_path / "corpus"


def edit(pack: Path, old: str, new: str) -> None:
    text = (pack / manifest.NAME).read_text(encoding="utf-8")
    assert old in text
    (pack / manifest.NAME).write_text(text.replace(old, new, 1), encoding="utf-8")


def list_file(pack: Path, name: str, data: bytes) -> None:
    """Adds a file to the manifest, with its right size and checksum."""
    digest = hashlib.sha256(data).hexdigest()
    edit(pack, "[files]\n", f'[files]\n"{name}" = {{ bytes = {len(data)}, sha256 = "{digest}" }}\n')


def arrays(pack: Path) -> Path:
    [folder] = pack.glob("arrays-*")
    return folder


@pytest.mark.parametrize("name", PLAIN)
def test_plain_names(name: str) -> None:
    assert is_plain_name(name)


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_names_that_are_not_plain(name: str) -> None:
    assert not is_plain_name(name)


def readers(pack: Path, corpus: Path) -> list[Callable[[], object]]:
    """Everything that reads a pack."""
    return [
        lambda: resources.load_pack(pack),
        lambda: resources.verify(pack),
        lambda: Meteor(resources=pack),
        lambda: filtered_packs.filter_pack(pack, [corpus], corpus.parent / "filtered"),
    ]


def test_filter_writes_only_to_its_folder(pack: Path, corpus: Path, tmp_path: Path) -> None:
    inner = pack / "a" / "b" / "c" / "d"
    inner.parent.mkdir(parents=True)
    arrays(pack).rename(inner)
    edit(pack, manifest.read(resources.pack_folder("en")).folder, "a/b/c/d")
    list_file(pack, "../../../victim/file", b"written by a stranger")
    for folder in (pack / "a" / "victim", tmp_path / "victim"):
        folder.mkdir()
    (pack / "a" / "victim" / "file").write_bytes(b"written by a stranger")
    for read in readers(pack, corpus):
        with pytest.raises(ResourceError, match=r"manifest\.toml is damaged .*: make or copy the pack again"):
            read()
    assert not list((tmp_path / "victim").iterdir())
    assert not (tmp_path / "filtered").exists()


@pytest.mark.parametrize("name", ["function_words.bytes.npy", "synonyms.ids.npy", "COPYING.WORDNET"])
@pytest.mark.parametrize("large", [False, True])
def test_a_link_is_not_followed(
    pack: Path, corpus: Path, tmp_path: Path, name: str, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(load, "SMALL", 0)
    (arrays(pack) / name).rename(tmp_path / "outside")
    (arrays(pack) / name).symlink_to(tmp_path / "outside")
    licence = name == "COPYING.WORDNET"  # opening does not read it
    for read in readers(pack, corpus)[1::2] if licence else readers(pack, corpus):
        with pytest.raises(ResourceError, match=f"{name} cannot be read .*only regular files"):
            read()


@pytest.mark.parametrize("linked", ["arrays", "manifest"])
def test_a_linked_folder_or_manifest_is_not_followed(
    pack: Path, corpus: Path, tmp_path: Path, linked: str
) -> None:
    path = arrays(pack) if linked == "arrays" else pack / manifest.NAME
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")
    for read in readers(pack, corpus):
        with pytest.raises(ResourceError, match="cannot be read"):
            read()


def test_the_folder_of_the_pack_may_be_a_link(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(pack)
    assert resources.verify(tmp_path / "link").hash == resources.load_pack(pack).hash


@needs_pipes
def test_devices_pipes_and_folders_are_not_read(pack: Path, corpus: Path) -> None:
    os.mkfifo(arrays(pack) / "pipe.npy")
    (arrays(pack) / "folder.npy").mkdir()
    (arrays(pack) / "zero.npy").symlink_to("/dev/zero")
    good = (pack / manifest.NAME).read_bytes()
    for name in ("pipe.npy", "folder.npy", "zero.npy"):
        (pack / manifest.NAME).write_bytes(good)
        list_file(pack, name, b"")
        for read in readers(pack, corpus):
            with pytest.raises(ResourceError, match=f"{name} cannot be read .*only regular files"):
                read()


@needs_pipes
def test_a_manifest_that_is_a_pipe(pack: Path, corpus: Path) -> None:
    (pack / manifest.NAME).unlink()
    os.mkfifo(pack / manifest.NAME)
    for read in readers(pack, corpus):
        with pytest.raises(ResourceError, match="only regular files"):
            read()


# Replacements in a manifest: what is found, and what is put in its place.
MISTAKES = {
    "folder is a number": ('folder = "', 'folder = 3 # "'),
    "folder has a NUL": ('folder = "', 'folder = "\\u0000'),
    "folder leads out": ('folder = "', 'folder = "../'),
    "language is a number": ('language = "en"', "language = 7"),
    "language is missing": ('language = "en"\n', ""),
    "language is empty": ('language = "en"', 'language = ""'),
    "language has escapes": ('language = "en"', 'language = "\\u001b[2J"'),
    "version is a list": ('bolide = "', 'bolide = [] # "'),
    "format is a text": ("format = ", 'format = "x" # '),
    "format is missing": ("format = ", "shape = "),
    "origin is missing": ("[origin]", "[somewhere]"),
    "source is a number": ("[sources]\n", "[sources]\nx = 3\n"),
    "licence is a table": ("[licences]\n", "[licences]\nx = { y = 1 }\n"),
    "count is a text": ("[counts]\n", '[counts]\nx = "3"\n'),
    "count is a truth value": ("[counts]\n", "[counts]\nx = true\n"),
    "count is negative": ("[counts]\n", "[counts]\nx = -1\n"),
    "count is huge": ("[counts]\n", "[counts]\nx = 1" + "0" * 30 + "\n"),
    "count has too many digits": ("[counts]\n", "[counts]\nx = 1" + "0" * 5000 + "\n"),
    "file is a number": ("[files]\n", "[files]\nx = 3\n"),
    "file has no size": ("[files]\n", '[files]\nx = { sha256 = "' + "0" * 64 + '" }\n'),
    "size is huge": ("bytes = ", "bytes = 99999999999999999999999"),
    "size is not finite": ("bytes = ", "bytes = inf, x = "),
    "size is negative": ("bytes = ", "bytes = -"),
    "checksum is short": ('sha256 = "', 'sha256 = "aa", x = "'),
    "file is a device": ("[files]\n", '[files]\n"/dev/zero" = { bytes = 0, sha256 = "' + "0" * 64 + '" }\n'),
    "learned is a text": ("[origin]", 'learned.x = "y"\n[origin]'),
    "learned has a date": ("[origin]", "learned.x.y = 2020-01-01\n[origin]"),
    "learned has a list": ("[origin]", "learned.x.y = [1]\n[origin]"),
    "learned has no number": ("[origin]", "learned.x.y = nan\n[origin]"),
    "deep": ("[origin]", f"deep = {'[' * 3000}{']' * 3000}\n[origin]"),
    "large": ("[origin]", f"# {'x' * 500_000}\n[origin]"),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=list(MISTAKES))
def test_mistakes_in_a_manifest(pack: Path, corpus: Path, mistake: tuple[str, str]) -> None:
    edit(pack, *mistake)
    for read in readers(pack, corpus):
        with pytest.raises(ResourceError, match=r"manifest\.toml .*: make or copy the pack again") as error:
            read()
        assert "\n" not in str(error.value)
        assert "\x1b" not in str(error.value)


def test_commands_report_a_mistake(pack: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(resources.pack_folder("en"), "[sources]\n", "[sources]\nx = 3\n")
    for command in (["info", "en"], ["verify", "en"], ["path", "en"]):
        assert cli.run(["resources", *command]) == 1
        assert "manifest.toml is damaged (sources.x must be a text" in capsys.readouterr().err
    assert cli.run(["resources", "list"]) == 0
    assert "damaged" in capsys.readouterr().out


def test_a_filtered_pack_keeps_strange_records(pack: Path, corpus: Path, tmp_path: Path) -> None:
    """Names in the manifest of a stranger are data, also when the manifest is written again."""
    edit(pack, "[origin]", '"learned"."a]\\n[files"."b } c" = { "d = 1" = "e" }\n\n[origin]')
    made = filtered_packs.filter_pack(pack, [corpus], tmp_path / "filtered")
    assert made == manifest.read(tmp_path / "filtered")
    assert made.learned == {"a]\n[files": {"b } c": {"d = 1": "e"}}}


def test_a_damaged_file_is_not_copied(pack: Path, corpus: Path, tmp_path: Path) -> None:
    (arrays(pack) / "COPYING.WORDNET").write_bytes(b"x" * (arrays(pack) / "COPYING.WORDNET").stat().st_size)
    with pytest.raises(ResourceError, match=r"COPYING\.WORDNET is damaged"):
        filtered_packs.filter_pack(pack, [corpus], tmp_path / "filtered")


def test_links_in_a_distribution_stay_inside(home: Path, tmp_path: Path) -> None:
    """A folder of Meteor may contain links, but only to its own files."""
    meteor = fake_meteor.folder(tmp_path / "meteor")
    table = meteor / "data" / "paraphrase-en.gz"
    table.rename(meteor / "data" / "table.gz")
    table.symlink_to("table.gz")
    assert resources.install("en", meteor)[0].counts["paraphrases"] == 3
    (meteor / "data" / "table.gz").rename(tmp_path / "table.gz")
    table.unlink()
    table.symlink_to(tmp_path / "table.gz")
    with pytest.raises(ResourceError, match=r"paraphrase-en\.gz.*leads out of"):
        resources.install("en", meteor, force=True)


def test_links_beside_a_jar_stay_inside(home: Path, tmp_path: Path) -> None:
    meteor = fake_meteor.folder(tmp_path / "meteor")
    table, jar = meteor / "data" / "paraphrase-en.gz", next(meteor.glob("*.jar"))
    table.rename(tmp_path / "table.gz")
    table.symlink_to(tmp_path / "table.gz")
    with pytest.raises(ResourceError, match=r"paraphrase-en\.gz.*leads out of"):
        resources.install("en", jar)


def test_an_interrupted_install_removes_only_its_own_files(home: Path) -> None:
    """Where the system has no locks, others may install at the same time."""
    home.mkdir(parents=True, exist_ok=True)
    with installation._staging() as mine, installation._staging() as other:
        (other / "file").touch()
        outputs._unfinished[0]()  # as the command does when it must end at once
        assert not mine.exists()
        assert (other / "file").exists()
    assert not (home / "staging").exists()


def test_a_staging_folder_whose_parent_is_removed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir(parents=True, exist_ok=True)
    make = tempfile.mkdtemp
    removed: list[Path] = []

    def race(dir: Path) -> str:  # noqa: A002
        if not removed:
            dir.rmdir()  # another process ends its install
            removed.append(dir)
        return make(dir=dir)

    monkeypatch.setattr(tempfile, "mkdtemp", race)
    with installation._staging() as folder:
        assert folder.is_dir()


def test_spark_sends_only_the_files_of_the_pack(pack: Path, tmp_path: Path) -> None:
    (pack / "secret").symlink_to("/etc/hostname")
    (arrays(pack) / "other").touch()
    spark._write_archive(pack, tmp_path / "pack.zip")
    shutil.unpack_archive(tmp_path / "pack.zip", tmp_path / "worker")
    assert resources.verify(tmp_path / "worker") == manifest.read(pack)
    assert not (tmp_path / "worker" / "secret").exists()
    assert not (arrays(tmp_path / "worker") / "other").exists()
    (arrays(pack) / "synonyms.ids.npy").unlink()
    (arrays(pack) / "synonyms.ids.npy").symlink_to("/etc/hostname")
    with pytest.raises(ResourceError, match="only regular files"):
        spark._write_archive(pack, tmp_path / "again.zip")


# ---- random damage -------------------------------------------------------------------------------

HYPOTHESES = ["a small boat", "the quick goose", "in a hurry"]
REFERENCES = ["a dinghy", "the geese in a hurry", "quick ship"]
FUZZ = settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])


def scores(pack: Path) -> list[float]:
    scorer = Meteor(resources=pack)
    return [
        scorer.sentence_score(hypothesis, reference).score
        for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True)
    ]


@FUZZ
@given(st.data())
def test_random_damage_is_an_error_or_harmless(
    pack: Path, monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    monkeypatch.setattr(load, "SMALL", data.draw(st.sampled_from([0, 1 << 16])))
    monkeypatch.setenv("BOLIDE_VERIFY", data.draw(st.sampled_from(["once", "always"])))
    expected = scores(pack)
    files = sorted([*arrays(pack).iterdir(), pack / manifest.NAME])
    before = {path: path.read_bytes() for path in files}
    path = data.draw(st.sampled_from(files))
    good = before[path]
    try:
        kind = data.draw(st.sampled_from(["flip", "truncate", "extend", "insert", "swap"]))
        place = data.draw(st.integers(0, len(good) - 1))
        if kind == "flip":
            bit = 1 << data.draw(st.integers(0, 7))
            path.write_bytes(good[:place] + bytes([good[place] ^ bit]) + good[place + 1 :])
        elif kind == "truncate":
            path.write_bytes(good[:place])
        elif kind == "extend":
            path.write_bytes(good + data.draw(st.binary(min_size=1, max_size=99)))
        elif kind == "insert":
            path.write_bytes(good[:place] + data.draw(st.binary(min_size=1, max_size=9)) + good[place:])
        else:
            other = data.draw(st.sampled_from(files))
            path.write_bytes(before[other])
            other.write_bytes(good)
        try:
            assert scores(pack) == expected
        except BolideError as error:
            assert str(error)
    finally:
        for each, content in before.items():
            each.write_bytes(content)


@FUZZ
@given(st.data())
def test_random_damage_without_checksums_is_an_error_or_a_score(
    pack: Path, monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    """Without checksums damage may change scores. It must not have any other effect."""
    monkeypatch.setattr(load, "SMALL", 0)
    monkeypatch.setenv("BOLIDE_VERIFY", "never")
    path = data.draw(st.sampled_from(sorted(arrays(pack).glob("*.npy"))))
    good = path.read_bytes()
    place = data.draw(st.integers(0, len(good) - 1))
    try:
        path.write_bytes(good[:place] + bytes([data.draw(st.integers(0, 255))]) + good[place + 1 :])
        try:
            assert all(0 <= score <= 1 for score in scores(pack))
        except BolideError as error:
            assert str(error)
    finally:
        path.write_bytes(good)
