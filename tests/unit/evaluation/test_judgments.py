"""Human judgments in every format, and scores of metrics with them."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.evaluation import formats
from bolide.evaluation.judgments import JudgedPairs, Judgments, Ratings
from bolide.evaluation.normalise import normalised
from bolide.evaluation.scores import Scores, human_scores, read_scores, write_seg_scores, write_sys_scores
from bolide.evaluation.writing import write_judgments

CSV = """srclang,trglang,srcIndex,segmentId,judgeID,\
system1Id,system2Id,system3Id,system1rank,system2rank,system3rank
Czech,English,7,7,j1,one,two,three,2,1,2
Czech,English,9,9,j1,three,one,two,1,-1,3
cze,eng,9,9,j2,one,one,two,1,2,2
German,English,7,7,j2,one,two,four,1,2,3
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def named(found: Judgments, pairs: JudgedPairs) -> list[tuple[str, str, str]]:
    rows = zip(pairs.segments, pairs.better, pairs.worse, strict=True)
    return [(found.segments[k], found.systems[a], found.systems[b]) for k, a, b in rows]


def rows_of(found: Judgments) -> tuple[object, ...]:
    """All judgments, with names instead of numbers."""
    r = found.ratings
    rated = zip(r.segments, r.systems, r.judges, r.scores.tolist(), strict=True)
    named_ratings = [(found.segments[k], found.systems[m], found.judges[j], x) for k, m, j, x in rated]
    ties = [(segment, *sorted(pair)) for segment, *pair in named(found, found.ties)]
    return named(found, found.pairs), ties, named_ratings


@pytest.mark.parametrize(
    ("written", "language_pair", "ties"),
    [("x.csv", "cs-en", True), ("x.rank", "cs-en", False), ("x.tsv", None, False)],
)
def test_rankings_are_written(tmp_path: Path, written: str, language_pair: str | None, ties: bool) -> None:
    text = CSV.replace("three,", '"th""r,ee",')
    found = formats.read(write(tmp_path, "wmt.csv", text), language_pair="cs-en")
    assert 'th"r,ee' in found.systems
    write_judgments(tmp_path / written, found, language_pair)
    again = formats.read(tmp_path / written, language_pair=language_pair)
    pairs, tied, _ = rows_of(found)
    assert rows_of(again) == (pairs, tied if ties else [], [])


def test_ratings_are_written(tmp_path: Path) -> None:
    text = "system\tsegment\tjudge\tscore\none\t7\tj1\t0.1\ntwo\t7\tj2\t3\none\t9\tj1\t2.5\ntwo\t9\tj1\t2.5\n"
    found = formats.read(write(tmp_path, "a.tsv", text))
    write_judgments(tmp_path / "b.tsv", found)
    assert rows_of(formats.read(tmp_path / "b.tsv")) == rows_of(found)
    # As rankings: all pairs of one segment's ratings.
    write_judgments(tmp_path / "b.csv", found, "de-en")
    ranked = formats.read(tmp_path / "b.csv")
    assert named(ranked, ranked.pairs) == [("7", "two", "one")]
    assert named(ranked, ranked.ties) == [("9", "one", "two")]


@pytest.mark.parametrize("formula", ["=1+1", "+a", "-a", "@a", "\\\\x3da"])
@pytest.mark.parametrize("written", ["b.tsv", "b.csv"])
def test_names_are_no_formulas(tmp_path: Path, formula: str, written: str) -> None:
    """In a spreadsheet, which reads the names of systems, segments and judges as cells."""
    rated = f"system\tsegment\tjudge\tscore\nb\t7\t=j\t-1.5\n{formula}\t7\tj2\t3\nb\t{formula}\tj\t2\n"
    paired = f"segid\tbetter\tworse\n7\tb\t{formula}\n{formula}\t{formula}\tb\n"
    for text in (rated, paired):
        found = formats.read(write(tmp_path, "a.tsv", text))
        write_judgments(tmp_path / written, found, "de-en")
        with (tmp_path / written).open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file, delimiter="\t" if written.endswith("tsv") else ","))
        cells = {cell for row in rows for cell in row if cell not in ("-1.5", "-1")}
        assert not [cell for cell in cells if cell[:1] in tuple("=+-@")]
        again = formats.read(tmp_path / written)
        ranked, _ = found.ranked()
        assert named(again, again.ranked()[0]) == named(found, ranked)


