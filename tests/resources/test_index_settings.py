"""Where packages come from: the user's settings of pip and uv."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bolide.resources import index_settings, pip_download
from tests.support.package_index import forget_settings


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    forget_settings(monkeypatch)
    yield monkeypatch


def test_files_of_pip(settings: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Variables are stronger than files, and `download` is stronger than `global`."""
    chosen = tmp_path / "pip.conf"
    chosen.write_text(
        "[global]\nindex-url = https://one.example/simple\nextra_index_url =\n  https://a.example\n"
        "  https://b.example\ntimeout = 7\ncert = /c.pem\ntrusted-host = a.example\nproxy = http://p:1\n"
        "[download]\nindex-url = https://two.example/simple\n[install]\nretries = 9\n"
    )
    settings.setenv("PIP_CONFIG_FILE", str(chosen))
    found = index_settings.read()
    assert found == index_settings.IndexSettings(
        ("https://two.example/simple", "https://a.example", "https://b.example"),
        certificates="/c.pem",
        proxy="http://p:1",
        trusted_hosts=frozenset({"a.example"}),
        timeout=7.0,
    )
    settings.setenv("PIP_INDEX_URL", "https://three.example")
    settings.setenv("PIP_DEFAULT_TIMEOUT", "wrong")
    settings.setenv("PIP_RETRIES", "0")
    found = index_settings.read()
    assert (found.indexes[0], found.timeout, found.retries) == ("https://three.example", 7.0, 0)


def test_the_users_own_file(settings: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if os.name == "nt":
        settings.setenv("APPDATA", str(tmp_path))
        place = tmp_path / "pip" / "pip.ini"
    else:
        settings.setenv("HOME", str(tmp_path))
        settings.delenv("XDG_CONFIG_HOME", raising=False)
        place = tmp_path / ".config" / "pip" / "pip.conf"
    place.parent.mkdir(parents=True)
    place.write_text("[global]\nindex-url = https://mine.example/simple\n")
    settings.delenv("PIP_CONFIG_FILE")
    assert index_settings.read().indexes[0] == "https://mine.example/simple"


def test_settings_of_uv(settings: pytest.MonkeyPatch) -> None:
    assert index_settings.read().indexes == ("https://pypi.org/simple",)
    settings.setenv("UV_INDEX_URL", "https://uv.example/simple")
    settings.setenv("UV_INDEX", "ours=https://ours.example/simple?a=b https://x.example/y")
    expected = ("https://uv.example/simple", "https://ours.example/simple?a=b", "https://x.example/y")
    assert index_settings.read().indexes == expected
    settings.setenv("UV_DEFAULT_INDEX", "main=https://main.example/simple")
    assert index_settings.read().indexes[0] == "https://main.example/simple"
    assert pip_download._environment(Path("tmp"))["PIP_INDEX_URL"] == "https://main.example/simple"
    settings.setenv("PIP_INDEX_URL", "https://pip.example/simple")
    assert index_settings.read().indexes[0] == "https://pip.example/simple"
    assert pip_download._environment(Path("tmp"))["PIP_INDEX_URL"] == "https://pip.example/simple"


def test_more_indexes_of_uv_are_for_pip_too(settings: pytest.MonkeyPatch) -> None:
    """Besides the user's own."""
    assert "PIP_EXTRA_INDEX_URL" not in pip_download._environment(Path("tmp"))
    settings.setenv("UV_INDEX", "ours=https://ours.example/simple")
    settings.setenv("UV_EXTRA_INDEX_URL", "https://x.example/y")
    settings.setenv("PIP_EXTRA_INDEX_URL", "https://mine.example/simple")
    expected = "https://mine.example/simple https://ours.example/simple https://x.example/y"
    assert pip_download._environment(Path("tmp"))["PIP_EXTRA_INDEX_URL"] == expected
    assert " ".join(index_settings.read().indexes[1:]) == expected


@pytest.mark.parametrize("number", ["inf", "nan", "-inf", "x"])
def test_numbers_that_are_none(settings: pytest.MonkeyPatch, number: str) -> None:
    settings.setenv("PIP_RETRIES", number)
    settings.setenv("PIP_TIMEOUT", number)
    found = index_settings.read()
    assert (found.retries, found.timeout) == (index_settings.RETRIES, index_settings.TIMEOUT_SECONDS)
