"""The cases in golden/java (see the README.md there), and the official jar's answers to them.

    python -m tests.support.java_golden path/to/meteor-1.5.jar [CASE...]

records the answers.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support import java_jar
from tests.support.paths import GOLDEN

HERE = GOLDEN / "java"
# One record of an alignment file (-writeAlignments).
ALIGNMENT = (
    "Alignment\t1\t1.0\t0.5\t0.6\t0.2\na b\na c b\nLine2Start:Length\tLine1Start:Length\tModule\t\tScore\n"
    "0:1\t\t\t0:1\t\t\t0\t\t1.0\n2:1\t\t\t1:1\t\t\t0\t\t1.0\n\n"
)


def cases() -> list[Path]:
    """Every folder that has a command line."""
    return sorted(path.parent for path in HERE.glob("*/args.txt"))


def arguments(case: Path) -> list[str]:
    return shlex.split((case / "args.txt").read_text("utf-8"))


def standard_input(case: Path) -> bytes:
    path = case / "stdin"
    return path.read_bytes() if path.exists() else b""


def official(answers: bytes) -> bytes:
    """Answers of `-stdio` as the official release gives them.

    The recorded copy of the jar has two additions: a second line after each EVAL (only a score is
    an answer of one word), and the command SING.
    """
    kept: list[bytes] = []
    for line in answers.replace(b" or SING", b"").splitlines(keepends=True):
        second = bool(kept) and line == kept[-1] and len(line.split()) == 1
        kept.append(b"" if second else line)
    return b"".join(kept)


def run_jar(jar: Path, case: Path, folder: Path) -> dict[str, bytes]:
    """Run a case with the jar in `folder`: standard output, standard error, and the files written."""
    work = folder / case.name
    shutil.copytree(HERE / "text", folder / "text", dirs_exist_ok=True)
    work.mkdir()
    command = [*java_jar.java(), "-jar", str(jar.resolve()), *arguments(case)]
    done = subprocess.run(command, cwd=work, input=standard_input(case), capture_output=True, check=True)
    output = official(done.stdout) if standard_input(case) else done.stdout
    answer = {"stdout": output, "stderr": done.stderr}
    return answer | {path.name: path.read_bytes() for path in work.iterdir()}


def main() -> None:
    jar, *names = sys.argv[1:]
    for case in cases():
        if names and case.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            answer = run_jar(Path(jar), case, Path(folder))
        shutil.rmtree(case / "expected", ignore_errors=True)
        (case / "expected").mkdir()
        for name, data in answer.items():
            (case / "expected" / name).write_bytes(data)
        print(case.name, *sorted(answer))


if __name__ == "__main__":
    main()
