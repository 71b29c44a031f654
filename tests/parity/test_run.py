"""Real programs under `bolide run`: the same output as with Java, and no Java is started."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.language.ptb import tokenize
from tests.conftest import missing
from tests.support.java_command import bolide_java
from tests.support.paths import REPOSITORY
from tests.support.programs import GROUPS, HYPOTHESES

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs are shell scripts")

BOLIDE = [sys.executable, "-m", "bolide", "run"]
SCORES = "import json; from tests.support.programs.{} import scores; print(json.dumps(scores()))"
Run = Callable[..., str]
PATIENCE = 900  # seconds until a program counts as hanging


def output(command: list[str], **options: Any) -> str:
    options = {"capture_output": True, "text": True, "timeout": PATIENCE, **options}
    done: subprocess.CompletedProcess[str] = subprocess.run(command, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def run(tmp_path: Path, english: Meteor, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command under `bolide run`. The real Java that it could find leaves a trace."""
    started = tmp_path / "java-was-started"
    real, temporary = tmp_path / "bin" / "java", tmp_path / "temporary"
    for folder in (real.parent, temporary):
        folder.mkdir()
    real.write_text(f"#!/bin/sh\necho $* >> '{started}'\nexit 1\n")
    real.chmod(0o755)
    monkeypatch.delenv("JAVA_HOME", raising=False)

    def bolide_run(*words: str, **options: Any) -> str:
        variables = {"PATH": f"{real.parent}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(temporary)}
        found = output([*BOLIDE, *words], env={**os.environ, **variables}, **options)
        assert not started.exists(), started.read_text()
        assert list(temporary.glob("bolide*")) == []
        return found

    return bolide_run


def scores(text: str) -> Any:
    """The last line: programs also print other text."""
    return json.loads(text.splitlines()[-1])


# ---- packages ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def with_java(jar: Path) -> Any:
    """The scores of pycocoevalcap with Java."""
    pytest.importorskip("pycocoevalcap")
    pytest.importorskip("pycocotools")
    return scores(output([sys.executable, "-c", SCORES.format("with_pycocoevalcap")], cwd=REPOSITORY))


@pytest.mark.parametrize("options", [[], ["--no-patch"]])
def test_pycocoevalcap(options: list[str], run: Run, with_java: Any) -> None:
    """Without the patch, it starts `java` for the tokens and for METEOR."""
    program = [sys.executable, "-c", SCORES.format("with_pycocoevalcap")]
    assert scores(run(*options, "--", *program, cwd=REPOSITORY)) == with_java


AAC_CODE = SCORES.format("with_aac_metrics")


@pytest.fixture(scope="module")
def aac(jar: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], Any]:
    """The variables of aac-metrics, and its scores with Java."""
    for package in ("aac_metrics", "torch"):
        if find_spec(package) is None:
            missing(f"needs the package {package}")
    spec = find_spec("pycocoevalcap.tokenizer")
    assert spec is not None and spec.submodule_search_locations is not None
    tokenizer = Path(next(iter(spec.submodule_search_locations))) / "stanford-corenlp-3.4.1.jar"
    cache = tmp_path_factory.mktemp("aac")  # with the files that `aac-metrics-download` downloads
    files = {"meteor/meteor-1.5.jar": jar, "stanford_nlp/stanford-corenlp-3.4.1.jar": tokenizer}
    for name, file in files.items():
        place = cache / "aac-metrics" / name
        place.parent.mkdir(parents=True)
        place.symlink_to(file)
    (cache / "aac-metrics" / "meteor" / "data").symlink_to(jar.parent / "data")
    variables = {"AAC_METRICS_CACHE_PATH": str(cache)}
    # With -O, aac-metrics does not refuse new versions of Java.
    command = [sys.executable, "-O", "-c", AAC_CODE]
    return variables, scores(output(command, cwd=REPOSITORY, env={**os.environ, **variables}))


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--no-patch"]])
def test_aac_metrics(
    options: list[str], aac: tuple[dict[str, str], Any], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables, expected = aac
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert scores(run(*options, "--", sys.executable, "-c", AAC_CODE, cwd=REPOSITORY)) == expected


# ---- programs with their own copy of the callers -------------------------------------------------

VENDORED = """
import json, subprocess, sys, tempfile, threading

class Scorer:
    def __init__(self):
        subprocess.check_output(["java", "-version"], stderr=subprocess.STDOUT)
        command = ["java", "-jar", "-Xmx2G", "-Duser.language=en", "meteor-1.5.jar"]
        self.java = subprocess.Popen(
            [*command, "-", "-", "-stdio", "-l", "en", "-norm"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ask(self, line):
        self.java.stdin.write(line + "\\n")
        self.java.stdin.flush()
        return self.java.stdout.readline().strip()

    def score(self, groups, texts):
        rows = [self.ask(" ||| ".join(["SCORE", *group, text])) for group, text in zip(groups, texts)]
        scores = [float(self.ask(" ||| ".join(["EVAL", *rows])))]
        scores += [float(self.java.stdout.readline()) for _ in texts]
        return scores

def tokens(texts):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\\n".join(texts))
        file.flush()
        command = ["java", "-cp", "stanford-corenlp-3.4.1.jar", "edu.stanford.nlp.process.PTBTokenizer"]
        return subprocess.check_output([*command, "-preserveLines", "-lowerCase", file.name], text=True)

groups, texts = json.load(sys.stdin)
found = []
def work():
    scorer = Scorer()
    found.append([scorer.score(groups, texts), scorer.score(groups[:1], texts[:1]), tokens(texts)])
    scorer.java.kill()
    scorer.java.communicate()
workers = [threading.Thread(target=work) for _ in range(3)]
for worker in workers: worker.start()
for worker in workers: worker.join()
print(json.dumps(found))
"""


def test_a_vendored_copy_of_the_callers(run: Run, english: Meteor, tmp_path: Path) -> None:
    """Three at a time, without the jars. As in coco-caption, EVAL of one row has two answers."""
    program = tmp_path / "evaluate.py"
    program.write_text(VENDORED)
    texts = [text + "." for text in HYPOTHESES]
    found = json.loads(run(sys.executable, str(program), input=json.dumps([GROUPS, texts]), cwd=tmp_path))
    corpus = Meteor("coco").corpus_score(texts, GROUPS, layout="segments")
    assert corpus.segments is not None
    segments = corpus.segments.tolist()
    assert found == 3 * [[[*segments, corpus.score], [segments[0]] * 2, tokenize("\n".join(texts))]]


@pytest.mark.parametrize(
    "options", ["-l en -norm", "-l en -norm -t adq -q -r 1", "-l en -lower -vOut -m exact"]
)
def test_file_mode(options: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "hyp").write_text("".join(f"{text}\n" for text in HYPOTHESES))
    (tmp_path / "ref").write_text("".join(f"{texts[0]}\n" for texts in GROUPS))
    arguments = ["hyp", "ref", *options.split()]
    java = "java -Xmx2G -Dfile.encoding=UTF8 -jar /opt/meteor-1.5/meteor-1.5.jar"
    printed = run("sh", "-c", f"{java} {' '.join(arguments)} 2>&1", cwd=tmp_path)
    answer = bolide_java(arguments, tmp_path)
    assert printed == answer.errors + answer.output
    assert len(printed) > 3


def test_a_tokenizer_and_a_tuner_in_a_shell_script(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "evaluate.sh"
    script.write_text(
        "set -e\n"
        'java -cp "lib/*:stanford-corenlp-3.4.1.jar" edu.stanford.nlp.process.PTBTokenizer '
        "-preserveLines -lowerCase < raw\n"
        "printf 'SCORE ||| a dog ||| a dog\\n' | java -jar meteor-1.5.jar - - -stdio -l en -norm\n"
    )
    (tmp_path / "raw").write_text("It's $5.\nTwo\n")
    row = "2.0 2.0 1.0 1.0 1.0 1.0 1.0 1.0 " + "0.0 " * 12 + "1.0 2.0 2.0"
    assert run("sh", str(script), cwd=tmp_path) == f"it 's $ 5 .\ntwo\n{row}\n"
