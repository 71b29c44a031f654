"""bolide.compat.patch() and `bolide run` with the real packages: the same scores, and no Java.

Each program of `tests/support/programs` runs in a process of its own, in three ways: imported before the
patch, after it, and under `bolide run`. Packages that are not installed are skipped. The extra `frameworks`
installs some, and `.ci/pinned.txt` lists those that need an environment of their own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import bolide
from bolide.errors import ResourceError
from tests.conftest import missing
from tests.support import java_jar, nltk_punkt
from tests.support.paths import REPOSITORY

# Opik sends statistics of use when it is imported.
STATISTICS = "stats.comet.com"
# Azure and jury look for data of NLTK that METEOR does not need, and download it if it is not there.
CONNECTS = ("with_azure", "with_jury")


def run(program: str, order: str, *options: str, **environment: str) -> dict[str, Any]:
    command = [sys.executable, "-W", "ignore", *options, "-m", "tests.support.patched_program"]
    if order == "run":
        command = [sys.executable, "-m", "bolide", "run", "--", *command]
    done = subprocess.run(
        [*command, program, order],
        cwd=REPOSITORY,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answer: dict[str, Any] = json.loads(done.stdout)
    assert answer["active"] == (order == "run")
    answer["connections"] = [host for host in answer["connections"] if host != STATISTICS]
    return answer


def check(program: str, answer: dict[str, Any], *targets: str) -> None:
    """The scores are equal and are scores, not errors. Everything was replaced, and is restored."""
    assert isinstance(answer["original"], list) and answer["original"]
    assert answer["patched"] == answer["original"]
    assert answer["java"] == []
    assert answer["connections"] == [] or program in CONNECTS
    assert set(targets) <= set(answer["replaced"].values())
    assert answer["wrong"] == [] and answer["hook"] == []


def needed(*packages: str) -> None:
    for package in packages:
        try:
            found = find_spec(package)
        except ModuleNotFoundError:  # its parent is not installed
            found = None
        if found is None:
            pytest.skip(f"needs the package {package}")


@pytest.fixture(scope="module")
def nltk_data(
    wordnet_folder: Path, meteor: Callable[..., bolide.Meteor], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """Variables with which the real NLTK finds its data, as if it had been downloaded."""
    pytest.importorskip("nltk")
    meteor(profile="nltk")
    try:
        nltk_punkt.provide()
    except ResourceError as error:
        missing(str(error))
    import nltk.data

    # Old versions of NLTK, which jury needs, require this folder with WordNet in other languages.
    empty = tmp_path_factory.mktemp("nltk_data")
    (empty / "corpora" / "omw-1.4").mkdir(parents=True)
    folders = [str(wordnet_folder.parents[1]), *map(str, nltk.data.path), str(empty)]
    return {
        "NLTK_DATA": os.pathsep.join(folders),
        "HF_HOME": str(tmp_path_factory.mktemp("hf")),
        "OPIK_TRACK_DISABLE": "true",
        "OPIK_SENTRY_ENABLE": "false",
    }


@pytest.mark.parametrize("order", ["late", "early", "run"])
@pytest.mark.parametrize(
    ("program", "package"),
    [
        ("with_nltk", "nltk"),
        ("with_azure", "azure.ai.evaluation"),
        ("with_opik", "opik"),
        ("with_unitxt", "unitxt"),
        ("with_jury", "jury"),
    ],
)
def test_programs_that_use_nltk(nltk_data: dict[str, str], program: str, package: str, order: str) -> None:
    needed(package)
    answer = run(program, order, **nltk_data)
    check(program, answer, "bolide.compat.nltk.meteor_score", "bolide.compat.patching.offline.download")


@pytest.mark.parametrize("program", ["with_nltk", "with_opik", "with_evaluate"])
def test_without_data_of_nltk(nltk_data: dict[str, str], program: str, tmp_path: Path) -> None:
    """The patched METEOR needs no WordNet of NLTK, and does not look for it in the network."""
    needed(program.removeprefix("with_"))
    import nltk.data

    found = str(nltk.data.find("tokenizers/punkt_tab"))
    shutil.copytree(found, tmp_path / "tokenizers" / "punkt_tab")  # a copy: NLTK refuses links
    answer = run(program, "early", **{**nltk_data, "NLTK_DATA": str(tmp_path)})
    assert isinstance(answer["patched"], list)
    assert answer["connections"] == [] and answer["wrong"] == []


@pytest.fixture(scope="module")
def java(jar: Path, meteor: Callable[..., bolide.Meteor]) -> Path:
    """The folder of the jar, for programs that start Java."""
    meteor(profile="coco")
    return jar.parent


@pytest.mark.parametrize("order", ["late", "early"])
def test_pycocoevalcap(java: Path, order: str) -> None:
    needed("pycocoevalcap", "pycocotools")
    answer = run("with_pycocoevalcap", order)
    check("with_pycocoevalcap", answer, "bolide.compat.coco.Meteor", "bolide.compat.coco.PTBTokenizer")
    assert "pycocoevalcap.eval.PTBTokenizer" in answer["replaced"]


@pytest.mark.parametrize("order", ["late", "early"])
def test_nlg_eval(java: Path, order: str, tmp_path: Path) -> None:
    """nlg-eval is not on PyPI. It has its own copy of pycocoevalcap's wrapper, and so has this folder."""
    folder = tmp_path / "nlgeval" / "pycocoevalcap" / "meteor"
    shutil.copytree(java, folder)
    for package in (folder, folder.parent, folder.parents[1]):
        (package / "__init__.py").touch()
    answer = run("with_nlgeval", order, PYTHONPATH=str(tmp_path))
    check("with_nlgeval", answer, "bolide.compat.coco.Meteor")