@pytest.mark.parametrize(
    ("name", "language_pair", "message"),
    [
        ("x.rank", None, "x.rank needs a language pair"),
        ("x.csv", "english", "such as cs-en, not 'english'"),
        ("x.txt", None, "a file of judgments must end in .rank, .csv, .tsv, not 'x.txt'"),
    ],
)
def test_judgments_that_cannot_be_written(
    tmp_path: Path, name: str, language_pair: str | None, message: str
) -> None:
    found = formats.read(write(tmp_path, "wmt.csv", CSV), language_pair="cs-en")
    with pytest.raises(ConfigurationError, match=message):
        write_judgments(tmp_path / name, found, language_pair)
    assert not (tmp_path / name).exists()


def test_nothing_ranked_to_write(tmp_path: Path) -> None:
    found = formats.read(write(tmp_path, "a.sys.score", "one\t1\ntwo\t2\n"))
    with pytest.raises(InputError, match=r"a\.sys\.score has no judgments of segments"):
        write_judgments(tmp_path / "x.tsv", found)


def test_wmt_csv(tmp_path: Path) -> None:
    path = write(tmp_path, "wmt.csv", CSV)
    found = formats.read(path, language_pair="cs-en")
    assert named(found, found.pairs) == [
        ("7", "two", "one"),
        ("7", "two", "three"),
        ("9", "three", "two"),  # −1 is no rank
        ("9", "one", "two"),  # a system shown twice is not compared with itself
    ]
    assert named(found, found.ties) == [("7", "one", "three"), ("9", "one", "two")]
    german = formats.read(path, language_pair="German-English")
    assert named(german, german.pairs)[0] == ("7", "one", "two")
    assert set(formats.read_all(path)) == {"cs-en", "de-en"}


def test_wmt_csv_as_in_2012_and_2016(tmp_path: Path) -> None:
    """System numbers beside ids, and ranks beside the ids they belong to."""
    old = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    old += "system1Number,system1Id,system2Number,system2Id,system1rank,system2rank\n"
    old += "Czech,English,3,d,1,j,12,one,4,two,2,1\n"
    new = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    new += "cze,eng,3,3,j,one,2,two,1,88\n"
    for text in (old, new):
        found = formats.read(write(tmp_path, "wmt.csv", text))
        assert named(found, found.pairs) == [("3", "two", "one")]


def test_pairs_and_java_rank(tmp_path: Path) -> None:
    pairs = formats.read(
        write(tmp_path, "a.pairs.tsv", "segid\tbetter\tworse\n12\tA\tB\n12\tB\tA\n13\tA\tC\n")
    )
    rank = formats.read(write(tmp_path, "a.rank", "12\tcs-en\tA\tcs-en\tB\n12\tcs-en\tB\tcs-en\tA\n"))
    assert named(pairs, pairs.pairs) == [("12", "A", "B"), ("12", "B", "A"), ("13", "A", "C")]
    assert named(rank, rank.pairs) == [("12", "A", "B"), ("12", "B", "A")]


