"""`bolide java` on real text (shared/data/parity) prints the same bytes as the official jar."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.support.java_command import bolide_java

# run → options; the text is s600 unless the run's name begins with another
ENGLISH = {
    "en-rank-norm": "-l en -norm",
    **{f"en-{task}-norm": f"-l en -norm -t {task}" for task in ("adq", "hter", "li", "tune", "util")},
    "en-rank-nopunct": "-l en -norm -noPunct",
    "en-rank-lower": "-l en -lower",
    "en-rank-raw": "-l en",
    "en-rank-ch": "-l en -norm -ch",
    "en-exact": "-l en -norm -m exact -w 1.0",
    "en-exact-stem": "-l en -norm -m exact~stem -w 1.0~0.6",
    "en-exact-synonym": "-l en -norm -m exact~synonym -w 1.0~0.8",
    "en-exact-paraphrase": "-l en -norm -m exact~paraphrase -w 1.0~0.6",
    "en-exact-stem-synonym": "-l en -norm -m exact~stem~synonym -w 1.0~0.6~0.8",
    "en-beam1": "-l en -norm -x 1",
    "en-beam5": "-l en -norm -x 5",
    "en-beam200": "-l en -norm -x 200",
    "en-params": "-l en -norm -p 0.9~3.0~0.5~0.5 -w 1.0~1.0~1.0~1.0",
    "en-2refs": "-l en -norm -r 2",
    "other": "-l other",
}
OTHERS = {
    "sde.de-exact-stem": "-l de -norm -m exact~stem -w 1.0~0.8 -p 0.95~1.0~0.55~0.55",
    "sfr.fr-exact-stem": "-l fr -norm -m exact~stem -w 1.0~0.2 -p 0.9~1.4~0.6~0.65",
    "ses.es-exact-stem": "-l es -norm -m exact~stem -w 1.0~0.8 -p 0.65~1.3~0.5~0.8",
    "scs.cs-exact": "-l cz -norm -m exact -w 1.0 -p 0.95~0.2~0.6~0.8",
    "sru.ru-exact-stem": "-l ru -norm -m exact~stem -w 1.0~0.5 -p 0.75~1.4~0.7~0.5",
    "sde.it-exact-stem": "-l it",
}
RUNS = {f"s600.{run}": options for run, options in ENGLISH.items()} | {
    f"langs/{run}": options for run, options in OTHERS.items()
}


@pytest.fixture
def parity(shared: Path) -> Path:
    return shared / "data" / "parity"


def text(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def words(options: str) -> list[str]:
    return [word.replace("~", " ") for word in options.split()]


def files(parity: Path, run: str) -> list[str]:
    if run.startswith("langs/"):
        base = parity / run.split(".")[0]
        return [f"{base}.hyp", f"{base}.ref"]
    return [f"{parity}/text/s600.hyp", f"{parity}/text/s600.ref{2 if run == 's600.en-2refs' else ''}"]


@pytest.mark.parametrize("run", RUNS)
def test_statistics(run: str, parity: Path, tmp_path: Path) -> None:
    answer = bolide_java([*files(parity, run), *words(RUNS[run]), "-ssOut"], tmp_path)
    assert answer.output == text(parity / f"{run}.stats.gz")
    assert answer.errors == ""


@pytest.mark.parametrize("run", RUNS)
def test_quiet(run: str, parity: Path, tmp_path: Path) -> None:
    answer = bolide_java([*files(parity, run), *words(RUNS[run]), "-q"], tmp_path)
    assert answer.output == text(parity / f"{run}.sys")
    assert answer.errors == text(parity / f"{run}.seg.gz")


@pytest.mark.parametrize(("run", "option"), [("s600.default", []), ("s600.vout", ["-vOut"])])
def test_whole_output(run: str, option: list[str], parity: Path, tmp_path: Path) -> None:
    answer = bolide_java([*files(parity, run), "-l", "en", "-norm", *option], tmp_path)
    assert answer.output == text(parity / f"{run}.out.gz")


def test_alignments(parity: Path, tmp_path: Path) -> None:
    bolide_java([*files(parity, "s600.en-rank-norm"), "-l", "en", "-norm", "-writeAlignments"], tmp_path)
    written = (tmp_path / "meteor-align.out").read_bytes().decode()
    assert written == text(parity / "s600.en-rank-norm-align.out.gz")


def test_sgml(parity: Path, tmp_path: Path) -> None:
    for name in ("test.sgm", "ref.sgm"):
        (tmp_path / name).write_text(text(parity / "sgml" / f"{name}.gz"), "utf-8")
    answer = bolide_java(["test.sgm", "ref.sgm", "-l", "en", "-norm", "-sgml"], tmp_path)
    assert answer.output == text(parity / "sgml" / "stdout.txt")
    for name in ("meteor-seg.scr.gz", "meteor-doc.scr", "meteor-sys.scr"):
        assert (tmp_path / name.removesuffix(".gz")).read_bytes().decode() == text(parity / "sgml" / name)


def test_stdio(parity: Path, tmp_path: Path) -> None:
    asked = (parity / "stdio.in").read_bytes()
    answer = bolide_java(["-", "-", "-l", "en", "-norm", "-stdio"], tmp_path, asked)
    assert answer.output == official(text(parity / "stdio.out"))


def official(answers: str) -> str:
    """The answers, without the additions of this jar: EVAL answered twice, and the command SING."""
    kept: list[str] = []
    for line in answers.replace(" or SING", "").splitlines(keepends=True):
        if " " in line or not kept or line != kept[-1]:
            kept.append(line)
    return "".join(kept)
