"""Java's alignment files: read exactly, shown as Java wrote them, rejected if they are incomplete."""

from __future__ import annotations

import gzip
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import BolideError, InputError, Meteor
from bolide.java import output
from bolide.java.alignments import read
from bolide.xray import Xray, of_java, of_texts
from bolide.xray.payload import payload
from tests.support import java_golden, java_jar
from tests.support.java_golden import ALIGNMENT
from tests.support.xray_texts import validate

GOLDEN = sorted(java_golden.HERE.glob("*/expected/*-align.out"))
PLAIN = java_golden.HERE / "alignments" / "expected" / "mine-align.out"
SGML = java_golden.HERE / "sgml-alignments" / "expected" / "meteor-align.out"
# The scorers of the files that were made with unusual settings. None: no scorer here has the settings.
SCORERS: dict[str, dict[str, Any] | None] = {
    "language-ru": {"language": "ru", "modules": ["exact", "stem"]},
    "modules-reordered": {"modules": ["synonym", "stem", "exact"], "weights": [1.0, 0.6, 0.8]},
    "modules-without-exact": {"modules": ["stem"], "weights": [1.0]},
    "own-synonyms": None,
    "universal": None,
}


def case(path: Path) -> str:
    return path.parents[1].name


def written(found: Xray, names: dict[str, list[tuple[str, ...]]]) -> dict[tuple[str, ...], str]:
    """The text that Java would write for the alignments shown, by segment name."""
    parts: dict[tuple[str, ...], str] = {}
    for s, system in enumerate(found.systems):
        for k, identity in enumerate(names[str(system.file)]):
            row = int(system.rows.best[k])
            values = system.values[row].tolist()
            parts[identity] = output.alignment(identity, found.alignment(s, k), values)
    return parts


def check_as_written(path: Path, meteor: Meteor | None) -> Xray:
    """Every record, written again from what is shown, equals the record in the file, byte by byte."""
    found = of_java([path], meteor)
    names = {system.name: [record.names for record in system.records] for system in read(str(path))}
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    expected = re.split(r"(?<=\n\n)(?=Alignment\t)", data.decode())
    made = written(found, names)
    assert len(expected) == len(made)
    for record in expected:
        identity = tuple(record.partition("\n")[0].split("\t")[1:-4])
        assert made[identity] == record
    validate(payload(found))
    return found


@pytest.mark.parametrize("path", GOLDEN, ids=case)
def test_shown_as_java_wrote_it(path: Path, meteor: Callable[..., Meteor]) -> None:
    options = SCORERS.get(case(path), {})
    if options is None:
        found = check_as_written(path, meteor())
        assert found.notes
        assert found.modules[0].name == "module 0"
        return
    scorer = meteor(**options)
    found = check_as_written(path, scorer)
    assert not found.notes
    assert [module.name for module in found.modules] == list(scorer.modules)


@pytest.mark.parametrize("path", GOLDEN, ids=case)
def test_without_a_scorer(path: Path) -> None:
    found = check_as_written(path, None)
    assert found.parameters is None
    assert all(system.result is None for system in found.systems)
    assert "not known" in found.notes[0]


@pytest.mark.parametrize("name", [name for name in SCORERS if name != "modules-without-exact"])
def test_other_settings_are_noticed(name: str, english: Meteor) -> None:
    """Even if the weights make all scores equal: `modules-reordered`."""
    (path,) = (path for path in GOLDEN if case(path) == name)
    assert "not known" in of_java([path], english).notes[0]


def test_the_same_as_of_texts(english: Meteor) -> None:
    """Java's file and the texts that it was made from give the same X-ray."""
    text = java_golden.HERE / "text"
    hypotheses, references = (
        (text / f"{name}.txt").read_text("utf-8").splitlines() for name in ("hyp", "ref")
    )
    ours = of_texts({"x": hypotheses}, references, english)
    theirs = of_java([PLAIN], english)
    for k in range(len(hypotheses)):
        assert theirs.alignment(0, k) == ours.alignment(0, k)
    one, two = theirs.systems[0].result, ours.systems[0].result
    assert one is not None
    assert two is not None
    assert (one.score.score, one.interval) == (two.score.score, two.interval)
    assert theirs.function_words == ours.function_words


def test_real_text(shared: Path, english: Meteor) -> None:
    folder = shared / "data" / "parity"
    found = check_as_written(folder / "s600.en-rank-norm-align.out.gz", english)
    assert not found.notes
    assert found.systems[0].result is not None
    assert found.systems[0].result.score.score == float((folder / "s600.en-rank-norm.sys").read_text())
    rows = gzip.decompress((folder / "s600.en-rank-norm.stats.gz").read_bytes()).decode().splitlines()
    statistics = np.array([row.split() for row in rows], dtype=float)
    np.testing.assert_array_equal(found.systems[0].rows.statistics, statistics)


