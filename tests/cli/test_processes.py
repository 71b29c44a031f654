"""Many processes, forks and signals, with real processes."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor, __version__, resources
from tests.support import fake_meteor
from tests.support.processes import PATIENCE, until_read

BOLIDE = [sys.executable, "-m", "bolide"]
HYPOTHESES = ["the cats were sitting on a big mat", "he went home quickly .", "nothing"]
REFERENCES = ["a large cat sat on the mat", "quickly he was going home .", "something else"]
# Of the processor, for a process that a signal ends: it needs two, and the work of `hostile` a hundred.
MOST_SECONDS = 30

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and forks are POSIX's")
ignore_fork = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def scores(scorer: Meteor, _: int = 0) -> list[float]:
    found: list[float] = scorer.score(scorer.statistics(HYPOTHESES, REFERENCES)).tolist()
    return found


class Beginning:
    """A matcher that can be pickled."""

    name, weight = "beginning", 0.5

    def keys(self, word: str) -> list[str]:
        return [word[:3]]


# ---- many at once --------------------------------------------------------------------------------

# Ten processes. They fork before any of them opens the pack.
FAMILY = """
    import json, os, sys
    from bolide import Meteor

    hypotheses, references = json.loads(sys.stdin.readline())
    for _ in range(9):
        if os.fork() == 0:
            break
    meteor = Meteor(threads=1)
    first = meteor.score(meteor.statistics(hypotheses, references)).tolist()
    os.write(1, b"%d\\n" % os.getpid())  # at once, whole: they share a pipe
    sys.stdin.read()  # until all are there
    again = meteor.score(meteor.statistics(hypotheses, references)).tolist()

    private = shared = 0
    if sys.platform == "linux":
        inside = False
        for line in open("/proc/self/smaps"):
            name, *rest = line.split()
            if not name.endswith(":"):
                inside = line.rstrip().endswith(".npy")
            elif inside and name.startswith("Private_Dirty"):
                private += int(rest[0])
            elif inside and name.startswith("Shared_"):
                shared += int(rest[0])
    answer = json.dumps([first, again, meteor.get_signature(), private, shared])
    os.write(1, f"{answer}\\n".encode())
"""


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below the folder, with its size and time."""
    stats = {str(path): path.stat() for path in sorted(folder.rglob("*"))}
    return {name: (found.st_size, found.st_mtime_ns) for name, found in stats.items()}


def test_a_hundred_processes_share_one_pack(english: Meteor) -> None:
    """All processes are alive at the same time.

    Starting Python takes longest. So ten processes start, and each forks ten times before it opens the pack.
    """
    before = snapshot(resources.home())
    environment = {**os.environ, "BOLIDE_OFFLINE": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", textwrap.dedent(FAMILY)]
    families: list[subprocess.Popen[str]] = []
    numbers: set[int] = set()
    try:
        for _ in range(10):
            family = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, start_new_session=True,
            )  # fmt: skip
            families.append(family)
            assert family.stdin is not None
            family.stdin.write(json.dumps([HYPOTHESES, REFERENCES]) + "\n")
            family.stdin.flush()
        for family in families:
            assert family.stdout is not None
            numbers |= {int(family.stdout.readline()) for _ in range(10)}
        assert len(numbers) == 100
        for number in numbers:
            os.kill(number, 0)  # raises an error if the process has ended
        for family in families:
            assert family.stdin is not None
            family.stdin.close()
            family.stdin = None
        answers = [family.communicate(timeout=PATIENCE) for family in families]
    finally:
        for family in families:
            with suppress(ProcessLookupError):
                os.killpg(family.pid, signal.SIGKILL)
            family.communicate()
    assert {errors for _, errors in answers} == {""}
    found = [json.loads(line) for out, _ in answers for line in out.splitlines()]
    assert len(found) == 100
    expected = scores(english)
    assert all(row[:3] == [expected, expected, english.get_signature()] for row in found)
    if sys.platform == "linux":
        assert all(private == 0 and shared > 0 for *_, private, shared in found)
    assert snapshot(resources.home()) == before


