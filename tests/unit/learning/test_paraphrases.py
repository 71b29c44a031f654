"""Paraphrases by pivoting: by hand, against a slow oracle, and against the jar's Parex."""

from __future__ import annotations

import gzip
import string
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bolide import cli
from bolide.errors import BolideError, ConfigurationError, InputError, LearningError
from tests.support import parex
from tests.support.oracle import pivot as oracle
from tests.support.oracle.pivot import Entry
from tests.support.parex import Paraphrases, read_meteor

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")
pytest.importorskip("ibis")
from bolide.learning import engines, paraphrases, phrase_table
from bolide.learning.paraphrases import learn
from bolide.learning.pivot import Filters
from tests.support import phrase_tables
from tests.support.examples import examples

# The pivot phrase f has three translations, and g has two of them.
#   p(huge|big)  = p(f|big)·p(huge|f) + p(g|big)·p(huge|g) = 0.5·0.25 + 0.5·0.5 = 0.375
#   p(big|huge)  = 0.8·0.5 + 0.2·0.5 = 0.5            p(large|big) = 0.5·0.25 = 0.125
TABLE = [
    Entry("f", "big", 0.5, 0.5),
    Entry("f", "huge", 0.8, 0.25),
    Entry("f", "large", 1.0, 0.25),
    Entry("g", "big", 0.5, 0.5),
    Entry("g", "huge", 0.2, 0.5),
]
BY_HAND = {
    ("big", "huge"): 0.375,
    ("big", "large"): 0.125,
    ("huge", "big"): 0.5,
    ("huge", "large"): 0.2,
    ("large", "big"): 0.5,
    ("large", "huge"): 0.25,
}


def write(path: Path, entries: Sequence[Entry]) -> Path:
    lines = (f"{e.source} ||| {e.target} ||| {e[2]!r} 1 {e[3]!r} 1\n" for e in entries)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return path


def made(folder: Path, entries: Sequence[Entry], **options: object) -> Paraphrases:
    learn(write(folder / "table", entries), folder / "out.gz", threads=2, **options)  # type: ignore[arg-type]
    return read_meteor(folder / "out.gz")


def test_by_hand(tmp_path: Path) -> None:
    assert made(tmp_path, TABLE) == pytest.approx(BY_HAND, abs=1e-15)


def test_sizes_are_reported_filter_by_filter(tmp_path: Path) -> None:
    table = [
        *TABLE,
        Entry("f", "rare", 0.0009, 0.0001),
        Entry("f", "big , too", 0.5, 0.5),
        Entry("f", "of the", 0.5, 0.5),
        Entry("f", "very big", 0.25, 0.0625),
        Entry("h", "unrelated", 1, 0.004),
        Entry("h", "far", 0.2, 0.5),
    ]
    report = learn(
        write(tmp_path / "table", table),
        tmp_path / "out.gz",
        common_words=["of", "the"],
        pivot_common_words=["a"],
    )
    # Common entries are: 4 phrases of f, 2 of g, 2 of h. far → unrelated has a product of 0.0008.
    assert [(row.unit, row.before, row.after) for row in report.rows] == [
        ("entries", 11, 10),
        ("entries", 10, 9),
        ("entries", 9, 8),
        ("products", 16 + 4 + 4, 12 + 2 + 1),
        ("pairs", 15, 13),
        ("pairs", 13, 13),
        ("pairs", 13, 11),
    ]
    assert report.paraphrases == len(read_meteor(tmp_path / "out.gz")) == 11
    assert "word accumulation" in report.to_text().splitlines()[-1]


