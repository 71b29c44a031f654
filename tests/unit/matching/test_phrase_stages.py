"""Custom phrase tables."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.errors import InputError
from bolide.matching.phrases import Phrases
from tests.support import core_testing
from tests.unit.matching.test_matchers import pairs

Make = Callable[..., Meteor]

PAIRS = [("a lot of", "many"), ("at once", "immediately"), ("Big", "very large")]
FORMS = {
    "meteor": "".join(f"0.5\n{left.lower()}\n{right}\n" for left, right in PAIRS),
    "bars": "".join(f"{left} ||| {right}\n" for left, right in PAIRS),
    "tabs": "".join(f"{left}\t{right}\n\n" for left, right in PAIRS),
    "windows": "".join(f"{left}\t{right}\r\n" for left, right in PAIRS),
    "no-last-line-end": "\n".join(f"{left}\t{right}" for left, right in PAIRS),
}


def test_phrases_are_tied_in_both_directions(meteor: Make) -> None:
    scorer = meteor(modules=["exact", Phrases(PAIRS, weight=0.5)])
    assert pairs(scorer, "He saw a lot of dogs", "he saw many dogs")[2] == ("a lot of", "many", "phrases")
    assert pairs(scorer, "he saw many dogs", "he saw a lot of dogs")[2] == ("many", "a lot of", "phrases")
    assert pairs(scorer, "very large", "BIG") == [("very large", "big", "phrases")]
    assert pairs(scorer, "lot", "many") == []


def test_each_stage_has_its_own_table(meteor: Make) -> None:
    first = Phrases([("x y", "p")], name="first", weight=0.5)
    second = Phrases([("y", "q"), ("z", "p r")], name="second", weight=0.4)
    scorer = meteor(modules=["exact", first, second])
    assert pairs(scorer, "x y a", "p a q") == [("x y", "p", "first"), ("a", "a", "exact")]
    assert pairs(scorer, "w y a", "p a q") == [("a", "a", "exact"), ("y", "q", "second")]
    swapped = meteor(modules=[second, "exact", first])
    assert pairs(swapped, "z", "p r") == [("z", "p r", "second")]
    assert pairs(swapped, "x y", "p") == [("x y", "p", "first")]


def test_beside_the_official_table(meteor: Make, english: Meteor) -> None:
    own = Phrases([("qqq", "zzz")], weight=0.5)
    scorer = meteor(modules=["exact", "stem", "synonym", "paraphrase", own])
    text = ("however , he went home", "nevertheless he was going home")
    columns = len(english.statistics([text[0]], [text[1]])[0])
    assert scorer.statistics([text[0]], [text[1]])[0][: columns - 3].tolist() == (
        english.statistics([text[0]], [text[1]])[0][: columns - 3].tolist()
    )
    assert pairs(scorer, "the qqq", "the zzz")[1] == ("qqq", "zzz", "phrases")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("zipped", [False, True])
def test_files(form: str, zipped: bool, tmp_path: Path) -> None:
    data = FORMS[form].encode()
    path = tmp_path / "table"
    path.write_bytes(gzip.compress(data) if zipped else data)
    assert Phrases(path).hash == Phrases(str(path)).hash == Phrases(PAIRS).hash
    assert core_testing.paraphrases(Phrases(path).table, ["a", "lot", "of"]) == [["many"]]


def test_the_hash_tells_tables_apart() -> None:
    hashes = {Phrases(PAIRS[:n]).hash for n in (1, 2, 3)} | {Phrases([("many", "a lot of")]).hash}
    assert len(hashes) == 4 and all(len(found) == 8 for found in hashes)


def test_phrases_can_be_pickled(meteor: Make) -> None:
    scorer = meteor(modules=["exact", Phrases(PAIRS, name="mine", weight=0.5)])
    copy = pickle.loads(pickle.dumps(scorer))
    assert copy.get_signature() == scorer.get_signature()
    assert "|modules:ex.mine@" in scorer.get_signature()
    assert pairs(copy, "at once", "immediately") == [("at once", "immediately", "mine")]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "phrases: no phrase pairs"),
        (7, "phrases must be pairs of phrases or a file, not 7"),
        ([("a", "b"), ("a", "b", "c")], "phrase pair 2 must be two strings"),
        (["ab"], "phrase pair 1 must be two strings, not 'ab'"),
        ([("a", 1)], "phrase pair 1 must be two strings"),
        ([("a", " ")], "phrase pair 1: a phrase has no words"),
        ([("a", "b " * 256)], "phrase pair 1: a phrase has 256 words"),
        ([("a", "\ud800")], "phrase pair 1: .* lone surrogate"),
        ("no/such/file", "cannot read phrases from no/such/file: No such file"),
    ],
)
def test_wrong_phrases_are_refused(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Phrases(source)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "table: no phrase pairs"),
        (b"a ||| b\nc\n", r"table: line 2: expected two phrases with \|\|\| between them, found 1"),
        (b"a\tb\n\nc\td\te\n", "table: line 3: expected two phrases with a tab between them, found 3"),
        (b"a\tb\nc\t \n", "table: line 2: a phrase has no words"),
        (b"nonsense\n", "table: line 1: expected a probability, found 'nonsense'; a table has lines"),
        (b"0.5\na\n", "table: line 2: the file ends in the middle"),
        (b"0.5\na\nb\n0.5\n\nc\n", "table: line 6: empty phrase"),
        (b"a\tb\n\xff\tc\n", "table: not UTF-8"),
        (gzip.compress(b"a\tb\n" * 1000, mtime=0)[:-9], "cannot read phrases from .*table: "),
    ],
)
def test_wrong_files_are_refused_by_line(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        Phrases(path)
