"""Reports: the golden files in golden/reports, the schema of the JSON, and the output options of the command.

    python -m tests.unit.comparison.test_reports

regenerates the golden files.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import bolide
from bolide import Comparison, Meteor
from bolide.cli import report_options
from bolide.comparison import reports
from bolide.comparison.compare import TESTS
from bolide.comparison.reports import grid
from bolide.comparison.reports.style import Style, from_table, printable, table_name
from bolide.evaluation.scores import read_scores
from tests.cli.test_commands import BOLIDE, run
from tests.support.paths import GOLDEN
from tests.support.posix import needs_terminals
from tests.unit.comparison.test_compare import PLAIN, REFERENCES, SYSTEMS

REPORTS = GOLDEN / "reports"
NAMES = {"good": "50%_of|a*b", "close": "näher {2}", "bad": "runs/bad#1.txt"}
STYLES = {
    "": Style(),
    "-segments": Style(segments=True),
    "-width": Style(width=2),
    "-quiet": Style(segments=True, quiet=True),
    "-colour": Style(colour=True),
    "-percent": Style(percent=True, names={"runs/bad#1.txt": "bad"}),
    "-narrow": Style(columns=50),
}


def comparisons() -> dict[str, Comparison]:
    """One system, three systems, and three ranked systems. Few segments keep the files short."""
    meteor = Meteor(**PLAIN)
    systems = {NAMES[name]: texts[:30] for name, texts in SYSTEMS.items()}
    first = NAMES["good"]
    alone = bolide.compare({first: systems[first][:3]}, REFERENCES[:3], meteor=meteor)
    unsampled = replace(alone, systems=(replace(alone.systems[0], interval=None),), samples=None, seed=None)
    return {
        "one": replace(unsampled, test="none"),
        "interval": replace(alone, test="none"),
        "documents": bolide.compare(
            {name: texts[:4] for name, texts in systems.items()},
            REFERENCES[:4],
            meteor=meteor,
            test="none",
            documents=["a_b", "a_b", "c|d", "a_b"],
        ),
        "several": bolide.compare(systems, REFERENCES[:30], meteor=meteor, baseline=NAMES["bad"]),
        "metrics": bolide.compare(
            {name: texts[:30] for name, texts in systems.items()},
            REFERENCES[:30],
            meteor=meteor,
            metrics=["bleu", "ter"],
        ),
        "ranked": bolide.compare(
            systems, REFERENCES[:30], meteor=meteor, test="randomization", samples=999, all_pairs=True
        ),
    }


def wanted() -> dict[str, str]:
    """The name of every golden file, and its text."""
    found = {}
    for name, comparison in comparisons().items():
        for output in reports.FORMATS:
            styles = ["", "-segments"] if name == "one" and output not in reports.TABLES else [""]
            styles += ["-width"] if name == "several" else []
            styles += ["-percent"] if name in ("one", "several") and output not in reports.DATA else []
            if output == "text":
                styles += {"one": ["-quiet"], "several": ["-colour", "-narrow"]}.get(name, [])
            for style in styles:
                lines = list(reports.lines(comparison, output, STYLES[style]))
                text = "\n".join(lines).replace(f"bolide:{bolide.__version__}", "bolide:VERSION")
                text = text.replace(f"version:{sacrebleu.__version__}", "version:VERSION")
                found[f"{name}{style}.{output}"] = f"{text}\n"
    return found


@pytest.mark.parametrize("name", ["=1+1", "+lm", "-x", "@SUM(1)", "=HYPERLINK(1)"])
def test_names_are_no_formulas_in_a_spreadsheet(name: str, tmp_path: Path) -> None:
    """Correlations read the original name from the table."""
    texts = {name: ["a b", "c"], "plain": ["a", "c"]}
    found = bolide.compare(
        texts, ["a b", "c d"], meteor=Meteor(**PLAIN), test="none", documents=[name, "d"], baseline=name
    )
    lines = list(reports.lines(found, "tsv", Style(segments=True)))
    cells = [cell for line in lines[1:] for cell in line.split("\t")]
    assert f"\\x{ord(name[0]):02x}{name[1:]}" in cells
    assert not [cell for cell in cells if cell[:1] in "=+-@" and cell and not _is_number(cell)]
    (tmp_path / "scores.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert set(read_scores(str(tmp_path / "scores.tsv"))[0].systems) == {name, "plain"}
    assert json.loads("\n".join(reports.lines(found, "json")))["systems"][0]["system"] == name


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_golden_reports() -> None:
    found = wanted()
    assert {path.name for path in REPORTS.iterdir()} == set(found)
    for name, text in found.items():
        assert text == (REPORTS / name).read_text(encoding="utf-8"), name


# ---- JSON ----------------------------------------------------------------------------------------


def validated(text: str | bytes) -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    schema = reports.schema()
    jsonschema.Draft202012Validator.check_schema(schema)

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    found = json.loads(text, parse_constant=refuse)
    jsonschema.Draft202012Validator(schema).validate(found)
    return found


@pytest.mark.parametrize("name", ["one", "interval", "several", "ranked"])
@pytest.mark.parametrize("style", [style for style in STYLES.values() if not style.percent])
def test_json_follows_its_schema(name: str, style: Style) -> None:
    comparison = comparisons()[name]
    found = validated("\n".join(reports.lines(comparison, "json", style)))
    if style.width is None:
        assert found == comparison.to_dict(segments=style.segments)


def test_the_schema_is_strict() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    found = comparisons()["several"].to_dict()
    changes: list[dict[str, Any]] = [{"test": "t"}, {"samples": 0}, {"more": 1}, {"systems": []}]
    for change in changes:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(reports.schema()).validate({**found, **change})


def test_numbers_that_json_does_not_have() -> None:
    [system] = comparisons()["interval"].systems
    odd = replace(system, interval=(float("nan"), float("inf")), name="a\udcffb")
    found = validated("\n".join(reports.lines(replace(comparisons()["interval"], systems=(odd,)), "json")))
    assert found["systems"][0]["interval"] == [None, None]
    assert found["systems"][0]["system"] == "a\ufffdb"


def test_width_rounds_all_but_p() -> None:
    comparison = comparisons()["several"]
    found = validated("\n".join(reports.lines(comparison, "json", Style(width=2))))
    first, second = found["systems"][0], comparison.systems[0]
    assert (first["score"], first["p_value"]) == (round(second.score.score, 2), second.p_value)


# ---- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "shown"), [("a\tb\nc", "a\\tb\\nc"), ("é\u202e", "é\\u202e"), ("x\udcffy", "x\ufffdy"), ("", "")]
)
def test_printable(name: str, shown: str) -> None:
    assert printable(name) == shown


def test_every_table_has_its_columns_whatever_the_name() -> None:
    comparison = comparisons()["several"]
    odd = replace(comparison.systems[0], name="a\tb\n|c & d \\ e")
    changed = replace(comparison, systems=(odd, *comparison.systems[1:]), baseline=odd.name)
    tsv = [line.split("\t") for line in reports.lines(changed, "tsv", Style())]
    assert len({len(row) for row in tsv}) == 1 and len(tsv) == 4
    latex = [line for line in reports.lines(changed, "latex", Style()) if line.endswith(r"\\")]
    assert {line.replace(r"\&", "").count("&") for line in latex} == {8}
    table = [line for line in reports.lines(changed, "markdown", Style()) if line.startswith("|")]
    assert {line.replace("\\\\", "").replace("\\|", "").count("|") for line in table} == {10}


@pytest.mark.parametrize("name", ["[a]", "*b", "[", "* c"])
def test_a_line_of_latex_that_begins_with_an_argument(name: str) -> None:
    """LaTeX would read it as an argument of the previous line's end: a length in brackets, or a star."""
    comparison = comparisons()["several"]
    ranked = replace(comparison.systems[0], name=name, rank=None, interval=None)
    other = replace(comparison.systems[1], rank=None, interval=None)
    changed = replace(comparison, systems=(ranked, other), baseline=None, pairs=None)
    table = list(reports.lines(changed, "latex", Style()))
    assert table[table.index(r"\midrule") + 1].startswith(f"{{}}{name} & ")
    assert list(grid.FORMATS["latex"]([["x", "y"], [name, "1"], ["b", "[2]"]]))[4:7] == [
        rf"{{}}{name} & 1 \\", r"b & [2] \\", r"\bottomrule",
    ]  # fmt: skip


