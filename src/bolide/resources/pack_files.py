"""The files of a pack. Every reader of a pack opens its files here.

A pack may come from an untrusted source. So the names in its manifest must be plain names, and only regular
files are opened: no links, which could lead out of the pack, and no devices, pipes or folders, which could
block. The folder of the pack itself is chosen by the user, and may be a link.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from bolide.errors import ResourceError

if TYPE_CHECKING:
    from bolide.resources.manifest import Manifest

_CHUNK = 1 << 20
_NOT_REGULAR = "a pack may have only regular files, no links, devices, pipes or folders"
# Not waiting for the writer of a pipe, and not following a link.
_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
)
# Separators of paths, and what Windows forbids in names: characters, and names of devices with any ending.
_FORBIDDEN = frozenset('/\\:*?"<>|')
_DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
_DEVICES |= {name + digit for name in ("com", "lpt") for digit in "0123456789¹²³"}


def is_plain_name(name: str) -> bool:
    """Whether a name is that of a file in a folder, on every system.

    >>> is_plain_name("synonyms.ids.npy"), is_plain_name("../synonyms.ids.npy"), is_plain_name("nul.npy")
    (True, False, False)
    """
    return (
        0 < len(name) <= 255
        and name.isprintable()  # no control characters
        and not _FORBIDDEN.intersection(name)
        and name[0] != "."
        and name[-1] not in ". "  # Windows drops them
        and name.partition(".")[0].rstrip().lower() not in _DEVICES
    )


@contextmanager
def open_regular(path: Path) -> Iterator[IO[bytes]]:
    """Opens a regular file, unbuffered. OSError for anything else; devices and pipes are not even opened."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, _NOT_REGULAR, os.fspath(path))
    with os.fdopen(os.open(path, _FLAGS), "rb", buffering=0) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, _NOT_REGULAR, os.fspath(path))
        yield stream


class MissingFileError(ResourceError):
    """A file of a pack does not exist: it was removed, or another process has replaced the pack."""


class PackFiles:
    """The files that the manifest of a pack lists. Errors name the file and the remedy."""

    def __init__(self, folder: Path, found: Manifest, remedy: str) -> None:
        self._files = found.files
        self._arrays = folder / found.folder
        self._remedy = remedy
        with self._reading(self._arrays):
            if not stat.S_ISDIR(os.lstat(self._arrays).st_mode):
                raise OSError(errno.ENOTDIR, "it is not a folder", str(self._arrays))

    def path(self, name: str) -> Path:
        return self._arrays / name

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Opens a file of the size that the manifest states."""
        path, expected = self.path(name), self._files[name].bytes
        with self._reading(path), open_regular(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size != expected:
                raise ResourceError(f"{path} has {size:,} bytes, expected {expected:,}: {self._remedy}")
            yield stream

    def read(self, name: str) -> bytes:
        """Reads a file and checks its checksum."""
        with self.open(name) as stream:
            data = stream.read()
        self._compare(name, hashlib.sha256(data).hexdigest())
        return data

    def check(self, name: str) -> None:
        """Checks the checksum of a file, in constant memory."""
        digest = hashlib.sha256()
        with self.open(name) as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        self._compare(name, digest.hexdigest())

    def damaged(self, name: str, problem: str) -> ResourceError:
        return ResourceError(f"{self.path(name)} is damaged{problem}: {self._remedy}")

    def _compare(self, name: str, sha256: str) -> None:
        if sha256 != self._files[name].sha256:
            raise self.damaged(name, ", its sha256 is wrong")

    @contextmanager
    def _reading(self, path: Path) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise MissingFileError(f"{path} is missing: {self._remedy}") from error
        except OSError as error:
            raise ResourceError(f"{path} cannot be read ({error.strerror}): {self._remedy}") from error