# ---- copies of a scorer --------------------------------------------------------------------------


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@ignore_fork
def test_pools(english: Meteor, method: str) -> None:
    own = Meteor(modules=["exact", "stem", Beginning()])
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(scores, [english, own, english]) == [scores(english), scores(own), scores(english)]
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        assert list(executor.map(scores, [english] * 3, range(3))) == [scores(english)] * 3
    assert scores(english) == scores(Meteor())


def in_child(work: Callable[[], bool]) -> int:
    """The exit code of a forked child: 0 if `work` returns True. A child that hangs is killed."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if work() else 2
        finally:
            os._exit(code)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGKILL


@ignore_fork
def test_fork_before_and_after_use(english: Meteor) -> None:
    expected = scores(english)
    fresh = Meteor(threads=2)
    assert in_child(lambda: scores(fresh) == expected) == 0  # first used in the child
    assert scores(fresh) == expected
    assert in_child(lambda: scores(fresh) == expected) == 0
    # A child of a child, with its own threads.
    assert in_child(lambda: in_child(lambda: in_threads(fresh) == [expected] * 8) == 0) == 0
    assert scores(fresh) == expected


def in_threads(scorer: Meteor) -> list[list[float]]:
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(scores, [scorer] * 8))


@ignore_fork
def test_fork_while_other_threads_score(english: Meteor) -> None:
    """They hold locks of the vocabulary; in the child these threads do not exist."""
    scorer, expected = Meteor(threads=2), scores(english)
    ended = threading.Event()

    def work(seed: int) -> None:
        numbers = random.Random(seed)
        while not ended.is_set():
            texts = [" ".join(f"w{numbers.randrange(10**7)}" for _ in range(20)) for _ in range(50)]
            scorer.statistics(texts, texts[::-1])

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for worker in workers:
        worker.start()
    try:
        assert [in_child(lambda: scores(scorer) == expected) for _ in range(20)] == [0] * 20
    finally:
        ended.set()
        for worker in workers:
            worker.join()
    assert scores(scorer) == expected


def test_a_fork_keeps_what_is_known(english: Meteor) -> None:
    """Without threads at work the vocabulary goes on being used."""
    lexicon = english._engine.lexicon
    assert in_child(lambda: english._engine.lexicon is lexicon) == 0


# ---- signals -------------------------------------------------------------------------------------


@contextmanager
def started(*arguments: object, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    process = subprocess.Popen([*BOLIDE, *map(str, arguments)], **given)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until_at_work(process: subprocess.Popen[bytes]) -> None:
    """Wait until the process has used more processor time than its start needs, even on a busy machine."""
    if sys.platform != "linux":
        time.sleep(2)
        return
    used, ticks = 0.0, os.sysconf("SC_CLK_TCK")
    while used < 1.2 and process.poll() is None:
        time.sleep(0.05)
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        used = (int(fields[11]) + int(fields[12])) / ticks  # user's and the system's


def children_seconds() -> float:
    """The processor time of all processes that this one has started and that have ended."""
    import resource  # POSIX

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ended(process: subprocess.Popen[bytes], number: signal.Signals) -> tuple[int, bytes, bytes]:
    """Exit code, standard output and standard error after the signal, which must end the work early."""
    before = children_seconds()
    process.send_signal(number)
    out, errors = process.communicate(timeout=PATIENCE)
    assert children_seconds() - before < MOST_SECONDS
    return process.returncode, out, errors


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    """Ordinary segments, so many that scoring them takes long."""
    hypothesis, reference = tmp_path / "hyp", tmp_path / "ref"
    numbers = random.Random(1)
    lines = [" ".join(numbers.choices(HYPOTHESES[0].split(), k=12)) for _ in range(2000)]
    hypothesis.write_text("".join(f"{line} {k}\n" for k in range(100) for line in lines), encoding="utf-8")
    reference.write_text("".join(f"{k} {line}\n" for k in range(100) for line in lines), encoding="utf-8")
    return hypothesis, reference


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, Path]:
    """Segments that take a second each, all in one native call."""
    hypothesis, reference = tmp_path / "hyp", tmp_path / "ref"
    hypothesis.write_text(("the " * 950 + "a\n") * 500, encoding="utf-8")
    reference.write_text("".join("the " * 950 + f"b{k}\n" for k in range(500)), encoding="utf-8")
    return hypothesis, reference


SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]


@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize(
    "command",
    [
        ["score", "--threads", "1"], ["score", "--threads", "2"], ["score", "--segments", "--format", "tsv"],
        ["align"], ["java"],
    ],
)  # fmt: skip
def test_a_signal_ends_the_work(
    english: Meteor, hostile: tuple[Path, Path], command: list[str], number: signal.Signals, code: int
) -> None:
    hypothesis, reference = hostile
    name, *options = command
    references = [str(reference)] if name == "java" else ["-r", str(reference)]
    with started(name, hypothesis, *references, *options) as process:
        until_at_work(process)
        assert process.poll() is None
        found, out, errors = ended(process, number)
    assert (found, errors) == (code, b"")
    assert not out or name == "java" or "--segments" in options  # these have printed their titles


@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize("slow", [False, True])
def test_a_signal_leaves_no_files(
    english: Meteor,
    texts: tuple[Path, Path],
    request: pytest.FixtureRequest,
    slow: bool,
    number: signal.Signals,
    code: int,
) -> None:
    hypothesis, reference = request.getfixturevalue("hostile") if slow else texts
    folder = hypothesis.parent
    before = set(folder.iterdir())
    with started("java", hypothesis, reference, "-writeAlignments", "-f", folder / "made") as process:
        while set(folder.iterdir()) == before:  # until it starts to write
            assert process.poll() is None
            time.sleep(0.01)
        found, _, errors = ended(process, number)
    assert (found, errors) == (code, b"")
    assert set(folder.iterdir()) == before


def test_a_signal_that_is_ignored_stays_so(english: Meteor, tmp_path: Path) -> None:
    """As after nohup, or in the background of a script."""
    ignoring = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); from bolide.cli import main; main()"
    )
    (tmp_path / "ref").write_text("a cat\n", encoding="utf-8")
    command = [sys.executable, "-c", ignoring, "score", "-", "-r", str(tmp_path / "ref")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"a cat\n")
        process.stdin.flush()
        until_read(process.stdin, process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and b"METEOR 1.0000" in out


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_signal_while_a_pack_is_installed(
    home: Path, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    table = "".join(f"0.5\nleft {k} phrase\nright {k} phrase\n" for k in range(500_000))
    source = fake_meteor.folder(tmp_path / "meteor")
    (source / "data" / "paraphrase-en.gz").write_bytes(gzip.compress(table.encode(), 1))
    with started("resources", "install", "en", "--from", source) as process:
        while not list(home.glob("staging/*/*")):
            assert process.poll() is None
            time.sleep(0.01)
        found, out, errors = ended(process, number)
    assert (found, out, errors) == (code, b"", b"")
    assert not (home / "staging").exists() and not (home / "packs" / "en").exists()


# Runs an action when Python looks for a module.
STARTING = """
    import os, signal, sys

    class Watching:
        def find_spec(self, name, path=None, target=None):
            if name == {name!r}:
                {action}

    sys.meta_path.insert(0, Watching())
    from bolide.__main__ import program
    program()
