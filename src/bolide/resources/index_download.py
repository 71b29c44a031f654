"""Downloads a pinned package from a package index, with Python's standard library only.

It serves environments without pip. It reads the simple interface that all indexes have, as JSON or as HTML,
from the web or from a folder. The package is known by its file name and its checksum, so nothing has to be
resolved. If an index has another file, or does not work, the next one is asked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.request import url2pathname

from bolide._support.progress import Advance
from bolide.resources.catalogue import Package
from bolide.resources.distribution import sha256
from bolide.resources.download_error import DownloadError
from bolide.resources.index_connection import ANOTHER_FILE, Connection, NotThereError
from bolide.resources.index_settings import IndexSettings

_KINDS = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"


@dataclass(frozen=True)
class Link:
    """A file on an index."""

    url: str
    sha256: str = ""  # as the index states it; "" if it does not

    @property
    def file(self) -> str:
        return unquote(urlsplit(self.url).path.rpartition("/")[2])


def download(package: Package, folder: Path, settings: IndexSettings, advance: Advance) -> Path:
    """Downloads the file of a package into the folder. DownloadError, from the last index that has a file of
    this name or does not work, if none has the right one."""
    connection = Connection(settings)
    problems: list[DownloadError] = []
    for page in _pages(package, settings):
        try:
            for link in _links(connection, page):
                if link.file == package.file and link.sha256 in ("", package.sha256):
                    return _fetch(connection, link, package, folder / package.file, advance)
                if link.file == package.file:
                    problems.append(DownloadError(ANOTHER_FILE))
        except DownloadError as error:
            problems.append(error)
    raise min(reversed(problems), key=lambda each: isinstance(each, NotThereError), default=NotThereError())


def _pages(package: Package, settings: IndexSettings) -> Iterator[str]:
    """The pages that may have a link to the package."""
    yield from map(_url, settings.find_links)
    name = re.sub(r"[-_.]+", "-", package.requirement.partition("=")[0]).lower()
    yield from (f"{_url(index).rstrip('/')}/{name}/" for index in settings.indexes)


def _url(place: str) -> str:
    """A place as an address. pip allows paths, too."""
    if re.match("[A-Za-z][A-Za-z0-9+.-]+:", place):  # two letters or more: not the drive of a path
        return place
    own = os.path.expanduser(place)  # noqa: PTH111 - without an error if there is no such user
    return Path(own).absolute().as_uri()


def _is_local(url: str) -> bool:
    return url.lower().startswith("file:")


# ---- pages ---------------------------------------------------------------------------------------


def _links(connection: Connection, page: str) -> Iterator[Link]:
    if _is_local(page):
        yield from _local_links(page)
        return
    data, kind, where = connection.page(page, _KINDS)
    found = _json_links(data, where) if kind.endswith("json") else _html_links(data, where)
    yield from (link for link in found if urlsplit(link.url).scheme in ("http", "https"))


def _local_links(page: str) -> Iterator[Link]:
    place = _path(page)
    listed = place / "index.html" if place.is_dir() else place
    try:
        if listed.is_file():
            yield from _html_links(listed.read_bytes(), listed.as_uri())
        elif place.is_dir():
            yield from (Link(each.as_uri()) for each in sorted(place.iterdir()))
        else:
            raise NotThereError
    except OSError as error:
        raise DownloadError(f"{listed} cannot be read ({error.strerror})") from None


def _json_links(data: bytes, where: str) -> Iterator[Link]:
    try:
        for row in json.loads(data)["files"]:
            yield Link(_joined(where, row["url"]), row.get("hashes", {}).get("sha256", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DownloadError("the package index gives no list of files") from None


def _html_links(data: bytes, where: str) -> Iterator[Link]:
    parser = _Anchors()
    try:
        parser.feed(data.decode("utf-8", "replace"))
    except AssertionError:  # Python's parser does not know some declarations
        raise DownloadError("the package index gives no list of files") from None
    base = _joined(where, parser.base)
    for target in parser.targets:
        url, fragment = urldefrag(_joined(base, target))
        name, _, value = fragment.partition("=")
        yield Link(url, value.lower() if name == "sha256" else "")


def _joined(where: str, target: str) -> str:
    """The full address of a link; "" if it is none."""
    try:
        return urlsplit(urljoin(where, target)).geturl()
    except ValueError:
        return ""


class _Anchors(HTMLParser):
    """The links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.base = ""
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = dict(attrs).get("href")
        if tag == "base" and target:
            self.base = target
        elif tag == "a" and target:
            self.targets.append(target)


def _path(url: str) -> Path:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise NotThereError from None
    server = f"//{parts.netloc}" if parts.netloc not in ("", "localhost") else ""
    return Path(url2pathname(server + parts.path))


# ---- files ---------------------------------------------------------------------------------------


def _fetch(connection: Connection, link: Link, package: Package, target: Path, advance: Advance) -> Path:
    if _is_local(link.url):
        source = _path(link.url)
        if not source.is_file():
            raise NotThereError
        shutil.copyfile(source, target)
    else:
        connection.save(link.url, target, package.bytes, lambda done: advance(done, package.bytes))
    if (found := sha256(target)) != package.sha256:
        raise DownloadError(f"{ANOTHER_FILE}, with sha256 {found}")
    return target
