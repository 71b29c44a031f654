"""bolide.compat.coco compared with the real pycocoevalcap, which runs Java."""

from __future__ import annotations

import importlib.util
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import bolide
from bolide.compat.coco import Meteor
from bolide.errors import InputError, ResourceError
from tests.conftest import missing
from tests.support import generate

Captions = dict[Any, list[str]]


@pytest.fixture(scope="module")
def ours() -> Meteor:
    try:
        return Meteor()
    except ResourceError as error:
        missing(str(error))


@pytest.fixture(scope="module")
def theirs(jar: Path) -> Iterator[Any]:
    """One for all tests, because Java first loads all English resources."""
    path = jar.parent / "meteor.py"
    if not path.exists():
        pytest.skip("pycocoevalcap's meteor.py is not beside the jar")
    spec = importlib.util.spec_from_file_location("pycocoevalcap_meteor", path)
    assert spec is not None and spec.loader is not None
    wrapper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wrapper)
    real = wrapper.Meteor()
    yield real
    # Its own destructor does not close its streams.
    real.meteor_p.kill()
    for stream in (real.meteor_p.stdin, real.meteor_p.stdout, real.meteor_p.stderr):
        stream.close()
    real.meteor_p.wait()


def captions() -> tuple[Captions, Captions]:
    groups = [group for group in generate.sayings("en") if len(group) > 1]
    pairs = generate.pairs("en", 200, seed=3)
    gts: Captions = {k: list(group[1:]) for k, group in enumerate(groups)}
    gts.update({f"image {k}": [pair.reference] for k, pair in enumerate(pairs)})
    res: Captions = {k: [group[0]] for k, group in enumerate(groups)}
    res.update({f"image {k}": [pair.hypothesis] for k, pair in enumerate(pairs)})
    return gts, res


def test_numbers_and_types(ours: Meteor, theirs: Any) -> None:
    gts, res = captions()
    score, scores = ours.compute_score(gts, res)
    assert (score, scores) == theirs.compute_score(gts, res)
    assert type(score) is float and {type(each) for each in scores} == {float}
    assert ours.method() == theirs.method()
    # The order is that of gts.
    backwards = dict(reversed(res.items()))
    assert ours.compute_score(gts, backwards) == (score, scores)


def test_odd_captions(ours: Meteor, theirs: Any) -> None:
    gts = {
        1: ["a dog ||| two cats", "a bird"],
        2: ["a dog"],
        3: ["", "a dog runs"],
        4: ["the  man's hat , red"],
        5: ["naïve café №5"],
        6: ["|||a dog"],
    }
    res = {
        1: ["two ||| cats"],
        2: [""],
        3: ["a dog runs"],
        4: ["|||the man's  red hat"],
        5: ["café"],
        6: ["a dog"],
    }
    assert ours.compute_score(gts, res) == theirs.compute_score(gts, res)


def test_the_profile(theirs: Any, meteor: Callable[..., bolide.Meteor]) -> None:
    groups = [group for group in generate.sayings("en") if len(group) > 1]
    gts = {str(k): group[1:] for k, group in enumerate(groups)}
    res = {str(k): [group[0]] for k, group in enumerate(groups)}
    res["0"] = ["a dog ||| runs  fast"]
    found = meteor(profile="coco").corpus_score([texts[0] for texts in res.values()], list(gts.values()))
    assert found.segments is not None
    assert (found.score, found.segments.tolist()) == theirs.compute_score(gts, res)


