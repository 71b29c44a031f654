"""Language packs from a small test distribution: every source, their contents, and all kinds of damage."""

from __future__ import annotations

import gzip
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bolide import resources
from bolide.errors import ConfigurationError, ResourceError
from bolide.resources import Pack, catalogue, load, manifest
from tests.support import core_testing, fake_meteor


@pytest.fixture
def english(home: Path, tmp_path: Path) -> Pack:
    return fake_meteor.installed(tmp_path)


# ---- contents ------------------------------------------------------------------------------------


def test_english_pack_has_every_part(english: Pack) -> None:
    assert english.language == "en"
    assert english.function_words == {"the", "of", "."} == english.english_function_words
    assert english.prefixes == ("Adm", "Capt", "Fig")
    assert english.numeric_prefixes == ("Fig",)
    assert english.paraphrases is not None
    assert core_testing.paraphrases(english.paraphrases, ["a", "small", "boat"]) == [
        ["a", "dinghy"],
        ["the", "little", "ship"],
    ]
    assert core_testing.paraphrases(english.paraphrases, ["a", "dinghy"]) == []


def test_synonym_arrays(english: Pack) -> None:
    found = english.synonyms
    assert found is not None
    ids = {found.words.word(k): found.ids[found.offsets[k] : found.offsets[k + 1]].tolist() for k in range(4)}
    assert ids == {"boat": [12], "geese_day": [5], "ship": [12, 7], "über-boat": [99]}
    (place,) = found.exceptions.find(["geese"])
    bases = found.exception_bases[found.exception_offsets[place] : found.exception_offsets[place + 1]]
    assert [found.bases.word(base) for base in bases] == ["goose", "gander"]
    assert found.exceptions.find(["goose"]).tolist() == [-1]


def test_other_languages_carry_the_english_function_words(home: Path, tmp_path: Path) -> None:
    resources.install(["de", "ru"], fake_meteor.folder(tmp_path / "meteor", "de"))
    german, russian = resources.open_pack("German"), resources.open_pack("ru")
    assert german.function_words == {"der", "über"}
    assert german.english_function_words == russian.english_function_words == {"the", "of", "."}
    assert german.paraphrases is not None
    assert russian.paraphrases is None
    assert russian.prefixes == ("г", "ул")
    assert german.synonyms is None


def test_czech_paraphrases_go_by_meteors_own_code(home: Path, tmp_path: Path) -> None:
    resources.install("cs", fake_meteor.folder(tmp_path / "meteor", "cz"))
    assert resources.open_pack("cz").paraphrases is not None


def test_languages_without_files_share_one_small_pack(english: Pack) -> None:
    italian = resources.open_pack("it")
    assert italian is resources.open_pack("fi")
    assert italian.english_function_words == {"the", "of", "."}
    assert (italian.function_words, italian.prefixes, italian.paraphrases) == (frozenset(), (), None)


def test_only_what_is_used_is_kept(english: Pack) -> None:
    names = {path.name for path in fake_meteor.arrays(english).iterdir()}
    assert "COPYING.WORDNET" in names
    assert not [name for name in names if "relation" in name]
    assert sorted(names) == sorted(manifest.read(fake_meteor.arrays(english).parent).files)


def test_manifest_tells_origin_counts_and_checksums(english: Pack) -> None:
    assert english.path is not None
    found = manifest.read(english.path)
    assert found.origin == {"file": "meteor-1.5"}
    assert found.counts["paraphrases"] == len(fake_meteor.PARAPHRASES)
    assert found.licences["synonyms"] == "WordNet-3.0"
    assert set(found.sources) == {
        "function/english.words",
        "nonbreaking/english.prefixes",
        "synonym/english.synsets",
        "synonym/english.exceptions",
        "data/paraphrase-en.gz",
    }
    for name, file in found.files.items():
        assert file.sha256 == fake_meteor.sha256(fake_meteor.arrays(english) / name)


def test_manifest_survives_strange_file_names(english: Pack) -> None:
    assert english.path is not None
    old = manifest.read(english.path)
    strange = manifest.Manifest(**{**vars(old), "origin": {"file": 'a "b"\\c\n\t\x7f é😀.jar'}})
    (english.path / manifest.NAME).write_text(strange.to_toml(), encoding="utf-8")
    assert manifest.read(english.path) == strange


