"""`bolide resources` as a user types it, and the official English pack if it is available."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bolide import resources
from bolide.errors import ResourceError
from bolide.learning import filtered_packs
from bolide.resources import Pack, catalogue, manifest
from tests.conftest import missing
from tests.resources.conftest import Run
from tests.support import core_testing, fake_meteor


def test_install_then_inspect(bolide: Run, home: Path, tmp_path: Path) -> None:
    source = fake_meteor.folder(tmp_path / "meteor-1.5")
    code, out, errors = bolide("install", "en", "--from", source)
    hash_of = manifest.read(home / "packs" / "en").hash
    assert (code, errors) == (0, "")
    assert out == (
        f"en installed in {home / 'packs' / 'en'} ({hash_of}): 3 function words, 3 nonbreaking prefixes, "
        "1 prefix before numbers, 4 words with synsets, 3 irregular forms, 3 paraphrases\n"
    )
    assert bolide("install", "en") == (
        0,
        f"en is installed already ({hash_of}); --force installs it again\n",
        "",
    )
    assert bolide("path", "English") == (0, f"{home / 'packs' / 'en'}\n", "")
    code, out, _ = bolide("verify", "en")
    assert code == 0
    assert "all correct" in out
    code, out, _ = bolide("info", "en")
    assert code == 0
    for words in (hash_of, "meteor-1.5", "WordNet-3.0", "LGPL-2.1", "missing      nothing"):
        assert words in out


def test_install_says_what_a_jar_lacks(bolide: Run, tmp_path: Path) -> None:
    code, out, _ = bolide("install", "en", "--from", fake_meteor.jar(tmp_path / "alone" / "meteor-1.5.jar"))
    assert code == 0
    assert "en has no paraphrases: meteor-1.5.jar does not contain them; a full Meteor 1.5 does" in out
    assert "so does the download (bolide resources install en --force)" in out
    _, out, _ = bolide("install", "en")
    assert out.startswith("en is installed already")
    assert "en has no paraphrases" in out
    code, out, _ = bolide("install", "en", "--from", fake_meteor.folder(tmp_path / "meteor"))
    assert code == 0
    assert out.startswith("en installed in ")
    assert "3 paraphrases" in out


def test_list_shows_installed_and_available(bolide: Run, tmp_path: Path) -> None:
    assert "paraphrases with --from" in bolide("list")[1]
    bolide("install", "it", "--from", fake_meteor.folder(tmp_path / "meteor"))
    rows = {line.split()[0]: line for line in bolide("list")[1].splitlines()}
    assert list(rows) == ["pack", "en", "cs", "de", "es", "fr", "ru", "other"]
    assert rows["en"].split()[1] == "no"
    assert rows["de"].split()[1] == manifest.read(resources.pack_folder("de")).hash
    assert rows["other"].split()[1] == manifest.read(resources.pack_folder("it")).hash
    assert "3 English function words" in rows["other"]


@pytest.mark.parametrize("command", ["install", "info", "verify", "path"])
def test_unknown_language_is_wrong_usage(bolide: Run, home: Path, command: str) -> None:
    code, out, errors = bolide(command, "englsh")
    assert (code, out) == (2, "")
    assert "english" in errors.lower()
    assert errors.count("\n") == 1
    assert not home.exists()


@pytest.mark.parametrize("command", ["info", "verify", "path"])
def test_pack_that_is_not_there(bolide: Run, home: Path, command: str) -> None:
    code, out, errors = bolide(command, "de")
    assert (code, out) == (1, "")
    assert errors.count("\n") == 1
    assert "no" in errors
    assert not home.exists()


FAILURES = {"source": ["install", "en", "--from", "nowhere.tar.gz"], "offline": ["install", "en"]}


@pytest.mark.parametrize("arguments", FAILURES.values(), ids=list(FAILURES))
def test_failures_are_one_line_and_exit_1(bolide: Run, arguments: list[str]) -> None:
    code, out, errors = bolide(*arguments)
    assert (code, out) == (1, "")
    assert errors.startswith("bolide: ")
    assert errors.count("\n") == 1


def test_damage_is_found_and_repaired(bolide: Run, home: Path, tmp_path: Path) -> None:
    source = fake_meteor.folder(tmp_path / "meteor")
    bolide("install", "en", "--from", source)
    (array,) = (home / "packs" / "en").glob("arrays-*/synonyms.ids.npy")
    array.write_bytes(array.read_bytes()[:-1] + b"\x7f")
    code, _, errors = bolide("verify", "en")
    assert code == 1
    assert "synonyms.ids.npy is damaged" in errors
    assert bolide("install", "en", "--from", source, "--force")[0] == 0
    assert bolide("verify", "en")[0] == 0


# ---- the official pack -------------------------------------------------------------------------


@pytest.fixture(scope="session")
def official() -> Pack:
    """The English pack in the user's home, installed if necessary."""
    if not manifest.exists(resources.pack_folder("en")):
        try:
            resources.install("en")
        except ResourceError as error:
            missing(str(error))
    return resources.open_pack("en")