@pytest.mark.parametrize(
    ("gts", "res", "message"),
    [
        ({1: ["a"]}, {2: ["a"]}, "res lacks 1"),
        ({1: ["a"]}, {1: ["a"], 2: ["a"]}, "gts lacks 2"),
        ({1: ["a"]}, {1: ["a", "b"]}, "image 1 has 2"),
        ({}, {}, "empty"),
        ({1: "a dog"}, {1: ["a"]}, "gts.1. must be a list of captions, not 'a dog'"),
        ({1: ["a"]}, {1: "a dog"}, "res.1. must be a list of captions"),
        ({1: []}, {1: ["a dog"]}, "gts.1. must be a list of captions"),
        ({1: [None]}, {1: ["a dog"]}, "gts.1.: a caption must be a string, not None"),
        ({1: ["a"]}, {1: [{"caption": "a"}]}, "res.1.: a caption must be a string"),
    ],
)
def test_errors(ours: Meteor, gts: Any, res: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        ours.compute_score(gts, res)
    assert isinstance(raised.value, AssertionError)


def test_newlines_are_data(ours: Meteor) -> None:
    assert ours.compute_score({1: ["a dog\nruns"]}, {1: ["a dog runs"]})[0] == 1.0


def test_threads_and_pickle(ours: Meteor) -> None:
    gts, res = captions()
    expected = ours.compute_score(gts, res)
    assert pickle.loads(pickle.dumps(ours)).compute_score(gts, res) == expected
    with ThreadPoolExecutor(4) as pool:
        assert all(
            found == expected for found in pool.map(lambda _: Meteor().compute_score(gts, res), range(8))
        )


def test_options(ours: Meteor) -> None:
    texts = {1: ["a brown dog runs"]}, {1: ["a dog"]}
    precise = Meteor(alpha=0.1)
    assert precise.compute_score(*texts) > ours.compute_score(*texts)
    assert "|params:0.1_" in precise.get_signature()


class NoSpice:
    """Replaces SPICE, which needs the network."""

    def method(self) -> str:
        return "SPICE"

    def compute_score(self, gts: Captions, res: Captions) -> tuple[float, list[dict[str, Any]]]:
        return 0.0, [{} for _ in gts]


def test_in_coco_eval_cap(ours: Meteor, theirs: Any, jar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole evaluation of captions, with the real wrapper and with bolide's."""
    pytest.importorskip("pycocoevalcap")
    evaluation, coco = import_module("pycocoevalcap.eval"), import_module("pycocotools.coco")
    gts, res = captions()
    images = list(range(40))
    annotations = [
        {"image_id": image, "id": 10 * image + k, "caption": text}
        for image, texts in zip(images, gts.values(), strict=False)
        for k, text in enumerate(texts)
    ]
    truth = coco.COCO()
    truth.dataset = {"info": {}, "images": [{"id": image} for image in images], "annotations": annotations}
    truth.createIndex()
    results = [
        {"image_id": image, "caption": texts[0]} for image, texts in zip(images, res.values(), strict=False)
    ]
    monkeypatch.setattr(evaluation, "Spice", NoSpice)
    wrapper = Path(import_module("pycocoevalcap.meteor.meteor").__file__ or "")
    assert wrapper.read_bytes() == (jar.parent / "meteor.py").read_bytes()  # `theirs`, which runs already

    def evaluated(scorer: Any) -> tuple[float, list[float]]:
        monkeypatch.setattr(evaluation, "Meteor", scorer)
        case = evaluation.COCOEvalCap(truth, truth.loadRes([dict(row) for row in results]))
        case.evaluate()
        return case.eval["METEOR"], [image["METEOR"] for image in case.evalImgs]

    assert evaluated(Meteor) == evaluated(lambda: theirs)


# ---- internals -----------------------------------------------------------------------------------


def test_statistics_and_score(ours: Meteor, theirs: Any) -> None:
    for hypothesis, references in (
        ("a brown dog runs", ["a dog runs", "a brown dog"]),
        ("two ||| cats  sleep", ["a dog ||| two cats"]),
        ("", ["a dog"]),
    ):
        with ours.lock, theirs.lock:
            row = ours._stat(hypothesis, references)
            assert row == theirs._stat(hypothesis, references)
        # The real _score fails in Python 3: it writes text to a binary stream.
        assert (
            ours._score(hypothesis, references) == ours.compute_score({1: references}, {1: [hypothesis]})[0]
        )


def test_the_process(ours: Meteor, theirs: Any) -> None:
    """Programs talk to the process themselves; `EVAL` with n rows is answered by n + 1 lines."""
    lines = [b"SCORE ||| a dog runs ||| a brown dog ||| a brown dog runs\n", b"SCORE ||| two cats ||| cats\n"]
    for scorer in (ours, theirs):
        for line in lines:
            scorer.meteor_p.stdin.write(line[:9])
            scorer.meteor_p.stdin.write(line[9:])
        scorer.meteor_p.stdin.flush()
    rows = [ours.meteor_p.stdout.readline() for _ in lines]
    assert rows == [theirs.meteor_p.stdout.readline() for _ in lines]
    for count in (1, 2):
        question = b" ||| ".join([b"EVAL", *(row.strip() for row in rows[:count])]) + b"\n"
        answers = []
        for scorer in (ours, theirs):
            scorer.meteor_p.stdin.write(question)
            scorer.meteor_p.stdin.flush()
            answers.append([scorer.meteor_p.stdout.readline() for _ in range(count + 1)])
        assert answers[0] == answers[1]
    assert ours.meteor_p.stdout.readline() == b""  # nothing is left


def test_close() -> None:
    scorer = Meteor()
    assert scorer.meteor_p.poll() is None
    scorer.close()
    scorer.close()
    assert scorer.meteor_p.poll() == scorer.meteor_p.wait() == -9
    with pytest.raises(ValueError, match="closed"):
        scorer.meteor_p.stdin.write(b"SCORE ||| a ||| a\n")
    assert scorer.compute_score({1: ["a dog"]}, {1: ["a dog"]}) == (1.0, [1.0])
    copied = pickle.loads(pickle.dumps(scorer))
    assert copied.meteor_p.poll() is None and copied.lock.acquire(blocking=False)


def test_an_evaluation_that_ends_by_itself() -> None:
    """The destructor of coco-caption, in a subclass."""

    class Own(Meteor):
        def end(self) -> int:
            with self.lock:
                self.meteor_p.stdin.close()
                self.meteor_p.kill()
                return self.meteor_p.wait()

    assert Own().end() == -9