"""


@pytest.mark.parametrize(
    "name",
    ["bolide.cli", "bolide._support.writing", "bolide.errors", "bolide.cli.plain_arguments",
     "bolide.cli.application", "typer", "numpy", "bolide._core", "bolide.scoring.meteor", "bolide.resources",
     "bolide.cli.score", "py_rust_stemmers"],
)  # fmt: skip
@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_signal_during_the_start(
    english: Meteor, name: str, texts: tuple[Path, Path], number: int, code: int
) -> None:
    hypothesis, reference = map(str, texts)
    script = textwrap.dedent(STARTING).format(name=name, action=f"os.kill(os.getpid(), {int(number)})")
    done = subprocess.run(
        [sys.executable, "-c", script, "score", hypothesis, f"-r{reference}"],  # `-rFILE` needs Typer
        capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


# Forks one process per line of the command's own code, starting when its signal handlers are installed. Each
# process gets the signal at its line. Collects the exit codes. A process that finishes ends the loop.
STEPS = """
    import os, signal, sys, threading
    import bolide.__main__, bolide.cli.java, bolide.java.command
    from bolide._support import interruption

    number, step = signal.Signals(int(sys.argv.pop(1))), 0
    traced = [os.path.dirname(bolide.cli.__file__), bolide.__main__.__file__, interruption.__file__,
              threading.__file__]

    def trace(frame, event, argument):
        global step
        if not frame.f_code.co_filename.startswith(tuple(traced)):
            return None
        if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
            step -= 1
            if step == 0:
                os.kill(os.getpid(), number)
        return trace

    codes = []
    while codes[-1:] != [2]:
        step = len(codes) + 1
        child = os.fork()
        if child == 0:
            os.dup2(os.open("said", os.O_CREAT | os.O_WRONLY | os.O_APPEND), 2)
            sys.settrace(trace)
            bolide.__main__.program()
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    print(*codes)
"""


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_signal_at_every_step(tmp_path: Path, number: signal.Signals, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(STEPS), str(int(number)), "java"],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    *codes, last = map(int, done.stdout.split())
    assert (set(codes), last, done.stderr) == ({code}, 2, "")
    assert len(codes) > 50
    said = (tmp_path / "said").read_text(encoding="utf-8")
    assert "Traceback" not in said and "Exception" not in said


def test_an_interrupt_that_python_swallows(tmp_path: Path) -> None:
    """In a destructor, Python would only print the exception, and the work would continue."""
    code = """
        import os, signal, sys, time
        from bolide import cli

        class Swallowing:
            def __del__(self):
                os.kill(os.getpid(), signal.SIGTERM)

        cli._run = lambda arguments: Swallowing() and time.sleep(3600)
        cli.main()
    """
    program = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(program, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (143, b"", b"")


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_second_signal_does_not_disturb_the_first(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    script = f"""
        import os, signal
        from pathlib import Path
        from bolide import cli

        def work(arguments):
            try:
                os.kill(os.getpid(), {int(number)})
            finally:
                os.kill(os.getpid(), signal.SIGTERM)
                os.kill(os.getpid(), signal.SIGINT)
                Path("tidied").touch()

        cli._run = work
        cli.main()
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")
    assert (tmp_path / "tidied").exists()