def test_official_english_pack_is_complete(official: Pack) -> None:
    """The paper on Meteor 1.5 gives 93 function words and 5.27M paraphrases."""
    assert official.path is not None
    assert dict(manifest.read(official.path).counts) == {
        "function words": 93,
        "nonbreaking prefixes": 90,
        "prefixes before numbers": 3,
        "words with synsets": 147306,
        "irregular forms": 5940,
        "paraphrases": 5274084,
    }
    assert official.numeric_prefixes == ("Art", "No", "pp")


def test_official_english_pack_has_one_hash(official: Pack) -> None:
    """The hash that signatures cite is the same on every machine and in every format of the arrays."""
    found = resources.verify(resources.pack_folder("en"))
    if found.origin.get("sha256") != catalogue.wheel().sha256:
        pytest.skip("the English pack of this home was not compiled from the pinned wheel")
    assert official.hash == "00045eda"


def test_official_english_look_ups(official: Pack) -> None:
    assert official.paraphrases is not None
    assert ["eur"] in core_testing.paraphrases(official.paraphrases, ["000"])
    assert core_testing.paraphrases(official.paraphrases, ["no", "such", "phrase", "anywhere"]) == []
    found = official.synonyms
    assert found is not None
    good, well = found.words.find(["good", "well"]).tolist()

    def ids(k: int) -> set[int]:
        return set(found.ids[found.offsets[k] : found.offsets[k + 1]].tolist())

    assert ids(good) & ids(well)


def test_verify_of_a_pack_that_is_not_there(bolide: Run) -> None:
    assert bolide("verify", "en") == (
        1,
        "",
        "bolide: the English pack is not installed: run `bolide resources install en`\n",
    )


def test_verify_a_folder(bolide: Run, home: Path, tmp_path: Path) -> None:
    """A pack from elsewhere is checked before it is used."""
    bolide("install", "en", "--from", fake_meteor.folder(tmp_path / "meteor"))
    copy = shutil.copytree(home / "packs" / "en", tmp_path / "copy")
    code, out, errors = bolide("verify", copy)
    assert (code, errors) == (0, "")
    assert out.startswith(f"{copy}: ") and out.endswith("all correct\n")
    (array,) = copy.glob("arrays-*/synonyms.ids.npy")
    array.write_bytes(array.read_bytes()[:-1] + b"\x7f")
    code, out, errors = bolide("verify", copy)
    assert (code, out) == (1, "")
    assert "synonyms.ids.npy is damaged" in errors
    missing = tmp_path / "missing"
    expected = f"bolide: {missing} is not a language pack: it has no manifest.toml\n"
    assert bolide("verify", missing) == (1, "", expected)


def test_packs_that_are_not_there(home: Path) -> None:
    """By name or by folder, the error shows the command that makes them."""
    for name, title, command in (
        ("de", "German", "bolide resources install de"),
        ("en-wordnet", "English WordNet", "bolide resources install en --synonyms wordnet"),
        ("de-learned", "learned German", "bolide learn language de SRC TGT"),
    ):
        with pytest.raises(ResourceError) as caught:
            filtered_packs.filter_pack(name, [], home / "small")
        assert str(caught.value) == f"the {title} pack is not installed: run `{command}`"
        for look in (resources.verify, resources.load_pack):
            with pytest.raises(ResourceError) as caught:
                look(resources.home() / "packs" / name)
            assert str(caught.value) == f"the {name} pack is not installed: run `{command}`"
