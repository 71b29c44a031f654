"""The blocks of a document, and how they are run.

A document runs from the first block to the last, in a separate folder with the repository's `examples`:

    ```sh                 run by `sh -eu`; it must exit with 0 and print nothing on standard error
    ```python             run, as a doctest if it has `>>>`; names stay defined for later blocks
    ```text               after one of these (or json, tsv, …): its exact standard output
    ```toml title="FILE"  in any language: written to FILE for later blocks; if FILE exists, it must have the
                          same content

The document states exceptions before the block, and they appear as skipped tests:

    <!-- needs: NAME -->       a program, a Python package, or NLTK's `punkt_tab`; without it the block is
                               skipped
    <!-- not run: REASON -->   never run

    python -m tests.support.documents [FILE…]

regenerates the outputs (except those of doctests), so that the effect of a change can be reviewed.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from bolide.errors import ResourceError
from tests.support import nltk_punkt
from tests.support.paths import REPOSITORY

DOCUMENTS = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]

RUN = ("sh", "python")
OUTPUT = ("text", "json", "tsv", "html", "markdown", "latex")
SHOWN = ("toml", "bibtex")  # neither commands nor their output
INCLUDED = "--8<-- "  # a file of the repository that the site includes
FENCE = re.compile(r"(?P<indent> *)```(?P<language>[\w+-]*)(?P<attributes>.*)")
TITLE = re.compile(r'title="([^"]+)"')
MARKER = re.compile(r" *<!-- (?P<kind>needs|not run): (?P<value>.+) -->")
COMMENT = re.compile(r" *<!-- .* -->")


@dataclass
class Block:
    """A fenced block, and the output shown after it."""

    document: Path
    line: int
    language: str
    title: str | None
    text: str
    needs: list[str] = field(default_factory=list)
    not_run: str | None = None
    output: str | None = None
    output_line: int = 0

    @property
    def is_run(self) -> bool:
        return self.language in RUN and self.title is None

    @property
    def where(self) -> str:
        inside = self.document.is_relative_to(REPOSITORY)
        return f"{self.document.relative_to(REPOSITORY) if inside else self.document.name}:{self.line}"

    @property
    def missing(self) -> str | None:
        """The reason why the block cannot run here."""
        if self.not_run:
            return self.not_run
        absent = next((name for name in self.needs if not _is_there(name)), None)
        return f"needs {absent}" if absent else None


def _is_there(name: str) -> bool:
    try:
        if name == "punkt_tab":
            nltk_punkt.provide()
            return True
        return bool(shutil.which(name) or find_spec(name))
    except (ModuleNotFoundError, ResourceError):  # the first: of the package before a dot
        return False


class DocumentError(Exception):
    """A block would go untested without a stated reason."""


def blocks(document: Path) -> Iterator[Block]:
    """Blocks that are run or written, in order, each with its output."""
    last: Block | None = None  # the block that an output block would belong to
    markers: list[tuple[str, str]] = []
    for block in _fences(document, markers):
        if block.text.startswith(INCLUDED):
            continue
        if block.language in RUN or block.title:
            for kind, value in markers:
                if kind == "needs":
                    block.needs.append(value)
                else:
                    block.not_run = value
            if last is not None:
                yield last
            last = block
        elif block.language in OUTPUT:
            if last is None or not last.is_run or last.not_run or last.output is not None:
                raise DocumentError(f"{block.where}: output of no command")
            last.output, last.output_line = block.text, block.line
        elif block.language not in SHOWN:
            raise DocumentError(f"{block.where}: '{block.language}' is none of {RUN + OUTPUT + SHOWN}")
        markers.clear()
    if markers:
        raise DocumentError(f"{document}: a marker without a block: {markers}")
    if last is not None:
        yield last


def _fences(document: Path, markers: list[tuple[str, str]]) -> Iterator[Block]:
    """All fenced blocks. Markers since the last block are appended to `markers`."""
    lines = iter(enumerate(document.read_text(encoding="utf-8").splitlines(), 1))
    for number, line in lines:
        if marker := MARKER.fullmatch(line):
            markers.append((marker["kind"], marker["value"]))
        elif fence := FENCE.fullmatch(line):
            indent, text = fence["indent"], []
            for _, inside in lines:
                if inside == f"{indent}```":
                    break
                text.append(inside.removeprefix(indent))
            title = TITLE.search(fence["attributes"])
            content = "".join(f"{inside}\n" for inside in text)
            yield Block(document, number, fence["language"], title and title[1], content)
        elif markers and line.strip() and not COMMENT.fullmatch(line):
            raise DocumentError(f"{document}:{number}: the marker before has no block")


class Session:
    """A running document. To run a block, it first runs the blocks before it."""

    def __init__(self, document: Path, folder: Path) -> None:
        self.folder = folder
        self._blocks = list(blocks(document))
        self._problems: list[str | None] = []
        self.printed: dict[int, str] = {}  # by the line where the output is shown
        self._module = ModuleType("__main__")
        shutil.copytree(REPOSITORY / "examples", folder / "examples")

    def problem(self, number: int) -> str | None:
        """What is wrong with a block, or None."""
        while len(self._problems) <= number:
            self._problems.append(self._run(self._blocks[len(self._problems)]))
        return self._problems[number]

    def _run(self, block: Block) -> str | None:
        if block.missing:
            return None
        if block.title:
            return self._write(self.folder / block.title, block.text)
        found, problem = self._shell(block.text) if block.language == "sh" else self._python(block)
        if problem:
            return f"{block.where}: {problem}\n{found}"
        if block.output is not None and found != block.output:
            self.printed[block.output_line] = found
            return f"{block.where} prints\n{found}\nnot\n{block.output}"
        return None

    def _write(self, path: Path, text: str) -> str | None:
        if path.exists():
            return None if path.read_text(encoding="utf-8") == text else f"{path.name} is another file"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return None

    def _shell(self, command: str) -> tuple[str, str | None]:
        # The installed `bolide` comes first.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-eu", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "BOLIDE_PROGRESS": "0"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        failed = done.returncode != 0 or done.stderr
        return done.stdout, f"exit code {done.returncode}; {done.stderr}" if failed else None

    def _python(self, block: Block) -> tuple[str, str | None]:
        printed = io.StringIO()
        with (
            inside(self.folder),
            redirect_stdout(printed),
            warnings.catch_warnings(),
            as_program(self._module),
        ):
            if block.needs:
                warnings.simplefilter("default")  # other packages may warn
            if ">>>" in block.text:
                return "", self._doctest(block)
            try:
                exec(compile(block.text, block.where, "exec"), vars(self._module))
            except Exception:
                return printed.getvalue(), traceback.format_exc()
        return printed.getvalue(), None

    def _doctest(self, block: Block) -> str | None:
        test = doctest.DocTestParser().get_doctest(block.text, {}, block.where, block.where, block.line)
        test.globs = vars(self._module)
        report = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False)
        failed, _ = runner.run(test, out=report.write, clear_globs=False)
        return report.getvalue() if failed else None


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    sys.path.insert(0, str(folder))  # as for a program in the folder
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        os.chdir(before)


@contextmanager
def as_program(module: ModuleType) -> Iterator[None]:
    """Makes a module the program, where `pickle` and `bolide.compat.patch()` look for its names."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        yield
    finally:
        sys.modules["__main__"] = before


def rewrite(document: Path) -> list[str]:
    """Replace outdated outputs in the document. Returns the problems that this cannot fix."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(document, Path(folder))
        problems = [session.problem(k) for k, _ in enumerate(blocks(document))]
    lines = document.read_text(encoding="utf-8").splitlines()
    for start, printed in sorted(session.printed.items(), reverse=True):
        fence = lines[start - 1]
        indent = fence[: len(fence) - len(fence.lstrip())]
        end = lines.index(f"{indent}```", start)
        lines[start:end] = [f"{indent}{line}" if line else "" for line in printed.splitlines()]
    document.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [problem for problem in problems if problem and " prints\n" not in problem]


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or DOCUMENTS:
        print(*rewrite(path), sep="\n", end="")