# ---- the end -------------------------------------------------------------------------------------

# The program as it is started, with a thread that prints, and work to do at exit.
ENDING = """
    import atexit, os, sys, tempfile, threading, time
    from pathlib import Path
    from bolide.__main__ import program

    folder = tempfile.TemporaryDirectory(dir=".")
    atexit.register(print, "done at exit")
    threading.Thread(target=lambda: ({wait}, print("a thread's end"))).start()
    program()
"""
AFTER_THE_COMMAND = "threading.main_thread().join()"
# Another program starts it and continues afterwards, with its own signals, streams and exit code.
GOING_ON = """
    import gzip, runpy, signal, sys
    from contextlib import redirect_stdout, suppress
    from bolide import cli

    def own(number, frame): ...

    signal.signal(signal.SIGTERM, own)
    with gzip.open("out.gz", "wt") as out, redirect_stdout(out):
        print("before")
        with suppress(SystemExit):
            cli.main()
        with suppress(SystemExit):
            runpy.run_module("bolide", run_name="__main__")
    assert signal.getsignal(signal.SIGTERM) is own
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert (sys.stdout, sys.stderr) == (sys.__stdout__, sys.__stderr__)
    assert sys.unraisablehook is sys.__unraisablehook__
    print(gzip.open("out.gz", "rt").read(), end="")
    sys.exit(7)
"""


