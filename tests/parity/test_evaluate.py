"""bolide.compat.evaluate in the real HuggingFace `evaluate`.

The results are compared with those of evaluate's own module: NLTK's scores of NLTK's tokens.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor
from bolide.compat.evaluate import path, tokens
from bolide.errors import BolideError, ConfigurationError, ResourceError
from tests.conftest import missing
from tests.support import generate, nltk_punkt
from tests.support.examples import examples

TEXTS = (
    'He said: "Stop!" and left. (Mr. Smith did not.) It cost $3.50, i.e. too much...',
    "They cannot, gonna, wanna. 'Tis the U.S. economy's 1,000th end.",
    '"Quoted." "Again?!" said Dr. Who -- twice ; isn\'t it',
    "A 'single' quote' ' s. [brackets]. {end}.) ''double'' ``ticks``",
    "  leading and trailing  ",
    "tabs\tand\nlines. And\u00a0others.",
    "",
    " ",
    ".",
    '"',
    "word .",
    "end.) )",
    "«Été» “naïf” ‘x’ – — 100% a@b.c d:e f:1 1,2 ,,, a,b",
)


@pytest.fixture(scope="module")
def word_tokenize() -> Callable[[str], list[str]]:
    """The real function."""
    pytest.importorskip("nltk")
    try:
        nltk_punkt.provide()
    except ResourceError as error:
        missing(str(error))
    found: Callable[[str], list[str]] = import_module("nltk").word_tokenize
    return found


@pytest.fixture
def module(tmp_path: Path) -> Callable[..., Any]:
    """Loads the module, offline, with a separate cache."""
    pytest.importorskip("evaluate")
    evaluate = import_module("evaluate")

    def load(*arguments: str) -> Any:
        return evaluate.load(path(), *arguments, cache_dir=str(tmp_path / "cache"))

    return load


# ---- tokens --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS)
def test_tokens(word_tokenize: Callable[[str], list[str]], text: str) -> None:
    assert tokens.word_tokenize([text]) == [word_tokenize(text)]


def test_tokens_of_sentences(word_tokenize: Callable[[str], list[str]]) -> None:
    pairs = generate.pairs("en", 400, seed=8) + list(generate.odd_pairs(8))
    texts = [text for pair in pairs for text in (pair.hypothesis, pair.reference)]
    texts += [f"{one} {other}" for one, other in pairwise(texts)]
    assert tokens.word_tokenize(texts) == [word_tokenize(text) for text in texts]


pieces = st.one_of(
    st.sampled_from(
        ["Mr.", "the", "U.S.", "cannot", "wanna", "'tis", "etc.", "A.", "i.e.", "3.5", "end", "I"]
    ),
    st.text(alphabet="aXsdt1.,:;?!'\"`()[]<>-*&%é»“’\u00a0\t", min_size=1, max_size=5),
)


@settings(max_examples=examples(1500))
@given(st.lists(pieces, max_size=7).map(" ".join))
def test_tokens_of_any_text(word_tokenize: Callable[[str], list[str]], text: str) -> None:
    assert tokens.word_tokenize([text]) == [word_tokenize(text)]


def test_tokens_of_real_text(word_tokenize: Callable[[str], list[str]], shared: Path) -> None:
    folder = shared / "data" / "wmt"
    with gzip.open(folder / "wmt12.fr-en.hyp.tsv.gz", "rt", encoding="utf-8", newline="\n") as stream:
        texts = [line.rstrip("\n").split("\t")[2] for line in stream][1:3001]
    assert tokens.word_tokenize(texts) == [word_tokenize(text) for text in texts]


def test_memory_is_bounded(
    word_tokenize: Callable[[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "KEPT", 10)
    for start in range(0, 100, 10):
        text = " ".join(f"w{k}," for k in range(start, start + 10))
        assert tokens.word_tokenize([text]) == [word_tokenize(text)]
    assert len(tokens._table) < 40


# ---- the module ----------------------------------------------------------------------------------


def theirs(
    word_tokenize: Callable[[str], list[str]],
    reader: Any,
    predictions: list[str],
    references: list[Any],
    **more: Any,
) -> Any:
    """The result of evaluate's own module."""
    meteor_score = import_module("nltk.translate.meteor_score").meteor_score
    return np.mean(
        [
            meteor_score(
                [word_tokenize(text) for text in ([group] if isinstance(group, str) else group)],
                word_tokenize(prediction),
                wordnet=reader,
                **more,
            )
            for prediction, group in zip(predictions, references, strict=True)
        ]
    )


def texts(count: int = 120) -> tuple[list[str], list[str]]:
    pairs = generate.pairs("en", count, seed=4)
    return [pair.hypothesis for pair in pairs], [pair.reference for pair in pairs]


