"""bolide.compat.torchmetrics in the real torchmetrics: states, processes, copies."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.compat import nltk
from bolide.errors import InputError, ResourceError
from tests.conftest import missing
from tests.support import generate
from tests.support.paths import REPOSITORY

if find_spec("torchmetrics") is None or find_spec("torch") is None:
    pytest.skip(
        "torchmetrics is not installed (pip install '.[torch]'; gigabytes where no CPU wheel is at hand)",
        allow_module_level=True,
    )

import torch
from torchmetrics import Metric, MetricCollection

from bolide.compat.torchmetrics import METEORScore, MeteorScore, meteor_score
from tests.support.processes import PATIENCE


def made(**options: Any) -> MeteorScore:
    try:
        return MeteorScore(**options)
    except ResourceError as error:
        missing(str(error))


def texts(count: int = 90, seed: int = 1) -> tuple[list[str], list[list[str]]]:
    pairs = generate.pairs("en", count, seed)
    references = [[pair.reference, pairs[k - 1].reference][: 1 + k % 2] for k, pair in enumerate(pairs)]
    return [pair.hypothesis for pair in pairs], references


@pytest.mark.parametrize("profile", ["1.5", "nltk"])
def test_batches_are_the_corpus(profile: str) -> None:
    hypotheses, references = texts()
    metric = made(profile=profile)
    expected = Meteor(profile).corpus_score(hypotheses, references, layout="segments")
    assert isinstance(metric, Metric)
    for start in range(0, 90, 20):
        metric.update(hypotheses[start : start + 20], references[start : start + 20])
    found = metric.compute()
    assert isinstance(found, torch.Tensor) and found.dtype == torch.float64
    assert found.item() == pytest.approx(expected.score, abs=1e-14)
    if profile == "1.5":
        assert found.item() == expected.score
    metric.reset()
    assert metric.statistics.sum() == 0 and metric.statistics.dtype == torch.int64
    metric.update(hypotheses, references)
    assert metric.compute() == found or profile == "nltk"


def test_forward_gives_the_batch_and_keeps_the_corpus() -> None:
    hypotheses, references = texts(40)
    metric, scorer = made(), Meteor()
    batches = [slice(0, 10), slice(10, 40)]
    for piece in batches:
        expected = scorer.corpus_score(hypotheses[piece], references[piece], layout="segments").score
        assert metric(hypotheses[piece], references[piece]).item() == expected
    whole = scorer.corpus_score(hypotheses, references, layout="segments").score
    assert metric.compute().item() == whole  # type: ignore[union-attr]


def test_sentence_scores() -> None:
    hypotheses, references = texts(12)
    metric = made(return_sentence_level_score=True)
    metric.update(hypotheses[:5], references[:5])
    metric.update(hypotheses[5:], references[5:])
    score, scores = metric.compute()
    expected = Meteor().corpus_score(hypotheses, references, layout="segments")
    assert expected.segments is not None
    assert (score.item(), scores.tolist()) == (expected.score, expected.segments.tolist())
    with pytest.warns(UserWarning, match="before the ``update`` method"):
        assert made(return_sentence_level_score=True).compute()[1].tolist() == []


def test_one_text_is_as_in_other_text_metrics() -> None:
    metric = made()
    metric.update("the cat sat", ["the cat sits", "the cat sat"])
    assert metric.compute() == 1.0
    metric.reset()
    metric.update("the cat sat", "the cat sat")
    metric.update(["the cat sat"], ["the cat sat"])
    assert metric.compute() == 1.0 and metric.segments == 2


def test_copies() -> None:
    hypotheses, references = texts(20)
    metric = made()
    metric.persistent(True)
    metric.update(hypotheses, references)
    for other in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric), metric.clone()):
        assert other.compute() == metric.compute()
        other.update(hypotheses, references)
        assert other.segments == 40 and metric.segments == 20
    other = made()
    other.load_state_dict(metric.state_dict())
    assert torch.equal(other.statistics, metric.statistics) and other.segments == 20
    assert other.half().statistics.dtype == torch.int64


def test_in_a_collection() -> None:
    hypotheses, references = texts(20)
    collection = MetricCollection({"meteor": made(), "exact": made(modules=["exact"])})
    collection.update(hypotheses, references)
    assert set(collection.compute()) == {"meteor", "exact"}


def test_options_of_torchmetrics_are_keywords() -> None:
    hypotheses, references = texts(20)
    expected = made()(hypotheses, references)
    metric = made(dist_sync_on_step=True, compute_on_cpu=True, sync_on_compute=False)
    assert metric.dist_sync_on_step and metric.compute_on_cpu and not metric.sync_on_compute
    assert metric(hypotheses, references) == expected
    assert made(metric_options={"dist_sync_on_step": True}).dist_sync_on_step
    with pytest.raises(ValueError, match="dist_sync_on_step"):
        made(dist_sync_on_step="yes")
    with pytest.raises(TypeError, match="unheard_of"):
        made(unheard_of=1)


def test_the_names_of_torchmetrics_own_metric() -> None:
    """The example of its documentation, and NLTK's scores: texts are lower-cased and split at spaces."""
    preds, target = ["the cat sat on the mat"], [["there is a cat on the mat", "a cat is on the mat"]]
    made(profile="nltk")  # or skip
    assert round(meteor_score(preds, target).item(), 4) == 0.6250  # type: ignore[union-attr]
    hypotheses, references = texts(40)
    given: list[dict[str, Any]] = [{}, {"alpha": 0.5, "beta": 1.0, "gamma": 0.2}]
    for numbers in given:
        metric = METEORScore(**numbers, return_sentence_level_score=True, dist_sync_on_step=True)
        metric.update(hypotheses, references)
        average, scores = metric.compute()
        expected = [
            nltk.meteor_score([text.split() for text in group], hypothesis.split(), **numbers)
            for hypothesis, group in zip(hypotheses, references, strict=True)
        ]
        assert scores.tolist() == expected
        assert average.item() == pytest.approx(sum(expected) / len(expected), abs=1e-14)
        both = meteor_score(hypotheses, references, **numbers, return_sentence_level_score=True)
        assert torch.equal(both[0], average) and torch.equal(both[1], scores)
    assert METEORScore(profile="1.5", language="it").meteor.settings.language.code == "it"
    with pytest.raises(ValueError, match="alpha"):
        METEORScore(alpha=1.5)