# ---- every source --------------------------------------------------------------------------------


def test_all_kinds_of_distribution_make_the_same_pack(home: Path, tmp_path: Path) -> None:
    beside = fake_meteor.folder(tmp_path / "meteor-1.5")
    unpacked = tmp_path / "unpacked"
    for name, data in {
        **fake_meteor.jar_files(),
        "data/paraphrase-en.gz": fake_meteor.paraphrase_file(),
    }.items():
        (unpacked / name).parent.mkdir(parents=True, exist_ok=True)
        (unpacked / name).write_bytes(data)
    sources = [
        beside,
        beside.parent,
        beside / "meteor-1.5.jar",
        fake_meteor.tar_gz(tmp_path / "meteor-1.5.tar.gz"),
        fake_meteor.wheel(tmp_path / "wheels"),
        unpacked,
    ]
    hashes = {resources.install("en", source, force=True)[0].hash for source in sources}
    assert len(hashes) == 1


def test_jar_alone_has_no_paraphrases(home: Path, tmp_path: Path) -> None:
    resources.install("en", fake_meteor.jar(tmp_path / "alone" / "meteor-1.5.jar"))
    pack = resources.open_pack("en")
    assert pack.paraphrases is None
    assert pack.synonyms is not None


def test_installed_pack_is_left_alone_unless_forced(english: Pack, tmp_path: Path) -> None:
    other = fake_meteor.folder(tmp_path / "other", files=fake_meteor.jar_files("and"))
    assert resources.install("en", other)[0].hash == english.hash
    assert resources.install("en", other, force=True)[0].hash != english.hash
    assert "and" in resources.open_pack("en").function_words


def test_installing_repairs_a_pack_that_cannot_be_opened(english: Pack, tmp_path: Path) -> None:
    (fake_meteor.arrays(english) / "synonyms.ids.npy").write_bytes(b"")
    assert resources.install("en", tmp_path / "meteor-1.5")[0].hash == english.hash
    assert resources.verify(resources.pack_folder("en")).hash == english.hash