def test_two_runs_of_the_jar(jar: Path, tmp_path: Path, meteor: Callable[..., Meteor]) -> None:
    """Two systems with two references: for each, Java writes only the best reference."""
    text = java_golden.HERE / "text"
    lines = (text / "ref2.txt").read_text("utf-8").splitlines()
    references = list(zip(lines[::2], lines[1::2], strict=True))
    backwards = [" ".join(second.split()[::-1]) for _, second in references]
    systems = {"one": (text / "hyp.txt").read_text("utf-8").splitlines(), "two": backwards}
    for name, texts in systems.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in texts), encoding="utf-8")
        command = [*java_jar.java(), "-jar", str(jar), name, str(text / "ref2.txt")]
        command += [
            "-r",
            "2",
            "-l",
            "en",
            "-norm",
            "-m",
            "exact stem synonym",
            "-q",
            "-writeAlignments",
            "-f",
            name,
        ]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    scorer = meteor(modules=["exact", "stem", "synonym"])
    theirs = of_java([tmp_path / f"{name}-align.out" for name in systems], scorer)
    ours = of_texts(systems, references, scorer, layout="segments")
    assert not theirs.notes
    for s in range(2):
        for k in range(len(references)):
            assert theirs.alignment(s, k) == ours.alignment(s, k)
            assert theirs.references(s, k) == [theirs.best(s, k)]
    assert [vars(pair) for pair in theirs.pairs] == [vars(pair) for pair in ours.pairs]
    assert any(len(segment.references) == 2 for segment in theirs.segments)
    validate(payload(theirs))


def test_systems_of_sgml(english: Meteor) -> None:
    found = of_java([SGML], english)
    assert [system.file for system in found.systems] == [f"{SGML}:{name}" for name in ("north", "south")]
    assert [system.name for system in found.systems] == ["north", "south"]
    assert found.system(f"{SGML}:south") is found.systems[1]
    assert {segment.document for segment in found.segments} == {"harbour", "table"}
    (chosen,) = of_java([SGML], english, wanted=["south"]).systems
    np.testing.assert_array_equal(chosen.scores, found.systems[1].scores)
    with pytest.raises(InputError, match="has no system 'west'; it has: north, south"):
        of_java([SGML], english, wanted=["west"])


# ---- malformed files -------------------------------------------------------------------------------


@given(data=st.data())
def test_any_damage_is_noticed_or_harmless(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = bytearray(ALIGNMENT.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.sampled_from(b"\t\n 019:ab.\xff\x00-"))
    path = tmp_path_factory.getbasetemp() / "damaged-align.out"
    path.write_bytes(content)
    try:
        found = of_java([path])
    except BolideError as error:
        assert str(path) in str(error)
        return
    for k in range(len(found.segments)):
        alignment = found.alignment(0, k)
        for match in alignment.matches:
            assert all(map(len, alignment.phrases(match)))


def pair_of(tmp_path: Path, first: str, second: str) -> list[Path]:
    files = [tmp_path / name for name in ("one-align.out", "two-align.out")]
    for file, text in zip(files, (first, second), strict=True):
        file.write_text(text, encoding="utf-8")
    return files


def test_files_that_do_not_fit(tmp_path: Path) -> None:
    other = ALIGNMENT.replace("\t1\t1.0", "\t7\t1.0")
    with pytest.raises(InputError, match="segment 1 in the first file and segment 7 in the second"):
        of_java(pair_of(tmp_path, ALIGNMENT, other))
    with pytest.raises(InputError, match="the first has 1 segment, the second 2"):
        of_java(pair_of(tmp_path, ALIGNMENT, ALIGNMENT + other))
    twice = [pair_of(tmp_path, ALIGNMENT, ALIGNMENT)[0]] * 2
    with pytest.raises(InputError, match=r"one-align.out is given twice"):
        of_java(twice)
    many = [ALIGNMENT.replace("\t1\t1.0", f"\t{k}\t1.0") for k in range(10)]
    with pytest.raises(InputError, match="no segment has the same reference"):
        of_java(pair_of(tmp_path, "".join(many), "".join(many).replace("a c b", "a d b")))


def test_other_references_of_the_same_segments(tmp_path: Path) -> None:
    """Each system has its own best reference. Both are shown, but no alignment that is unknown."""
    found = of_java(pair_of(tmp_path, ALIGNMENT, ALIGNMENT.replace("a c b", "a d b")))
    assert found.segments[0].references == (("a", "c", "b"), ("a", "d", "b"))
    assert [found.references(s, 0) for s in range(2)] == [[0], [1]]
    with pytest.raises(IndexError):
        found.alignment(0, 0, 1)
    data = payload(found)
    assert [system["alignments"][0][k] is None for k, system in enumerate(data["systems"])] == [False, False]
    assert data["systems"][0]["alignments"][0][1] is None
    assert data["pairs"][0]["difference"] is None
    assert data["pairs"][0]["ties"] == 1
