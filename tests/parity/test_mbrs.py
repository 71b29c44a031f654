"""bolide.compat.mbrs in the real mbrs: the metric, and decoders that use it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from bolide import Meteor
from bolide.errors import ConfigurationError, InputError, ResourceError
from tests.conftest import missing
from tests.support import generate

if find_spec("mbrs") is None:
    pytest.skip("mbrs is not installed (pip install '.[mbrs]': gigabytes)", allow_module_level=True)

import torch
from mbrs.decoders import DecoderMBR
from mbrs.metrics import Metric, get_metric

from bolide.compat.mbrs import MetricMETEOR

HYPOTHESES = ["the cat sat on the mat", "a cat sits on a mat", "dogs run", "a cat sat on the mat"]
REFERENCES = ["a cat sat on a mat", "the cats are sitting on the mat", "the cat sat on the mat"]


def made(**config: Any) -> MetricMETEOR:
    try:
        return MetricMETEOR(MetricMETEOR.Config(**config))
    except ResourceError as error:
        missing(str(error))


def test_it_is_registered() -> None:
    assert get_metric("meteor") is MetricMETEOR and issubclass(MetricMETEOR, Metric)
    assert MetricMETEOR.HIGHER_IS_BETTER


@pytest.mark.parametrize("config", [{}, {"profile": "nltk"}, {"modules": "exact", "normalize": "lower"}])
def test_scores_are_those_of_the_scorer(config: dict[str, str]) -> None:
    metric = made(**config)
    pairs = generate.pairs("en", 60, 3)
    ours, theirs = ([getattr(pair, side) for pair in pairs] for side in ("hypothesis", "reference"))
    expected = [metric.scorer.sentence_score(*pair).score for pair in zip(ours, theirs, strict=True)]
    assert [metric.score(*pair) for pair in zip(ours, theirs, strict=True)] == expected
    assert torch.equal(metric.scores(ours, theirs), torch.tensor(expected))
    assert torch.equal(metric.scores(ours, theirs, ours), torch.tensor(expected))  # sources are not used


def test_the_base_class_computes_the_same() -> None:
    """mbrs's own methods call `score` for each pair."""
    metric = made()
    for name, arguments in (
        ("scores", (HYPOTHESES[:3], REFERENCES)),
        ("pairwise_scores", (HYPOTHESES, REFERENCES)),
        ("expected_scores", (HYPOTHESES, REFERENCES)),
    ):
        expected = getattr(Metric, name)(metric, *arguments)
        assert torch.equal(getattr(metric, name)(*arguments), expected)


def test_corpus_scores() -> None:
    references = [REFERENCES, REFERENCES[::-1]]
    expected = Meteor().corpus_score(HYPOTHESES[:3], references, layout="streams").score
    assert made().corpus_score(HYPOTHESES[:3], references) == expected


def test_a_decoder_finds_the_hypothesis_with_the_highest_expected_score() -> None:
    metric = made()
    expected = metric.pairwise_scores(HYPOTHESES, REFERENCES).mean(dim=1)
    found = DecoderMBR(DecoderMBR.Config(), metric).decode(HYPOTHESES, REFERENCES, nbest=2)
    assert found.idx == expected.topk(2).indices.tolist()
    assert found.score == pytest.approx(expected.topk(2).values.tolist(), abs=1e-6)
    assert found.sentence == [HYPOTHESES[k] for k in found.idx]


def test_errors() -> None:
    with pytest.raises(ConfigurationError, match="is written without spaces"):
        made(language="zh")
    with pytest.raises(InputError, match="references"):
        made().scores(["a"], ["a", "b"])
