"""What short commands load. Each module takes time, and users wait for it.

    python -m tests.cli.test_imports

regenerates golden/imports: the modules of bolide, and the names of all other packages that are not part of
Python.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import EXAMPLES, GOLDEN

IMPORTS = GOLDEN / "imports"
# They depend on the system and on the version of Python.
OTHERS = {"bolide._support.platform.posix", "bolide._support.platform.windows", "tomli"}
HYP, REF = str(EXAMPLES / "system-1.txt"), str(EXAMPLES / "reference.txt")
COMMANDS = {
    "score": ["score", HYP, "-r", REF],
    "java": ["java", HYP, REF, "-l", "en", "-norm", "-q"],
}
PROGRAM = """
import sys
before = set(sys.modules)
from bolide import cli
code = cli.run(sys.argv[1:])
print("---", *sorted(set(sys.modules) - before), sep="\\n")
sys.exit(code)
"""


def imports(command: list[str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command], capture_output=True, text=True, check=True
    )
    names = done.stdout.split("---\n")[-1].split()
    others = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    packages = {name for name in others if name != "bolide" and not name.startswith("_")}
    return sorted((packages | {name for name in names if name.startswith("bolide")}) - OTHERS)


@pytest.mark.parametrize("name", COMMANDS)
def test_imports(name: str) -> None:
    expected = (IMPORTS / f"{name}.txt").read_text(encoding="utf-8").split()
    assert imports(COMMANDS[name]) == expected


def regenerate() -> None:
    for name, command in COMMANDS.items():
        Path(IMPORTS / f"{name}.txt").write_text("\n".join([*imports(command), ""]), encoding="utf-8")


if __name__ == "__main__":
    regenerate()
