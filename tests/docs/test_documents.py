"""All commands and Python code in README and the documentation run, and print the output shown.

A block that is not run states its reason, and is a skipped test with that reason (see
tests/support/documents.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import bolide
from tests.conftest import missing
from tests.support.documents import DOCUMENTS, Block, DocumentError, Session, blocks
from tests.support.paths import REPOSITORY

BLOCKS = [
    pytest.param(document, number, block, id="-".join([block.where, *block.needs]))
    for document in DOCUMENTS
    for number, block in enumerate(blocks(document))
]
PROSE = [
    *DOCUMENTS,
    *(REPOSITORY / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY", "packaging/README")),
]
PATH = re.compile(r"(?<![\w./-])(?:core|src/bolide|tests|bench|examples|docs)/[\w./-]*\w")


@pytest.fixture(scope="module")
def sessions(
    meteor: Callable[..., bolide.Meteor], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path], Session]:
    """Creates a document's session on first use.

    Packs are installed before, so that no document shows the progress of a download.
    """
    meteor()
    meteor(profile="nltk")
    known: dict[Path, Session] = {}

    def session(document: Path) -> Session:
        if document not in known:
            known[document] = Session(document, tmp_path_factory.mktemp(document.stem))
        return known[document]

    return session


@pytest.mark.parametrize(("document", "number", "block"), BLOCKS)
def test_block(document: Path, number: int, block: Block, sessions: Callable[[Path], Session]) -> None:
    if block.not_run:
        pytest.skip(block.not_run)
    if block.missing:
        missing(block.missing)
    if problem := sessions(document).problem(number):
        pytest.fail(problem, pytrace=False)


def test_there_are_blocks() -> None:
    assert len(BLOCKS) > 50


@pytest.mark.parametrize("document", [*DOCUMENTS, REPOSITORY / "CONTRIBUTING.md"], ids=lambda path: path.name)
def test_files_that_are_named_exist(document: Path) -> None:
    named = set(PATH.findall(document.read_text(encoding="utf-8")))
    # Tables of systems leave out the ending that all file names share.
    endings = ("", ".txt")
    there = {name for name in named if any((REPOSITORY / f"{name}{ending}").exists() for ending in endings)}
    assert sorted(named - there) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_signatures_are_of_this_version(document: Path) -> None:
    """Including those in the running text, which no command prints."""
    versions = re.findall(r"\|bolide:([\w.]+\w)", document.read_text(encoding="utf-8"))
    assert set(versions) <= {bolide.__version__}


def test_every_command_is_in_the_reference() -> None:
    page = (REPOSITORY / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    for golden in (REPOSITORY / "tests" / "golden" / "help").glob("*.txt"):
        assert f'"tests/golden/help/{golden.name}"' in page


def long_lines(text: str) -> list[str]:
    """Lines of more than 110 characters. Code, tables, headings, formulas and single links may be longer."""
    found, in_code = [], False
    for line in text.splitlines():
        words = line.lstrip(" -")
        if words.startswith("```"):
            in_code = not in_code
        elif len(line) > 110 and not in_code and not words.startswith(("|", "#", "$$")):
            found += [line] if " " in words else []
    return found


@pytest.mark.parametrize("document", PROSE, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_lines_are_short(document: Path) -> None:
    assert long_lines(document.read_text(encoding="utf-8")) == []


def test_long_lines_are_seen() -> None:
    words = "word " * 30
    for text in (words, f"- {words}", f"```sh\n{words}\n```\n{words}"):
        assert long_lines(text) == [text.splitlines()[-1]]
    for text in (f"| {words} |", f"# {words}", f"```sh\n{words}\n```", f"- https://{'a' * 120}"):
        assert long_lines(text) == []


def test_readme_takes_two_minutes() -> None:
    """Details belong to the pages in docs/."""
    lines = (REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 200
    assert lines[2].startswith("`pip install bolide`")
    first = next(iter(blocks(REPOSITORY / "README.md")))
    assert first.line <= 25
    assert "pip install" in first.text and "bolide score" in first.text


def test_readme_has_the_speed_of_the_benchmark() -> None:
    """The lowest and the highest ratio of the table that `python -m bench.run --docs` writes."""
    page = (REPOSITORY / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    table = page.partition("<!-- benchmark -->")[2].partition("<!-- /benchmark -->")[0]
    rows = [line for line in table.splitlines() if "memory" not in line]
    ratios = [float(ratio) for line in rows for ratio in re.findall(r"([\d.]+)× \|$", line)]
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert len(ratios) > 5
    assert f"is {min(ratios):.0f} to {max(ratios):.0f} times as fast" in " ".join(readme.split())


PUBLIC = ["bolide", *(f"bolide.{name}" for name in ("evaluation", "mert", "resources", "tuning", "xray"))]


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_in_the_reference(package: str) -> None:
    """The API index lists what these pages document: their names, and whole modules."""
    pages = (REPOSITORY / "docs" / "reference").glob("*.md")
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    documented = set(re.findall(r"\w+", text))
    for name in re.findall(rf"^::: ({package}\.[a-z_]+)\n(?!    )", text, re.MULTILINE):
        documented.update(vars(import_module(name)) if find_spec(name) else [])
    assert set(import_module(package).__all__) - documented - {"__version__"} == set()


def test_troubleshooting_is_headed_by_messages() -> None:
    """Readers search for the message, so each heading must be a part of the output shown below it."""
    page = (REPOSITORY / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    part = page.partition("## Messages of bolide\n")[2].partition("\n## ")[0]
    shown = 0
    for section in part.split("\n### ")[1:]:
        heading = section.splitlines()[0].strip("`")
        outputs = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
        shown += len(outputs)
        assert all(heading in output for output in outputs), heading
    assert shown > 10


@pytest.mark.parametrize(
    "text",
    [
        "```bash\ntrue\n```\n",  # a language that would never run
        "```text\n0.5\n```\n",  # the output of nothing
        "<!-- not run: no reason -->\nwords\n```sh\ntrue\n```\n",
        "<!-- not run: it is long -->\n```sh\ntrue\n```\n\n```text\n0.5\n```\n",
        "<!-- needs: java -->\n",
    ],
)
def test_nothing_evades(text: str, tmp_path: Path) -> None:
    document = tmp_path / "some.md"
    document.write_text(text, encoding="utf-8")
    with pytest.raises(DocumentError):
        list(blocks(document))


def test_wrong_output_is_seen(tmp_path: Path) -> None:
    document = tmp_path / "some.md"
    document.write_text(
        '```text title="a.txt"\nwords\n```\n```sh\ncat a.txt\n```\n```text\nother words\n```\n'
        "```python\nx = 1\n```\n```python\n>>> x\n2\n\n```\n```sh\nfalse\n```\n```sh\ncat a.txt\n```\n",
        encoding="utf-8",
    )
    session = Session(document, tmp_path / "folder")
    assert [session.problem(k) is None for k in range(6)] == [True, False, True, False, False, True]