def test_compressed(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv.gz"
    path.write_bytes(gzip.compress(b"segid\tbetter\tworse\n1\tA\tB\n"))
    assert formats.read(path).systems == ("A", "B")


def test_ratings_of_adequacy_and_fluency(tmp_path: Path) -> None:
    text = "system\tsegment\tjudge\tadequacy\tfluency\nA\t1\tx\t5\t3\nA\t1\ty\t3\t3\nB\t1\tx\t1\t2\n"
    found = formats.read(write(tmp_path, "r.tsv", text))
    assert found.judges == ("x", "y")
    assert found.ratings.scores.tolist() == [4, 3, 1.5]
    assert found.matrix.tolist() == [[3.5, 1.5]]
    assert found.of_systems.tolist() == [3.5, 1.5]


def test_mt_metrics_eval(tmp_path: Path) -> None:
    segments = formats.read(write(tmp_path, "x.seg.score", "A\t1.5\nA\tNone\nB\t-2\nB\t0\n"))
    assert segments.segments == ("1", "2")
    np.testing.assert_array_equal(segments.matrix, [[1.5, -2], [np.nan, 0]])
    systems = formats.read(write(tmp_path, "x.sys.score", "A\t80.5\nB\tNone\nC\t70\n"))
    np.testing.assert_array_equal(systems.of_systems, [80.5, np.nan, 70])
    assert not systems.segments


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.rank", "1\tcs-en\tA\tde-en\tB\n", "line 1: systems of two language pairs"),
        ("a.rank", "1\tcs-en\tA\n", "line 1: a .rank file has 5 fields separated by tabs, this line has 3"),
        ("a.tsv", "segid\tbetter\tworse\n1\tA\tA\n", "line 2: 'A' cannot be better than itself"),
        ("a.rank", "1\tcs-en\tA\tcs-en\tA\n", "line 1: 'A' cannot be better than itself"),
        ("a.tsv", "system\tsegment\tscore\nA\t1\tNone\n", "has no judgments"),
        ("a.seg.score", "A\tNone\nA\tNone\n", "has no judgments"),
        ("a.sys.score", "A\tNone\nB\tNone\n", "has no judgments"),
        ("a.tsv", "segid\tbetter\tworse\n1\tA\n", "line 2: the first line has 3 fields, this line has 2"),
        ("a.tsv", "system\tsegment\tscore\nA\t1\tgood\n", "line 2: a rating must be a number, not 'good'"),
        ("a.tsv", "system\tsegment\nA\t1\n", "no column 'score', nor 'adequacy'"),
        ("a.tsv", "one\ttwo\n", "unknown format of judgments; .* give the format \\(--judgments-format"),
        ("a.tsv", "segid\tbetter\tworse\n", "has no judgments"),
        ("a.csv", CSV, "several language pairs: choose one of cs-en, de-en"),
        ("a.csv", "srclang,trglang,srcIndex,system1Id\na,b,1,s\n", "must come in pairs"),
        ("a.csv", "srclang,trglang\rsrcIndex\na,b\r1\n", "line 1: not a line of CSV .new-line character"),
        ("a.csv", f"srclang,trglang,{'x' * 200_000}\n", "no column 'srcindex'.*: srclang, trglang, x{39}…$"),
        ("a.seg.score", "A\t1\nA\t2\nB\t1\n", "A has 2, B has 1"),
        ("a.sys.score", "A\t1\nA\t2\n", "line 2: system 'A' occurs twice"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(BolideError, match=message) as error:
        formats.read(write(tmp_path, name, text))
    assert name in str(error.value)


def test_unknown_format_and_language_pair(tmp_path: Path) -> None:
    path = write(tmp_path, "wmt.csv", CSV)
    with pytest.raises(ConfigurationError, match="did you mean 'rank'"):
        formats.read(path, "ranks")
    with pytest.raises(BolideError, match="no language pair 'fr-en'; it has cs-en, de-en"):
        formats.read(path, language_pair="fr-en")
    with pytest.raises(BolideError, match="cannot read"):
        formats.read(tmp_path / "absent.tsv")


# ---- from one kind to the other --------------------------------------------------------------------


def test_shares_of_comparisons_won() -> None:
    found = Judgments(
        ("A", "B", "C"),
        ("1", "2"),
        JudgedPairs(np.array([0, 0, 0]), np.array([0, 0, 1]), np.array([1, 2, 0])),
        JudgedPairs(np.array([1]), np.array([0]), np.array([1])),
    )
    # Segment 1: A beats B and C, B beats A. Segment 2: A and B tie.
    np.testing.assert_array_equal(found.matrix, [[2 / 3, 1 / 2, 0], [1 / 2, 1 / 2, np.nan]])
    np.testing.assert_array_equal(found.of_systems, [2 / 3, 1 / 2, 0])
    np.testing.assert_array_equal(found.sampled(np.array([0.0, 5.0])), [np.nan] * 3)


def test_rankings_of_ratings() -> None:
    found = rated([[3, 1, 3], [np.nan, 2, 1]])
    pairs, ties = found.ranked()
    assert named(found, pairs) == [("1", "A", "B"), ("1", "C", "B"), ("2", "B", "C")]
    assert named(found, ties) == [("1", "A", "C")]


def rated(matrix: list[list[float]]) -> Judgments:
    table = np.array(matrix, dtype=float)
    rows, columns = np.nonzero(~np.isnan(table))
    ratings = Ratings(rows, columns, np.zeros(len(rows), dtype=np.intp), table[rows, columns])
    segments = tuple(str(k + 1) for k in range(len(table)))
    return Judgments(tuple("ABCDEFG"[: table.shape[1]]), segments, ratings=ratings, judges=("",))


def test_renamed() -> None:
    found = rated([[1, 2]])
    assert found.renamed({"A": "online"}).systems == ("online", "B")
    with pytest.raises(BolideError, match="two systems would be called 'B'"):
        found.renamed({"A": "B"})


# ---- normalising -------------------------------------------------------------------------------------


def two_judges() -> Judgments:
    """The second judge rates the same translations lower, and uses half of the scale."""
    scores = np.array([1.0, 2.0, 3.0, 4.0, 0.0, 0.5, 1.0, 1.5])
    places = np.array([0, 1, 2, 3] * 2)
    ratings = Ratings(places, np.zeros(8, dtype=np.intp), np.repeat([0, 1], 4), scores)
    return Judgments(("A",), ("1", "2", "3", "4"), ratings=ratings, judges=("mild", "strict"))


def test_z_by_hand() -> None:
    found = normalised(two_judges(), "z").ratings.scores
    expected = np.array([-1.5, -0.5, 0.5, 1.5]) / np.sqrt(1.25)
    np.testing.assert_allclose(found, [*expected, *expected])


def test_mitre_by_hand() -> None:
    # All ratings in order: 0 .5 1 1 1.5 2 3 4. A quarter of each judge's ratings corresponds to two of them.
    found = normalised(two_judges(), "mitre").ratings.scores
    np.testing.assert_allclose(found, [0.25, 1.0, 1.75, 3.5] * 2)


def test_mitre_keeps_what_is_equal_equal() -> None:
    ratings = Ratings(
        np.arange(4), np.zeros(4, dtype=np.intp), np.array([0, 0, 0, 1]), np.array([1.0, 1, 2, 5])
    )
    found = Judgments(("A",), ("1", "2", "3", "4"), ratings=ratings, judges=("x", "y"))
    scores = normalised(found, "mitre").ratings.scores
    # The first two thirds of 1 1 2 5 are all of 1 and 1, and two thirds of 2.
    assert scores[0] == scores[1] == pytest.approx((0.25 + 0.25 + (2 / 3 - 0.5) * 2) / (2 / 3))
    assert scores[3] == pytest.approx(9 / 4)


def test_normalising_needs_judges() -> None:
    with pytest.raises(ConfigurationError, match="add a column 'judge'"):
        normalised(rated([[1, 2]]), "z")
    ranked = Judgments(("A", "B"), ("1",), JudgedPairs(np.array([0]), np.array([0]), np.array([1])))
    with pytest.raises(ConfigurationError, match="no ratings"):
        normalised(ranked, "z")
    with pytest.raises(ConfigurationError, match="unknown normalization"):
        normalised(two_judges(), "mitra")


# ---- scores ------------------------------------------------------------------------------------------


def test_scores_of_tsv_beside_judgments(tmp_path: Path) -> None:
    text = "system\tsegid\tbleu\tter\nX\t2\t1\t9\nB\t1\t.2\t5\nB\t2\t.3\t6\nA\t2\t.5\t7\nA\t1\t.4\t8\n"
    bleu, ter = read_scores(write(tmp_path, "s.tsv", text))
    people = rated([[3, 1], [2, 2]])
    assert bleu.beside(people).values.tolist() == [[0.4, 0.2], [0.5, 0.3]]  # type: ignore[union-attr]
    assert ter.negated().beside(people).of_systems.tolist() == [-7.5, -5.5]
    assert read_scores(tmp_path / "s.tsv", ["ter"])[0].name == "ter"


def test_scores_of_bolides_own_tsv(tmp_path: Path) -> None:
    text = "system\tsegment\tscore\tsignature\tdocument\nA\t1\t.5\t\t\nA\t2\t.7\t\t\n"
    text += "A\t\t.9\tx\td\nA\t\t.65\tx\t\n"
    (found,) = read_scores(write(tmp_path, "s.tsv", text))
    assert found.values.tolist() == [[0.5], [0.7]]  # type: ignore[union-attr]
    assert found.corpus.tolist() == [0.65]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "system\tsegid\tbleu\nA\t1\t1\nA\t2\t1\nC\t1\t1\nC\t2\t1\n",
            "no scores for system 'B'.*it has 'A', 'C'",
        ),
        ("system\tsegid\tbleu\nA\t1\t1\nB\t1\t1\n", "no scores for segment '2'"),
        ("system\tsegid\tbleu\nA\t1\t1\nB\t1\t1\nA\t2\t1\n", "no score for segment 2 of system 'B'"),
        ("system\tsegid\tbleu\nA\t1\tx\n", "line 2: 'bleu' must be a number"),
        ("system\tsegid\tbleu\nA\t1\t1\nA\t1\t1\n", "line 3: segment 1 of system 'A' occurs twice"),
        ("system\tsegid\n", "no column of scores"),
    ],
)
def test_scores_that_do_not_fit(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BolideError, match=message):
        read_scores(write(tmp_path, "s.tsv", text))[0].beside(rated([[3, 1], [2, 2]]))