CASES: dict[str, tuple[list[Entry], dict[str, object], set[tuple[str, str]]]] = {
    "a symbol anywhere drops a phrase": (
        [Entry("f", "co-op", 1, 0.5), Entry("f", "union", 1, 0.5)],
        {},
        set(),
    ),
    "symbols as words only": (
        [Entry("f", "co-op", 1, 0.5), Entry("f", "union", 1, 0.5), Entry("f", "a & b", 1, 0.5),
         Entry("f", "b &amp; c", 1, 0.5), Entry("f", "b @-@ c", 1, 0.5)],
        {"filters": Filters(symbols_as_words=True)},
        {("co-op", "union"), ("union", "co-op")},
    ),
    "symbols of one's own": (
        [Entry("f", "a-b", 1, 0.5), Entry("f", "a]b", 1, 0.5), Entry("f", "a^b", 1, 0.5)],
        {"filters": Filters(symbols="]\\")},
        {("a-b", "a^b"), ("a^b", "a-b")},
    ),
    "no symbols at all": (
        [Entry("f", "a-b", 1, 0.5), Entry("f", "a", 1, 0.5)],
        {"filters": Filters(symbols="")},
        {("a-b", "a"), ("a", "a-b")},
    ),
    "a pivot of common words": (
        [Entry("de la", "a", 1, 0.5), Entry("de la", "b", 1, 0.5), Entry("de f", "a", 1, 0.5),
         Entry("de f", "c", 1, 0.5)],
        {"pivot_common_words": ["de", "la"]},
        {("a", "c"), ("c", "a")},
    ),
    "common words are whole words, and no patterns": (
        [Entry("f", "the.", 1, 0.5), Entry("f", "thex", 1, 0.5), Entry("f", "other", 1, 0.5)],
        {"filters": Filters(symbols=""), "common_words": ["the.", "the", "o"]},
        {("thex", "other"), ("other", "thex")},
    ),
    "word accumulation": (
        [Entry("f", "in the end", 1, 0.3), Entry("f", "the end", 1, 0.3), Entry("f", "end th", 1, 0.3)],
        {},
        {("in the end", "end th"), ("end th", "in the end"), ("the end", "end th"), ("end th", "the end")},
    ),
    "word accumulation kept": (
        [Entry("f", "the end", 1, 0.5), Entry("f", "end", 1, 0.5)],
        {"filters": Filters(accumulation=False)},
        {("the end", "end"), ("end", "the end")},
    ),
    "an entry may be too improbable in one direction only": (
        [Entry("f", "a", 1, 0.0005), Entry("f", "b", 0.0005, 0.9)],
        {},
        {("a", "b")},
    ),
    "the least sum": (
        [Entry("f", "a", 1, 0.3), Entry("f", "b", 1, 0.1)],
        {"filters": Filters(min_final=0.2)},
        {("b", "a")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_each_filter_leaves(case: str, tmp_path: Path) -> None:
    entries, options, expected = CASES[case]
    assert set(made(tmp_path, entries, **options)) == expected


def test_left_phrases_of_a_text_only(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a house\t that is very  big\n\nlarge\n", encoding="utf-8")
    entries = [
        Entry("f", phrase, 1, 0.25) for phrase in ("very big", "big large", "house", "is very big", "large")
    ]
    found = made(tmp_path, entries, occurring_in=[tmp_path / "text"])
    assert {left for left, _ in found} == {"very big", "house", "is very big", "large"}
    assert {right for _, right in found} == {entry.target for entry in entries}


# ---- against the oracle --------------------------------------------------------------------------

PHRASES = st.lists(st.sampled_from(["a", "b", "the", "x-y", ",", "é"]), min_size=1, max_size=3).map(" ".join)
# With these numbers, many sums are 0.01, or nearly.
NUMBERS = st.sampled_from([1.0, 0.5, 0.1, 0.2, 0.3, 0.05, 0.02, 0.01, 0.03, 0.04, 0.0333333, 0.001, 0.0009])
ENTRIES = st.builds(Entry, st.sampled_from("fghij"), PHRASES, NUMBERS, NUMBERS)


def agree(found: Paraphrases, expected: Paraphrases) -> None:
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-14, abs=0)


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ENTRIES, min_size=1, max_size=40), st.booleans())
def test_the_oracle_agrees(tmp_path: Path, entries: list[Entry], with_text: bool) -> None:
    text = ["a b the , é", "the a"] if with_text else None
    (tmp_path / "text").write_text("\n".join(text or []), encoding="utf-8")
    expected = oracle.paraphrases(entries, oracle.Filters(string.punctuation, {"the"}, {"f", "j"}, text))
    options = {"common_words": ["the"], "pivot_common_words": ["f", "j"]}
    try:
        found = made(tmp_path, entries, occurring_in=[tmp_path / "text"] if with_text else (), **options)
    except LearningError as error:
        assert "is left" in str(error)
        found = {}
    agree(found, expected)


def at_the_limit() -> list[Entry]:
    """Thousands of pairs of phrases, each with three to six products whose exact sum is 0.01."""
    random = Random(1)
    entries = []
    for pair in range(3000):
        parts = random.choices([0.001, 0.002, 0.003, 0.0015, 0.0025, 0.0012], k=random.randint(2, 5))
        rest = round(0.01 - sum(parts), 6)
        for number, part in enumerate([*parts, rest] if rest >= 0.001 else parts):
            pivot = f"f{pair}x{number}"
            entries += [Entry(pivot, f"l{pair}", part, 0.0), Entry(pivot, f"r{pair}", 0.0, 1.0)]
    random.shuffle(entries)
    return entries


def test_sums_at_the_limit(tmp_path: Path) -> None:
    entries = at_the_limit()
    expected = oracle.paraphrases(entries, oracle.Filters(string.punctuation))
    assert 300 < len(expected) < 2900
    agree(made(tmp_path, entries), expected)


def test_the_order_of_rows_does_not_matter_without_lines(tmp_path: Path) -> None:
    """In foreign Parquet files, which have no line numbers, the order of rows has no effect."""
    random = Random(2)
    outputs = []
    for run in range(2):
        entries = [Entry(f"f{k % 40}", f"e{k % 97}", 0.01 * (k % 7 + 1), 0.1) for k in range(400)]
        random.shuffle(entries)
        path = tmp_path / f"{run}.parquet"
        batches = phrase_table.batches(str(write(tmp_path / "table", entries)))
        from pyarrow import Table, parquet

        parquet.write_table(Table.from_batches(batches).drop_columns("line"), path)
        learn(path, tmp_path / f"{run}.gz")
        outputs.append((tmp_path / f"{run}.gz").read_bytes())
    assert outputs[0] == outputs[1]


def test_parts_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = write(tmp_path / "table", at_the_limit())
    reports = [learn(table, tmp_path / "whole.gz")]
    monkeypatch.setattr(engines, "ROWS_OF_A_JOIN", 5_000)
    reports.append(learn(table, tmp_path / "parts.gz"))
    assert reports[0] == reports[1]
    assert (tmp_path / "whole.gz").read_bytes() == (tmp_path / "parts.gz").read_bytes()


# ---- against Parex -------------------------------------------------------------------------------


def common(path: Path) -> list[str]:
    counts = Counter(path.read_text(encoding="utf-8").split())
    return [word for word, count in counts.items() if count / counts.total() > 0.001]


@pytest.mark.parametrize("seed", [1, 2])
def test_parex_agrees(seed: int, jar: Path, tmp_path: Path) -> None:
    files = phrase_tables.write(tmp_path, 12_000, seed)
    expected = parex.run(jar, files, tmp_path / "parex")
    report = learn(
        files.table,
        [tmp_path / "out.gz", tmp_path / "out.parquet"],
        common_words=common(files.target),
        pivot_common_words=common(files.pivot),
        occurring_in=[files.target],
    )
    found = read_meteor(tmp_path / "out.gz")
    assert len(found) == report.paraphrases > 3_000
    assert found.keys() == expected.keys()
    assert max(abs(found[pair] - expected[pair]) for pair in found) < 1e-15
    from pyarrow import parquet

    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert {(row["phrase"], row["paraphrase"]): row["probability"] for row in rows} == found


def test_parex_agrees_at_the_limit(jar: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "table", at_the_limit())
    files = phrase_tables.Files(tmp_path / "table.gz", tmp_path / "pivot", tmp_path / "target")
    files.table.write_bytes(gzip.compress(path.read_bytes()))
    files.pivot.write_text("\n".join(f"f{k}" for k in range(2000)), encoding="utf-8")
    files.target.write_text("\n".join(f"l{k}" for k in range(2000)), encoding="utf-8")
    expected = parex.run(jar, files, tmp_path / "parex")
    learn(files.table, tmp_path / "out.gz", occurring_in=[files.target])
    agree(read_meteor(tmp_path / "out.gz"), expected)


# ---- several tables ------------------------------------------------------------------------------


def test_tables_of_several_pivots_are_merged(tmp_path: Path) -> None:
    other = [
        Entry("x", "big", 1, 0.5),
        Entry("x", "huge", 1, 0.5),
        Entry("the", "big", 1, 1),
        Entry("the", "c", 1, 1),
    ]
    tables = [write(tmp_path / "one", TABLE), write(tmp_path / "two", other)]
    found = {}
    for merge in ("mean", "max"):
        learn(tables, tmp_path / "out.gz", merge=merge, pivot_common_words=[["f0"], ["the"]])
        found[merge] = read_meteor(tmp_path / "out.gz")
    assert found["mean"] == pytest.approx(
        {pair: p / 2 for pair, p in BY_HAND.items()}
        | {("big", "huge"): (0.375 + 0.5) / 2, ("huge", "big"): 0.5}
    )
    assert found["max"] == pytest.approx(BY_HAND | {("big", "huge"): 0.5})


def test_a_grammar_of_cdec_has_counts_for_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "grammar").write_text(
        "[X] ||| f ||| big ||| EgivenF=0.30103 CountEF=0.47712125472\n"  # twice
        "[X] ||| f ||| huge ||| EgivenF=0.30103 CountEF=0.47712125472\n"
        "[X] ||| g ||| big ||| EgivenF=0 CountEF=0.84509804\n",  # six times
        encoding="utf-8",
    )
    learn(tmp_path / "grammar", tmp_path / "out.gz")
    found = read_meteor(tmp_path / "out.gz")
    assert found == pytest.approx({("big", "huge"): 0.25 * 0.5, ("huge", "big"): 0.5}, rel=1e-5)


