"""How patches begin and end: repeated, nested, in threads, with wrong names. With the real NLTK and
pycocoevalcap; `tests/parity/test_patching.py` compares numbers."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest

from bolide.compat import patch, patching, unpatch
from bolide.compat.patching.finder import Finder
from bolide.compat.patching.table import FRAMEWORKS, ROWS
from bolide.errors import ConfigurationError

pytest.importorskip("nltk")
pytest.importorskip("pycocoevalcap")
from nltk.translate import meteor_score as nltk_meteor
from pycocoevalcap.meteor import meteor as coco

ORIGINAL, CLASS = nltk_meteor.meteor_score, coco.Meteor


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Every test leaves everything as it was."""
    yield
    unpatch()
    assert nltk_meteor.meteor_score is ORIGINAL and coco.Meteor is CLASS
    assert not any(isinstance(finder, Finder) for finder in sys.meta_path)
    assert not patching._state._made and not patching._state._wanted


def is_replaced() -> bool:
    return nltk_meteor.meteor_score is not vars(importlib.import_module(__name__))["UNTOUCHED"][0]


UNTOUCHED = (ORIGINAL,)  # not a name of the module: it stays


def test_names_of_this_module() -> None:
    """Names that were imported before are replaced, too, and all are listed."""
    with patch() as made:
        assert ORIGINAL is not UNTOUCHED[0] and ORIGINAL is nltk_meteor.meteor_score
        assert made.replaced[f"{__name__}.ORIGINAL"] == "bolide.compat.nltk.meteor_score"
        assert f"\n  {__name__}.CLASS -> bolide.compat.coco.Meteor\n" in repr(made)
    assert ORIGINAL is UNTOUCHED[0]
    assert made.replaced == {} and repr(made).startswith("<ended patch of aac-metrics, ")


def test_names_imported_while_patched() -> None:
    user = ModuleType("user_of_nltk")
    sys.modules["user_of_nltk"] = user
    try:
        patch()
        exec("from nltk.translate.meteor_score import meteor_score as score", vars(user))
        assert user.score is not UNTOUCHED[0]
        unpatch()
        assert user.score is UNTOUCHED[0]
    finally:
        del sys.modules["user_of_nltk"]


def test_functions_kept_elsewhere(meteor: Any) -> None:
    """They stay, but NLTK's functions call each other by name, and pass their default WordNet on."""
    meteor(profile="nltk")
    texts = [["the", "cat", "sat"]], ["a", "cat", "sat"]
    with patch():
        assert UNTOUCHED[0](*texts) == nltk_meteor.meteor_score(*texts)
        assert nltk_meteor.meteor_score(*texts, wordnet=nltk_meteor.wordnet) == UNTOUCHED[0](*texts)


def test_drop_ins_are_not_touched() -> None:
    """A program may use the drop-in and the patch."""
    from bolide.compat import nltk as ours

    function = ours.meteor_score
    with patch():
        assert ours.meteor_score is function
    assert ours.meteor_score is function


def test_repeated_calls() -> None:
    patch()
    first = nltk_meteor.meteor_score
    patch()
    assert nltk_meteor.meteor_score is first
    unpatch()
    assert not is_replaced()
    unpatch()


def test_nested_blocks() -> None:
    with patch():
        with patch("nltk"):
            assert is_replaced()
        assert is_replaced()
    assert not is_replaced()


def test_a_block_within_a_patch() -> None:
    patch()
    with patch():
        pass
    assert is_replaced()
    unpatch()
    assert not is_replaced()


def test_unpatch_leaves_blocks() -> None:
    with patch():
        patch()
        unpatch()
        assert is_replaced()
    assert not is_replaced()


def test_a_patch_as_a_block_twice() -> None:
    made = patch()
    with made, made:
        assert is_replaced()
    assert not is_replaced()
    with made:
        assert is_replaced()
    assert not is_replaced()


def test_some_frameworks() -> None:
    with patch("pycocoevalcap") as made:
        assert not is_replaced() and coco.Meteor is not UNTOUCHED[0]
        assert all(target.startswith("bolide.compat.coco.") for target in made.replaced.values())
        with patch("opik"):
            assert is_replaced()
        assert not is_replaced()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nosuch", "unknown framework 'nosuch'; choose one of: aac-metrics, "),
        ("pycocevalcap", "did you mean 'pycocoevalcap'"),
        (3, "framework must be a name, not 3"),
    ],
)
def test_unknown_frameworks(name: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        patch("nltk", name)
    assert not is_replaced()


def test_errors_end_a_block() -> None:
    with pytest.raises(KeyError), patch():
        raise KeyError
    assert not is_replaced()


def test_signatures_and_pickles() -> None:
    with patch():
        function, kind = nltk_meteor.meteor_score, coco.Meteor
        assert inspect.signature(function) == inspect.signature(UNTOUCHED[0])
        assert (function.__module__, function.__qualname__) == (UNTOUCHED[0].__module__, "meteor_score")
        assert pickle.loads(pickle.dumps(function)) is function
        assert pickle.loads(pickle.dumps(kind)) is kind
        with pytest.raises(TypeError, match="profile"):
            function([["a"]], ["a"], profile="1.5")
        with pytest.raises(TypeError):
            kind("1.5")
        with pytest.raises(TypeError, match="pre-tokenized"):
            function(["a dog"], "a dog")
        with pytest.raises(ValueError):
            function([], ["a"])


def test_old_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """NLTK before 3.6.6 takes texts instead of words, and has other numbers."""
    monkeypatch.setattr(sys.modules["nltk"], "__version__", "3.6.5")
    with pytest.warns(UserWarning, match=r"nltk 3\.6\.5 is not replaced.* pip install 'nltk>=3\.6\.6'"):
        made = patch("nltk")
    assert not is_replaced() and "nltk.download" in made.replaced


def test_threads() -> None:
    """Blocks in many threads: each sees its patch, and the last one restores everything."""
    barrier = threading.Barrier(8)

    def work(_: int) -> bool:
        barrier.wait()
        seen = True
        for _ in range(3):
            with patch():
                seen &= is_replaced()
        return seen

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert not is_replaced()


def test_calls_in_threads() -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: patch() if k % 3 else unpatch(), range(24)))
    patch()
    assert is_replaced()


