"""A Meteor distribution in any form: folder, tar archive, jar, or a wheel that contains a jar.

All have the same files at different depths: some inside the jar (`function/english.words`), some beside it
(`data/paraphrase-en.gz`). A `Distribution` is a short list of layers; a layer is a container and a folder in
it. A file is read from the first layer that has it.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol, TypeVar

from bolide._support.progress import Advance, no_advance
from bolide._support.xz import open_xz
from bolide.errors import ResourceError
from bolide.resources import catalogue

_CHUNK = 1 << 20
# Limits, in bytes, because a small file may unpack to a huge one. Real files are far below them.
LARGEST_SMALL = 1 << 26  # files that are read whole: lists of words, synonyms, the jar (the largest: 15 MB)
LARGEST = 1 << 32  # an unpacked table of paraphrases (the English one: 272 MB)
RATIO = 100  # by which it may be larger than the gzip file (the English one: 4.4)
FREE = 1 << 26  # from where on the ratio counts
TOO_DENSE = f"unpacks to more than {RATIO} times its size; is it complete and right?"
_LONGEST_READ = 1 << 25  # in a tar archive: names and headers
_GIVE = "give the folder, archive, jar or wheel of Meteor 1.5"
_DEPTH = 3  # levels of a folder that are searched for the jar
# RuntimeError: an encrypted or unknown kind of member.
_DAMAGE = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, RuntimeError)
T = TypeVar("T")
# By the first bytes of compressed files.
_OPENERS: dict[bytes, Callable[[Path], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": open_xz,
}


class Container(Protocol):
    """Files by name: a folder or an archive."""

    def names(self) -> Iterable[str]: ...
    def has(self, name: str) -> bool: ...
    def size(self, name: str) -> int: ...
    def open(self, name: str) -> IO[bytes]: ...


class Folder:
    """A folder. If it is `confined`, links in it must lead to files in it: it may come from a stranger."""

    def __init__(self, path: Path, *, confined: bool = False) -> None:
        self.path = path
        self.confined = confined

    def names(self) -> Iterable[str]:
        for parent, folders, files in os.walk(self.path):
            here = Path(parent).relative_to(self.path)
            yield from ((here / file).as_posix() for file in files)
            if len(here.parts) >= _DEPTH:
                folders.clear()

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def size(self, name: str) -> int:
        return (self.path / name).stat().st_size

    def open(self, name: str) -> IO[bytes]:
        path = self.path / name
        if self.confined and not path.resolve().is_relative_to(self.path.resolve()):
            raise OSError(errno.EINVAL, f"the link leads out of {self.path}", str(path))
        return path.open("rb")


class Zip:
    """A wheel or a jar."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        # A truncated wheel can end with the table of contents of the jar inside it, and look like that jar.
        if min((member.header_offset for member in archive.infolist()), default=0) != 0:
            raise zipfile.BadZipFile("its table of contents is missing")
        self.archive = archive

    def names(self) -> Iterable[str]:
        return self.archive.namelist()

    def has(self, name: str) -> bool:
        return name in self.archive.NameToInfo

    def size(self, name: str) -> int:
        return self.archive.getinfo(name).file_size

    def open(self, name: str) -> IO[bytes]:
        return self.archive.open(name)


