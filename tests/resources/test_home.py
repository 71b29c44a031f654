"""The folders of the user are those of platformdirs, which is not imported where it takes too long."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from bolide._support.folders import user_folder
from bolide.resources import catalogue, learned, thesauri
from bolide.resources.home import home
from bolide.resources.pack_files import is_plain_name


@pytest.mark.parametrize("value", [None, "", " ", "/somewhere", "relative"])
def test_the_folders_of_platformdirs(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOLIDE_HOME", raising=False)
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    assert user_folder("data") == home() == Path(platformdirs.user_data_dir("bolide", appauthor=False))
    assert user_folder("cache") == Path(platformdirs.user_cache_dir("bolide", appauthor=False))


def test_names_of_packs_are_valid_on_windows() -> None:
    """Some codes of languages are names of devices there: Cofán is con."""
    official = [entry.name for entry in (*catalogue.entries(), *thesauri.entries())]
    assert len(official) > 5
    assert all(map(is_plain_name, official))
    devices = ("aux", "con", "nul", "prn")
    assert not any(map(is_plain_name, devices))
    assert all(is_plain_name(learned.entry(code).folder.name) for code in devices)
