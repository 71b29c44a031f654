"""bolide.compat.aac: arguments and errors. `test_patching.py` compares it with the real aac-metrics."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from bolide.compat import aac
from bolide.compat.coco import Meteor, PTBTokenizer
from bolide.errors import BolideError, InputError

CANDIDATES = ["a brown dog runs", "two ||| cats"]
REFERENCES = [["a dog runs", "a brown dog"], ["a dog ||| two cats", "a bird"]]


def test_tensors(meteor: Any) -> None:
    torch = pytest.importorskip("torch")
    meteor(profile="coco")
    expected = Meteor().compute_score(
        dict(enumerate(REFERENCES)), {image: [text] for image, text in enumerate(CANDIDATES)}
    )
    corpus, sentences = aac.meteor(CANDIDATES, REFERENCES)
    assert (corpus["meteor"].item(), sentences["meteor"].tolist()) == expected
    assert corpus["meteor"].dtype == sentences["meteor"].dtype == torch.float64
    alone: Any = aac.meteor(CANDIDATES, REFERENCES, False)
    assert alone.item() == expected[0]
    other: Any = aac.meteor(
        CANDIDATES, REFERENCES, False, params=[0.5, 1, 0.9, 0.6], weights=[1, 0.5, 0.5, 0.2]
    )
    assert other.item() != expected[0]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("a dog", [["a"]]), {}, "candidates must be a list of strings"),
        ((["a"], ["a dog"]), {}, "mult_references must be a list of lists"),
        ((["a"], [["a"], ["b"]]), {}, "1 candidates, but references for 2"),
        ((["a", "b"], [["a"], []]), {}, "no reference for candidate 1"),
        (([], []), {}, "candidates are empty"),
        ((["a"], [["a"]]), {"language": "xx"}, "Invalid argument language='xx'"),
        ((["a"], [["a"]]), {"params": [1, 2]}, "params must be 4 numbers, not 2"),
        ((["a"], [["a"]]), {"weights": [1, 2, 3, 4, 5]}, "weights must be 4 numbers, not 5"),
    ],
)
def test_errors(arguments: Any, options: Any, message: str) -> None:
    """All are ValueErrors, as in aac-metrics."""
    with pytest.raises(InputError, match=message):
        aac.meteor(*arguments, **options)


def test_tokens() -> None:
    texts = ["A dog's bark: it's LOUD (very)!", "", "Rain, etc."]
    expected = PTBTokenizer().tokenize({k: [{"caption": text}] for k, text in enumerate(texts)})
    assert [" ".join(words) for words in aac.ptb_tokenize_batch(texts)] == [
        line for (line,) in expected.values()
    ]
    assert aac.ptb_tokenize_batch(["a, b", "c"], audio_ids=[1, 0], punctuations=[]) == [
        ["c"],
        ["a", ",", "b"],
    ]
    assert aac.ptb_tokenize_batch(["l'eau"], normalize_apostrophe=True) == [["l'", "eau"]]
    assert aac.ptb_tokenize_batch([]) == []


@pytest.mark.parametrize(
    ("sentences", "options", "error", "message"),
    [
        (["a\nb"], {}, InputError, "line break"),
        ([1], {}, InputError, "must be strings"),
        (["a"], {"audio_ids": [0, 1]}, InputError, "1 sentences, but 2 audio_ids"),
        (["a\rb"], {}, RuntimeError, "1 sentences have 2 lines"),
    ],
)
def test_errors_of_tokens(sentences: Any, options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        aac.ptb_tokenize_batch(sentences, **options)


def test_the_class_needs_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("aac_metrics", "aac_metrics.classes", "aac_metrics.classes.meteor"):
        monkeypatch.setitem(sys.modules, name, None)
    aac._class.cache_clear()
    with pytest.raises(BolideError, match=r"pip install 'bolide\[aac-metrics\]'"):
        _ = aac.METEOR
    with pytest.raises(AttributeError, match="NOSUCH"):
        _ = aac.NOSUCH
