"""Faults: commands that are stopped at their n-th file operation (faults.c)."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import REPOSITORY, SUPPORT
from tests.support.processes import PATIENCE

COUNT, KILL, TERMINATE, FULL = "c", "k", "t", "f"
MODES = {"kill": KILL, "terminate": TERMINATE, "full disk": FULL}


@dataclass(frozen=True)
class Outcome:
    code: int  # negative: the signal that ended the process
    operations: int
    output: str
    errors: str


def compiled(folder: Path) -> Path | None:
    """The compiled library; None if there is no compiler for it."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None or sys.platform != "linux":
        return None
    library = folder / "faults.so"
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(
        [compiler, *flags, "-o", str(library), str(SUPPORT / "faults.c"), "-ldl"],
        check=True,
        timeout=PATIENCE,
    )
    return library


class FaultServer:
    """A process that runs commands with faults."""

    def __init__(self, library: Path, folder: Path) -> None:
        self._folder = folder
        environment = {**os.environ, "LD_PRELOAD": str(library), "BOLIDE_THREADS": "1"}
        command = [sys.executable, "-m", "tests.support.fault_server"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=REPOSITORY, env=environment
        )

    def run(
        self,
        arguments: Sequence[str],
        root: Path,
        mode: str = COUNT,
        number: int = 0,
        environment: Mapping[str, str] | None = None,
        *,
        first: bool = False,
    ) -> Outcome:
        """Runs a command in the folder `root`, with a fault at operation `number` in this folder. After the
        `first` run of a command the server keeps the modules that it has imported."""
        count, output, errors, modules = (
            self._folder / name for name in ("count", "output", "errors", "modules")
        )
        count.unlink(missing_ok=True)
        modules.unlink(missing_ok=True)
        job = {
            "arguments": list(arguments),
            "root": str(root),
            "mode": mode,
            "number": number,
            "environment": dict(environment or {}),
            "count": str(count),
            "output": str(output),
            "errors": str(errors),
            "modules": str(modules) if first else "",
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()
        code = json.loads(self._process.stdout.readline())
        (operations,) = struct.unpack("i", count.read_bytes())
        return Outcome(code, operations, *(path.read_text(errors="replace") for path in (output, errors)))

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(PATIENCE)


def digest(path: Path) -> str:
    """Identifies the contents of a file or folder: names, and bytes of files."""
    if not path.exists():
        return "missing"
    found = hashlib.sha256()
    for each in sorted([path, *path.rglob("*")]):
        found.update(f"{each.relative_to(path)}\0{each.is_dir()}\0".encode())
        if each.is_file():
            found.update(each.read_bytes())
    return found.hexdigest()


def state(path: Path) -> str:
    """Identifies a folder and all that a program may see of it, except for times."""
    found = hashlib.sha256()
    for each in sorted(path.rglob("*")):
        mode = each.lstat().st_mode
        found.update(f"{each.relative_to(path)}\0{mode}\0".encode())
        if stat.S_ISLNK(mode):
            found.update(os.fsencode(each.readlink()))
        elif stat.S_ISREG(mode):
            data = each.read_bytes()
            found.update(f"{len(data)}\0".encode() + data)
    return found.hexdigest()