def test_written_scores_are_read_again(tmp_path: Path) -> None:
    values = np.array([[0.1, 1 / 3], [np.nan, 2e-17]])
    scores = Scores("m", ("A", "B"), ("1", "2"), values, np.array([0.5, 0.25]))
    write_seg_scores(tmp_path / "m.seg.score", scores)
    write_sys_scores(tmp_path / "m.sys.score", scores)
    assert (tmp_path / "m.seg.score").read_text() == "A\t0.1\nA\tNone\nB\t0.3333333333333333\nB\t2e-17\n"
    (again,) = read_scores(tmp_path / "m.seg.score")
    assert (again.name, again.systems, again.segments) == ("m", ("A", "B"), ("1", "2"))
    np.testing.assert_array_equal(again.values, values)
    assert read_scores(tmp_path / "m.sys.score")[0].of_systems.tolist() == [0.5, 0.25]
    human = human_scores(rated([[3, 1]]), scores)
    np.testing.assert_array_equal(human.values, [[3, 1], [np.nan, np.nan]])


def test_nothing_is_left_of_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    scores = Scores("m", ("A",), ("1",), np.array([[1.0]]))
    with pytest.raises(BolideError, match="cannot write"):
        write_seg_scores(tmp_path / "absent" / "m.seg.score", scores)
    assert not list(tmp_path.iterdir())