# ---- what goes wrong -----------------------------------------------------------------------------


def test_mistakes_are_told(tmp_path: Path) -> None:
    table = write(tmp_path / "table", TABLE)
    with pytest.raises(ConfigurationError, match=r"must end in .gz"):
        learn(table, tmp_path / "out.txt")
    with pytest.raises(ConfigurationError, match="there is no folder"):
        learn(table, tmp_path / "no" / "out.gz")
    with pytest.raises(ConfigurationError, match="unknown merge"):
        learn(table, tmp_path / "out.gz", merge="sum")
    with pytest.raises(ConfigurationError, match="unknown engine"):
        learn(table, tmp_path / "out.gz", engine="duck")
    with pytest.raises(ConfigurationError, match="from 0 to 1"):
        Filters(min_final=2)
    with pytest.raises(ConfigurationError, match="2 lists of common words"):
        learn(table, tmp_path / "out.gz", pivot_common_words=[["a"], ["b"]])
    with pytest.raises(LearningError, match="no entry of"):
        learn(table, tmp_path / "out.gz", common_words=["big", "huge", "large"])
    with pytest.raises(LearningError, match="temporary folder"):
        learn(table, tmp_path / "out.gz", temporary=tmp_path / "no")
    with pytest.raises(LearningError, match="DuckDB"):
        learn(table, tmp_path / "out.gz", memory="much")
    with pytest.raises(InputError, match="cannot read"):
        learn(tmp_path / "nothing", tmp_path / "out.gz")
    with pytest.raises(InputError, match="cannot read"):
        learn(table, tmp_path / "out.gz", occurring_in=[tmp_path / "nothing"])
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_what_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out.gz").write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(paraphrases, "write_lines", full)
    with pytest.raises(BolideError, match=r"cannot write .*out.gz: No space left"):
        learn(write(tmp_path / "table", TABLE), tmp_path / "out.gz", temporary=tmp_path)
    assert (tmp_path / "out.gz").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.gz", "table"]


