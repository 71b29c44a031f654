"""Where packages come from: the user's settings of pip and uv.

bolide reads pip's configuration files and the variables PIP_*. If they name no index, UV_DEFAULT_INDEX or
UV_INDEX_URL does, else the public index is used. The indexes in UV_INDEX and UV_EXTRA_INDEX_URL are always
added. pip does not know the variables of uv, so pip_download.py gives it these indexes.
"""

from __future__ import annotations

import configparser
import math
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PUBLIC_INDEX = "https://pypi.org/simple"
TIMEOUT_SECONDS = 15.0
RETRIES = 2
_LARGEST_NUMBER = 1e6
# Variables that pip also reads, because the libraries that it uses do.
CERTIFICATES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_TRUE = {"1", "true", "yes", "on", "y", "t"}


@dataclass(frozen=True)
class IndexSettings:
    """Where to look for a package, and how to connect."""

    indexes: tuple[str, ...] = (PUBLIC_INDEX,)
    find_links: tuple[str, ...] = ()  # pages or folders with packages
    certificates: str | None = None  # a file or folder; None: those of the system
    proxy: str | None = None  # None: that of the environment
    trusted_hosts: frozenset[str] = frozenset()
    timeout: float = TIMEOUT_SECONDS
    retries: int = RETRIES


def read() -> IndexSettings:
    """The current settings of this user."""
    given = pip_settings()
    return IndexSettings(
        indexes=tuple(_indexes(given)),
        find_links=tuple(given.get("find-links", "").split()),
        certificates=next(_certificates(given), None),
        proxy=given.get("proxy") or None,
        trusted_hosts=frozenset(given.get("trusted-host", "").lower().split()),
        timeout=_number(given.get("timeout") or given.get("default-timeout"), TIMEOUT_SECONDS),
        retries=int(_number(given.get("retries"), RETRIES)),
    )


def uv_index() -> str | None:
    """uv's main index, if the user has chosen one."""
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        if chosen := os.environ.get(name, "").strip():
            return _without_name(chosen)
    return None


def uv_extra_indexes() -> list[str]:
    """The additional indexes of uv."""
    given = (os.environ.get(name, "") for name in ("UV_INDEX", "UV_EXTRA_INDEX_URL"))
    return [_without_name(index) for text in given for index in text.split()]


def pip_settings() -> dict[str, str]:
    """The settings for `pip download`, by their long names."""
    found: dict[str, str] = {}
    for path in _pip_files():
        found |= _read_file(path)
    for name, value in os.environ.items():
        if name.startswith("PIP_") and value:
            found[_long_name(name.removeprefix("PIP_"))] = value
    return found


def _indexes(given: dict[str, str]) -> Iterator[str]:
    if given.get("no-index", "").strip().lower() in _TRUE:
        return
    yield given.get("index-url") or uv_index() or PUBLIC_INDEX
    yield from given.get("extra-index-url", "").split()
    yield from uv_extra_indexes()


def _without_name(index: str) -> str:
    """The address of an index. In uv's settings it may have a name, as in "ours=https://…"."""
    name, _, url = index.partition("=")
    return url if url and "/" not in name else index


def _certificates(given: dict[str, str]) -> Iterator[str]:
    """The files of certificates that the user has chosen. (Python itself reads SSL_CERT_FILE and
    SSL_CERT_DIR.)"""
    chosen = (given.get("cert"), *map(os.environ.get, CERTIFICATES))
    yield from (each for each in chosen if each)


def _number(text: str | None, default: float) -> float:
    with suppress(ValueError):
        found = float(text or default)
        if math.isfinite(found):
            return min(max(0.0, found), _LARGEST_NUMBER)
    return default


def _long_name(name: str) -> str:
    return name.lower().replace("_", "-").removeprefix("--")


def _read_file(path: Path) -> dict[str, str]:
    """The settings in a file; none if it cannot be read. Those for `download` override the general ones."""
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, configparser.Error):
        return {}
    sections = [parser[name] for name in ("global", "download") if name in parser]
    return {_long_name(key): value for section in sections for key, value in section.items()}


def _pip_files() -> Iterable[Path]:
    """pip's configuration files. Later ones override earlier ones."""
    chosen = os.environ.get("PIP_CONFIG_FILE", "")
    if chosen == os.devnull:
        return []
    own = Path(chosen) if chosen and Path(chosen).is_file() else None
    name = "pip.ini" if os.name == "nt" else "pip.conf"
    folders = [*_global_folders(), *(() if own else _user_folders(name)), Path(sys.prefix)]
    return [*(folder / name for folder in folders), *((own,) if own else ())]


def _global_folders() -> list[Path]:
    if os.name == "nt":
        return [Path(os.environ.get("PROGRAMDATA", "C:/ProgramData"), "pip")]
    if sys.platform == "darwin":
        return [Path("/Library/Application Support/pip")]
    shared = os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return [*(Path(each, "pip") for each in reversed(shared.split(os.pathsep)) if each), Path("/etc")]


def _user_folders(name: str) -> list[Path]:
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - without an error if there is none
    older = home / ("pip" if os.name == "nt" else ".pip")
    if os.name == "nt":
        return [older, Path(os.environ.get("APPDATA", home), "pip")]
    newer = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config", "pip")
    mac = home / "Library/Application Support/pip"
    return [older, mac if sys.platform == "darwin" and (mac / name).is_file() else newer]
