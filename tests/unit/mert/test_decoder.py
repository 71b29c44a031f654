"""The outer loop, with a real program as decoder. It ends when lists stop growing, and resumes if killed."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import ConfigurationError, InputError, Meteor
from bolide.cli import run
from bolide.mert import MertPlan, MertProblem, NBest, Weights, make_objective, report
from bolide.mert.decoder import Decoder, DecoderError, Loop, decode_and_tune
from tests.support.paths import SUPPORT
from tests.support.posix import needs_shell
from tests.support.processes import PATIENCE

PROGRAM = SUPPORT / "pool_decoder.py"
BOLIDE = [sys.executable, "-c", "from bolide.cli import main; main()"]
SENTENCES, POOL, SIZE = 12, 60, 8


@dataclass(frozen=True)
class Task:
    folder: Path
    references: Path
    weights: Path
    command: str
    log: Path

    @property
    def decoded(self) -> int:
        """How often the decoder has finished."""
        return len(self.log.read_text(encoding="utf-8").splitlines()) if self.log.exists() else 0

    def run(self, **options: Any) -> Loop:
        texts = [[line] for line in self.references.read_text(encoding="utf-8").splitlines()]
        scorer = Meteor("linear", modules=["exact"], normalize="lower")
        plan = MertPlan(restarts=3, directions=3)
        given: dict[str, Any] = {"command": self.command, "folder": self.folder / "work", "plan": plan}
        given |= options
        return decode_and_tune(
            Decoder(given.pop("command"), given.pop("form", "moses")),
            given.pop("folder"),
            texts,
            Weights.read(str(self.weights)),
            make_objective(scorer, texts),
            **given,
        )

    def cli(self, work: str, *more: str) -> list[str]:
        options = ["--decoder", self.command, "--work", str(self.folder / work), "--restarts", "3"]
        scorer = ["--profile", "linear", "--modules", "exact", "--normalize", "lower"]
        scorer += ["--objective", "meteor"]
        files = ["-r", str(self.references), "--weights", str(self.weights)]
        return [*BOLIDE, "mert", *files, *options, *scorer, *more]


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meteor: Callable[..., Meteor]) -> Task:
    """Pools in which two features together identify good hypotheses. The initial weights use only a third."""
    meteor(profile="linear", modules=["exact"])
    random = np.random.default_rng(5)
    references, pool = [], []
    for sentence in range(SENTENCES):
        words = [f"w{k}" for k in random.integers(0, 40, 9)]
        references.append(" ".join(words))
        for _ in range(POOL):
            wrong = int(random.integers(0, 9))
            text = " ".join([*words[: 9 - wrong], *(f"x{k}" for k in random.integers(0, 99, wrong))])
            noise = random.normal(0, 2)
            values = (-wrong + noise, -noise + random.normal(0, 0.2), random.normal(0, 3))
            shown = " ".join(f"f{k}= {value:.3f}" for k, value in enumerate(values))
            pool.append(f"{sentence} ||| {text} ||| {shown} ||| 0")
    for name, lines in (
        ("references", references),
        ("pool", pool),
        ("weights", ["f0= 0.1", "f1= 0.1", "f2= 1"]),
    ):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    monkeypatch.setenv("DECODER_LOG", str(tmp_path / "decoded"))
    python, program, pool_file = (
        shlex.quote(str(each)) for each in (sys.executable, PROGRAM, tmp_path / "pool")
    )
    command = f"{python} {program} {pool_file} {{weights}} {SIZE} {{nbest}}"
    return Task(tmp_path, tmp_path / "references", tmp_path / "weights", command, tmp_path / "decoded")


def test_until_lists_stop_growing(task: Task) -> None:
    found = task.run()
    assert found.converged
    assert len(found.runs) > 2
    assert found.runs[0]["new"] == SENTENCES * SIZE
    assert found.runs[-1]["new"] == 0
    assert all(run["new"] > 0 for run in found.runs[:-1])
    sizes = [run["hypotheses"] for run in found.runs]
    assert sizes == sorted(sizes)
    choices = found.report["choices"]
    # The decoder's output with the first weights, and with the last.
    first = found.runs[0]["report"]["choices"]["initial"]["value"]
    assert first < 60 < 80 < choices["tuned"]["value"]
    values = dict(found.weights.values)
    assert values["f0"][0] > 3 * abs(values["f2"][0])
    assert task.decoded == len(found.runs)


def test_the_report_compares_with_the_weights_given(task: Task) -> None:
    """Not with those of the run before. Both choose from the lists of all runs."""
    found = task.run()
    last = found.runs[-2]["report"]
    assert found.report == last
    choices, first = last["choices"], found.runs[0]["report"]
    assert [row["initial"] for row in last["weights"]] == [row["initial"] for row in first["weights"]]
    lists = [str(task.folder / "work" / f"run{run['run']}.nbest") for run in found.runs[:-1]]
    nbest, given = NBest.read(lists), Weights.read(str(task.weights))
    texts = [[line] for line in task.references.read_text(encoding="utf-8").splitlines()]
    scorer = Meteor("linear", modules=["exact"], normalize="lower")
    problem = MertProblem(nbest, make_objective(scorer, texts))
    assert choices["initial"]["value"] == problem.value(nbest.vector(given))
    assert last["difference"] == choices["tuned"]["value"] - choices["initial"]["value"] > 0
    before = Weights.read(str(task.folder / "work" / f"run{found.runs[-2]['run']}.weights"))
    assert choices["previous run"]["value"] == problem.value(nbest.vector(before))
    assert choices["previous run"]["value"] > choices["initial"]["value"]
    shown = report.run_part(found.runs, "BLEU").table[-2]
    assert shown[3] == f"{choices['previous run']['value']:.2f}"
    assert "previous run" not in first["choices"]


def test_again_nothing_is_decoded_or_tuned(task: Task) -> None:
    one = task.run()
    times = task.decoded
    assert task.run() == one
    assert task.decoded == times


def test_again_the_leftovers_of_a_kill_are_removed(task: Task) -> None:
    """No file is written, so no staging folder is made, which would remove them."""
    task.run()
    left = task.folder / "work" / ".run3.nbest.3f09a2b1.unfinished"
    (left / "new").mkdir(parents=True)
    left.chmod(0o700)
    task.run()
    assert not left.exists()


def test_a_limit_of_runs(task: Task) -> None:
    found = task.run(most_runs=2)
    assert not found.converged
    assert len(found.runs) == 2
    more = task.run()
    assert more.runs[:2] == found.runs
    assert more.converged


def test_lists_on_standard_output_and_lists_from_before(task: Task) -> None:
    one = task.run(folder=task.folder / "one")
    lists = [str(task.folder / "one" / f"run{k}.nbest") for k in range(1, len(one.runs) + 1)]
    two = task.run(folder=task.folder / "two", command=task.command.replace("{nbest}", ""), lists=lists)
    assert two.runs[0]["new"] == 0
    assert two.runs[0]["hypotheses"] == one.runs[-1]["hypotheses"]
    with Path(lists[0]).open("a", encoding="utf-8") as file:
        file.write("0 ||| a ||| f0= 1 f1= 1 f2= 1 ||| 0\n")
    with pytest.raises(ConfigurationError, match="belongs to a loop with other lists"):
        task.run(folder=task.folder / "two", command=task.command.replace("{nbest}", ""), lists=lists)
    with pytest.raises(ConfigurationError, match="standard input cannot be read again"):
        task.run(lists=["-"])


@needs_shell
@pytest.mark.parametrize("moment", ["decoding", "tuned"])
def test_after_a_kill_it_goes_on(task: Task, moment: str) -> None:
    """The output, weights and files are the same as without a kill."""
    expected = _whole(task)
    slow = task.command if moment == "tuned" else f"test {{run}} = 1 || sleep 1; {task.command}"
    waiting = {"decoding": ".run2.nbest.*", "tuned": "run2.weights"}[moment]
    arguments = task.cli("two", "-o", str(task.folder / "w2"))
    arguments[arguments.index(task.command)] = slow
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert _appears(task.folder / "two", waiting, process)
    process.kill()
    process.wait()
    assert process.stderr is not None
    process.stderr.close()
    assert not (task.folder / "w2").exists()
    # The decoder survives the kill, and may still write.
    time.sleep(1.5 if moment == "decoding" else 0)
    done = subprocess.run(arguments, capture_output=True, check=True)
    assert done.stderr == b""
    files = [
        path.name for path in (task.folder / "two").iterdir() if not path.name.startswith(".run2.nbest.")
    ]
    assert (done.stdout, (task.folder / "w2").read_bytes(), sorted(files)) == expected


WHOLE: list[tuple[bytes, bytes, list[str]]] = []  # the same for all tests


def _whole(task: Task) -> tuple[bytes, bytes, list[str]]:
    """The output, weights and files of a loop without interruption."""
    if not WHOLE:
        command = task.cli("one", "-o", str(task.folder / "w1"))
        done = subprocess.run(command, capture_output=True, check=True)
        files = sorted(path.name for path in (task.folder / "one").iterdir())
        WHOLE.append((done.stdout, (task.folder / "w1").read_bytes(), files))
    return WHOLE[0]


def _appears(folder: Path, pattern: str, process: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if any(folder.glob(pattern)):
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("left", [[], ["settings.json"]])
def test_killed_before_or_between_its_first_writes(task: Task, left: list[str]) -> None:
    expected = task.run(most_runs=1)
    for path in (task.folder / "work").iterdir():
        if path.name not in left:
            path.unlink()
    assert task.run(most_runs=1) == expected


def test_a_second_process_is_refused(task: Task) -> None:
    expected = _whole(task)
    arguments = task.cli("two", "-o", str(task.folder / "w2"))
    go = task.folder / "go"
    wait = f"while [ ! -e {shlex.quote(str(go))} ]; do sleep 0.05; done"
    arguments[arguments.index(task.command)] = f"{wait}; {task.command}"
    first = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert _appears(task.folder / "two", ".run1.nbest.*", first)
    second = subprocess.run(arguments, capture_output=True, check=False)
    go.touch()
    message = f"bolide: another process works in {task.folder / 'two'}: wait for it, or name another folder"
    assert (second.returncode, second.stdout) == (1, b"")
    assert second.stderr.decode().startswith(message)
    output, errors = first.communicate()
    files = sorted(path.name for path in (task.folder / "two").iterdir())
    assert (output, (task.folder / "w2").read_bytes(), files) == expected
    assert errors == b""


@pytest.mark.parametrize("name", ["z{run}y", "{nbest}", "{weights} {run}"])
def test_a_folder_that_looks_like_a_placeholder(task: Task, name: str) -> None:
    named, plain = task.run(folder=task.folder / name, most_runs=2), task.run(most_runs=2)
    assert (named.runs, named.weights.values) == (plain.runs, plain.weights.values)


@needs_shell
def test_a_signal_ends_the_decoder_too(task: Task) -> None:
    command = f"echo $$ > {shlex.quote(str(task.folder / 'pid'))}; sleep 3600; true {{weights}}"
    arguments = task.cli("work")
    arguments[arguments.index(task.command)] = command
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert _appears(task.folder, "pid", process)
    while not (task.folder / "pid").read_text():  # the shell creates the file first
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 143
    decoder = int((task.folder / "pid").read_text())
    end = time.monotonic() + PATIENCE
    while _runs(decoder) and time.monotonic() < end:
        time.sleep(0.02)
    assert not _runs(decoder)
    assert not list((task.folder / "work").glob(".run*"))


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().split()[2] != "Z"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("echo reason >&2; exit 3; {weights}", "ended with exit code 3; .*run1.log ends with: reason"),
        ("true {weights}", "wrote no list to standard output; .*run1.log has its messages"),
        ("true {weights} {nbest}", r"wrote no list to \{nbest\}; .*run1.log has its messages"),
    ],
)
def test_a_decoder_that_fails(task: Task, command: str, message: str) -> None:
    with pytest.raises(DecoderError, match=message):
        task.run(command=command)
    assert not (task.folder / "work" / "run1.nbest").exists()


def test_a_list_that_is_malformed(task: Task) -> None:
    with pytest.raises(InputError, match=r"run1\.nbest, line 1: expected .*, found 1 field"):
        task.run(command="echo nonsense; true {weights}")


def test_what_does_not_fit_the_folder(task: Task) -> None:
    with pytest.raises(ConfigurationError, match=r"must contain \{weights\}, a file of weights"):
        Decoder("moses")
    task.run(most_runs=1)
    with pytest.raises(
        ConfigurationError, match="belongs to a loop with other decoder, other plan; name another"
    ):
        task.run(command=task.command + " # other", plan=MertPlan(seed=7))
    settings = task.folder / "work" / "settings.json"
    for damaged in ("{", "[]", "[" * 100_000):
        settings.write_text(damaged, encoding="utf-8")
        with pytest.raises(InputError, match=r"settings\.json is damaged"):
            task.run()
    settings.unlink()
    with pytest.raises(ConfigurationError, match="has other files; name another"):
        task.run()
    with pytest.raises(InputError, match="cannot create the folder"):
        task.run(folder=task.folder / "pool" / "inside")
    (task.folder / "other" / "lock").mkdir(parents=True)
    with pytest.raises(InputError, match=r"cannot write .*lock: Is a directory"):
        task.run(folder=task.folder / "other")
    with pytest.raises(ConfigurationError, match="needs initial weights without names"):
        task.run(form="plain", folder=task.folder / "plain")


def test_forms_of_weights(task: Task) -> None:
    """Plain numbers, in the decoder's order."""
    task.weights.write_text("0.1\n0.1\n1\n", encoding="utf-8")
    as_moses = f"paste -d= {task.folder}/names {{weights}} > {task.folder}/named; "
    (task.folder / "names").write_text("f0\nf1\nf2\n", encoding="utf-8")
    command = as_moses + task.command.replace("{weights}", f"{task.folder}/named")
    found = task.run(command=command, form="plain")
    assert found.converged
    assert found.weights.text("plain", found.layout).count("\n") == 3


def test_the_report_has_the_runs(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    report = task.folder / "report.json"
    assert run(task.cli("work", "--report", str(report))[len(BOLIDE) :]) == 0
    data = json.loads(report.read_text(encoding="utf-8"))
    assert data["converged"]
    printed = capsys.readouterr().out
    assert printed.startswith("Runs of the decoder\n")
    assert len(data["runs"]) == printed.split("\n\n")[0].count("\n") - 1
