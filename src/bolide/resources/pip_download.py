"""Downloads a pinned package with the user's pip, so that proxies, mirrors and credentials work.

pip's progress output differs between versions, so the progress bar follows the size of the file instead. pip
writes all files, including temporary ones, to the given folder.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from bolide._support.progress import Advance
from bolide.resources import index_settings
from bolide.resources.catalogue import Package
from bolide.resources.download_error import DownloadError, NoSpaceError

_POLL_SECONDS = 0.1
_STALL_SECONDS = 180.0  # give up if nothing arrives for this long
# These override pip's defaults, but not the user's environment. With them, pip fails soon if there is no
# network.
_SETTINGS = {
    "PIP_RETRIES": "2",
    "PIP_TIMEOUT": "15",
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
# Reasons, by patterns in pip's output; the first match counts.
_REASONS = {
    "NewConnectionError|name resolution|timed out|ProxyError": "no connection to the package index",
    "SSLError|CERTIFICATE_VERIFY_FAILED": "the certificate of the package index is not trusted",
    "DO NOT MATCH THE HASHES": "the package index has another file under this name",
    "from versions: none": "the package index does not answer or does not have it",
}
_NO_SPACE = re.compile("No space left|Disk quota exceeded|File too large")


def pip_command() -> list[str] | None:
    """The command of pip: that of this Python, one on the path, or the one in Python's ensurepip."""
    if sys.executable and importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name in ("pip", "pip3"):
        # Windows looks in the current folder first, where the file may be anybody's.
        if (found := shutil.which(name)) and Path(found).is_absolute():
            return [found]
    if sys.executable and (bundled := _bundled_pip()):
        return [sys.executable, str(bundled / "pip")]
    return None


def download(command: list[str], package: Package, folder: Path, advance: Advance) -> Path:
    """Downloads the file of a package into the folder. The caller checks its checksum."""
    log, temporary = folder / "pip.log", folder / "tmp"
    temporary.mkdir()
    options = ["download", "--no-deps", "--dest", str(folder), *_selection(package, folder)]
    with log.open("wb") as output:
        process = _start([*command, *options], output, temporary)
        pattern = "*" + "".join(Path(package.file).suffixes[-1:])
        stalled = _watch(process, folder, pattern, lambda done: advance(done, package.bytes))
    path = folder / package.file
    if stalled:
        raise DownloadError(f"nothing arrived for {_STALL_SECONDS:.0f} seconds")
    if process.returncode != 0 or not path.is_file():
        raise _failure(log.read_text("utf-8", "replace"))
    return path


def _selection(package: Package, folder: Path) -> list[str]:
    """Options that choose the file. pip would run the setup.py of a source package to find its name. So pip
    gets the checksum, and checks it before that."""
    if package.file.endswith(".whl"):
        return ["--only-binary", ":all:", package.requirement]
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{package.requirement} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    return ["--no-binary", package.requirement.partition("=")[0], "--require-hashes", "-r", str(pinned)]


def _bundled_pip() -> Path | None:
    spec = importlib.util.find_spec("ensurepip")
    if spec is None or spec.origin is None:
        return None
    return next(iter(sorted(Path(spec.origin).parent.glob("_bundled/pip-*.whl"))), None)


def _start(command: list[str], output: IO[bytes], temporary: Path) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=_environment(temporary),
        )
    except OSError as error:
        raise DownloadError(f"cannot run {command[0]} ({error.strerror})") from error


def _environment(temporary: Path) -> dict[str, str]:
    environment = {**_SETTINGS, **os.environ, "TMPDIR": str(temporary)}
    if "PIP_DEFAULT_TIMEOUT" in os.environ:  # another name for the same setting
        environment["PIP_TIMEOUT"] = os.environ["PIP_DEFAULT_TIMEOUT"]
    return environment | _uv_indexes()


def _uv_indexes() -> dict[str, str]:
    """Variables for pip, which does not know the settings of uv."""
    own, found = index_settings.pip_settings(), {}
    if (index := index_settings.uv_index()) and not own.get("index-url"):
        found["PIP_INDEX_URL"] = index
    if extra := index_settings.uv_extra_indexes():
        found["PIP_EXTRA_INDEX_URL"] = " ".join([*own.get("extra-index-url", "").split(), *extra])
    return found


def _watch(
    process: subprocess.Popen[bytes], folder: Path, pattern: str, advance: Callable[[int], None]
) -> bool:
    """Waits for pip. Ends it if the user interrupts, or if nothing arrives for a long time. True in the
    latter case."""
    size, changed = 0, time.monotonic()
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
                return False
            grown = _largest(folder.rglob(pattern))
            if grown != size:
                size, changed = grown, time.monotonic()
                advance(size)
            elif time.monotonic() - changed > _STALL_SECONDS:
                return True
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _largest(paths: Iterable[Path]) -> int:
    sizes = [0]
    with contextlib.suppress(OSError):  # pip may remove and rename its files at any time
        for path in paths:
            sizes.append(path.stat().st_size)
    return max(sizes)


def _failure(log: str) -> DownloadError:
    """Sums up pip's output in a few words."""
    if _NO_SPACE.search(log):
        return NoSpaceError("no space left")
    errors = re.findall(r"^ERROR: (.*)$", log, re.MULTILINE) or log.split("\n")
    known = (reason for pattern, reason in _REASONS.items() if re.search(pattern, log))
    return DownloadError(next(known, f"pip says: {errors[-1].strip()}"))