# ---- the command ---------------------------------------------------------------------------------


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write(tmp_path / "table", [*TABLE, Entry("f", "the", 1, 0.9)])
    (tmp_path / "text").write_text(
        "the " * 50 + "\n" + " ".join(f"w{k}" for k in range(2000)), encoding="utf-8"
    )
    files = ["-o", str(tmp_path / "out.gz"), "-o", str(tmp_path / "out.parquet")]
    corpora = ["--corpus", str(tmp_path / "text"), "--pivot-corpus", str(tmp_path / "text")]
    assert cli.run(["learn", "paraphrases", str(table), *files, *corpora]) == 0
    out, err = capsys.readouterr()
    assert read_meteor(tmp_path / "out.gz") == pytest.approx(BY_HAND)
    assert (tmp_path / "out.parquet").is_file()
    assert "common words only" in out
    assert err == ""
    assert cli.run(["learn", "paraphrases", str(table), *files, "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    assert ("the", "big") in read_meteor(tmp_path / "out.gz")


def test_the_command_with_lists_and_filters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "words").write_text("the\n", encoding="utf-8")
    tables = [str(write(tmp_path / name, [*TABLE, Entry("f", "the big", 1, 0.9)])) for name in ("one", "two")]
    lists = ["--common-words", str(tmp_path / "words"), "--pivot-common-words", str(tmp_path / "words")]
    options = ["--pivot-common-words", str(tmp_path / "words"), "--keep-accumulation", "--merge", "max"]
    output = ["-o", str(tmp_path / "out.gz"), "--min-final", "0.3", "--memory", "500MB", "--threads", "1"]
    assert cli.run(["learn", "paraphrases", *tables, *output, *lists, *options]) == 0
    expected = {pair for pair, p in BY_HAND.items() if p >= 0.3}
    of_the_big = {(left, "the big") for left in ("big", "huge", "large")} | {("the big", "big")}
    assert set(read_meteor(tmp_path / "out.gz")) == expected | of_the_big
    capsys.readouterr()


def test_the_command_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(write(tmp_path / "table", TABLE))
    output = ["-o", str(tmp_path / "out.gz")]
    assert cli.run(["learn", "paraphrases", table, *output, "--master", "local"]) == 2
    assert "--engine spark" in capsys.readouterr().err
    assert cli.run(["learn", "paraphrases", table, table, *output, "--pivot-corpus", table]) == 2
    assert "2 tables need 2 --pivot-corpus" in capsys.readouterr().err
    (tmp_path / "table").write_text("f ||| a\n")
    assert cli.run(["learn", "paraphrases", table, *output]) == 1
    assert "table, line 1: expected" in capsys.readouterr().err