@pytest.mark.parametrize("order", ["late", pytest.param("early", marks=pytest.mark.slow)])
def test_aac_metrics(java: Path, order: str, tmp_path: Path) -> None:
    needed("aac_metrics", "pycocoevalcap", "torch")
    spec = find_spec("pycocoevalcap.tokenizer")
    assert spec is not None and spec.submodule_search_locations is not None
    cache = tmp_path / "aac-metrics"
    (cache / "stanford_nlp").mkdir(parents=True)
    (cache / "meteor").symlink_to(java)
    name = "stanford-corenlp-3.4.1.jar"
    (cache / "stanford_nlp" / name).symlink_to(Path(next(iter(spec.submodule_search_locations))) / name)
    # -O turns off its test of the version of Java. Its jars work with newer versions than it allows.
    answer = run("with_aac_metrics", order, "-O", AAC_METRICS_CACHE_PATH=str(tmp_path))
    check("with_aac_metrics", answer, "bolide.compat.aac.meteor", "bolide.compat.aac.ptb_tokenize_batch")


@pytest.mark.parametrize("order", ["late", "early", "run"])
def test_evaluate(nltk_data: dict[str, str], order: str) -> None:
    """Its own module is at Hugging Face. The expected numbers are those of NLTK, which it calls."""
    needed("evaluate")
    expected = run("with_nltk_tokens", order, **nltk_data)
    check("with_nltk_tokens", expected)
    answer = run("with_evaluate", order, **nltk_data)
    assert answer["patched"] == expected["original"]
    assert answer["connections"] == [] and answer["wrong"] == [] and answer["hook"] == []
    assert "evaluate.load" in answer["replaced"]


def test_the_jar_is_used_without_a_patch() -> None:
    """The counter counts: without the patch, Java starts."""
    try:
        java_jar.find()
    except ResourceError as error:
        missing(str(error))
    needed("pycocoevalcap")
    code = (
        "import sys; from tests.support import patched_program as p; sys.addaudithook(p._count)\n"
        "from pycocoevalcap.meteor.meteor import Meteor; Meteor(); print(*p._java)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], cwd=REPOSITORY, capture_output=True, text=True
    )
    assert done.stdout.split() == ["java"], done.stderr
