"""N-best lists and weights as decoders write them. Malformed ones are rejected with file and line."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import ConfigurationError, InputError
from bolide.mert import NBest, Weights, read_references
from bolide.mert.features import FeatureLayout
from bolide.mert.lists import Merger
from bolide.mert.rerank import ranked, reranked

MOSES = "LM0= -1.5 TM0= -2 -3"
FIRST = f"0 ||| a b  ||| {MOSES} ||| -4"


def written(folder: Path, *lines: str, name: str = "list") -> str:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("features", "names"),
    [
        ("LM0= -1.5 TM0= -2 -3", ("LM0", "TM0_0", "TM0_1")),
        ("lm: -1.5 tm: -2 -3", ("lm", "tm_0", "tm_1")),
        ("lm_0=-1.5 tm_pt_0=-2 tm_pt_1=-3e0", ("lm_0", "tm_pt_0", "tm_pt_1")),
        ("-1.5 -2 -3", ("0", "1", "2")),
        ("  LM0=-1.5   TM0= -2\t-3 ", ("LM0", "TM0_0", "TM0_1")),
    ],
)
def test_forms_of_features(features: str, names: tuple[str, ...], tmp_path: Path) -> None:
    lists = NBest.read([written(tmp_path, f"0 ||| a b  ||| {features} ||| -4")])
    assert lists.layout.names == names
    assert lists.features.tolist() == [[-1.5, -2, -3]]
    assert list(lists.texts) == ["a b"]


def test_the_order_of_features_may_change(tmp_path: Path) -> None:
    lists = NBest.read([written(tmp_path, FIRST, "0 ||| b ||| TM0= 7 8 LM0= 9 ||| -4 ||| 0-0 1-1")])
    assert lists.features.tolist() == [[-1.5, -2, -3], [9, 7, 8]]


def test_lists_are_merged(tmp_path: Path) -> None:
    """A hypothesis is kept once per set of features; a text is kept once for its statistics."""
    one = written(tmp_path, FIRST, "1 ||| c ||| LM0= 1 TM0= 2 3 ||| 0", FIRST, name="one")
    other = f"0 ||| a b ||| LM0= 5 TM0= 5 5 ||| {1}"
    path = tmp_path / "two.gz"
    path.write_bytes(gzip.compress(f"1 ||| d ||| {MOSES} ||| 0\n{FIRST}\n{other}\n".encode()))
    merged = Merger(2)
    assert (merged.read(one), merged.read(str(path)), merged.read(one)) == (2, 2, 0)
    lists = merged.nbest()
    assert lists.offsets.tolist() == [0, 2, 4]
    assert [lists.texts[k] for k in lists.text_of] == ["a b", "a b", "c", "d"]
    assert (len(lists), len(lists.texts), lists.lines) == (4, 3, 9)
    assert lists.features[:, 0].tolist() == [-1.5, 5, 1, -1.5]


def test_the_same_text_of_two_sentences_is_two_texts(tmp_path: Path) -> None:
    lists = NBest.read([written(tmp_path, FIRST, FIRST.replace("0 |||", "1 |||", 1))])
    assert list(lists.texts) == ["a b", "a b"]


def test_sparse_features(tmp_path: Path) -> None:
    rows = ["0 ||| a ||| x=1 ||| 0", "0 ||| b ||| y=2 x=3 ||| 0", "0 ||| a ||| x=1 y=0 ||| 0"]
    path = written(tmp_path, *rows)
    lists = NBest.read([path], sparse=True)
    assert lists.layout.names == ("x", "y")
    assert lists.features.tolist() == [[1, 0], [3, 2]]
    assert lists.vector(Weights.of({"x": 0.5})).tolist() == [0.5, 0.0]
    with pytest.raises(InputError, match=r"line 2: feature 'y' is new; .*, line 1 has x; if .* add --sparse"):
        NBest.read([path])


BAD = {
    "0 ||| a b ||| LM0= -1.5 TM0= -2 -3": (
        "expected 'id ||| hypothesis ||| features ||| score', found 3 fields"
    ),
    "": "found 1 field",
    "0 ||| a b ||| LM0= -1.5 ||| -4": "feature 'TM0' is missing; .*, line 1 has LM0 TM0",
    "0 ||| a b ||| TM0= -2 -3 ||| -4": "feature 'LM0' is missing; .*, line 1 has LM0 TM0",
    f"0 ||| a b ||| {MOSES} D0= 1 ||| -4": "feature 'D0' is new; .*, line 1 has LM0 TM0",
    "0 ||| a b ||| LM0= -1.5 TM0= -2 ||| -4": "feature 'TM0' has 1 values, not 2",
    "0 ||| a b ||| LM0= -1.5 TM0= -2 -3 -4 ||| -4": "feature 'TM0' has 3 values, not 2",
    "0 ||| a b ||| -1.5 -2 -3 ||| -4": "feature 'LM0' is missing",
    "0 ||| a b ||| LM0= nan TM0= -2 -3 ||| -4": "a feature's value must be a finite number, not 'nan'",
    "0 ||| a b ||| LM0= -2e100 TM0= -2 -3 ||| -4": "must be between -1e\\+100 and 1e\\+100, not -2e100",
    "0 ||| a b ||| LM0= -inf TM0= -2 -3 ||| -4": "a feature's value must be a finite number, not '-inf'",
    "0 ||| a b ||| LM0= 1_0 TM0= -2 -3 ||| -4": "a feature's value must be a finite number, not '1_0'",
    "0 ||| a b ||| LM0= -1,5 TM0= -2 -3 ||| -4": "a feature's value must be a finite number, not '-1,5'",
    "0 ||| a b ||| LM0= TM0= -2 -3 ||| -4": "feature 'LM0' has no value",
    "0 ||| a b ||| LM0= 1 LM0= 2 TM0= -2 -3 ||| -4": "feature 'LM0' occurs twice",
    "0 ||| a b ||| = 1 TM0= -2 -3 ||| -4": "a feature has no name",
    "0 ||| a b |||  ||| -4": "there are no features",
    f"0 ||| a b ||| {MOSES} ||| nan": "the score must be a finite number, not 'nan'",
    f"0 ||| a b ||| {MOSES} ||| ": "the score must be a finite number, not ''",
    f"2 ||| a b ||| {MOSES} ||| -4": "id 2 has no reference: there are 2 references, and ids count from 0",
    f"-1 ||| a b ||| {MOSES} ||| -4": "the id must be the number of a sentence, counted from 0, not '-1'",
    f"x ||| a b ||| {MOSES} ||| -4": "the id must be the number of a sentence, counted from 0, not 'x'",
}


@pytest.mark.parametrize("line", BAD)
def test_malformed_lines_are_refused_with_file_and_line(line: str, tmp_path: Path) -> None:
    good = written(tmp_path, FIRST, name="good")
    for path, number in ((written(tmp_path, FIRST, FIRST, line), 3), (written(tmp_path, line, name="x"), 1)):
        with pytest.raises(InputError) as caught:
            NBest.read([good, path], 2)
        assert str(caught.value).startswith(f"{path}, line {number}: ")
        assert caught.match(BAD[line])


def test_numbers_alone_must_be_equally_many(tmp_path: Path) -> None:
    path = written(tmp_path, "0 ||| a ||| 1 2 ||| 0", "0 ||| b ||| 1 2 3 ||| 0")
    with pytest.raises(InputError, match=r"line 2: there are 3 values, not 2; .*line 1 has numbers"):
        NBest.read([path])


def test_files_that_are_no_lists(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is empty; a list has lines such as"):
        NBest.read([written(tmp_path)])
    with pytest.raises(InputError, match=r"cannot read .*absent: No such file"):
        NBest.read([str(tmp_path / "absent")])
    (tmp_path / "latin").write_bytes(b"0 ||| caf\xe9 ||| x= 1 ||| 0\n")
    with pytest.raises(InputError, match="latin, line 1: not UTF-8"):
        NBest.read([str(tmp_path / "latin")])
    (tmp_path / "cut.gz").write_bytes(gzip.compress(FIRST.encode() * 100)[:-20])
    with pytest.raises(InputError, match=r"cannot read .*cut\.gz"):
        NBest.read([str(tmp_path / "cut.gz")])
    with pytest.raises(InputError, match="there are no n-best lists"):
        NBest.read([])


def test_a_sentence_without_hypotheses(tmp_path: Path) -> None:
    path = written(tmp_path, FIRST, FIRST.replace("0 |||", "2 |||", 1))
    with pytest.raises(InputError, match=r"no hypothesis for sentence 1 \(reference line 2\)"):
        NBest.read([path], 3)
    for last in (2, 10**12, 10**30):
        path = written(tmp_path, FIRST, FIRST.replace("0 |||", f"{last} |||", 1))
        with pytest.raises(InputError, match="no hypothesis for sentence 1"):
            NBest.read([path])


def test_references(tmp_path: Path) -> None:
    one, two = written(tmp_path, "a", "b", name="one"), written(tmp_path, "c", "d", name="two")
    assert read_references([one, two]) == [["a", "c"], ["b", "d"]]
    short = written(tmp_path, "c", name="short")
    with pytest.raises(InputError, match=r"differ in their number of lines: .*one has 2, .*short has 1"):
        read_references([one, short])
    with pytest.raises(InputError, match="is empty"):
        read_references([written(tmp_path, name="none")])


@given(st.lists(st.floats(-1e100, 1e100), min_size=3, max_size=3))
def test_values_are_read_as_written(values: list[float]) -> None:
    layout = FeatureLayout((("a", 1), ("b", 2)))
    text = f"a= {values[0]!r} b= {values[1]!r} {values[2]!r}"
    assert layout.values(text) == tuple(values)
    assert layout.values(f"b= {values[1]!r} {values[2]!r} a= {values[0]!r}") == tuple(values)


# ---- weights -------------------------------------------------------------------------------------

LAYOUT = FeatureLayout((("LM0", 1), ("TM0", 2)))


@pytest.mark.parametrize(
    "lines",
    [
        ("LM0= 0.5", "TM0= 0.2 0.3"),
        ("UnknownWordPenalty0= 1", "TM0 = 0.2 0.3", "", "LM0= 0.5 # the language model"),
        ("[feature]", "KENLM name=LM0 order=5", "[weight]", "LM0= 0.5", "TM0= 0.2 0.3", "[other]", "X= a"),
        ("LM0 0.5", "TM0_0 0.2", "TM0_1 0.3"),
        ("0.5", "0.2", "0.3"),
        ("0.5 0.2 0.3",),
    ],
)
def test_forms_of_weights(lines: tuple[str, ...], tmp_path: Path) -> None:
    weights = Weights.read(written(tmp_path, *lines))
    assert weights.vector(LAYOUT).tolist() == [0.5, 0.2, 0.3]
    changed = weights.changed(LAYOUT, np.array([1.0, 1 / 3, -2e-7]))
    for form in ("moses", "joshua", "plain"):
        again = Weights.read(written(tmp_path, changed.text(form, LAYOUT), name=form))
        assert again.vector(LAYOUT).tolist() == [1.0, 1 / 3, -2e-7]
        assert again.is_plain == (form == "plain")


def test_weights_that_lists_do_not_have_stay() -> None:
    weights = Weights.of({"Unknown": 1.0, "TM0": [1, 2], "LM0": 3})
    assert weights.changed(LAYOUT, [7, 8, 9]).values == (
        ("Unknown", (1.0,)),
        ("TM0", (8.0, 9.0)),
        ("LM0", (7.0,)),
    )
    assert weights.text("joshua") == "Unknown 1.0\nTM0_0 1.0\nTM0_1 2.0\nLM0 3.0\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "has no weights"),
        (("LM0= 0.5", "LM0= 0.5"), "line 2: 'LM0' occurs twice"),
        (("LM0= 0.5", "0.3"), "all weights must have names, or none"),
        (("LM0= nan",), "line 1: a weight must be a finite number, not 'nan'"),
        (("LM0= 0.5", "TM0="), "line 2: expected a name and its weights, not 'TM0='"),
        (("LM0",), "line 1: expected a name and its weights, not 'LM0'"),
        (("LM0= 0.5",), "has no weight for feature 'TM0_0'"),
        (("LM0= 0.5", "TM0= 1"), "'TM0' has 1 weights, but 2 features in the lists"),
        (("1 2",), "has 2 weights, but there are 3 features: LM0 TM0_0 TM0_1"),
    ],
)
def test_weights_that_are_wrong(lines: tuple[str, ...], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        Weights.read(written(tmp_path, *lines)).vector(LAYOUT)


def test_features_without_names_have_plain_weights() -> None:
    layout = FeatureLayout((("", 2),))
    weights = Weights((("", (0.5, 0.25)),)).changed(layout, [1.0, 2.0])
    assert {weights.text(form) for form in ("moses", "joshua", "plain")} == {"1.0\n2.0\n"}


def test_unknown_form() -> None:
    with pytest.raises(ConfigurationError, match="must be one of moses, joshua, plain, not 'xml'"):
        Weights.of({"a": 1}).text("xml")


# ---- rerank --------------------------------------------------------------------------------------


def test_rerank(tmp_path: Path) -> None:
    rows = [
        "0 ||| a ||| x= 1 y= 0 0 ||| 9",
        "0 ||| b ||| x= 0 y= 1 0.25 ||| 0",
        "0 ||| c ||| x= 0 y= 1 0.25 ||| 0",
    ]
    lists = NBest.read([written(tmp_path, *rows)])
    weights = Weights.of({"x": 0.5, "y": [1.0, 2.0]})
    assert reranked(lists, weights) == ["b"]
    assert list(ranked(lists, weights)) == [
        "0 ||| b ||| x= 0 y= 1 0.25 ||| 1.5",
        "0 ||| c ||| x= 0 y= 1 0.25 ||| 1.5",
        "0 ||| a ||| x= 1 y= 0 0 ||| 0.5",
    ]
