"""Words with similar spelling, and texts that keep their case.

The modules are `case`, `most-letters`, `half-letters` and `some-letters`.
"""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Meteor
from bolide.formula.layout import columns
from bolide.matching.spelling import LONGEST, SHORTEST, Substring
from bolide.resources import Pack
from bolide.scoring.signature import Signature

WORDS = st.text(alphabet="abcß", min_size=1, max_size=9)
CASED = ["exact", "case", "stem", "half-letters"]


def common_run(one: str, two: str) -> int:
    """The length of the longest run of letters in both, computed slowly."""
    runs = {one[i:j] for i in range(len(one)) for j in range(i + 1, len(one) + 1)}
    return max((len(run) for run in runs if run in two), default=0)


@given(WORDS, WORDS, st.integers(11, 100))
def test_words_share_a_key_exactly_if_their_common_run_is_long_enough(
    one: str, two: str, percent: int
) -> None:
    matcher = Substring(percent, "alike")
    run = common_run(one, two)
    wanted = run >= SHORTEST and 100 * run >= percent * max(len(one), len(two))
    assert bool(set(matcher.runs(one)) & set(matcher.runs(two))) == wanted
    keys = [set(matcher.key_arrays([word])[1].tolist()) for word in (one, two)]
    assert bool(keys[0] & keys[1]) == wanted


def test_keys_of_many_words_are_those_of_each() -> None:
    matcher = Substring(50, "alike")
    words = ["works", "", "in", "worked", "x" * 500]
    offsets, keys = matcher.key_arrays(words)
    for k, word in enumerate(words):
        assert keys[offsets[k] : offsets[k + 1]].tolist() == matcher.key_arrays([word])[1].tolist()
    longest = matcher.runs("".join(chr(0x4E00 + k) for k in range(500)))
    assert len(longest) == LONGEST - LONGEST // 2 + 1  # runs of half the longest length that is used


def plain(**options: Any) -> Meteor:
    options = {"modules": CASED, "weights": [1, 0.7, 0.6, 0.3], "normalize": "keep-case", **options}
    return Meteor("1.5", "en", resources=Pack("en"), aligner="exact", **options)


def modules_of(meteor: Meteor, hypothesis: str, reference: str) -> list[tuple[str, str]]:
    found = meteor.align(hypothesis, reference)
    return [(found.hypothesis[match.hypothesis_start], match.module) for match in found.matches]


def test_case_is_kept_for_exact_and_only_for_exact() -> None:
    found = modules_of(plain(), "Cats LIKE the Neighbourly dog", "cat like the neighbourhood dog")
    assert found == [
        ("Cats", "stem"),
        ("LIKE", "case"),
        ("the", "exact"),
        ("Neighbourly", "half-letters"),
        ("dog", "exact"),
    ]


def test_lower_cased_words_leave_nothing_to_case() -> None:
    found = modules_of(plain(normalize="keep-punctuation"), "THE Cat", "the cat")
    assert found == [("the", "exact"), ("cat", "exact")]


@pytest.mark.parametrize(
    ("module", "tied"),
    [
        ("most-letters", ["workshop/workshops"]),
        ("half-letters", ["workshop/workshops", "reworked/working"]),
        ("some-letters", ["workshop/workshops", "reworked/working", "understanding/standpoints"]),
    ],
)
def test_shares_of_letters(module: str, tied: list[str]) -> None:
    meteor = plain(modules=["exact", module], weights=[1, 0.5])
    pairs = ["workshop/workshops", "reworked/working", "understanding/standpoints", "in/into", "of/off"]
    assert [pair for pair in pairs if meteor.align(*pair.split("/")).matches] == tied


def test_reasons_are_told_of_lower_case_words() -> None:
    meteor = plain()
    alignment = meteor.align("RUNNING Neighbourly Cat", "runs neighbourhood cat")
    told = [str(meteor.reason(alignment, match)) for match in alignment.matches]
    assert told == ["stem run", "letters neighbour", "equal except for case"]


def test_signature_tells_case_and_can_be_read_back() -> None:
    meteor = plain(unit="characters")
    signature = Signature.of(meteor.settings)
    assert (signature["norm"], signature["case"]) == ("yes", "mixed")
    assert signature["modules"] == "ex.ca.st.hl"
    again = Meteor.from_signature(meteor.get_signature())
    assert again.get_signature() == meteor.get_signature()
    assert again.settings.normalize == "keep-case"
    assert meteor.get_eval_id() is None


def test_a_copy_is_the_same() -> None:
    copy = pickle.loads(pickle.dumps(plain()))
    assert copy.align("The CATS", "the catsuits") == plain().align("The CATS", "the catsuits")


def test_case_distinguishes_function_words_as_before() -> None:
    """Function words are those whose lower-case form is on the list."""
    meteor = Meteor(modules=["exact", "case"], weights=[1, 0.5], normalize="keep-case")
    row = dict(zip(columns(("exact", "case")), meteor.statistics(["THE cat"], ["the cat"])[0], strict=True))
    assert (row["case_hypothesis_function"], row["exact_hypothesis_content"]) == (1, 1)
