"""METEOR as a reward: the protocol of trainers, and many processes."""

from __future__ import annotations

import functools
import multiprocessing
import pickle
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bolide
from bolide.compat.rewards import METEORReward
from bolide.errors import ConfigurationError, InputError
from tests.support.examples import examples

Make = Callable[..., bolide.Meteor]
COMPLETIONS = ["the cat sat on the mat", "a dog barked", "", "heavy rain"]
REFERENCES: list[Any] = ["a cat sat on a mat", ["a hound", "the dog barked"], "x", None]


@pytest.fixture
def reward(english: bolide.Meteor) -> METEORReward:
    return METEORReward(english)


def answer(text: str) -> str:
    """The part after the reasoning."""
    return text.rpartition("</think>")[2]


def test_rewards_are_the_scores_of_sentences(reward: METEORReward) -> None:
    found = reward(COMPLETIONS, REFERENCES)
    expected = [
        reward.scorer.sentence_score(*pair).score
        for pair in zip(COMPLETIONS[:3], REFERENCES[:3], strict=True)
    ]
    assert found == [*expected, None]
    assert all(type(each) is float for each in found[:3])


def test_as_trainers_call_it(reward: METEORReward) -> None:
    """By name, with all columns of the dataset and objects of the trainer."""
    more: dict[str, Any] = {
        "completion_ids": [[1]] * 4,
        "trainer_state": object(),
        "log_extra": print,
        "solution": REFERENCES,
    }
    expected = reward(COMPLETIONS, REFERENCES)
    assert reward(prompts=["p"] * 4, completions=COMPLETIONS, reference=REFERENCES, **more) == expected
    solution = METEORReward(reward.scorer, "solution", name="meteor_solution")
    assert solution(prompts=["p"] * 4, completions=COMPLETIONS, **more) == expected
    assert (solution.__name__, reward.__name__) == ("meteor_solution", "meteor")
    assert functools.partial(reward, references=["a"]).func.__name__ == "meteor"


def test_conversations(reward: METEORReward) -> None:
    def said(content: Any) -> list[dict[str, Any]]:
        return [{"role": "assistant", "content": content}]

    expected = reward(["the cat sat", "the cat sat", "the cat sat", ""], ["a cat sat"] * 4)
    parts = [{"type": "text", "text": "the cat "}, {"type": "image"}, {"type": "text", "text": "sat"}]
    calls = [{"role": "assistant", "content": "look"}, {"role": "tool", "content": "5"}, *said("the cat sat")]
    found = [said("the cat sat"), said(parts), calls, said(None)]
    assert reward(found, [said("a cat sat"), "a cat sat", ["a cat sat"], "a cat sat"]) == expected


def test_a_part_of_the_completion(english: bolide.Meteor) -> None:
    reward = METEORReward(english, extract=answer)
    assert reward(["<think>x y z</think>the cat"], ["the cat"]) == [1.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], ["a", "b"]), "2 references for 1 completion"),
        ((["a", 3], ["a", "b"]), "completion 2 must be a text, or a list of messages"),
        ((["a", []], ["a", "b"]), "completion 2 must be a text"),
        (([[{"role": "assistant"}]], ["a"]), "completion 1 must be a text"),
        ((["a", "b", "c"], [None, None, 3]), "the reference of completion 3 must be a text"),
        ((["a"], [[]]), "the reference of completion 1 must be a text"),
        (("ab", ["a", "b"]), "completions must be a list of texts, not one string"),
        ((["a", "b"], "ab"), "references must be a list of texts, not one string"),
    ],
)
def test_errors(arguments: Any, message: str, reward: METEORReward) -> None:
    with pytest.raises(InputError, match=message):
        reward(*arguments)


def test_settings_that_are_wrong(reward: METEORReward) -> None:
    with pytest.raises(
        ConfigurationError, match=r"no column 'reference' .* there are: prompts, solution; name it"
    ):
        reward(completions=["a"], prompts=["p"], solution=["a"])
    with pytest.raises(ConfigurationError, match="scorer must be a Meteor, not str"):
        METEORReward("1.5")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="extract must be a function, not int"):
        METEORReward(reward.scorer, extract=3)  # type: ignore[arg-type]


def test_generators(reward: METEORReward) -> None:
    assert reward(iter(COMPLETIONS), iter(REFERENCES)) == reward(COMPLETIONS, REFERENCES)  # type: ignore[arg-type]


def test_no_completions(reward: METEORReward) -> None:
    assert reward([], []) == []
    assert reward(["a"], [None]) == [None]


words = st.lists(st.sampled_from(["the", "cat", "cats", "sat", "on", "mat", "."]), max_size=6).map(" ".join)


@given(st.lists(st.tuples(words, st.none() | words | st.lists(words, min_size=1, max_size=3)), max_size=8))
@settings(max_examples=examples(50))
def test_any_batch(pairs: list[tuple[str, Any]]) -> None:
    reward = METEORReward(_scorer())
    expected = [None if b is None else reward.scorer.sentence_score(a, b).score for a, b in pairs]
    assert reward([a for a, _ in pairs], [b for _, b in pairs]) == expected


@functools.cache
def _scorer() -> bolide.Meteor:
    return bolide.Meteor("2005", modules=["exact", "stem"], threads=1)


def test_pickling(english: bolide.Meteor) -> None:
    reward = METEORReward(english, "solution", answer, "mine")
    again = pickle.loads(pickle.dumps(reward))
    assert (again.__name__, again.column, again.extract) == ("mine", "solution", answer)
    assert again(COMPLETIONS, REFERENCES) == reward(COMPLETIONS, REFERENCES)


def call(reward: METEORReward, times: int) -> list[list[float | None]]:
    return [reward(COMPLETIONS, REFERENCES) for _ in range(times)]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_many_processes(method: str, reward: METEORReward) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"{sys.platform} has no {method}")
    expected = reward(COMPLETIONS, REFERENCES)
    with multiprocessing.get_context(method).Pool(3) as pool:
        found = pool.starmap(call, [(reward, 5)] * 6)
    assert found == [[expected] * 5] * 6
