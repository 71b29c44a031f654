"""The environment of a program under `bolide run`: a `java` first on its PATH, and patches on its PYTHONPATH.

The folder that `prepare` fills contains

    bin/java         a script that starts the stand-in (on Windows: java.cmd)
    stand_in.py      what that script runs
    lib, conf, ...   links to what else is in JAVA_HOME

so it can replace JAVA_HOME, too.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from bolide._support.platform import write_command
from bolide.errors import OutputError

PATCHED = Path(__file__).parent / "patched"
# The hidden option of `bolide run` that makes it the stand-in.
AS_JAVA = "--as-java"
# The stand-in runs in the same Python as `bolide run`, with the same packages. Variables of the program such
# as PYTHONPATH do not count (-E), and neither does the current folder, where any file may be.
STAND_IN = """\
# Made by `bolide run`; answers instead of Java.
import sys

sys.path[:1] = []
sys.path += [path for path in {paths!r} if path not in sys.path]
sys.argv[1:1] = ["run", {option!r}, {real!r}]
from bolide.__main__ import program

program()
"""


def prepare(folder: Path, given: Mapping[str, str], *, patch: bool) -> dict[str, str]:
    """Fills an empty folder, and returns the environment of the program; `given` is that of `bolide run`."""
    if os.pathsep in str(folder):  # on PATH it would be two folders, and the real Java would be found
        raise OutputError(f"{folder.parent} has '{os.pathsep}' in its name; set TMPDIR to another folder")
    path, home = given.get("PATH", os.defpath), given.get("JAVA_HOME")
    real = _real_java(path, home)
    programs = folder / "bin"
    programs.mkdir()
    _write_java(folder, programs, real)
    found = {**given, "PATH": _joined([str(programs), path])}
    if _link_rest(Path(home), folder) if home else not real:
        found["JAVA_HOME"] = str(folder)
    if patch:
        modules = given.get("PYTHONPATH")
        found["PYTHONPATH"] = _joined([str(PATCHED), modules] if modules else [str(PATCHED)])
    return found


def _joined(paths: list[str]) -> str:
    return os.pathsep.join(paths)


def _real_java(path: str, home: str | None) -> str:
    """The Java that the program would find; empty if there is none."""
    real = shutil.which("java", path=path) or (home and shutil.which("java", path=str(Path(home, "bin"))))
    return str(Path(real).absolute()) if real else ""


def _write_java(folder: Path, programs: Path, real: str) -> None:
    script = folder / "stand_in.py"
    paths = [path for path in sys.path if Path(path).is_absolute()]
    script.write_text(STAND_IN.format(paths=paths, option=AS_JAVA, real=real), encoding="utf-8")
    java = write_command(programs, "java", [sys.executable, "-E", str(script)])
    if not os.access(java, os.X_OK):
        raise OutputError(
            f"programs cannot be started from {folder.parent} (noexec); set TMPDIR to another folder"
        )


def _link_rest(home: Path, folder: Path) -> bool:
    """Links what else is in JAVA_HOME, for programs that look for more than `bin/java` there. False if the
    system does not allow links."""
    try:
        for place in ("", "bin"):
            for entry in (home / place).iterdir() if (home / place).is_dir() else ():
                link = folder / place / entry.name
                if not link.exists() and (place, entry.stem) != ("bin", "java"):  # java.exe of Windows
                    link.symlink_to(entry.absolute())
    except OSError:
        return False
    return True