def test_all_is_done_at_the_end(tmp_path: Path) -> None:
    """Threads are joined and exit handlers are called."""
    script = textwrap.dedent(ENDING).format(wait=AFTER_THE_COMMAND)
    command = [sys.executable, "-c", script, "profiles", "--nonsense"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "a thread's end\ndone at exit\n")
    assert list(tmp_path.iterdir()) == []
    command = [sys.executable, "-m", "cProfile", "-m", "bolide", "--version"]
    profile = subprocess.run(command, capture_output=True, text=True, check=False)
    assert profile.stdout.startswith("bolide ") and "function calls" in profile.stdout


def test_those_who_start_it_go_on_afterwards(tmp_path: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(GOING_ON), "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    version = f"bolide {__version__}"
    assert (done.stdout.split("\n"), done.stderr) == (["before", version, version, ""], "")
    assert done.returncode == 7


full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")


def ended_on_a_full_disk(folder: Path, wait: str, **environment: str) -> tuple[int, str]:
    """Exit code and standard error of a command that fails, with a thread that prints at some time."""
    command = [sys.executable, "-c", textwrap.dedent(ENDING).format(wait=wait), "java"]
    with Path("/dev/full").open("w") as output:
        done = subprocess.run(
            command, cwd=folder, stdout=output, stderr=subprocess.PIPE, text=True, check=False,
            env={**os.environ, **environment},
        )  # fmt: skip
    return done.returncode, done.stderr


@full
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_cannot_be_written_at_the_end(tmp_path: Path, unbuffered: str) -> None:
    code, errors = ended_on_a_full_disk(tmp_path, AFTER_THE_COMMAND, PYTHONUNBUFFERED=unbuffered)
    assert code == 2 and errors.startswith("Usage")
    assert "No space" not in errors


@full
@pytest.mark.parametrize("seconds", [0, 0.01, 0.03, 0.1, 0.2])
def test_what_cannot_be_written_at_any_time(tmp_path: Path, seconds: float) -> None:
    """Before the command has its streams, while it runs, or after: its exit code is the same."""
    code, errors = ended_on_a_full_disk(tmp_path, f"time.sleep({seconds})", PYTHONUNBUFFERED="")
    assert code == 2 and errors.startswith("Usage")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_at_any_time(english: Meteor, texts: tuple[Path, Path], number: signal.Signals) -> None:
    hypothesis, reference = texts
    # Until bolide.cli is imported, Python itself is starting.
    code = textwrap.dedent(STARTING).format(name="bolide.cli", action="print(flush=True)")
    for step in range(12):
        command = [sys.executable, "-c", code, "score", str(hypothesis), "-r", str(reference)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stdout.readline() == b"\n"
            time.sleep(step * 0.05)
            assert ended(process, number) == (128 + number, b"", b"")


@pytest.mark.parametrize("command", [["align"], ["score", "--segments"], ["java"], ["normalize"], ["stem"]])
def test_a_reader_that_has_enough(english: Meteor, texts: tuple[Path, Path], command: list[str]) -> None:
    hypothesis, reference = map(str, texts)
    name, *options = command
    references = {"java": [reference], "normalize": [], "stem": []}.get(name, ["-r", reference])
    with started(name, hypothesis, *references, *options) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert (process.wait(timeout=PATIENCE), process.stderr.read()) == (141, b"")
        process.stdout = None
