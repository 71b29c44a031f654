"""The script with Vega is made once, and then read from the cache folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bolide.xray import vega

pytest.importorskip("vl_convert")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """An empty cache folder; the scripts that vl-convert has made since."""
    found: list[str] = []

    def bundle() -> str:
        found.append(f"script('é {len(found)}');\n")
        return found[-1]

    monkeypatch.setattr("vl_convert.javascript_bundle", bundle)
    monkeypatch.setattr(vega, "user_folder", lambda kind: tmp_path / kind)
    vega.vega_bundle.cache_clear()
    yield found
    vega.vega_bundle.cache_clear()


def again() -> str:
    """The script in a new process."""
    vega.vega_bundle.cache_clear()
    return vega.vega_bundle()


def test_the_script_is_made_once(made: list[str], tmp_path: Path) -> None:
    assert vega.vega_bundle() == again() == made[0]
    assert len(made) == 1
    [kept] = (tmp_path / "cache" / "vega").iterdir()
    assert kept.suffix == ".js"


@pytest.mark.parametrize("content", [b"", b"script('\xff');", b"0123\nscript();"])
def test_a_damaged_script_is_made_again(made: list[str], tmp_path: Path, content: bytes) -> None:
    vega.vega_bundle()
    [kept] = (tmp_path / "cache" / "vega").iterdir()
    kept.write_bytes(content)
    assert again() == made[1]
    assert again() == made[1]
    assert len(made) == 2


def test_no_cache_folder_is_needed(made: list[str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    assert vega.vega_bundle() == made[0]
    assert again() == made[1]
