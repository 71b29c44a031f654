"""`bolide run`: a program runs as without it, but finds another `java` and patched packages."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bolide._support import platform
from bolide.errors import CommandError
from bolide.running import program
from bolide.running.environment import PATCHED, prepare
from tests.support.posix import needs_terminals

BOLIDE = [sys.executable, "-c", "from bolide.__main__ import program; program()", "run"]
PATIENCE = 60  # seconds until a process counts as hanging

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs are shell scripts and use signals")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files, whose name has spaces. It is empty again after the test."""
    folder = tmp_path / "temporary files"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    for variable in ("JAVA_HOME", "PYTHONPATH"):
        monkeypatch.delenv(variable, raising=False)
    yield folder
    assert list(folder.iterdir()) == []


def run(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    # The environment is given, because C libraries may have set variables that `os.environ` does not have.
    options = {"env": dict(os.environ), "timeout": PATIENCE, **options}
    return subprocess.run([*BOLIDE, *words], capture_output=True, text=True, check=False, **options)


def python(code: str) -> list[str]:
    return ["--", sys.executable, "-c", code]


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def real(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A real Java, first on the PATH of `bolide run`; it prints its arguments."""
    found = executable(tmp_path / "real" / "java", 'echo "real: $*"; exit 9')
    monkeypatch.setenv("PATH", f"{found.parent}{os.pathsep}{os.environ['PATH']}")
    return found


# ---- the program ---------------------------------------------------------------------------------


def test_exit_code_and_streams(place: Path) -> None:
    code = "import sys; print(sys.stdin.read().upper()); print('e', file=sys.stderr); sys.exit(7)"
    done = run(*python(code), input="text")
    assert (done.returncode, done.stdout, done.stderr) == (7, "TEXT\n", "e\n")


@pytest.mark.parametrize(
    "words", [["echo", "-n", "--no-patch", "--"], ["--", "echo", "-n", "--no-patch", "--"]]
)
def test_options_after_the_command_are_its_own(words: list[str], place: Path) -> None:
    assert run(*words).stdout == "--no-patch --"


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        ([], "give a command: bolide run -- COMMAND ...", 127),
        (["--"], "give a command: bolide run -- COMMAND ...", 127),
        (["--no-patch"], "give a command: bolide run -- COMMAND ...", 127),
        (["none-such"], "the command none-such was not found", 127),
        (["--", "./none"], "the command ./none was not found", 127),
        (["echo hello"], "the command echo hello was not found; give the command and its arguments as", 127),
        ([str(PATCHED)], f"the command {PATCHED} is not a program that can be started", 127),
        (["--java", "echo"], "unknown option '--java'; use bolide run [--no-patch] -- COMMAND ...", 2),
    ],
)
def test_mistakes(words: list[str], said: str, code: int, place: Path) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(f"bolide: {said}")


def test_a_folder_that_cannot_be_on_the_path(tmp_path: Path) -> None:
    """It would be two folders on PATH, and the program would find the real Java."""
    folder = tmp_path / f"a{os.pathsep}b"
    folder.mkdir()
    done = run("java", "-version", env={**os.environ, "TMPDIR": str(folder)})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"bolide: {folder} has '{os.pathsep}' in its name; set TMPDIR to another folder\n"


def test_a_broken_program(place: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01")
    broken.chmod(0o755)
    done = run(str(broken))
    assert (done.returncode, done.stderr) == (127, f"bolide: cannot start {broken}: Exec format error\n")


def test_only_three_variables_change(place: Path, real: Path) -> None:
    done = run(*python("import json, os; print(json.dumps(dict(os.environ)))"))
    after, before = json.loads(done.stdout), dict(os.environ)
    ignored = {"LC_CTYPE", "_", "COVERAGE_PROCESS_START"}
    changed = {name for name in {*after, *before} - ignored if after.get(name) != before.get(name)}
    assert changed == {"PATH", "PYTHONPATH"}
    assert after["PATH"].endswith(os.pathsep + before["PATH"])
    assert after["PYTHONPATH"] == str(PATCHED)
    assert run("--no-patch", *python("import os; print(os.environ.get('PYTHONPATH'))")).stdout == "None\n"


def test_open_files_are_inherited(place: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"from a pipe")
    os.close(writer)
    done = run("cat", f"/dev/fd/{reader}", pass_fds=[reader])
    os.close(reader)
    assert done.stdout == "from a pipe"


# ---- signals -------------------------------------------------------------------------------------


def _heed_signals() -> None:
    for number in platform.PASSED_ON:
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def started(code: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A Python program that has printed a line. It does not ignore signals, even if the tests do (nohup)."""
    options = {"stdout": subprocess.PIPE, "text": True, "preexec_fn": _heed_signals, **options}
    with subprocess.Popen([*BOLIDE, *python(code)], **options) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


SLEEP = "import time; print('ready', flush=True); time.sleep(60)"
HANDLE = """
import signal, sys, time
signal.signal(int(sys.argv[1]) if sys.argv[1:] else {number}, lambda *_: sys.exit(5))
print('ready', flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGQUIT", "SIGINT"])
def test_a_signal_ends_both(name: str, place: Path) -> None:
    number = getattr(signal, name)
    with started(f"import signal; signal.signal({number}, signal.SIG_DFL)\n{SLEEP}") as process:
        assert len(list(place.iterdir())) == 1
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGUSR2"])
def test_a_program_may_handle_a_signal(name: str, place: Path) -> None:
    number = getattr(signal, name)
    with started(HANDLE.format(number=int(number))) as process:
        process.send_signal(number)
        assert process.wait(PATIENCE) == 5


def test_a_signal_that_kills_the_program(place: Path) -> None:
    assert run("sh", "-c", "kill -SEGV $$").returncode == -signal.SIGSEGV
    assert run("sh", "-c", "kill -KILL $$").returncode == -signal.SIGKILL


def test_a_signal_before_the_program_runs() -> None:
    passing = program.Passing()
    passing.receive(signal.SIGTERM, None)
    with subprocess.Popen(["sleep", "60"]) as process:
        passing.start_passing(process)
        assert process.wait(PATIENCE) == -signal.SIGTERM


COUNT = """
import signal, time
got = []
signal.signal(signal.SIGINT, lambda *_: got.append(1))
print('ready', flush=True)
while not got:
    time.sleep(0.01)
time.sleep(0.5)
print(len(got), flush=True)
"""


@needs_terminals
def test_control_c_arrives_once(place: Path) -> None:
    """The terminal sends it to all processes in the foreground, so `bolide run` must not send it again."""
    import fcntl
    import termios

    ours, theirs = os.openpty()

    def take_terminal() -> None:
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    with started(COUNT, stdin=theirs, start_new_session=True, preexec_fn=take_terminal) as process:
        os.write(ours, b"\x03")
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        assert process.wait(PATIENCE) == 0
    os.close(ours)
    os.close(theirs)


# ---- java ----------------------------------------------------------------------------------------


def test_version(real: Path) -> None:
    done = run("java", "-version")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith('openjdk version "11.')


def test_other_classes_go_to_the_real_java(real: Path) -> None:
    done = run("java", "-cp", "a b.jar", "Main", "-x", "a  b", "")
    assert (done.returncode, done.stdout, done.stderr) == (9, "real: -cp a b.jar Main -x a  b \n", "")


def test_other_classes_without_java(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(place / "nothing"))
    done = run("java", "-jar", "spice-1.0.jar", "in.json")
    assert (done.returncode, done.stdout) == (127, "")
    assert done.stderr.startswith("bolide: Java is not installed. bolide run answers only METEOR 1.5 and")
    assert done.stderr.endswith("not: java -jar spice-1.0.jar in.json\n")


WAYS = {
    "by name": "subprocess.run(['java', '-version'])",
    "with a shell": "subprocess.run('java -version', shell=True)",
    "found first": "subprocess.run([shutil.which('java'), '-version'])",
    "environment of its own": "subprocess.run(['java', '-version'], env={'PATH': os.environ['PATH']})",
    "other paths removed": "os.environ['PATH'] = shutil.which('java')[:-5]; os.system('java -version')",
    "in a folder with traps": "subprocess.run(['java', '-version'], cwd=os.environ['TRAPS'])",
    "by a thread": "threading.Thread(target=subprocess.run, args=(['java', '-version'],)).start()",
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_start_java(way: str, real: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("bolide", "re", "typing"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('wrong module')")
    monkeypatch.setenv("TRAPS", str(tmp_path))
    done = run(*python(f"import os, shutil, subprocess, threading; {WAYS[way]}"))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith('openjdk version "11.')


JAVA_HOME = """
import os, subprocess
home = os.environ['JAVA_HOME']
print(open(os.path.join(home, 'release')).read(), flush=True)
subprocess.run([os.path.join(home, 'bin', 'java'), 'Other'])
subprocess.run([os.path.join(home, 'bin', 'javac')])
subprocess.run([os.path.join(home, 'bin', 'java'), '--version'])
"""


def test_java_home(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JAVA_HOME has the stand-in, and links to everything else."""
    home = tmp_path / "jdk"
    executable(home / "bin" / "java", "echo real $*")
    executable(home / "bin" / "javac", "echo compiler")
    (home / "release").write_text("my release")
    monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setenv("PATH", "/nothing")
    for outer in ([], ["--", *BOLIDE]):
        done = run(*outer, *python(JAVA_HOME))
        assert done.stdout.splitlines()[:3] == ["my release", "real Other", "compiler"]
        assert done.stdout.splitlines()[3].startswith('openjdk version "11.')
    assert (home / "bin" / "java").exists()


def test_java_home_of_systems_without_java(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nothing")
    done = run(
        *python("import os, subprocess; subprocess.run([os.environ['JAVA_HOME'] + '/bin/java', '--version'])")
    )
    assert done.stdout.startswith('openjdk version "11.')


def test_nested(real: Path) -> None:
    inner = [*BOLIDE, "--"]
    assert run("--", *inner, *inner, "java", "-version").stderr.startswith('openjdk version "11.')
    done = run("--", *inner, *inner, "java", "Other")
    assert (done.returncode, done.stdout) == (9, "real: Other\n")
    assert run("--", *inner, "sh", "-c", "exit 3").returncode == 3


def test_a_folder_where_programs_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(Exception, match=r"cannot be started from .* \(noexec\); set TMPDIR"):
        prepare(tmp_path, {}, patch=True)


def test_errors_leave_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(place))
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(CommandError):
        program.run(["none-such"], dict(os.environ))
    assert signal.getsignal(signal.SIGTERM) == before


def test_an_installation_in_a_folder_with_spaces(real: Path, tmp_path: Path) -> None:
    home = tmp_path / "my programs" / '$HOME\'s "env"'
    venv.create(home, symlinks=True)
    libraries = next(home.glob("lib/python*/site-packages"))
    places = [path for path in sys.path if path.endswith("-packages")]
    lines = [f"import site; site.addsitedir({place!r})\n" for place in places]
    (libraries / "more.pth").write_text("".join(lines))
    command = [str(home / "bin" / "python"), *BOLIDE[1:], "java"]
    done = subprocess.run([*command, "-version"], capture_output=True, text=True, check=False)
    assert done.stderr.startswith('openjdk version "11.')


def test_many_at_once(real: Path) -> None:
    command = ["sh", "-c", "java -version 2>&1 & java Other & java -version 2>&1; wait"]
    processes = [subprocess.Popen([*BOLIDE, *command], stdout=subprocess.PIPE, text=True) for _ in range(6)]
    for process in processes:
        lines = process.communicate(timeout=PATIENCE)[0].splitlines()
        assert sum(line.startswith("openjdk") for line in lines) == 2
        assert "real: Other" in lines


# ---- Python processes ----------------------------------------------------------------------------

PATCHES = "from nltk.translate.meteor_score import meteor_score as m; print(m.__code__.co_filename)"


@pytest.fixture
def nltk() -> None:
    pytest.importorskip("nltk")


@pytest.mark.usefixtures("nltk", "place")
def test_packages_are_patched() -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {PATCHES!r}])"
    for code in (PATCHES, child):
        assert "/bolide/compat/" in run(*python(code)).stdout
    assert "/nltk/translate/" in run("--no-patch", *python(PATCHES)).stdout


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("text", ["import os; os.environ['MINE'] = 'yes'", None])
def test_the_users_sitecustomize_runs(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if text is not None:
        (tmp_path / "sitecustomize.py").write_text(text)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    code = "import os, sys; print(os.environ.get('MINE'), sys.modules['bolide.compat'].patch is not None); "
    done = run(*python(code + "import sitecustomize; print(sitecustomize.__file__); print(sys.path)"))
    mine, module, paths = done.stdout.splitlines()
    assert mine == ("yes True" if text else "None True")
    # Debian's Python has a module of this name, too.
    systems = find_spec("sitecustomize")
    without = PATCHED if systems is None or systems.origin is None else Path(systems.origin).parent
    assert Path(module).parent == (tmp_path if text else without)
    assert str(PATCHED) not in paths
    assert done.stderr == ""


@pytest.mark.usefixtures("place")
def test_a_broken_sitecustomize_is_reported_as_python_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import none_such")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    code = "import sys; print('bolide.compat' in sys.modules)"
    done = run(*python(code))
    assert done.stdout == "True\n"
    alone = subprocess.run([sys.executable, "-c", ""], capture_output=True, text=True, check=True)
    assert done.stderr == 2 * alone.stderr  # `bolide run` is a Python process, too
    assert "No module named 'none_such'" in done.stderr


@pytest.mark.usefixtures("place")
def test_a_python_without_bolide_is_not_disturbed(tmp_path: Path) -> None:
    venv.create(tmp_path / "other", symlinks=True)
    code = "import sys; print('bolide' in sys.modules); sys.exit(4)"
    done = run(str(tmp_path / "other" / "bin" / "python"), "-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (4, "False\n", "")


def test_patching_imports_little(place: Path) -> None:
    """Every Python process of the program pays for it."""
    loaded = run(*python("import sys; print(*sys.modules)")).stdout.split()
    assert {"numpy", "typer", "nltk", "asyncio"} & {*loaded} == set()