def test_compute(module: Callable[..., Any], word_tokenize: Any, nltk_reader: Any) -> None:
    predictions, references = texts()
    metric = module()
    found = metric.compute(predictions=predictions, references=references)
    expected = theirs(word_tokenize, nltk_reader, predictions, references)
    assert found == {"meteor": expected} and type(found["meteor"]) is type(expected)
    lists = [[one, other] for one, other in zip(references, references[1:] + references[:1], strict=True)]
    found = metric.compute(predictions=predictions, references=lists)
    assert found == {"meteor": theirs(word_tokenize, nltk_reader, predictions, lists)}
    more = {"alpha": 0.5, "beta": 1.5, "gamma": 0.3}
    found = metric.compute(predictions=predictions, references=references, **more)
    assert found == {"meteor": theirs(word_tokenize, nltk_reader, predictions, references, **more)}


@pytest.mark.parametrize(
    "more", [{"gamma": 3.5}, {"alpha": 1.5}, {"beta": -1, "gamma": 0.5}, {"alpha": -0.2, "gamma": -1}]
)
def test_parameters_beyond_the_ranges(
    module: Callable[..., Any], word_tokenize: Any, nltk_reader: Any, more: dict[str, float]
) -> None:
    """As in NLTK, scores may be negative or above 1. The best reference has the best such score."""
    predictions, references = texts()
    lists = [[one, other, ""] for one, other in zip(references, references[1:] + references[:1], strict=True)]
    for groups in (references, lists, [group[:2] for group in lists]):
        found = module().compute(predictions=predictions, references=groups, **more)
        assert found == {"meteor": theirs(word_tokenize, nltk_reader, predictions, groups, **more)}


def test_the_example_of_its_documentation(
    module: Callable[..., Any], word_tokenize: Any, meteor: Any
) -> None:
    meteor(profile="nltk")
    found = module().compute(
        predictions=[
            "It is a guide to action which ensures that the military always obeys the commands of the party"
        ],
        references=[
            "It is a guide to action that ensures that the military will forever heed Party commands"
        ],
    )
    assert round(found["meteor"], 4) == 0.6944


def test_add_and_batches(module: Callable[..., Any], word_tokenize: Any, nltk_reader: Any) -> None:
    predictions, references = texts(30)
    metric = module()
    metric.add(prediction=predictions[0], reference=references[0])
    metric.add_batch(predictions=predictions[1:], references=references[1:])
    assert metric.compute() == {"meteor": theirs(word_tokenize, nltk_reader, predictions, references)}


def test_the_official_numbers(module: Callable[..., Any], english: Meteor) -> None:
    predictions, references = texts()
    expected = {"meteor": english.corpus_score(predictions, references).score}
    assert module("1.5").compute(predictions=predictions, references=references) == expected
    assert module().compute(predictions=predictions, references=references, profile="1.5") == expected


def test_unknown_profile(module: Callable[..., Any]) -> None:
    with pytest.raises(ConfigurationError, match=r"unknown profile '1\.6'"):
        module("1.6").compute(predictions=["a"], references=["a"])


def test_beside_evaluates_own(module: Callable[..., Any], word_tokenize: Any, nltk_reader: Any) -> None:
    """BOLIDE_EVALUATE_METEOR is the folder metrics/meteor of HuggingFace's repository. It is not on PyPI."""
    if not (folder := os.environ.get("BOLIDE_EVALUATE_METEOR")):
        pytest.skip("evaluate's own module is not at hand (BOLIDE_EVALUATE_METEOR)")
    predictions, references = texts()
    own = import_module("evaluate").load(folder)
    script = import_module(type(own).__module__)
    real = script.meteor_score.single_meteor_score
    script.meteor_score.single_meteor_score = lambda *texts, **more: real(*texts, wordnet=nltk_reader, **more)
    try:
        expected = own.compute(predictions=predictions, references=references)
    finally:
        script.meteor_score.single_meteor_score = real
    found = module().compute(predictions=predictions, references=references)
    assert found == expected and type(found["meteor"]) is type(expected["meteor"])


def test_without_the_sentence_splitter(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nltk")
    tokenize = import_module("nltk.tokenize")

    def absent(text: str) -> list[str]:
        raise LookupError("a long text")

    tokens.forget()
    tokens._abbreviations.cache_clear()
    for name in ("sent_tokenize", "_get_punkt_tokenizer"):
        monkeypatch.setattr(tokenize, name, absent)
    assert tokens.word_tokenize(["It works for one sentence."]) == [
        ["It", "works", "for", "one", "sentence", "."]
    ]
    with pytest.raises(BolideError, match="punkt_tab"):
        tokens.word_tokenize(["No splitter. No sentences, zqx. Quite."])


def test_path_needs_no_package() -> None:
    assert Path(path(), "meteor.py").is_file() and find_spec("bolide.compat.evaluate")
