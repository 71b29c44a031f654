"""Errors on Java's command line: one clear sentence, a non-zero exit code, and no partial results."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bolide import cli
from tests.support.java_command import bolide_java
from tests.support.posix import needs_pipes

SMALL = ["-m", "exact"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two segments, and files with errors."""
    files = {
        "hyp": b"a cat\na dog\n",
        "one": b"a cat\n",
        "ref": b"the cat\nthe dog\n",
        "longer": b"the cat\nthe dog\nthe bird\n",
        "empty": b"",
        "long": b"a cat\n" + b"a " * 100_001 + b"\n",
        "long.sgm": b'<tstset setid="x">\n<doc docid="d" sysid="s">\n<seg id="1">'
        + b"a " * 100_001
        + b"</seg>\n</doc>\n",
        "hyp.gz": gzip.compress(b"a cat\na dog\n", mtime=0),
        "latin1": b"a cat\nna\xefve\n",
        "table.gz": b"this is not gzip",
        "plain.sgm": b"a cat\n",
        "no-set.sgm": b'<doc sysid="s" docid="d">\n<seg id="1">a</seg>\n</doc>\n',
        "no-setid.sgm": b"<tstset setid='x'>\n",
        "no-docid.sgm": b'<tstset setid="x">\n<doc sysid="s">\n',
        "no-sysid.sgm": b'<tstset setid="x">\n<doc docid="d">\n',
        "no-doc.sgm": b'<tstset setid="x">\n<seg id="1">a</seg>\n',
        "open.sgm": b'<tstset setid="x">\n<doc docid="d" sysid="s">\n<seg id="1">a\n</doc>\n',
        "test.sgm": b'<tstset setid="x">\n<doc docid="d" sysid="s">\n<seg id="1">a</seg>\n</doc>\n',
        "ref.sgm": b'<refset setid="x">\n<doc docid="d" sysid="r">\n<seg id="1">a</seg>\n</doc>\n',
        "other-set.sgm": b'<refset setid="y">\n<doc docid="d" sysid="r">\n<seg id="1">a</seg>\n</doc>\n',
        "other-doc.sgm": b'<refset setid="x">\n<doc docid="e" sysid="r">\n<seg id="1">a</seg>\n</doc>\n',
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# arguments → exit code, and text that the message must contain
MISTAKES: dict[str, tuple[int, str]] = {
    "hyp ref -bogus": (2, r'Unknown option "-bogus"'),
    "hyp ref -nrom": (2, r'did you mean "-norm"\?'),
    "-l en hyp ref": (2, r'Unknown option "hyp".*TEST and REFERENCE come first'),
    "hyp ref -e stems": (2, r'Unknown option "-e"'),
    "hyp ref -m": (2, r"option -m needs a value"),
    "hyp ref -l klingon": (2, r"unknown language 'klingon'"),
    "hyp ref -t ranking": (2, r"unknown task 'ranking'; did you mean 'rank'"),
    "hyp ref -t universal": (2, r"unknown task 'universal'"),
    "hyp ref -m exact~stems": (2, r"unknown module 'stems'; did you mean 'stem'"),
    "hyp ref -m exact~exact": (2, r"-m needs one or more different modules, not 'exact exact'"),
    "hyp ref -m ~": (2, r"-m needs one or more different modules"),
    "hyp ref -m exact -w 1,5": (2, r"-w needs a number, not '1,5'"),
    "hyp ref -w 1~1~1~1~1": (2, r"-w has 5 weights for 4 modules"),
    "hyp ref -m exact -w NaN": (2, r"the weight of exact must be a number"),
    "hyp ref -p 1~2": (2, r"-p needs four numbers"),
    "hyp ref -p a~b~c~d": (2, r"-p needs a number, not 'a'"),
    "hyp ref -x 0": (2, r"-x must be at least 1"),
    "hyp ref -x 1.5": (2, r"-x needs a number, not '1.5'"),
    "hyp ref -r 0": (2, r"-r must be at least 1"),
    "hyp ref -r two": (2, r"-r needs a number, not 'two'"),
    "hyp ref -l it -norm": (2, r"no normalizer for italian: .* -lower"),
    "hyp ref -l de -t adq": (2, r"task 'adq' has no parameters for german, only for: en"),
    "hyp ref -l it -t rank": (2, r"task 'rank' has no parameters for italian"),
    "hyp ref -l de -t custom": (2, r"task 'custom' has no parameters for german"),
    "hyp ref -l de -m exact -p 1~1~1~1": (
        2,
        r"german has no default weights for -p .*add -w with one weight for each of: exact",
    ),
    "hyp ref -l cz -m exact~stem": (2, r"no stemmer"),
    "hyp ref -l de": (
        2,
        r"module 'paraphrase' .*; choose with -m \(and -w\) from: exact stem; or add the table: [^;]*$",
    ),
    "hyp ref -l de -m exact~synonym": (2, r"synonym"),
    "hyp longer -m exact": (
        1,
        r"not same length: hyp has 2 lines, longer has 3; every line needs one reference",
    ),
    "longer ref -m exact -q": (1, r"not same length"),
    "hyp longer -m exact -r 2 -ssOut": (
        1,
        r"hyp has 2 lines, longer has 3; every line needs 2 references \(-r 2\)",
    ),
    "empty empty -m exact": (1, r"nothing to score"),
    "hyp . -m exact": (1, r"cannot read \.: Is a directory"),
    "/dev/null ref -m exact -ssOut": (1, r"not same length"),
    "empty ref -m exact -ssOut": (1, r"not same length"),
    "long ref -m exact -q": (1, r"long, line 2: 100001 words; the longest allowed .* 100000: split it"),
    "hyp long -m exact": (1, r"long, line 2: 100001 words"),
    "one long -m exact -r 2 -q": (1, r"long, line 2: 100001 words"),
    "long.sgm ref.sgm -m exact -sgml": (1, r"long\.sgm, segment \[x\]\[s\]\[d\]\[1\]: 100001 words"),
    "nothing ref -m exact": (1, r"cannot read nothing: No such file"),
    "hyp nothing -m exact": (1, r"cannot read nothing: No such file"),
    ". ref -m exact": (1, r"cannot read \.: Is a directory"),
    "hyp latin1 -m exact": (1, r"latin1, line 2: not UTF-8 \(byte 0xef at column 3\)"),
    "hyp.gz ref -m exact": (
        1,
        r"compressed: bolide java, like the jar, reads plain text only; .* zcat FILE\.gz > FILE",
    ),
    "latin1 ref -m exact -sgml": (1, r"latin1, line 2: not UTF-8"),
    "hyp ref -a nothing": (1, r"nothing"),
    "hyp ref -a table.gz -m exact~paraphrase": (1, r"table\.gz"),
    "hyp ref -s nothing -m exact": (1, r"nothing"),
    "hyp ref -d nothing -m exact~synonym": (1, r"nothing"),
    "hyp ref -new nothing": (1, r"nothing"),
    "hyp ref -m exact -writeAlignments -f no/such/folder": (1, r"cannot write no/such/folder-align.out"),
    "test.sgm ref.sgm -m exact -sgml -f no/such/folder": (1, r"cannot write no/such/folder-seg.scr"),
    "plain.sgm ref.sgm -m exact -sgml": (1, r"plain\.sgm has no <tstset> or <refset>"),
    "no-set.sgm ref.sgm -m exact -sgml": (1, r"no-set\.sgm, line 1: a document before the first"),
    "no-setid.sgm ref.sgm -m exact -sgml": (1, r"no-setid\.sgm, line 1: Set ID"),
    "no-docid.sgm ref.sgm -m exact -sgml": (1, r"no-docid\.sgm, line 2: Doc ID"),
    "no-sysid.sgm ref.sgm -m exact -sgml": (1, r"no-sysid\.sgm, line 2: System ID"),
    "no-doc.sgm ref.sgm -m exact -sgml": (1, r"no-doc\.sgm, line 2: a segment before the first <doc>"),
    "open.sgm ref.sgm -m exact -sgml": (1, r"open\.sgm, line 3: a segment without </seg>"),
    "test.sgm other-set.sgm -m exact -sgml": (1, r"set \[x\] of test\.sgm is not in the other file"),
    "test.sgm other-doc.sgm -m exact -sgml": (1, r"no segment of system \[x\]\[s\] has a reference"),
    "test.sgm nothing.sgm -m exact -sgml": (1, r"cannot read nothing\.sgm"),
}


@pytest.mark.parametrize("arguments", MISTAKES)
def test_mistake(arguments: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, sentence = MISTAKES[arguments]
    before = sorted(folder.rglob("*"))
    words = [word.replace("~", " ") for word in arguments.split()]
    assert cli.run(["java", *words]) == code
    printed = capsys.readouterr()
    *warnings, said = printed.err.splitlines()
    assert re.search(sentence, said), said
    assert all(warning.startswith("Warning: ") for warning in warnings)
    # Nothing is printed before the error, unless it is found while segments are scored.
    assert printed.out == "" or ("words" in sentence and "Segment" not in printed.out)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("arguments", [[], ["hyp"], ["--help"]])
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["java", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("Usage: bolide java TEST REFERENCE [options]")
    assert "-writeAlignments" in printed.err
    assert printed.out == ""


@needs_pipes
def test_a_failed_run_leaves_old_files_alone(folder: Path) -> None:
    (folder / "meteor-align.out").write_text("old")
    os.mkfifo(folder / "pipe")  # its length is known only when it has been read
    writer = subprocess.Popen([sys.executable, "-c", "open('pipe', 'w').write('one line only')"], cwd=folder)
    assert cli.run(["java", "hyp", "pipe", *SMALL, "-writeAlignments"]) == 1
    assert writer.wait() == 0
    assert (folder / "meteor-align.out").read_text() == "old"
    assert not list(folder.glob(".meteor*"))


@needs_pipes
def test_pipes_can_be_scored(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    writer = subprocess.Popen(
        [sys.executable, "-c", "open('pipe', 'w').write('the cat\\nthe dog')"], cwd=folder
    )
    assert bolide_java(["hyp", "pipe", *SMALL], folder) == bolide_java(["hyp", "ref", *SMALL], folder)
    assert writer.wait() == 0


def test_written_files_can_be_read_like_any_other(folder: Path) -> None:
    (folder / "plain").write_text("")
    bolide_java(["hyp", "ref", *SMALL, "-writeAlignments"], folder)
    assert (folder / "meteor-align.out").stat().st_mode == (folder / "plain").stat().st_mode


def test_two_segments_on_one_line_are_pointed_out(folder: Path) -> None:
    """Java scores them as one segment, without a message."""
    line = b'<seg id="1">a</seg> <seg id="2">b</seg>\n'
    (folder / "two.sgm").write_bytes(
        (folder / "test.sgm").read_bytes().replace(b'<seg id="1">a</seg>\n', line)
    )
    answer = bolide_java(["two.sgm", "ref.sgm", *SMALL, "-sgml"], folder)
    assert "Warning: two.sgm: segment [x][s][d][1] contains another" in answer.errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_full_disk(folder: Path) -> None:
    command = [sys.executable, "-c", "import bolide.cli; bolide.cli.main()", "java", "hyp", "ref", *SMALL]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "bolide: standard output: No space left on device\n"


@pytest.mark.parametrize("arguments", ["hyp ref -writeAlignments -f out", "test.sgm ref.sgm -sgml -f out"])
def test_a_file_that_is_too_large_is_named(folder: Path, arguments: str) -> None:
    """Like a full disk. The limit applies to files only; standard output is a pipe."""
    for name in ("hyp", "ref"):
        (folder / name).write_bytes((folder / name).read_bytes() * 5000)
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1, 1)); "
        "import bolide.cli; bolide.cli.main()"
    )
    before = sorted(folder.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", code, "java", *arguments.split(), *SMALL],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert re.fullmatch(r"bolide: cannot write out-\w+\.\w+: File too large\n", done.stderr)
    assert sorted(folder.iterdir()) == before
