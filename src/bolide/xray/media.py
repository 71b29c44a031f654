"""Pictures, sounds and videos of segments, for the page.

Small files are embedded as data. Large files and addresses in the network are links: the page loads nothing
by itself.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.text_files import read_lines

# What browsers show, by the ending of the file.
TYPES = {
    **dict.fromkeys((".jpg", ".jpeg"), "image/jpeg"),
    **{f".{name}": f"image/{name}" for name in ("png", "gif", "webp", "avif")},
    ".svg": "image/svg+xml",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    **{f".{name}": f"audio/{name}" for name in ("wav", "ogg", "flac")},
    **{f".{name}": f"video/{name}" for name in ("mp4", "webm")},
}
LARGEST, MOST = 500_000, 10_000_000  # bytes of a file, and of all files, that are embedded
NETWORK = ("http://", "https://")


def read_media(name: str, segments: int) -> list[str | None]:
    """The files or addresses in a file, one per line or an empty line. Files are relative to its folder."""
    lines = [line.strip() for line in read_lines(name, whole=True)]
    if len(lines) != segments:
        raise InputError(f"{shown(name)} has {len(lines)} lines for {segments} segments; it needs one each")
    found: list[str | None] = []
    for number, line in enumerate(lines, 1):
        path = line if line.startswith(NETWORK) else str(Path(name).parent / line)
        if line and path != line and not Path(path).is_file():
            raise InputError(f"{shown(name)}, line {number}: there is no file {path}")
        found.append(path if line else None)
    return found


def media_data(media: Sequence[str | None], folder: Path) -> list[list[str] | None]:
    """For each segment: "image", "audio", "video" or "link", an address, and a title. `folder` is that of the
    page."""
    left, known = MOST, dict[str, list[str]]()
    for each in media:
        if each is None or each in known:
            continue
        path, size = Path(each), LARGEST + 1
        kind = TYPES.get(path.suffix.lower())
        if each.startswith(NETWORK):
            known[each] = ["link", each, each]
            continue
        if path.is_file():
            size = path.stat().st_size
        if kind is not None and size <= min(LARGEST, left):
            left -= size
            data = base64.b64encode(path.read_bytes()).decode("ascii")
            known[each] = [kind.partition("/")[0], f"data:{kind};base64,{data}", path.name]
        else:
            relative = os.path.relpath(path.absolute(), folder.absolute()).replace(os.sep, "/")
            known[each] = ["link", f"./{quote(relative)}", path.name]
    return [None if each is None else known[each] for each in media]
