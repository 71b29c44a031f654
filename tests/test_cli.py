"""The commands, run as their users run them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import bolide
from bolide import inputs

EXAMPLES = Path(__file__).parents[1] / "examples"
SYSTEM, REFERENCE = str(EXAMPLES / "system-1.txt"), str(EXAMPLES / "reference.txt")
BOLIDE = [sys.executable, "-c", "from bolide.cli import main; main()"]


def zstd(data: bytes) -> bytes:
    compressed: bytes = import_module(inputs._ZSTD).compress(data)
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
    assert f"METEOR {expected.score:.4f}" in text[0] and text[-1] == expected.signature
    table = [row.split("\t") for row in run("score", SYSTEM, "-r", REFERENCE, "--format", "tsv").stdout.decode().splitlines()]
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


def test_every_keyword_has_an_option(meteor: Callable[..., bolide.Meteor]) -> None:
    options = {
        "task": "adq", "modules": "exact stem", "weights": "1 0.5", "alpha": "0.5", "beta": "0.6", "gamma": "0.7",
        "delta": "0.8", "normalize": "lower", "beam": "5", "threads": "1", "profile": "1.5", "language": "English",
    }  # fmt: skip
    flags = [part for name, value in options.items() for part in (f"--{name}", value)]
    done = run("score", SYSTEM, "-r", REFERENCE, "--characters", *flags, "--format", "json")
    scorer = meteor(
        task="adq", modules=["exact", "stem"], weights=[1, 0.5], alpha=0.5, beta=0.6, gamma=0.7, delta=0.8,
        normalize="lower", beam=5, characters=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["systems"][0]["score"] == scorer.corpus_score(lines(SYSTEM), lines(REFERENCE)).score


def test_align(english: bolide.Meteor) -> None:
    rows = [json.loads(row) for row in run("align", SYSTEM, "-r", REFERENCE, "--format", "json").stdout.splitlines()]
    alignment = english.align(lines(SYSTEM)[1], lines(REFERENCE)[1])
    assert rows[1]["hypothesis"] == list(alignment.hypothesis) and len(rows) == 10
    assert rows[1]["matches"][0]["module"] == alignment.matches[0].module
    assert b"segment 1 " in run("align", SYSTEM, "-r", REFERENCE).stdout


def test_normalize_and_stem(english: bolide.Meteor) -> None:
    assert run("normalize", stdin="Mr. X didn't\u00a0go.\n\n".encode()).stdout == b"mr. x didn 't go .\n\n"
    assert run("stem", stdin=b"Running dogs\n").stdout == b"run dog\n"
    assert run("stem", "-l", "fr", stdin="continuellement\n".encode()).stdout == b"continuel\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["score", "missing.txt", "-r", REFERENCE], 1, "cannot read missing.txt: No such file"),
        (["score", SYSTEM, "-r", "short.txt"], 1, "short.txt has 2"),
        (["score", "bad.txt", "-r", "short.txt"], 1, "bad.txt, line 2: not UTF-8 (byte 0xff at column 3)"),
        (["score", "-", "-r", "-"], 1, "only once"),
        (["score", SYSTEM, "-r", REFERENCE, "-l", "xx"], 2, "unknown language 'xx'"),
        (["score", SYSTEM, "-r", REFERENCE, "-t", "x"], 2, "unknown task 'x'"),
        (["score", SYSTEM, "-r", REFERENCE, "--weights", "1 2"], 2, "4 numbers"),
        (["score", SYSTEM, "-r", REFERENCE, "--weights", "a"], 2, "--weights must be numbers"),
        (["score", SYSTEM, "-r", REFERENCE, "--resources", "nowhere"], 1, "nowhere"),
        (["score", SYSTEM], 2, "reference"),
        (["stem", "-l", "cs"], 2, "no stemmer"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)
def test_mistakes_end_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, english: bolide.Meteor, arguments: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("short.txt").write_bytes(b"one\ntwo\n")
    Path("bad.txt").write_bytes(b"one\nab\xff\n")
    done = run(*arguments)
    assert done.returncode == code
    assert message in done.stderr.decode()
    assert b"Traceback" not in done.stderr and done.stdout == b""


def test_a_reader_that_stops_early(english: bolide.Meteor) -> None:
    command = " ".join(f"'{part}'" for part in [*BOLIDE, "align", SYSTEM, "-r", REFERENCE])
    done = subprocess.run(["sh", "-c", f"{command} | head -n 1"], capture_output=True, check=False)
    assert done.stderr == b""


def test_version() -> None:
    assert run("--version").stdout.decode().strip() == f"bolide {bolide.__version__}"