def test_reloaded_modules() -> None:
    """A module that is loaded again has new objects, which are replaced as well."""
    untouched = dict(vars(nltk_meteor))
    try:
        with patch():
            importlib.reload(nltk_meteor)
            assert nltk_meteor.meteor_score.__wrapped__ is not UNTOUCHED[0]
            newer = nltk_meteor.meteor_score.__wrapped__
        assert nltk_meteor.meteor_score is newer
    finally:
        vars(nltk_meteor).update(untouched)


def test_imported_later_and_lazily() -> None:
    """In a new process: nothing is imported that a program does not need, and modules look as usual."""
    code = """
import sys
import bolide.compat
bolide.compat.patch()
assert not {"numpy", "bolide._core", "inspect", "nltk"} & set(sys.modules), sys.modules.keys()
import nltk.translate.meteor_score as module
assert "bolide._core" not in sys.modules
assert type(module.__spec__.loader).__name__ == type(module.__loader__).__name__ == "SourceFileLoader"
assert module.meteor_score.__wrapped__
import bolide.compat.evaluate
try:
    import nltk.translate.nosuch
except ModuleNotFoundError:
    print("fine")
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.stdout == "fine\n", done.stderr


def test_missing_packages_stay_missing() -> None:
    with patch(), pytest.raises(ModuleNotFoundError, match="nlgeval"):
        importlib.import_module("nlgeval.pycocoevalcap.meteor.meteor")


def test_the_table() -> None:
    assert {row.framework for row in ROWS} <= set(FRAMEWORKS)
    assert all(needed in FRAMEWORKS for others in FRAMEWORKS.values() for needed in others)
    for row in ROWS:
        module, _, name = row.target.rpartition(".")
        assert callable(getattr(importlib.import_module(module), name)), row


def test_defaults_by_position(meteor: Any) -> None:
    """NLTK's default WordNet is bolide's, however it is passed. Wrong calls raise NLTK's errors."""
    meteor(profile="nltk")
    texts = [["the", "cat", "sat"]], ["a", "cat", "sat"]
    with patch():
        score = nltk_meteor.meteor_score(*texts)
        own = nltk_meteor.PorterStemmer()
        assert nltk_meteor.meteor_score(*texts, str.lower, own, nltk_meteor.wordnet) == score
        assert nltk_meteor.meteor_score(*texts, str.lower, alpha=0.9) == score
        for wrong in ((*texts, str.lower, own, None, 1, 1, 1, 1), (*texts, str.lower)):
            with pytest.raises(TypeError, match=r"positional|multiple values"):
                nltk_meteor.meteor_score(*wrong, preprocess=str.lower)


def test_a_class_derived_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays derived from the original, also where it names its base."""
    seen: list[str] = []
    for name in ("__init__", "compute_score", "__del__"):
        monkeypatch.setattr(CLASS, name, lambda *_, name=name: seen.append(name))

    def __init__(self: Any) -> None:  # noqa: N807
        coco.Meteor.__init__(self)

    derived = type("Derived", (CLASS,), {"__init__": __init__})
    with patch("pycocoevalcap"):
        coco.Meteor.compute_score(derived(), {}, {})
        assert seen[:2] == ["__init__", "compute_score"]


def test_only_programs_with_meteor_skip_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    asked: list[str] = []
    monkeypatch.setattr(nltk.downloader, "download", lambda name, **_: asked.append(name))
    monkeypatch.setattr(nltk, "download", nltk.downloader.download)
    callers = {"my_meteor_tools": True, "evaluate_modules.metrics.evaluate-metric--meteor.1.meteor": False}
    with patch("nltk"):
        for caller, is_fetched in callers.items():
            exec("nltk.download('wordnet')", {"__name__": caller, "nltk": nltk})
            assert bool(asked) == is_fetched
            asked.clear()


@pytest.mark.parametrize(("version", "is_old"), [("3.9b1", False), ("3.7rc1", False), ("3.6.5", True)])
def test_versions(version: str, is_old: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    monkeypatch.setattr(nltk, "__version__", version)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        patch("nltk")
    assert is_replaced() != is_old and bool(seen) == is_old


def test_other_finders_and_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python ignores finders without `find_spec`. Programs may copy loaders."""
    monkeypatch.setattr(sys, "meta_path", [object(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "pycocoevalcap.meteor.meteor")
    with patch("pycocoevalcap"):
        spec = importlib.util.find_spec("pycocoevalcap.meteor.meteor")
        assert spec is not None and copy.copy(spec.loader) is not spec.loader
    monkeypatch.undo()


def test_a_list_of_names() -> None:
    with pytest.raises(ConfigurationError, match="framework must be a name"):
        patch(["nltk"])  # type: ignore[arg-type]