BROKEN_SOURCES = {
    "missing": (None, "does not exist"),
    "no archive": (b"plain text", r"tar\.gz cannot be read \(damaged, incomplete, or not an archive\)"),
    "empty": (b"", "cannot be read"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN_SOURCES.values(), ids=list(BROKEN_SOURCES))
def test_broken_source(home: Path, tmp_path: Path, content: bytes | None, message: str) -> None:
    source = tmp_path / "meteor-1.5.tar.gz"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(ResourceError, match=message) as error:
        resources.install("en", source)
    assert "\n" not in str(error.value)
    assert not (home / "staging").exists()


def test_folder_without_a_jar(home: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResourceError, match="contains no Meteor jar"):
        resources.install("en", tmp_path / "empty")


@pytest.mark.parametrize("kind", ["wheel", "tar_gz", "jar"])
def test_archive_cut_short(home: Path, tmp_path: Path, kind: str) -> None:
    make: Callable[[Path], Path] = getattr(fake_meteor, kind)
    source = make(tmp_path / "archive")
    source.write_bytes(source.read_bytes()[:-200])
    with pytest.raises(ResourceError, match="cannot be read"):
        resources.install("en", source)


BAD_FILES = {
    "function words, bad UTF-8": ("function/english.words", b"the\n\xff\n", "line 2: not valid UTF-8"),
    "synsets, odd": ("synonym/english.synsets", b"ship\n1\nboat\n", "line 3: the last entry lacks"),
    "synsets, no number": (
        "synonym/english.synsets",
        b"ship\n1\nboat\nx7\n",
        "line 4: 'x7' are not synset ids",
    ),
    "synsets, too large": (
        "synonym/english.synsets",
        b"ship\n99999999999\n",
        "line 2: .* are not synset ids",
    ),
    "exceptions, odd": ("synonym/english.exceptions", b"goose\n", "line 1: the last entry lacks"),
}


@pytest.mark.parametrize(("name", "data", "message"), BAD_FILES.values(), ids=list(BAD_FILES))
def test_malformed_file_is_named_with_its_line(
    home: Path, tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    source = fake_meteor.jar(tmp_path / "m.jar", {**fake_meteor.jar_files(), name: data})
    with pytest.raises(ResourceError, match=rf"{name} in .*{message}"):
        resources.install("en", source)


def test_missing_file_is_named(home: Path, tmp_path: Path) -> None:
    files = fake_meteor.jar_files()
    del files["synonym/english.exceptions"]
    with pytest.raises(ResourceError, match=r"has no synonym/english\.exceptions"):
        resources.install("en", fake_meteor.jar(tmp_path / "m.jar", files))


BAD_PARAPHRASES = {
    "cut short": (fake_meteor.paraphrase_file()[:-9], "cannot be read"),
    "no gzip": (b"0.5\na b\nc\n", "cannot be read"),
    "missing line": (fake_meteor.paraphrase_file(("a", "b"), ("c", "d\n0.1")), "line"),
    "bad UTF-8": (gzip.compress("0.5\nä\nb\n0.5\n".encode() + b"c\xe4d\ne\n"), "line 5: not valid UTF-8"),
    "half a character": (gzip.compress("0.5\nb\nä".encode()[:-1]), "line 3: not valid UTF-8"),
    "bad UTF-8, far away": (
        gzip.compress(b"0.5\nab\nc\n" * 200_000 + b"0.5\n\xff\nb\n"),
        "line 600002: not valid UTF-8",
    ),
}


@pytest.mark.parametrize(("data", "message"), BAD_PARAPHRASES.values(), ids=list(BAD_PARAPHRASES))
def test_malformed_paraphrases(home: Path, tmp_path: Path, data: bytes, message: str) -> None:
    source = fake_meteor.folder(tmp_path / "meteor")
    (source / "data/paraphrase-en.gz").write_bytes(data)
    with pytest.raises(ResourceError, match=rf"paraphrase-en\.gz.*{message}"):
        resources.install("en", source)
    assert not manifest.exists(resources.pack_folder("en"))


# ---- opening -------------------------------------------------------------------------------------


def test_offline_without_the_pack_says_what_to_do(home: Path) -> None:
    with pytest.raises(ResourceError) as error:
        resources.open_pack("en")
    for words in ("BOLIDE_OFFLINE", "bolide resources install en", "--from", str(home / "packs" / "en")):
        assert words in str(error.value)
    assert not home.exists()


def test_a_pack_of_an_older_format_is_made_again(home: Path, tmp_path: Path) -> None:
    resources.install("en", fake_meteor.folder(tmp_path / "meteor"))
    path = resources.pack_folder("en") / manifest.NAME
    older = path.read_text().replace(f"format = {manifest.FORMAT}", f"format = {manifest.FORMAT - 1}")
    path.write_text(older)
    load.forget(path.parent)
    with pytest.raises(ResourceError, match="this bolide reads"):  # its source is not available
        resources.open_pack("en")
    origin = f'[origin]\n"sha256" = "{catalogue.wheel().sha256}"\n\n['
    path.write_text(re.sub(r"\[origin\][^[]*\[", origin, older))
    with pytest.raises(ResourceError, match="BOLIDE_OFFLINE"):  # it would have been fetched
        resources.open_pack("en")


def test_unknown_language(home: Path) -> None:
    with pytest.raises(ConfigurationError):
        resources.open_pack("klingon")


def test_threads_share_one_pack(english: Pack) -> None:
    found: list[Pack] = []
    threads = [threading.Thread(target=lambda: found.append(resources.open_pack("en"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(pack is english for pack in found)


def test_large_arrays_are_mapped_not_read(english: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "SMALL", 0)
    assert english.path is not None
    pack = load.load_pack(english.path)
    assert pack.synonyms is not None
    assert not pack.synonyms.ids.flags.owndata
    assert not pack.synonyms.ids.flags.writeable
    if sys.platform == "linux":
        assert "synonyms.ids.npy" in Path("/proc/self/maps").read_text()


def test_home_may_be_copied_and_read_only(
    english: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    copy = tmp_path / "copy"
    (home / "install.lock").unlink()
    home.rename(copy)
    monkeypatch.setenv("BOLIDE_HOME", str(copy))
    before = sorted(copy.rglob("*"))
    for path in before:
        path.chmod(0o555 if path.is_dir() else 0o444)
    assert resources.open_pack("en") == english
    assert resources.install("en")[0].hash == english.hash
    assert sorted(copy.rglob("*")) == before
    for path in before:
        path.chmod(0o755)


def test_import_fetches_writes_and_creates_nothing(home: Path) -> None:
    heavy = "{'rich', 'typer', 'subprocess', 'zipfile', 'tarfile', 'platformdirs'}"
    code = f"""if True:
        import numpy, sys
        before = set(sys.modules)
        from bolide import resources
        resources.pack_folder("en")
        print(*{heavy} & (set(sys.modules) - before))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
    assert not home.exists()


# ---- pickling ------------------------------------------------------------------------------------


def test_pack_pickles_by_path(english: Pack) -> None:
    data = pickle.dumps(english)
    assert len(data) < 500
    assert pickle.loads(data) is english


def test_pickled_pack_opens_in_another_process(english: Pack, tmp_path: Path) -> None:
    (tmp_path / "pack").write_bytes(pickle.dumps(english))
    code = (
        "import pickle, sys; p = pickle.load(open(sys.argv[1], 'rb')); print(p.hash, len(p.function_words))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "pack")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{english.hash} 3\n"


def test_pickled_pack_refuses_other_data(english: Pack, tmp_path: Path) -> None:
    data = pickle.dumps(english)
    resources.install(
        "en", fake_meteor.folder(tmp_path / "b", files=fake_meteor.jar_files("and")), force=True
    )
    with pytest.raises(ResourceError, match="was replaced"):
        pickle.loads(data)


def test_empty_pack_pickles() -> None:
    assert pickle.loads(pickle.dumps(Pack("xx"))) == Pack("xx")


# ---- custom files --------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "function.words").write_text("und\n so \n#1\nder\n", encoding="utf-8")
    (folder / "paraphrase.gz").write_bytes(fake_meteor.paraphrase_file(("x y", "z")))
    (folder / "english.synsets").write_text("cat\n1\nfeline\n01\ncat\n2\n")
    (folder / "english.exceptions").write_text("")
    return folder


def test_custom_pack_from_files_alone(own: Path) -> None:
    pack = resources.custom_pack(
        "other", function_words=own / "function.words", paraphrases=own / "paraphrase.gz"
    )
    # As in Java: every line is a word, including spaces.
    assert pack.function_words == pack.english_function_words == {"und", " so ", "#1", "der"}
    assert pack.paraphrases is not None
    assert core_testing.paraphrases(pack.paraphrases, ["x", "y"]) == [["z"]]
    assert (pack.path, pack.synonyms, pack.prefixes) == (None, None, ())


def test_custom_pack_over_an_installed_one(english: Pack, own: Path) -> None:
    pack = resources.custom_pack("en", base=english, synonyms=own)
    assert pack.synonyms is not None
    assert pack.synonyms.ids.tolist() == [2, 1]  # of two entries for a word, the last holds
    assert pack.paraphrases is english.paraphrases
    assert pack.prefixes == english.prefixes
    assert pack.hash != english.hash


def test_custom_packs_are_named_by_their_contents(own: Path, tmp_path: Path) -> None:
    (tmp_path / "same.words").write_bytes((own / "function.words").read_bytes())
    (tmp_path / "other.words").write_text("und\n")
    names = [own / "function.words", tmp_path / "same.words", tmp_path / "other.words"]
    first, same, other = (resources.custom_pack("en", function_words=name) for name in names)
    assert first == same
    assert first != other


def test_custom_pack_pickles_by_its_files(english: Pack, own: Path) -> None:
    made = resources.custom_pack("en", base=english, function_words=own / "function.words")
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert again.function_words == made.function_words
    assert pickle.loads(pickle.dumps(again)) is again
    (own / "function.words").write_text("changed\n")
    renewed = resources.custom_pack("en", base=english, function_words=own / "function.words")
    assert renewed != made
    data = pickle.dumps(renewed)
    (own / "function.words").write_text("and again\n")
    with pytest.raises(ResourceError, match="a file changed"):
        pickle.loads(data)


@pytest.mark.parametrize("option", ["function_words", "paraphrases", "synonyms"])
def test_custom_pack_without_its_file(tmp_path: Path, option: str) -> None:
    with pytest.raises(ResourceError, match="does not exist"):
        resources.custom_pack("en", **{option: tmp_path / "nowhere"})  # type: ignore[arg-type]