@pytest.mark.parametrize(
    ("predictions", "target", "message"),
    [
        (["a", "b"], ["a"], "2 predictions but 1 targets"),
        (["a"], [[]], "no reference"),
        ([None], ["a"], "None"),
        (["a"], [[None]], "None"),
    ],
)
def test_errors(predictions: Any, target: Any, message: str) -> None:
    metric = made()
    with pytest.raises(InputError, match=message):
        metric.update(predictions, target)
    assert metric.segments == 0


WORKER = """
import sys
import torch.distributed as dist
from bolide.compat.torchmetrics import MeteorScore
from tests.parity import test_torchmetrics as here

rank, store = int(sys.argv[1]), sys.argv[2]
dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
hypotheses, references = here.texts()
step = MeteorScore(dist_sync_on_step=True)
stepped = step(hypotheses[rank : rank + 1], references[rank : rank + 1]).item()
both = here.Meteor().corpus_score(hypotheses[:2], references[:2], layout="segments").score
assert stepped == both, (stepped, both)
metric = MeteorScore(return_sentence_level_score=True)
mine = slice(0, 31) if rank == 0 else slice(31, None)
metric.update(hypotheses[mine], references[mine])
score, scores = metric.compute()
own = metric.segments.item()
assert len(scores) == 90 and own in (31, 59), (len(scores), own)
print(repr(score.item()))
dist.barrier()
dist.destroy_process_group()
"""


def test_two_processes(tmp_path: Path) -> None:
    """Real processes that communicate by gloo: each has a part, and both get the score of the whole."""
    if not torch.distributed.is_available():
        pytest.skip("this torch has no torch.distributed")
    made()
    command = [sys.executable, "-W", "ignore", "-c", WORKER]
    workers = [
        subprocess.Popen(
            [*command, str(rank), str(tmp_path / "store")],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    answers = [worker.communicate(timeout=PATIENCE) for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], [error for _, error in answers]
    hypotheses, references = texts()
    expected = Meteor().corpus_score(hypotheses, references, layout="segments").score
    assert [float(output.splitlines()[-1]) for output, _ in answers] == [expected, expected]
