"""The commands, run as users run them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import bolide
from bolide.inputs.files import ZSTD
from tests.support.paths import EXAMPLES
from tests.support.posix import needs_pipes, needs_shell

SYSTEM, REFERENCE = str(EXAMPLES / "system-1.txt"), str(EXAMPLES / "reference.txt")
BOLIDE = [sys.executable, "-c", "from bolide.cli import main; main()"]


def zstd(data: bytes) -> bytes:
    compressed: bytes = import_module(ZSTD).compress(data)
    return compressed


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*BOLIDE, *map(str, arguments)], input=stdin, capture_output=True, check=False)


def lines(path: str | Path) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def expected(english: bolide.Meteor) -> bolide.CorpusScore:
    return english.corpus_score(lines(SYSTEM), lines(REFERENCE))


def test_score_json(expected: bolide.CorpusScore) -> None:
    done = run("score", SYSTEM, "-r", REFERENCE, "--format", "json", "--segments")
    assert (done.returncode, done.stderr) == (0, b"")
    [system] = json.loads(done.stdout)["systems"]
    assert expected.segments is not None
    assert (system["score"], system["segments"]) == (expected.score, expected.segments.tolist())
    assert system["signature"] == expected.signature


def test_score_text_and_tsv(expected: bolide.CorpusScore) -> None:
    text = run("score", SYSTEM, EXAMPLES / "system-2.txt", "-r", REFERENCE).stdout.decode().splitlines()
    assert text[1].split()[:2] == ["system-1", f"{expected.score:.4f}"] and text[-1] == expected.signature
    table = [
        row.split("\t")
        for row in run("score", SYSTEM, "-r", REFERENCE, "--format", "tsv").stdout.decode().splitlines()
    ]
    assert float(table[1][table[0].index("score")]) == expected.score


def test_several_references(english: bolide.Meteor) -> None:
    other = EXAMPLES / "reference-2.txt"
    done = run("score", SYSTEM, "-r", REFERENCE, "-r", other, "--format", "json")
    score = json.loads(done.stdout)["systems"][0]["score"]
    assert score == english.corpus_score(lines(SYSTEM), [lines(REFERENCE), lines(other)]).score


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", zstd)],
)
def test_compressed_files(
    tmp_path: Path, suffix: str, compress: Callable[[bytes], bytes], expected: bolide.CorpusScore
) -> None:
    packed = tmp_path / f"system.txt{suffix}"
    packed.write_bytes(compress(Path(SYSTEM).read_bytes()))
    assert f"METEOR {expected.score:.4f}" in run("score", packed, "-r", REFERENCE).stdout.decode()
    packed.write_bytes(packed.read_bytes()[:-20])
    failed = run("score", packed, "-r", REFERENCE)
    assert failed.returncode == 1 and failed.stderr.startswith(f"bolide: cannot read {packed}: ".encode())


def test_standard_input_with_windows_line_ends(expected: bolide.CorpusScore) -> None:
    text = b"\xef\xbb\xbf" + Path(SYSTEM).read_bytes().replace(b"\n", b"\r\n")
    assert f"METEOR {expected.score:.4f}" in run("score", "-", "-r", REFERENCE, stdin=text).stdout.decode()


def test_standard_input_that_is_compressed() -> None:
    done = run("score", "-", "-r", REFERENCE, stdin=gzip.compress(Path(SYSTEM).read_bytes()))
    assert done.returncode == 1
    assert b"it is compressed: unpack it first, as in zcat FILE.gz | bolide ..." in done.stderr


def test_a_module_that_is_not_there_is_told_with_the_options(meteor: Callable[..., bolide.Meteor]) -> None:
    meteor(language="de", modules=["exact"])  # skips without the pack
    done = run("score", SYSTEM, "-r", REFERENCE, "-l", "de")
    assert done.returncode == 2
    assert b"; choose with --modules (and --weights) from: exact stem case " in done.stderr


def test_every_keyword_has_an_option(meteor: Callable[..., bolide.Meteor]) -> None:
    options = {
        "profile": "1.5", "language": "English", "task": "adq", "modules": "exact stem", "weights": "1 0.5",
        "alpha": "0.5", "beta": "0.6", "gamma": "0.7", "delta": "0.8", "normalize": "lower", "beam": "5",
        "threads": "1",
    }  # fmt: skip
    flags = [part for name, value in options.items() for part in (f"--{name}", value)]
    done = run("score", SYSTEM, "-r", REFERENCE, "--unit", "characters", *flags, "--format", "json")
    scorer = meteor(
        task="adq", modules=["exact", "stem"], weights=[1, 0.5], alpha=0.5, beta=0.6, gamma=0.7, delta=0.8,
        normalize="lower", beam=5, unit="characters",
    )  # fmt: skip
    assert (
        json.loads(done.stdout)["systems"][0]["score"]
        == scorer.corpus_score(lines(SYSTEM), lines(REFERENCE)).score
    )


def test_align(english: bolide.Meteor) -> None:
    rows = [
        json.loads(row)
        for row in run("align", SYSTEM, "-r", REFERENCE, "--format", "json").stdout.splitlines()
    ]
    alignment = english.align(lines(SYSTEM)[1], lines(REFERENCE)[1])
    assert rows[1]["hypothesis"] == list(alignment.hypothesis) and len(rows) == 10
    assert rows[1]["matches"][0]["module"] == alignment.matches[0].module
    assert b"segment 1 " in run("align", SYSTEM, "-r", REFERENCE).stdout


def test_explain_notes_that_a_text_is_a_file(english: bolide.Meteor) -> None:
    done = run("explain", SYSTEM, "-r", "a text")
    assert done.returncode == 0
    assert f"{SYSTEM} is a file, but explain takes a text" in done.stderr.decode()
    assert run("explain", "a text", "-r", "a text").stderr == b""


def test_explain_takes_a_segment_of_files(english: bolide.Meteor, tmp_path: Path) -> None:
    other = EXAMPLES / "reference-2.txt"
    done = run("explain", SYSTEM, "-r", REFERENCE, "-r", other, "--segment", "7")
    expected = english.explain(lines(SYSTEM)[6], [lines(REFERENCE)[6], lines(other)[6]])
    assert done.stdout.decode().rstrip() == str(expected)
    many = tmp_path / "many.txt"  # more than one batch
    many.write_text("a cat\n" * 700 + "the cats\n" + "x\n", encoding="utf-8")
    done = run("explain", many, "-r", many, "-n", "701", "--format", "json")
    assert json.loads(done.stdout)["hypothesis"] == ["the", "cats"]


def test_explain_finds_mistakes_with_files(tmp_path: Path) -> None:
    files = SYSTEM, "-r", REFERENCE
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"ok\n\xff\n")
    for arguments, code, message in (
        (files, 2, f"{SYSTEM} and {REFERENCE} are files, but explain takes texts. For one segment of files"),
        ((*files, "--segment", "11"), 1, f"{SYSTEM} has 10 segments; there is no segment 11"),
        ((*files, "--segment", "0"), 2, "--segment must be a number from 1 on, not 0"),
        (("none.txt", "-r", REFERENCE, "--segment", "1"), 1, "cannot read none.txt"),
        ((SYSTEM, "--segment", "1"), 2, "references are missing: give them with --reference FILE (-r)"),
        ((latin, "-r", latin, "--segment", "1"), 1, f"{latin}, line 2: not UTF-8"),
    ):
        done = run("explain", *arguments)
        assert (done.returncode, done.stdout) == (code, b""), arguments
        assert message in done.stderr.decode()
    suggested = run("explain", *files).stderr.decode().split("write: bolide ")[1]
    assert run(*suggested.split()).returncode == 0


def test_normalize_and_stem(english: bolide.Meteor) -> None:
    assert run("normalize", stdin="Mr. X didn't\u00a0go.\n\n".encode()).stdout == b"mr. x didn 't go .\n\n"
    assert run("stem", stdin=b"Running dogs\n").stdout == b"run dog\n"
    assert run("stem", "-l", "fr", stdin=b"continuellement\n").stdout == b"continuel\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["score", "missing.txt", "-r", REFERENCE], 1, "cannot read missing.txt: No such file"),
        (["score", SYSTEM, "-r", "short.txt"], 1, "short.txt has 2"),
        (["score", "bad.txt", "-r", "short.txt"], 1, "bad.txt, line 2: not UTF-8 (byte 0xff at column 3)"),
        (["score", "-", "-r", "-"], 2, "standard input can be read only once"),
        (["score", "-", "-r", "short.txt", "--docs", "-"], 2, "standard input can be read only once"),
        (["align", "-", "-r", "-"], 2, "standard input can be read only once"),
        (["score", SYSTEM, "-r", REFERENCE, "-l", "xx"], 2, "unknown language 'xx'"),
        (["score", SYSTEM, "-r", REFERENCE, "-t", "x"], 2, "unknown task 'x'"),
        (["score", SYSTEM, "-r", REFERENCE, "--weights", "1 2"], 2, "4 numbers"),
        (
            ["score", SYSTEM, "-r", REFERENCE, "--profile", "nltk", "--weights", "1e200 1 1", "--confidence"],
            2,
            "the weight of exact must be a number from 0 to 1000, not 1e+200",
        ),
        (["score", SYSTEM, "-r", REFERENCE, "--weights", "a"], 2, "--weights must be numbers"),
        (["score", SYSTEM, "-r", REFERENCE, "--resources", "nowhere"], 1, "nowhere"),
        (["score", SYSTEM], 2, "reference"),
        (["score", "empty.txt", "-r", "empty.txt"], 1, "nothing to score: these files are empty: empty.txt"),
        (["score", "short.txt", "empty.txt", "-r", "empty.txt"], 1, "short.txt has 2, empty.txt has 0"),
        (
            ["score", "short.txt", "missing.txt", "-r", "short.txt"],
            1,
            "cannot read missing.txt: No such file",
        ),
        (["score", "short.txt", "-r", "."], 1, "cannot read .: Is a directory"),
        (["score", "-", "-", "-r", "short.txt"], 2, "standard input can be read only once"),
        (["score", "short.txt", "short.txt", "-r", "-"], 1, "standard input can be read only once"),
        pytest.param(
            ["score", "short.txt", "short.txt", "-r", "pipe"],
            1,
            "pipe can be read only once",
            marks=needs_pipes,
        ),
        (["score", "long.txt", "-r", "short.txt"], 1, "long.txt, line 2: 100001 words; the longest allowed "),
        (["score", "short.txt", "-r", "short.txt", "-r", "long.txt"], 1, "long.txt, line 2: 100001 words"),
        (["align", "long.txt", "-r", "short.txt"], 1, "long.txt, line 2: 100001 words; the longest allowed "),
        (
            ["score", SYSTEM, "-r", REFERENCE, "-t", "universal", "--modules", "exact stem"],
            2,
            "give weights, ",
        ),
        (["score", SYSTEM, "-r", REFERENCE, "--beam", "99999"], 2, "a beam of 99999 is too wide"),
        (["score", SYSTEM, "-r", REFERENCE, "--synonyms", ""], 2, "unknown source of synonyms ''"),
        (["score", SYSTEM, "-r", REFERENCE, "--stop-words", ""], 2, "stop_words must be words, or a file"),
        (["score", SYSTEM, "-r", REFERENCE, "--search-weights", "exct=1 other=1"], 2, "did you mean 'exact'"),
        (["stem", "-l", "cs"], 2, "no stemmer"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)
def test_mistakes_end_in_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    english: bolide.Meteor,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("short.txt").write_bytes(b"one\ntwo\n")
    Path("bad.txt").write_bytes(b"one\nab\xff\n")
    Path("empty.txt").write_bytes(b"")
    Path("long.txt").write_bytes(b"one\n" + b"a " * 100_001 + b"\n")
    if "pipe" in arguments:
        os.mkfifo("pipe")
    done = run(*arguments)
    assert done.returncode == code
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr and done.stdout == b""
    assert b"=[" not in done.stderr  # no Python expression


@needs_pipes
def test_nothing_is_scored_if_a_file_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")  # opening it blocks forever
    assert run("score", "pipe", "missing.txt", "-r", REFERENCE).returncode == 1


@needs_shell
def test_a_pipe_is_read_once(english: bolide.Meteor, expected: bolide.CorpusScore) -> None:
    command = " ".join(f"'{part}'" for part in [*BOLIDE, "score", "/dev/stdin", "-r", REFERENCE])
    done = subprocess.run(["sh", "-c", f"cat '{SYSTEM}' | {command}"], capture_output=True, check=False)
    assert f"METEOR {expected.score:.4f}" in done.stdout.decode()


def test_bounded_segments_are_told(tmp_path: Path, english: bolide.Meteor) -> None:
    (tmp_path / "hyp").write_text("a cat\n" + "the " * 2000 + "\n")
    (tmp_path / "ref").write_text("a cat\n" + "the " * 1500 + "\n")
    arguments = ["score", str(tmp_path / "hyp"), "-r", str(tmp_path / "ref"), "--segments", "--format"]
    assert run(*arguments, "text").stderr.decode() == (
        f"bolide: {tmp_path / 'hyp'}: 1 segment reached the limit of the search: its score is approximate\n"
    )
    [system] = json.loads(run(*arguments, "json").stdout)["systems"]
    assert (system["bounded"], system["bounded_segments"]) == (1, [2])
    rows = [row.split("\t") for row in run(*arguments, "tsv").stdout.decode().splitlines()]
    assert [len(row) for row in rows] == [len(rows[0])] * 4
    column = rows[0].index("bounded")
    assert [row[column] for row in rows[1:]] == ["0", "1", "1"]


def test_java_tells_bounded_segments_but_among_scores(tmp_path: Path, english: bolide.Meteor) -> None:
    (tmp_path / "hyp").write_text("the " * 2000 + "\n")
    (tmp_path / "ref").write_text("the " * 1500 + "\n")
    arguments = ["java", str(tmp_path / "hyp"), str(tmp_path / "ref"), "-m", "exact"]
    note = "1 segment reached the limit of the search: its score is approximate\n"
    assert run(*arguments).stderr.decode() == f"bolide: {tmp_path / 'hyp'}: {note}"
    assert float(run(*arguments, "-q").stderr) > 0
    for name, kind in (("hyp", "tst"), ("ref", "ref")):
        text = (tmp_path / name).read_text().strip()
        lines = [f'<{kind}set setid="x">', '<doc docid="d" sysid="s">', f'<seg id="1">{text}</seg>', "</doc>"]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    files = ["-sgml", "-f", str(tmp_path / "out")]
    assert run(*arguments, *files).stderr.decode() == f"bolide: [x][s]: {note}"


@needs_shell
def test_a_reader_that_stops_early(english: bolide.Meteor) -> None:
    command = " ".join(f"'{part}'" for part in [*BOLIDE, "align", SYSTEM, "-r", REFERENCE])
    done = subprocess.run(["sh", "-c", f"{command} | head -n 1"], capture_output=True, check=False)
    assert done.stderr == b""


def test_version() -> None:
    assert run("--version").stdout.decode().strip() == f"bolide {bolide.__version__}"
