"""Pictures, sounds and videos of segments."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from bolide import InputError, Meteor
from bolide.xray import Annotations, of_texts, write_report
from bolide.xray.media import LARGEST, media_data, read_media
from bolide.xray.payload import payload
from tests.support.xray_browser import Reader
from tests.support.xray_texts import validate

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
NAMES = ["a.png", '"><img src=x onerror=alert(1)>.png', "javascript:alert(1)", "big.png", "sound.wav"]
ADDRESS = 'https://example.org/?"><script>alert(1)</script>'


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    for name in NAMES:
        content = bytes(LARGEST + 1) if name == "big.png" else PIXEL
        (tmp_path / name).write_bytes(content)
    path = tmp_path / "media.txt"
    path.write_text("".join(f"{name}\n" for name in (*NAMES, ADDRESS, "")), "utf-8")
    return path


def test_small_files_are_embedded_and_others_are_links(listed: Path) -> None:
    found = media_data(read_media(str(listed), len(NAMES) + 2), listed.parent / "reports")
    assert [each and each[0] for each in found] == ["image", "image", "link", "link", "audio", "link", None]
    assert found[0] == ["image", f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}", "a.png"]
    assert found[2] == ["link", "./../javascript%3Aalert%281%29", "javascript:alert(1)"]
    assert found[3] == ["link", "./../big.png", "big.png"]
    assert found[5] == ["link", ADDRESS, ADDRESS]


def test_mistakes(listed: Path) -> None:
    with pytest.raises(InputError, match="has 7 lines for 3 segments"):
        read_media(str(listed), 3)
    listed.write_text("a.png\nnone.png\n", "utf-8")
    with pytest.raises(InputError, match=r"media.txt, line 2: there is no file .*none.png"):
        read_media(str(listed), 2)
    with pytest.raises(InputError, match="1 media for 2 segments"):
        of_texts({"one": ["a", "b"]}, ["a", "b"], annotations=Annotations(media=[None]))


def test_the_page_shows_them(chromium: Any, listed: Path) -> None:
    """Without a request, and as data."""
    plain = Meteor("linear", modules=["exact"], normalize="none")
    media = read_media(str(listed), len(NAMES) + 2)
    texts = ["a b"] * len(media)
    found = of_texts({"one": texts}, texts, plain, annotations=Annotations(media=media))
    validate(payload(found))
    path = listed.parent / "report.html"
    write_report(found, path)
    with Reader(chromium, path, "#segment=1") as reader:
        width = "document.querySelector('#segment .media img').naturalWidth"
        reader.page.wait_for_function(f"{width} === 1")
        reader.go("#segment=2")
        assert reader.page.locator("#segment .media img").get_attribute("alt") == NAMES[1]
        reader.go("#segment=3")
        address = reader.page.locator("#segment .media a").get_attribute("href")
        assert address == "./javascript%3Aalert%281%29"
        reader.go("#segment=6")
        link = reader.page.locator("#segment .media a")
        assert (link.get_attribute("href"), link.inner_text()) == (ADDRESS, ADDRESS)
        reader.go("#segment=7")
        assert reader.count("#segment .media") == 0