# ---- the command ---------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """good, close, bad and ref in the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, texts in {**SYSTEMS, "ref": REFERENCES}.items():
        Path(name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    Path("one").write_text("the cat\n", encoding="utf-8")


OPTIONS = ["--profile", "linear", "--modules", "exact", "--normalize", "lower"]


def score(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return run("score", *arguments, *OPTIONS)


def test_the_command_and_the_library_agree(files: None) -> None:
    done = score(
        *SYSTEMS, "-r", "ref", "--baseline", "bad", "--test", "randomization", "--samples", "300",
        "--seed", "5", "--all-pairs", "--segments", "--format", "json",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    expected = bolide.compare(
        SYSTEMS, REFERENCES, meteor=Meteor(**PLAIN), baseline="bad", test="randomization", samples=300,
        seed=5, all_pairs=True,
    )  # fmt: skip
    assert validated(done.stdout) == expected.to_dict(segments=True)


def test_one_system_is_not_resampled_unless_asked(files: None) -> None:
    assert b"[" not in score("good", "-r", "ref").stdout
    [alone] = validated(score("good", "-r", "ref", "--format", "json").stdout)["systems"]
    assert alone["interval"] is None
    for flag in (["--confidence"], ["--test", "bootstrap"], ["--samples", "1000"]):
        found = validated(score("good", "-r", "ref", "--format", "json", *flag).stdout)
        interval = bolide.compare({"good": SYSTEMS["good"]}, REFERENCES, meteor=Meteor(**PLAIN))[
            "good"
        ].interval
        assert found["systems"][0]["interval"] == list(interval or ())
    # Intervals always come from the bootstrap, whatever the test of several systems would be.
    assert b"; bootstrap, 10000 samples" in score("good", "-r", "ref", "--test", "randomization").stdout


def test_several_systems_without_a_test(files: None) -> None:
    found = validated(score("good", "bad", "-r", "ref", "--test", "none", "--format", "json").stdout)
    good, bad = found["systems"]
    assert (bad["interval"], bad["p_value"], found["samples"]) == (None, None, None)
    assert bad["difference"] == bad["score"] - good["score"]


def test_quiet(files: None) -> None:
    meteor = Meteor(**PLAIN)
    expected = [meteor.corpus_score(SYSTEMS[name], REFERENCES).score for name in ("good", "bad")]
    assert score("good", "-r", "ref", "-q").stdout.decode() == f"{expected[0]:.4f}\n"
    found = score("good", "bad", "-r", "ref", "--quiet", "--width", "7").stdout.decode()
    assert found == "".join(f"{value:.7f}\n" for value in expected)
    # With -q, a table is printed without the text around it.
    whole, quiet = (
        {
            form: score("good", "bad", "-r", "ref", "--format", form, *more).stdout.decode().splitlines()
            for form in ("markdown", "latex")
        }
        for more in ([], ["-q"])
    )
    assert quiet["markdown"] == [line for line in whole["markdown"] if line.startswith("|")]
    assert quiet["latex"] == [line for line in whole["latex"] if not line.startswith("%")]


@pytest.mark.parametrize(("limit", "code"), [("0.1", 0), ("0.5", 1), ("1e9", 1), ("-1", 0)])
def test_fail_under(files: None, limit: str, code: int) -> None:
    done = score("good", "bad", "-r", "ref", "--fail-under", limit)
    assert done.returncode == code
    assert done.stdout.decode().startswith("system")  # still printed
    if limit == "0.5":
        value = Meteor(**PLAIN).corpus_score(SYSTEMS["bad"], REFERENCES).score
        assert done.stderr.decode() == f"bolide: below 0.5 (--fail-under): bad has {value:.6g}\n"


@pytest.mark.parametrize("output", reports.FORMATS)
def test_names_of_any_bytes_in_any_locale(files: None, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    odd = os.fsdecode("é\n".encode() + b"\xff")
    Path(odd).write_bytes(Path("bad").read_bytes())
    done = score("good", odd, "-r", "ref", "--format", output)
    assert (done.returncode, done.stderr) == (0, b"")
    if output == "json":
        validated(done.stdout)


def test_one_segment(files: None) -> None:
    Path("two").write_text("a cat\n", encoding="utf-8")
    done = score("one", "two", "-r", "one", "--all-pairs")
    assert done.returncode == 0 and b"1 segment: nothing to resample" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["good", "good", "-r", "ref"], 2, "good is given 2 times; give each system once"),
        (["good", "bad", "-r", "ref", "--baseline", "bda"], 2, "unknown baseline 'bda'; did you mean 'bad'?"),
        (["good", "bad", "-r", "ref", "--samples", "0"], 2, "samples must be a whole number of at least 1"),
        (["good", "bad", "-r", "ref", "--samples", "-3"], 2, "samples must be a whole number of at least 1"),
        (["good", "bad", "-r", "ref", "--seed", "-1"], 2, "seed must be a whole number of at least 0"),
        (["good", "-r", "ref", "--all-pairs"], 2, "all_pairs needs at least two systems"),
        (["good", "bad", "-r", "ref", "--all-pairs", "--test", "none"], 2, "all_pairs needs a test"),
        (["good", "-r", "ref", "--width", "-1"], 2, "width"),
        (["good", "-r", "ref", "--format", "xml"], 2, "xml"),
        (["good", "-r", "ref", "--segments", "--format", "latex"], 2, "format latex is a table of systems"),
        (["good", "-r", "ref", "--fail-under", "nan"], 2, "--fail-under must be a number, not nan"),
        (["good", "one", "-r", "ref"], 1, "one has 1, ref has 80"),
        (["good", "ref"], 2, "give them with --reference FILE (-r); if ref is the reference, write -r ref"),
        (
            ["good", "-r", "ref", "--percent", "--format", "tsv"],
            2,
            "format tsv has fractions; for",
        ),
        (["good", "bad", "-r", "ref", "--names", "a"], 2, "--names has 1 name for 2 systems"),
        (["good", "-r", "ref", "--sed", "1"], 2, "bolide: no such option: --sed"),
    ],
)
def test_mistakes(files: None, arguments: list[str], code: int, message: str) -> None:
    done = score(*arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert message in done.stderr.decode() and b"Traceback" not in done.stderr


@pytest.mark.parametrize("limit", ["49", "51"])
def test_percent(files: None, limit: str) -> None:
    """Numbers in the table, and the limit of --fail-under."""
    value = 100 * Meteor(**PLAIN).corpus_score(SYSTEMS["good"][:1] * 3, REFERENCES[:1] * 3).score
    Path("x").write_text(f"{SYSTEMS['good'][0]}\n" * 3, encoding="utf-8")
    Path("y").write_text(f"{REFERENCES[0]}\n" * 3, encoding="utf-8")
    done = score("x", "-r", "y", "--percent", "-q", "--fail-under", f"{value + (int(limit) - 50)}")
    assert done.stdout.decode() == f"{value:.2f}\n"
    assert done.returncode == (limit == "51")
    found = score("x", "-r", "y", "--percent", "--segments", "--width", "1", "-q").stdout.decode()
    assert found.splitlines() == [f"{value:.1f}"] * 4


def test_names(files: None) -> None:
    """Tables have short names, data the names of files. With --names, all have these."""
    Path("out").mkdir()
    for name in ("good", "bad"):
        Path(f"out/set.{name}.txt").write_bytes(Path(name).read_bytes())
    given = ["out/set.good.txt", "out/set.bad.txt", "-r", "ref"]
    table = score(*given, "--baseline", "bad").stdout.decode().splitlines()
    assert [row.split()[0] for row in table[:3]] == ["system", "good", "bad"]
    assert "* p < 0.05 against bad" in table
    data = validated(score(*given, "--format", "json").stdout)
    assert [row["system"] for row in data["systems"]] == given[:2]
    data = validated(score(*given, "--format", "json", "--names", "A,B", "--baseline", "B").stdout)
    assert [row["system"] for row in data["systems"]] == ["A", "B"] and data["baseline"] == "B"


# ---- tables that fit the terminal ----------------------------------------------------------------


@given(
    widths=st.lists(st.integers(1, 30), min_size=1, max_size=8),
    data=st.data(),
    columns=st.integers(10, 100),
)
def test_split(widths: list[int], data: st.DataObject, columns: int) -> None:
    """Every column is in one table; only the leading one is repeated. No table is wider than necessary."""
    groups = [0, *(data.draw(st.integers(0, 2)) for _ in widths[1:])]
    found = grid.split(widths, groups, 0, columns)
    rest = [k for part in found for k in part if k]
    assert sorted(rest) == list(range(1, len(widths)))
    assert [part[0] for part in found] == [0] * len(found)
    for part in found:
        width = sum(widths[k] for k in part) + 2 * (len(part) - 1)
        assert width <= columns or len([k for k in part if k]) <= 1
    for group in set(groups):
        own = [k for k in range(1, len(widths)) if groups[k] == group]
        if widths[0] + sum(widths[k] + 2 for k in own) <= columns:  # they fit into one table
            assert sum(bool({*own} & {*part}) for part in found) <= 1


@given(st.lists(st.text("ab", max_size=40), min_size=1), st.integers(0, 40))
def test_fitted(names: list[str], width: int) -> None:
    found = grid.fitted(names, width)
    assert len(set(found)) == len(set(names))
    assert found == names or max(map(len, found)) <= max(width, grid.SHORTEST)
    for name, short in zip(names, found, strict=True):
        start, _, end = short.partition("…")
        assert name.startswith(start) and name.endswith(end)


@needs_terminals
@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colours_only_on_a_terminal(files: None, environment: dict[str, str], coloured: bool) -> None:
    arguments = ["score", "good", "bad", "-r", "ref", *OPTIONS]
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    ours, theirs = os.openpty()
    subprocess.run(
        [*BOLIDE, *arguments], stdout=theirs, stderr=subprocess.DEVNULL, check=True,
        env={**kept, "TERM": "xterm", **environment},
    )  # fmt: skip
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        assert (b"\x1b[" in terminal.read(1 << 16)) == coloured
    assert b"\x1b[" not in run(*arguments).stdout


@needs_terminals
@pytest.mark.parametrize("name", ["[/x]", "[red]", ":smile: [link=x]"])
def test_a_name_is_no_markup_of_the_progress_bar(files: None, name: str) -> None:
    Path(name).parent.mkdir(exist_ok=True)  # one of them has a slash
    Path(name).write_bytes(Path("good").read_bytes())
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    done = subprocess.run(
        [*BOLIDE, "score", name, "-r", "ref", *OPTIONS],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
    )
    os.close(theirs)
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        assert name.encode() in terminal.read(1 << 16)
    assert done.returncode == 0 and Path(name).name.encode() in done.stdout


def test_choices_are_the_librarys() -> None:
    assert [choice.value for choice in report_options.OutputFormat] == list(reports.FORMATS)
    assert [choice.value for choice in report_options.SystemTest] == list(TESTS)


def main() -> None:
    REPORTS.mkdir(parents=True, exist_ok=True)
    for path in REPORTS.iterdir():
        path.unlink()
    for name, text in wanted().items():
        (REPORTS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()


@pytest.mark.parametrize("name", ["=name", r"\x3dname", r"\x5cx3dname", "\\", r"\name", "-", "a"])
def test_names_come_back_from_tables(name: str) -> None:
    assert from_table(table_name(name)) == name
