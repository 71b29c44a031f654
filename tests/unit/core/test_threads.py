"""All parts of the core that use threads, with eight of them. `.ci/sanitize thread` runs these tests with
ThreadSanitizer, which reports data races."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from bolide import Meteor, _core
from tests.support import fake_meteor, generate

THREADS = 8


@pytest.fixture
def texts() -> tuple[list[str], list[str]]:
    pairs = [pair for seed in range(4) for pair in generate.pairs("en", 100, seed=seed)]
    return [pair.hypothesis for pair in pairs], [pair.reference for pair in pairs]


Texts = tuple[list[str], list[str]]


@pytest.mark.parametrize("aligner", ["beam", "exact", "staged", "greedy", "repeat"])
def test_one_call_uses_many_threads(aligner: str, texts: Texts, home: Path, tmp_path: Path) -> None:
    pack = fake_meteor.installed(tmp_path)
    modules = ["exact", "stem", "synonym", *(["paraphrase"] if aligner in ("beam", "exact") else [])]
    one, many = (
        Meteor(aligner=aligner, modules=modules, resources=pack, threads=threads) for threads in (1, THREADS)
    )
    for _ in range(2):  # the second time, all words and references are known
        np.testing.assert_array_equal(many.statistics(*texts), one.statistics(*texts))


@pytest.mark.parametrize(("profile", "modules"), [("1.5", ["exact", "stem"]), ("linear", ["exact"])])
def test_many_threads_share_a_scorer(
    profile: str, modules: list[str], texts: Texts, home: Path, tmp_path: Path
) -> None:
    """No word is known yet: all threads add words, in Python (1.5) or in the core (linear)."""
    pack = fake_meteor.installed(tmp_path)
    scorers = [Meteor(profile, modules=modules, resources=pack, threads=2) for _ in range(2)]
    expected = scorers[0].statistics(*texts)
    with ThreadPoolExecutor(THREADS) as pool:
        for statistics in pool.map(lambda _: scorers[1].statistics(*texts), range(2 * THREADS)):
            np.testing.assert_array_equal(statistics, expected)


def test_threads_count_edits_and_ngrams(texts: Texts) -> None:
    offsets = np.arange(len(texts[0]) + 1, dtype=np.int64)
    for count in (_core.count_edits, _core.count_ngrams):
        one, many = (count(texts[0], offsets, texts[1], offsets, threads) for threads in (1, THREADS))
        np.testing.assert_array_equal(one, many)


def test_threads_search_n_best_lists() -> None:
    draw = np.random.default_rng(1)
    offsets = np.arange(0, 2001, 10, dtype=np.int64)
    features = draw.normal(size=(2000, 5))
    rows = np.arange(2000, dtype=np.int64)
    lists = _core.NBestLists(features, offsets, rows, draw.integers(0, 9, (2000, 3)))
    weights, direction = draw.normal(size=(2, 5))
    np.testing.assert_array_equal(lists.best(weights, 1), lists.best(weights, THREADS))
    one, many = (lists.surface(weights, direction, -1.0, 1.0, threads) for threads in (1, THREADS))
    for first, second in zip(one, many, strict=True):
        np.testing.assert_array_equal(first, second)


def test_threads_extract_phrases(texts: Texts) -> None:
    sources, targets = ([" ".join(text.split()[:8]) for text in side] for side in texts)
    links = ["0-0" if source and target else "" for source, target in zip(sources, targets, strict=True)]
    extractor = _core.PhraseExtractor(4)
    extractor.count(sources, targets, links)
    one, many = (extractor.extract(sources, targets, links, threads) for threads in (1, THREADS))
    assert len(one) == len(many)
    for first, second in zip(one, many, strict=True):
        np.testing.assert_array_equal(first[2], second[2])
        np.testing.assert_array_equal(first[3], second[3])


def test_threads_count_words_for_phrases() -> None:
    """Counting changes the extractor while the GIL is released."""
    words = [f"{k % 997} {k % 1009} {k}" for k in range(20_000)]
    links = ["0-0 1-1 2-2"] * len(words)
    one, many = _core.PhraseExtractor(2), _core.PhraseExtractor(2)
    for _ in range(THREADS):
        one.count(words, words, links)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: many.count(words, words, links), range(THREADS)))
    for first, second in zip(*(each.extract(words, words, links, 1) for each in (one, many)), strict=True):
        np.testing.assert_array_equal(first[3], second[3])
        np.testing.assert_array_equal(first[4], second[4])


def test_threads_share_a_line_buffer() -> None:
    """Lines are taken while the GIL is released."""
    buffer = _core.LineBuffer(False)
    expected = [f"line {k}" for k in range(100_000)]
    block = "\n".join([*expected, ""]).encode()
    fed = threading.Event()

    def take(_: int) -> list[str]:
        taken: list[str] = []
        while not fed.is_set() or buffer.available:
            taken.extend(buffer.take(100))
        return taken

    with ThreadPoolExecutor(THREADS) as pool:
        takers = [pool.submit(take, k) for k in range(THREADS)]
        try:
            for start in range(0, len(block), 1000):
                buffer.feed(block[start : start + 1000])
        finally:
            fed.set()
        taken = [line for taker in takers for line in taker.result()]
    assert sorted(taken) == sorted(expected)


def test_another_thread_changes_a_list_of_words() -> None:
    """Without the GIL, items may be freed while the core reads the list."""
    words = ["word", "other", "größer"]
    changing: list[str] = []
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            changing.extend("".join(word) for word in words)  # new strings
            del changing[:]

    with ThreadPoolExecutor(2) as pool:
        changes = [pool.submit(change) for _ in range(2)]
        try:
            joined = [line for _ in range(2000) for line in _core.join([changing]) or ()]
        finally:
            stop.set()
        assert [each.result() for each in changes] == [None, None]
    assert len(joined) == 2000
    assert {word for line in joined for word in line.split()} <= set(words)


def test_threads_share_a_token_cache() -> None:
    cache = _core.TokenCache()
    pieces = [f"piece{k}" for k in range(200)]

    def fill(_: int) -> int:
        for piece in pieces:
            cache.set(0, piece, piece.upper())
        return len(cache)

    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(fill, range(THREADS))) == {len(pieces)}
    assert [cache.get(0, piece) for piece in pieces] == [piece.upper() for piece in pieces]


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a GIL")
def test_the_core_does_not_switch_the_gil_on() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    # The package imports others, which may switch it on. The core alone does not.
    core = Path(_core.__file__)
    code = (
        "import sys\nfrom importlib.util import module_from_spec, spec_from_file_location\n"
        f"spec = spec_from_file_location('_core', {str(core)!r})\n"
        "spec.loader.exec_module(module_from_spec(spec))\nsys.exit(sys._is_gil_enabled())"
    )
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
