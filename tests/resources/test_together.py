"""Packs that are installed together with others, and tables that are added later."""

from __future__ import annotations

from pathlib import Path

import pytest

from bolide import resources
from bolide.errors import ResourceError
from bolide.resources import catalogue, manifest
from tests.support import fake_meteor

pytestmark = pytest.mark.usefixtures("home")


def installed() -> list[str]:
    return [entry.language for entry in catalogue.entries() if manifest.exists(entry.folder)]


@pytest.mark.parametrize("language", ["de", "it", "cs"])
def test_the_small_packs_come_with_any_other(language: str, tmp_path: Path) -> None:
    """The wheel has only a few words for them, so none of these languages needs another fetch."""
    resources.install(language, fake_meteor.wheel(tmp_path / "wheels"))
    assert installed() == ["cs", "de", "es", "fr", "ru", "other"]
    for code in ("cs", "de", "es", "fr", "ru", "it"):
        assert resources.open_pack(code).english_function_words == {"the", "of", "."}
    assert resources.open_pack("es").function_words == {"el"}
    with pytest.raises(ResourceError, match="BOLIDE_OFFLINE"):  # a large pack is compiled only on request
        resources.open_pack("en")


def test_a_pack_is_not_made_without_a_table_that_is_there(tmp_path: Path) -> None:
    """It would look like the complete pack."""
    resources.install("en", fake_meteor.folder(tmp_path / "meteor", "en", "de"))
    assert installed() == ["en", "cs", "es", "fr", "ru", "other"]


def test_companions_do_not_spoil_the_install(tmp_path: Path) -> None:
    files = fake_meteor.jar_files()
    del files["nonbreaking/german.prefixes"]
    files["function/french.words"] = b"\xff\n"
    (made,) = resources.install("en", fake_meteor.folder(tmp_path / "meteor", files=files))
    assert made.language == "en"
    assert installed() == ["en", "cs", "es", "ru", "other"]


def test_companions_do_not_replace_packs(tmp_path: Path) -> None:
    resources.install("es", fake_meteor.wheel(tmp_path / "wheels"))
    files = {**fake_meteor.jar_files(), "function/spanish.words": b"la\n"}
    resources.install("en", fake_meteor.folder(tmp_path / "meteor", files=files), force=True)
    assert resources.open_pack("es").function_words == {"el"}


@pytest.mark.parametrize(("language", "kept"), [("de", True), ("other", False)])
def test_a_companion_that_cannot_be_opened(language: str, kept: bool, tmp_path: Path) -> None:
    """It is repaired, unless it may have had a table, which would be lost silently."""
    resources.install(language, fake_meteor.folder(tmp_path / "meteor", "de"))
    path = resources.pack_folder(language) / manifest.NAME
    path.write_text("damaged")
    resources.install("en", fake_meteor.wheel(tmp_path / "wheels"))
    assert (path.read_text() == "damaged") is kept


def test_a_table_can_be_added_without_force(tmp_path: Path) -> None:
    wheel = fake_meteor.wheel(tmp_path / "wheels")
    (before,) = resources.install("de", wheel)
    assert resources.install("de", wheel) == [before]  # the wheel has nothing more
    assert resources.open_pack("de").paraphrases is None
    full = fake_meteor.folder(tmp_path / "meteor", "de")
    (after,) = resources.install("de", full)
    assert after.counts["paraphrases"] == len(fake_meteor.PARAPHRASES)
    assert resources.open_pack("de").paraphrases is not None
    assert resources.install("de", full) == [after]
    assert resources.install("de", wheel) == [after]  # the installed table stays


def test_a_complete_pack_needs_no_source(tmp_path: Path) -> None:
    (made,) = resources.install("en", fake_meteor.folder(tmp_path / "meteor"))
    assert resources.install("en", tmp_path / "nowhere") == [made]
