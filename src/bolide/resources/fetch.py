"""Fetches the pinned packages with the user's pip, so that proxies, mirrors and credentials work.

pip's progress output differs between versions, so the bar here watches the size of the file. pip writes only
to the given folder, also its temporary files; the caller removes that folder.
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
from bolide.errors import ResourceError
from bolide.resources import catalogue, thesauri
from bolide.resources.catalogue import Entry, Package
from bolide.resources.distribution import sha256
from bolide.resources.home import home, offline

_POLL_SECONDS = 0.1
_STALL_SECONDS = 180.0  # give up if nothing arrives for this long
# These override pip's defaults, but not the user's environment. Without a network, pip fails soon.
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


def fetch_wheel(folder: Path, entry: Entry, advance: Advance) -> Path:
    """Downloads the pinned wheel into the folder and checks its sha256. `entry` is the pack that needs it."""
    wheel = catalogue.wheel()
    return _fetch(wheel, ["--only-binary", ":all:", wheel.requirement], folder, entry, advance)


def fetch_sdist(folder: Path, entry: Entry, advance: Advance) -> Path:
    """Downloads the pinned source package. pip runs the setup.py of a source package to find its name, so it
    gets the checksum, which it checks first."""
    package = thesauri.sdist()
    pinned = folder / "requirements.txt"
    pinned.write_text(f"{package.requirement} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    options = ["--no-binary", package.requirement.partition("=")[0], "--require-hashes", "-r", str(pinned)]
    return _fetch(package, options, folder, entry, advance)


def _fetch(package: Package, options: list[str], folder: Path, entry: Entry, advance: Advance) -> Path:
    log = folder / "pip.log"
    temporary = folder / "tmp"
    temporary.mkdir()
    command = [*pip_command(entry), "download", "--no-deps", "--dest", str(folder), *options]
    with log.open("wb") as output:
        process = _start(command, output, temporary)
        pattern = "*" + "".join(Path(package.file).suffixes[-1:])
        stalled = _watch(process, folder, pattern, lambda done: advance(done, package.bytes))
    path = folder / package.file
    if stalled or process.returncode != 0 or not path.is_file():
        raise ResourceError(_failure(log.read_text("utf-8", "replace"), stalled, package, entry))
    found = sha256(path)
    if found != package.sha256:
        raise ResourceError(
            f"{package.file} from your package index has sha256 {found}, expected {package.sha256}: nothing "
            f"was installed; use another index or give the right file with `{_option(entry)} FILE`"
        )
    return path


def refuse_offline(entry: Entry) -> None:
    """Raises ResourceError if BOLIDE_OFFLINE forbids fetching."""
    if offline():
        raise ResourceError(
            f"the {entry.title} {kind(entry)} must be fetched, and BOLIDE_OFFLINE forbids it: "
            + elsewhere(entry)
        )


def pip_command(entry: Entry) -> list[str]:
    """The command of pip: that of this Python, one on the path, or the one in Python's ensurepip."""
    if sys.executable and importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    for name in ("pip", "pip3"):
        if found := shutil.which(name):
            return [found]
    if sys.executable and (bundled := _bundled_pip()):
        return [sys.executable, str(bundled / "pip")]
    raise ResourceError(
        "language packs are fetched with pip, and there is no pip: install it (`python -m ensurepip`), "
        "or fetch them elsewhere: " + elsewhere(entry)
    )


def elsewhere(entry: Entry) -> str:
    """The remedy for a computer without a network."""
    install = f"bolide resources install {entry.language}"
    files = f"{catalogue.wheel().file} or Meteor 1.5 itself"
    if entry.source:
        install += f" --synonyms {entry.source}"
        files = f"{thesauri.sdist().file} or a WordNet folder (Debian's wordnet-base: /usr/share/wordnet)"
    return (
        f"on a computer with a network run `{install}`, then copy the folder that "
        f"`bolide resources path {entry.name}` prints there to {entry.folder} here, or run `bolide "
        f"resources install {entry.language} {_option(entry)} FILE` with {files}"
    )


def kind(entry: Entry) -> str:
    return "pack of synonyms" if entry.source else "language pack"


def _option(entry: Entry) -> str:
    """The option that takes a file instead of fetching it."""
    return "--synonyms" if entry.source else "--from"


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
        raise ResourceError(
            f"cannot run {command[0]} ({error.strerror}): repair pip or use `--from FILE`"
        ) from error


def _environment(temporary: Path) -> dict[str, str]:
    environment = {**_SETTINGS, **os.environ, "TMPDIR": str(temporary)}
    if "PIP_DEFAULT_TIMEOUT" in os.environ:  # another name for the same setting
        environment["PIP_TIMEOUT"] = os.environ["PIP_DEFAULT_TIMEOUT"]
    return environment


def _watch(
    process: subprocess.Popen[bytes], folder: Path, pattern: str, advance: Callable[[int], None]
) -> bool:
    """Waits for pip. Ends it if the user interrupts, or if nothing arrives for a long time: then True."""
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


def _failure(log: str, stalled: bool, package: Package, entry: Entry) -> str:
    """Sums up pip's output in one sentence."""
    requirement = package.requirement
    if _NO_SPACE.search(log):
        return f"no space left to fetch {requirement} to {home()}: free about 300 MB or set BOLIDE_HOME"
    if stalled:
        reason = f"nothing arrived for {_STALL_SECONDS:.0f} seconds"
    else:
        errors = re.findall(r"^ERROR: (.*)$", log, re.MULTILINE) or log.split("\n")
        known = (reason for pattern, reason in _REASONS.items() if re.search(pattern, log))
        reason = next(known, f"pip says: {errors[-1].strip()}")
    return f"could not fetch {requirement} ({reason}): " + elsewhere(entry)