class Tar:
    """A tar archive, compressed or not. Reading backwards in it means another pass over the archive."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self.archive = archive
        files = [member for member in archive.getmembers() if member.isfile()]
        self.members = {member.name.removeprefix("./"): member for member in files}

    def names(self) -> Iterable[str]:
        return self.members

    def has(self, name: str) -> bool:
        return name in self.members

    def size(self, name: str) -> int:
        return self.members[name].size

    def open(self, name: str) -> IO[bytes]:
        stream = self.archive.extractfile(self.members[name])
        assert stream is not None  # only regular files are listed
        return stream


class Distribution:
    """The files of a Meteor distribution by their official paths. `digests` has the sha256 of files read."""

    def __init__(self, path: Path, layers: list[tuple[Container, str]]) -> None:
        self.path = path
        self.digests: dict[str, str] = {}
        self._layers = layers

    def has(self, name: str) -> bool:
        return self._locate(name) is not None

    def has_part(self, part: catalogue.Part) -> bool:
        return all(map(self.has, part.files))

    def where(self, name: str) -> str:
        """The name of a file in errors: its path, if it has one."""
        path = self.path if self.path.name == name else self.path / name
        return str(path) if path.is_file() else f"{name} in {self.path}"

    def read(self, name: str) -> bytes:
        """Reads a small file."""
        data = bytearray()
        for chunk in self.chunks(name):
            data += chunk
            if len(data) > LARGEST_SMALL:
                raise _too_large(self.where(name))
        return bytes(data)

    def chunks(self, name: str, advance: Advance = no_advance) -> Iterator[bytes]:
        """Yields a file in pieces, and reports to `advance`."""
        found = self._locate(name)
        if found is None:
            raise ResourceError(f"{self.path} has no {name}: {_GIVE}")
        container, member = found
        digest = hashlib.sha256()
        with reading(self.where(name)):
            total, done = container.size(member), 0
            with container.open(member) as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
                    done += len(chunk)
                    advance(done, total)
                    yield chunk
        self.digests[name] = digest.hexdigest()

    def inflated_chunks(self, name: str, advance: Advance) -> Iterator[bytes]:
        """Yields a gzip file in decompressed pieces of at most 1 MiB."""
        with reading(self.where(name)):
            inflate = zlib.decompressobj(wbits=31)
            packed = unpacked = lines = 0
            for chunk in self.chunks(name, advance):
                packed += len(chunk)
                piece = b""
                while chunk or len(piece) == _CHUNK:  # after a full piece there may be more
                    if inflate.eof:  # a file may be several gzip files in a row
                        inflate = zlib.decompressobj(wbits=31)
                    piece = inflate.decompress(chunk, _CHUNK)
                    unpacked += len(piece)
                    if problem := _unpacks_to_too_much(packed, unpacked):
                        raise ResourceError(f"{self.where(name)}, line {lines + 1}: {problem}")
                    yield piece
                    lines += piece.count(b"\n")
                    chunk = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
                    if inflate.eof:
                        piece = b""
            if not inflate.eof:
                raise EOFError("it ends too early")

    def read_inflated(self, name: str, advance: Advance) -> bytes:
        """Reads a small gzip file, decompressed."""
        data = bytearray()
        for chunk in self.inflated_chunks(name, advance):
            data += chunk
            if len(data) > LARGEST_SMALL:
                raise _too_large(self.where(name), "unpacks to")
        return bytes(data)

    @cached_property
    def origin(self) -> dict[str, str]:
        """The origin for the manifest: the name without its path, and the checksum if it is one file."""
        if self.path.is_dir():
            return {"file": self.path.resolve().name}
        with reading(self.path):
            return {"file": self.path.name, "sha256": sha256(self.path)}

    def _locate(self, name: str) -> tuple[Container, str] | None:
        for container, start in self._layers:
            if container.has(start + name):
                return container, start + name
        return None


def _unpacks_to_too_much(packed: int, unpacked: int) -> str:
    """The problem with a file that unpacks to so many bytes; "" if there is none."""
    if unpacked > LARGEST:
        return f"unpacks to more than {LARGEST:,} bytes; filter it with `bolide resources filter`"
    return TOO_DENSE if is_too_dense(packed, unpacked) else ""


def is_too_dense(packed: int, unpacked: int) -> bool:
    """Whether so many bytes cannot unpack to so many in a real table of paraphrases."""
    return unpacked > max(FREE, packed * RATIO)


def _too_large(where: object, has: str = "has") -> ResourceError:
    return ResourceError(f"{where} {has} more than {LARGEST_SMALL:,} bytes: is it the right file?")


@contextmanager
def open_distribution(path: Path) -> Iterator[Distribution]:
    """Opens the distribution at a path, in any form."""
    with ExitStack() as stack:
        with reading(path):
            layers = _layers(path, stack)
        if not layers:
            raise ResourceError(f"{path} contains no Meteor jar: {_GIVE}")
        yield Distribution(path, layers)


@contextmanager
def reading(where: object, remedy: str = "is it the right file, and complete?") -> Iterator[None]:
    """Turns a failure to read a file into a ResourceError."""
    try:
        yield
    except FileNotFoundError as error:
        raise ResourceError(f"{where} does not exist: {remedy}") from error
    except _DAMAGE as error:
        message = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        reason = message.partition("\n")[0].rstrip(":")
        raise ResourceError(f"{where} cannot be read ({reason}): {remedy}") from error


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _layers(path: Path, stack: ExitStack) -> list[tuple[Container, str]]:
    container = open_container(path, stack)
    names = list(container.names())
    if any(fnmatchcase(name, "function/*.words") for name in names):  # a jar, or an unpacked jar
        beside = [Folder(path.parent, confined=True)] if path.is_file() else []
        return [(container, ""), *((folder, "") for folder in beside)]
    jar = _find_jar(names)
    if jar is None:
        return []
    if container.size(jar) > LARGEST_SMALL:
        raise _too_large(jar)
    with container.open(jar) as stream:
        inside = zipfile.ZipFile(io.BytesIO(stream.read()))  # in memory: seeking in an archive is slow
    return [(Zip(stack.enter_context(inside)), ""), (container, jar[: -len(PurePosixPath(jar).name)])]


def open_container(path: Path, stack: ExitStack) -> Container:
    """Opens a folder or an archive."""
    if path.is_dir():
        return Folder(path, confined=True)
    if zipfile.is_zipfile(path):
        return _opened(lambda: Zip(stack.enter_context(zipfile.ZipFile(path))))
    stream: Any = _Archive(stack.enter_context(_unpacked(path)))
    try:
        return _opened(lambda: Tar(stack.enter_context(tarfile.open(fileobj=stream, mode="r:"))))
    except tarfile.ReadError as error:
        # The original message is about headers. A truncated wheel or jar ends up here, too.
        raise tarfile.ReadError("damaged, incomplete, or not an archive") from error


def _opened(open_archive: Callable[[], T]) -> T:
    """Opens an archive. Python's readers of archives raise many kinds of errors for damaged ones."""
    try:
        return open_archive()
    except (*_DAMAGE, MemoryError):
        raise
    except Exception as error:
        raise tarfile.ReadError(str(error)) from error


def _unpacked(path: Path) -> IO[bytes]:
    """Opens a file, decompressed if its first bytes are those of a compressed file."""
    with path.open("rb") as stream:
        start = stream.read(8)
    found = (opened for magic, opened in _OPENERS.items() if start.startswith(magic))
    unpacked: IO[bytes] = next(found, _plain)(path)
    return unpacked


def _plain(path: Path) -> IO[bytes]:
    return path.open("rb")


class _Archive:
    """A tar archive for tarfile, which reads whatever size a header states into memory."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int) -> bytes:
        if size > _LONGEST_READ:
            raise OSError(errno.EFBIG, f"it has a header of {size:,} bytes")
        return self._stream.read(size)


def _find_jar(names: list[str]) -> str | None:
    """The Meteor jar nearest to the top. In the wheel, another metric has a jar, too: use Meteor's."""
    folder = catalogue.wheel().folder
    within = [name for name in names if name.startswith(folder)] or names
    jars = [name for name in within if fnmatchcase(PurePosixPath(name).name, "meteor-*.jar")]
    return min(jars, key=lambda name: (name.count("/"), name), default=None)
