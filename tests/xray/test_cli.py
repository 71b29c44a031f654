"""`bolide xray`: its output, and the input it rejects."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bolide import Meteor
from bolide._support.progress import amount
from bolide.cli import run
from bolide.xray import Xray
from bolide.xray.plots import PLOTS
from tests.cli.test_commands import BOLIDE
from tests.support import java_golden
from tests.support.xray_texts import REFERENCES, SOURCES, SYSTEMS

JAVA = java_golden.HERE / "alignments" / "expected" / "mine-align.out"
PLAIN = ["--profile", "linear", "--modules", "exact", "--normalize", "lower"]
pytest.importorskip("altair")
pytest.importorskip("vl_convert")


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


def xray(folder: Path, *arguments: str, **environment: str) -> Done:
    """Run the command in this process, because most of its time is the loading of drawing libraries."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as output:
        patch.chdir(folder)
        for name, value in environment.items():
            patch.setenv(name, value)
        with redirect_stderr(StringIO()) as errors:
            code = run(["xray", *arguments])
    return Done(code, output.getvalue(), errors.getvalue())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {
        **{f"{name}.txt": lines for name, lines in SYSTEMS.items()},
        **{f"ref{k}": [references[k] for references in REFERENCES] for k in range(2)},
        "src": SOURCES,
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


SYSTEM_FILES = ("north.txt", "south.txt")
REFERENCE_FILES = ("-r", "ref0", "-r", "ref1")


def test_report(folder: Path, english: Meteor) -> None:
    done = xray(
        folder, *SYSTEM_FILES, *REFERENCE_FILES, "-s", "src", "-o", "report.html", "--title", "<Ferries>"
    )
    size = (folder / "report.html").stat().st_size
    said = f"report.html written ({amount(size, 'bytes')}): open it in a browser, or add --open\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")
    page = (folder / "report.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "<title>&lt;Ferries&gt;" in page
    assert {path.name for path in folder.iterdir()} == {*SYSTEM_FILES, "ref0", "ref1", "src", "report.html"}


@pytest.mark.parametrize("opens", [True, False])
def test_open(folder: Path, opens: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses: list[str] = []

    def opened(address: str) -> bool:
        addresses.append(address)
        return opens

    monkeypatch.setattr("webbrowser.open", opened)
    done = xray(folder, "north.txt", "-r", "ref0", *PLAIN, "-o", "a b.html", "--open")
    address = (folder / "a b.html").as_uri()
    assert done.returncode == 0 and addresses == [address] and address.endswith("/a%20b.html")
    assert done.stdout.startswith("a b.html written (") and "--open" not in done.stdout
    assert done.stderr == ("" if opens else f"bolide: no browser found; open {address} yourself\n")
    done = xray(folder, "north.txt", "-r", "ref0", *PLAIN, "--terminal", "--open")
    assert (done.returncode, done.stderr) == (2, "bolide: --open needs a file: --output FILE.html (-o)\n")


@pytest.mark.parametrize("name", list(PLOTS))
def test_plots(name: str, folder: Path) -> None:
    for ending in ("svg", "json"):
        done = xray(folder, *SYSTEM_FILES, "-r", "ref0", *PLAIN, "--figure", name, "-o", f"x.{ending}", "-q")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ElementTree.parse(folder / "x.svg").getroot().tag.endswith("svg")
    assert json.loads((folder / "x.json").read_text("utf-8"))["$schema"]


def test_names_have_no_shared_folder(folder: Path) -> None:
    """So names of files in deep folders can be told apart. Names with any bytes can be written."""
    deep = folder / "outputs" / "2012"
    deep.mkdir(parents=True)
    names = [f"{deep}/{name}" for name in ("north.txt", os.fsdecode(b"caf\xe9.txt"))]
    for name in names:
        Path(name).write_bytes((folder / "north.txt").read_bytes())
    done = xray(folder, *names, "-r", "ref0", *PLAIN, "--figure", "ranking", "-o", "x.json")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads((folder / "x.json").read_text("utf-8"))["datasets"]["systems"]
    assert [row["system"] for row in rows] == ["north", r"caf\xe9"]
    assert xray(folder, *names, "-r", "ref0", *PLAIN, "-o", "x.html").returncode == 0
    figure = ("--figure", "alignment:1", "-o", "x.svg", "--figure-system")
    assert xray(folder, *names, "-r", "ref0", *PLAIN, *figure, names[1]).returncode == 0


def test_names_can_be_given(folder: Path) -> None:
    named = (
        *SYSTEM_FILES,
        "-r",
        "ref0",
        *PLAIN,
        "--names",
        "the first, =2",
        "--figure",
        "ranking",
        "-o",
        "x.json",
    )
    assert xray(folder, *named).returncode == 0
    rows = json.loads((folder / "x.json").read_text("utf-8"))["datasets"]["systems"]
    assert [row["system"] for row in rows] == ["the first", "=2"]
    done = xray(folder, str(JAVA), "--names", "jar", *PLAIN, "--figure", "scores", "-o", "java.json")
    assert done.returncode == 0
    assert '"system": "jar"' in (folder / "java.json").read_text("utf-8")


def test_figures_of_every_kind(folder: Path) -> None:
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "tex": b""}
    for ending, start in starts.items():
        figure = ("--figure", "alignment:2", "-o", f"x.{ending}", "--figure-style", "ribbons", "-q")
        both = ("--figure-system", "north.txt", "--figure-system", "south.txt")
        done = xray(folder, *SYSTEM_FILES, "-r", "ref0", *PLAIN, *figure, *both)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (folder / f"x.{ending}").read_bytes().lstrip().startswith(start)


def test_java(folder: Path, english: Meteor) -> None:
    done = xray(folder, str(JAVA), "-o", "report.html")
    assert (done.returncode, done.stderr) == (0, "")
    (folder / "packed.gz").write_bytes(gzip.compress(JAVA.read_bytes()))
    done = xray(folder, "packed.gz", "-o", "report.html", "--task", "adq")
    assert done.returncode == 0
    assert done.stderr.startswith(
        "bolide: the settings of the Java run are not known (packed.gz: the score of segment 1 is"
    )


def test_java_without_a_language_pack(folder: Path) -> None:
    away = {"BOLIDE_HOME": str(folder / "home"), "BOLIDE_OFFLINE": "1"}
    done = xray(folder, str(JAVA), "-o", "report.html", **away)
    assert done.returncode == 0
    assert "no scorer was given" in done.stderr
    assert (folder / "report.html").exists()


def test_columns_of_sources(folder: Path) -> None:
    rows = "".join(f"{source}\t{k}\n" for k, source in enumerate(SOURCES))
    (folder / "src.tsv").write_text(f"source\tnumber\n{rows}", encoding="utf-8")
    output = ("-r", "ref0", *PLAIN, "-o", "report.html", "-s", "src.tsv")
    assert xray(folder, "north.txt", *output, "--source-column", "source").returncode == 0
    done = xray(folder, "north.txt", *output)
    assert (done.returncode, "no column 'src'" in done.stderr) == (1, True)


MISTAKES: dict[str, tuple[int, list[str]]] = {
    "give either a file for the report": (2, ["north.txt", "-r", "ref0"]),
    "or --terminal": (2, ["north.txt", "-r", "ref0", "-o", "x.html", "--terminal"]),
    "a figure needs a file": (2, ["north.txt", "-r", "ref0", "--terminal", "--figure", "scores"]),
    "there is no folder missing": (1, ["north.txt", "-r", "ref0", "-o", "missing/x.html"]),
    "must end in .html or .htm, not 'x.svg'": (2, ["north.txt", "-r", "ref0", "-o", "x.svg"]),
    "must end in .svg or .png or .pdf or .tex": (
        2,
        ["north.txt", "-r", "ref0", "-o", "x.html", "--figure", "alignment:1"],
    ),
    "did you mean 'scores'?": (2, ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", "score"]),
    "needs the number of a segment": (
        2,
        ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", "alignment:one"],
    ),
    "99' needs the number of a segment": (
        2,
        ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", f"alignment:{'9' * 5000}"],
    ),
    "there is no segment 5: there are 4": (
        2,
        ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", "alignment:5"],
    ),
    "segment 1 has no reference 2 (--figure-reference): it has 1": (
        1,
        ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", "alignment:1", "--figure-reference", "2"],
    ),
    "unknown system 'west'": (
        2,
        ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", "alignment:1", "--figure-system", "west"],
    ),
    "need --figure alignment:NUMBER": (
        2,
        ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", "scores", "--figure-style", "ribbons"],
    ),
    "needs at least two systems": (2, ["north.txt", "-r", "ref0", "-o", "x.svg", "--figure", "differences"]),
    "north.txt is given 2 times": (2, ["north.txt", "north.txt", "-r", "ref0", "-o", "x.html"]),
    "references are missing": (2, ["north.txt", "-o", "x.html"]),
    "cannot read east.txt": (1, ["north.txt", "east.txt", "-r", "ref0", "-o", "x.html"]),
    "cannot read nothing": (1, ["north.txt", "-r", "ref0", "-o", "x.html", "-s", "nothing"]),
    "three has 3": (1, ["three", "-r", "ref0", "-o", "x.html"]),
    "three: 3 sources for 4 segments": (1, ["north.txt", "-r", "ref0", "-o", "x.html", "-s", "three"]),
    "latin, line 1: not UTF-8": (1, ["north.txt", "latin", "-r", "ref0", "-o", "x.html"]),
    "nothing to score": (1, ["empty", "-r", "empty", "-o", "x.html"]),
    "--names has 1 name for 2 systems": (
        2,
        [*SYSTEM_FILES, "-r", "ref0", "-o", "x.html", "--names", "one"],
    ),
    "samples must be": (2, ["north.txt", "-r", "ref0", "-o", "x.html", "--samples", "0"]),
    "north.txt has not: show them separately": (2, ["java", "north.txt", "-o", "x.html"]),
    "has its own references and documents": (2, ["java", "-r", "ref0", "-o", "x.html"]),
    "java is given 2 times": (2, ["java", "java", "-o", "x.html"]),
    "cut, line 9: the file ends inside record 1": (1, ["java", "cut", "-o", "x.html"]),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes(message: str, folder: Path) -> None:
    code, arguments = MISTAKES[message]
    (folder / "three").write_text("a\nb\nc\n")
    (folder / "latin").write_bytes(b"caf\xe9\n" * 4)
    (folder / "empty").write_bytes(b"")
    (folder / "java").write_bytes(JAVA.read_bytes())
    (folder / "cut").write_text("".join(JAVA.read_text("utf-8").splitlines(keepends=True)[:8]), "utf-8")
    before = {path.name for path in folder.iterdir()}
    done = xray(folder, *arguments, *PLAIN)
    assert message in done.stderr
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("bolide: ")
    assert len(done.stderr.splitlines()) == 1
    assert {path.name for path in folder.iterdir()} == before


def test_a_full_disk_leaves_the_old_report(folder: Path) -> None:
    resource = pytest.importorskip("resource", reason="no limits of processes on this system")
    (folder / "x.html").write_text("old")
    done = subprocess.run(
        [*BOLIDE, "xray", "north.txt", "-r", "ref0", *PLAIN, "-o", "x.html"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert done.returncode == 1
    assert done.stderr == "bolide: cannot write x.html: File too large\n"
    assert (folder / "x.html").read_text() == "old"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_without_an_extra(package: str, folder: Path) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from bolide.cli import main; main()"
    command = [sys.executable, "-c", code, "xray", "north.txt", "-r", "ref0", *PLAIN, "-o", "x.html"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"the package {package} is not installed; run: pip install 'bolide[" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_comma_decimals(folder: Path) -> None:
    done = xray(
        folder, "north.txt", "-r", "ref0", *PLAIN, "-o", "x.html", LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_report_from_python(folder: Path, english: Meteor) -> None:
    from bolide import xray as package

    found = package.report(SYSTEMS, REFERENCES, output=folder / "a.html", meteor=english, layout="segments")
    assert [system.name for system in found.systems] == list(SYSTEMS)
    shown = package.report(JAVA, output=folder / "b.html", meteor=english)
    assert len(shown.segments) == 26
    assert (folder / "a.html").stat().st_size > 100_000
    assert (folder / "b.html").stat().st_size > 100_000


def test_documents_of_sgml_files_are_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No option is needed: the format names them."""
    segments = '<seg id="1">a cat</seg><seg id="2">dogs</seg>'
    for name, tag, attribute in (("hyp", "tstset", "sysid"), ("ref", "refset", "refid")):
        documents = "".join(f'<doc docid="d{k}" {attribute}="s">{segments}</doc>' for k in (1, 2))
        Path(tmp_path, f"{name}.sgm").write_text(f'<{tag} setid="t">{documents}</{tag}>\n', encoding="utf-8")
    found: list[Xray] = []

    def write(xray: Xray, path: str) -> None:
        found.append(xray)
        Path(path).touch()

    monkeypatch.setattr("bolide.xray.files.write_report", write)
    done = xray(tmp_path, "hyp.sgm", "-r", "ref.sgm", "-o", "r.html", *PLAIN)
    assert (done.returncode, done.stderr) == (0, "")
    assert [segment.document for segment in found[0].segments] == ["d1", "d1", "d2", "d2"]
    assert [group.name for group in found[0].groups()["document"].groups] == ["d1", "d2"]
