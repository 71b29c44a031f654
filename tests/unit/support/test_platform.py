"""Both implementations of what systems do differently. The one for Windows runs here, too: in processes that
lack what Windows lacks (tests/support/as_windows.py).
"""

from __future__ import annotations

import ast
import ctypes
import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bolide._support import platform, staging
from bolide._support.platform import windows
from bolide._support.writing import atomic_text
from tests.support import as_windows, fake_meteor
from tests.support.paths import REPOSITORY
from tests.support.processes import PATIENCE

SOURCES = REPOSITORY / "src" / "bolide"
TESTS = REPOSITORY / "tests"
PLATFORM = SOURCES / "_support" / "platform"
# What fails on Windows, by its full name.
LACKING = {
    *as_windows.MODULES,
    f"{platform.__name__}.posix",
    *(f"{module.__name__}.{name}" for module, names in as_windows.FUNCTIONS.items() for name in names),
}
ONLY_WINDOWS = {"msvcrt", "winreg", "_winapi", "nt"}

linux = pytest.mark.skipif(sys.platform != "linux", reason="pretends on Linux only")

# ---- rules for the sources -----------------------------------------------------------------------


def imports(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def attributes(tree: ast.AST, module: str) -> set[str]:
    """Names that are used as `module.name`, or imported from it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module:
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and node.module == module:
            found |= {alias.name for alias in node.names}
    return found


def problems(text: str) -> set[str]:
    tree = ast.parse(text)
    found = imports(tree) & {*as_windows.MODULES, *ONLY_WINDOWS}
    for module, names in as_windows.FUNCTIONS.items():
        found |= attributes(tree, module.__name__) & set(names)
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return found | used & set(as_windows.METHODS)


def test_other_modules_use_only_what_every_system_has() -> None:
    files = [path for path in SOURCES.rglob("*.py") if PLATFORM not in path.parents]
    found = {path.name: used for path in files if (used := problems(path.read_text(encoding="utf-8")))}
    assert len(files) > 200
    assert not found, f"move this to {PLATFORM}"


def test_problems_are_found() -> None:
    assert problems("def f():\n    import fcntl") == {"fcntl"}
    assert problems("from os import killpg\nimport os, signal\nos.getuid()\nsignal.SIGHUP") == {
        "killpg",
        "getuid",
        "SIGHUP",
    }
    assert problems("after_fork(lock._at_fork_reinit)") == {"_at_fork_reinit"}


def at_import(tree: ast.Module) -> Iterator[ast.AST]:
    """What runs when a module is imported, up to a `pytest.importorskip` of what Windows lacks."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.importorskip":
            name = node.args[0]
            if isinstance(name, ast.Constant) and name.value in as_windows.MODULES:
                return
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner = [*node.decorator_list, node.args]
        else:
            inner = [] if isinstance(node, ast.Lambda) else list(ast.iter_child_nodes(node))
        waiting.extend(reversed(inner))


def problems_at_import(text: str) -> set[str]:
    """What Windows lacks and an import of the module needs. A guard is `getattr` with another value."""
    found = set()
    for node in at_import(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Attribute):
            names = [ast.unparse(node)]
        else:
            continue
        found |= LACKING.intersection(names)
    return found


def test_every_test_module_can_be_imported_on_windows() -> None:
    files = list(TESTS.rglob("*.py"))
    found = {
        str(path.relative_to(TESTS)): used
        for path in files
        if (used := problems_at_import(path.read_text(encoding="utf-8")))
    }
    assert len(files) > 150
    assert not found, "import it in the test after pytest.importorskip, or see tests/support/posix.py"


def test_problems_at_import_are_found() -> None:
    used = "import os, pty\nfrom bolide._support.platform import posix, windows\n@mark(os.geteuid() == 0)\n"
    assert problems_at_import(f"{used}def f(): ...") == {"pty", f"{platform.__name__}.posix", "os.geteuid"}
    assert problems_at_import("from os import fork\nclass C:\n    import resource") == {"os.fork", "resource"}
    assert problems_at_import("import signal\ndef f(x=signal.SIGKILL): ...") == {"signal.SIGKILL"}
    assert not problems_at_import("import os\ndef f():\n    import fcntl\n    os.fork()")
    assert not problems_at_import("fcntl = pytest.importorskip('fcntl', reason='')\nimport pty")
    assert problems_at_import("pytest.importorskip('nltk')\nimport pty") == {"pty"}


def test_both_have_the_same_names() -> None:
    posix = pytest.importorskip("bolide._support.platform.posix", reason="not a POSIX system")
    for name in platform.__all__:
        assert hasattr(posix, name) and hasattr(windows, name), name
    assert platform.try_lock is posix.try_lock


# ---- commands, without what Windows lacks --------------------------------------------------------

RUNNER = """
import json, sys
sys.path.insert(0, sys.argv[2])
if sys.argv[1] == "windows":
    from tests.support import as_windows
    as_windows.pretend()
from bolide._support import platform
from bolide.cli import main
for arguments in json.loads(sys.argv[3]):
    sys.argv[1:] = arguments
    try:
        main()
    except SystemExit as end:
        print(f"[{' '.join(arguments[:2])}: {end.code}]", flush=True)
print(platform.try_lock.__module__)
"""
HYPOTHESES = "the quick ship sails\r\na small boat of mice\r\n"
REFERENCES = "the boat sails in a hurry\na dinghy of mouse\n"


def run(system: str, code: str, *arguments: object, folder: Path, given: bytes = b"") -> bytes:
    command = [sys.executable, "-X", "warn_default_encoding", "-c", code, system, REPOSITORY, *arguments]
    done = subprocess.run(
        list(map(str, command)), cwd=folder, input=given, capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def commands(folder: Path) -> list[list[str]]:
    texts = ["hyp.txt", "-r", "ref.txt"]
    return [
        ["resources", "install", "en", "--from", "meteor"],
        ["resources", "install", "en", "--from", "meteor", "--force"],
        ["resources", "verify", "en"],
        ["score", *texts, "--segments"],
        ["score", *texts, "--format", "json"],
        ["explain", "the quick ship", "-r", "the boat"],
        ["xray", *texts, "-o", "page.html"],
        ["xray", *texts, "-o", "page.html"],  # replaces it
        ["java", "hyp.txt", "ref.txt", "-l", "en"],
        ["score", "missing.txt", "-r", "ref.txt"],
        ["java", "-", "-", "-l", "en", "-stdio"],
    ]


@linux
def test_commands_do_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same output and the same files, byte by byte, with both implementations."""
    found: dict[str, tuple[bytes, bytes]] = {}
    for system in ("posix", "windows"):
        folder = tmp_path / system
        fake_meteor.folder(folder / "meteor")
        (folder / "hyp.txt").write_bytes(HYPOTHESES.encode())
        (folder / "ref.txt").write_bytes(REFERENCES.encode())
        monkeypatch.setenv("BOLIDE_HOME", str(folder / "home"))
        monkeypatch.setenv("BOLIDE_OFFLINE", "1")
        given = b"SCORE ||| the boat sails ||| the ship sails\r\n"
        output = run(system, RUNNER, json.dumps(commands(folder)), folder=folder, given=given)
        *lines, module = output.replace(str(folder).encode(), b"").splitlines()
        assert module.endswith(system.encode())
        found[system] = b"\n".join(lines), (folder / "page.html").read_bytes()
        assert sorted(path.name for path in folder.iterdir()) == [
            "home",
            "hyp.txt",
            "meteor",
            "page.html",
            "ref.txt",
        ]
        assert not (folder / "home" / "staging").exists()
        assert len(list((folder / "home" / "packs" / "en").glob("arrays-*"))) == 1
    text, _ = found["posix"]
    assert text.count(b": 0]") == len(commands(tmp_path)) - 1 and b"[score missing.txt: 1]" in text, text
    assert b"\r" not in text
    assert found["windows"] == found["posix"]


@linux
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (as_windows.SIGBREAK, 143)]
)
def test_signals_end_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: int
) -> None:
    monkeypatch.setenv("BOLIDE_OFFLINE", "1")
    arguments = [["java", "-", "-", "-l", "xx", "-stdio", "-m", "exact"]]
    command = [sys.executable, "-c", RUNNER, "windows", str(REPOSITORY), json.dumps(arguments)]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"SCORE ||| a b ||| a c\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(number)
        assert process.wait(timeout=PATIENCE) == code


# ---- replacing files and folders -----------------------------------------------------------------

WRITER = """
import os, sys
sys.path.insert(0, sys.argv[2])
if sys.argv[1] == "windows":
    from tests.support import as_windows
    as_windows.pretend()
from pathlib import Path
from bolide._support import staging
from bolide._support.writing import atomic_path
if sys.argv[3] == "killed":
    staging.move = lambda one, two: os._exit(0)  # between the two renames
with atomic_path(Path("target")) as new:
    new.mkdir()
    (new / "file").write_text(sys.argv[3], encoding="utf-8")
"""


@linux
def test_a_folder_is_recovered_after_a_kill(tmp_path: Path) -> None:
    run("windows", WRITER, "first", folder=tmp_path)
    run("windows", WRITER, "second", folder=tmp_path)
    assert (tmp_path / "target" / "file").read_text() == "second"
    assert [path.name for path in tmp_path.iterdir()] == ["target"]
    run("windows", WRITER, "killed", folder=tmp_path)
    [left] = tmp_path.iterdir()
    assert left.name.endswith(".unfinished")
    other = tmp_path / "other"
    run("windows", WRITER.replace('"target"', '"other"'), "third", folder=tmp_path)
    assert (tmp_path / "target" / "file").read_text() == "second"
    assert (other / "file").read_text() == "third"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "target"]


@linux
def test_a_process_at_work_keeps_its_folder(tmp_path: Path) -> None:
    at_work = WRITER + '    print("ready", flush=True)\n    sys.stdin.read()\n'
    command = [sys.executable, "-c", at_work, "windows", str(REPOSITORY), "slow"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.readline() == b"ready\n"
        run("windows", WRITER.replace('"target"', '"other"'), "fast", folder=tmp_path)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert (tmp_path / "target" / "file").read_text() == "slow"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "target"]


CLEANER = """
import os, sys
sys.path.insert(0, sys.argv[2])
from tests.support import as_windows
as_windows.pretend()
from pathlib import Path
from bolide._support import platform, staging
folder = Path(".report.0123abcd.unfinished").absolute()
folder.mkdir(mode=0o700)
close = os.close
def close_and_take(descriptor):
    os.close = close
    close(descriptor)
    assert platform.try_lock(platform.open_lock(folder))
    (folder / "new").mkdir()
    (folder / "new" / "report").write_text("new", encoding="utf-8")
if sys.argv[3] == "taken":
    os.close = close_and_take
staging.remove_leftovers(folder.parent)
assert os.close is close
print(*sorted(str(path.relative_to(folder.parent)) for path in folder.parent.rglob("*")))
"""


@linux
def test_a_folder_that_its_owner_locks_while_it_is_removed(tmp_path: Path) -> None:
    """The owner waits for the lock that the other process has just closed."""
    assert run("windows", CLEANER, "left", folder=tmp_path) == b"\n"
    name = ".report.0123abcd.unfinished"
    found = run("windows", CLEANER, "taken", folder=tmp_path).decode().split()
    assert found == [name, f"{name}/lock", f"{name}/new", f"{name}/new/report"]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EINVAL])
def test_a_lock_that_is_being_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """It cannot be opened: another folder is used, and the next process removes this one."""
    opened, open_ = list[Path](), os.open

    def refused_once(path: Any, *arguments: Any) -> int:
        if Path(path).name != "lock":
            return open_(path, *arguments)
        opened.append(Path(path).parent)
        if len(opened) == 1:
            raise OSError(number, os.strerror(number), path)
        return open_(path, *arguments)

    monkeypatch.setattr(staging, "open_lock", windows.open_lock)
    monkeypatch.setattr(os, "open", refused_once)
    with atomic_text(tmp_path / "report") as file:
        first, second = opened
        assert first != second and (second / "new").is_dir() and not (first / "new").exists()
        file.write("a")
    monkeypatch.undo()
    assert (tmp_path / "report").read_text() == "a"
    with atomic_text(tmp_path / "report") as file:
        file.write("b")
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def in_use(times: int) -> Any:
    """`Path.replace` while another program has the file open, which it does so many times."""
    replace, calls = Path.replace, list[int]()

    def refused(one: Path, two: Path) -> Path:
        calls.append(1)
        if len(calls) <= times:
            raise PermissionError(errno.EACCES, "in use", str(one))
        return replace(one, two)

    return refused, calls


def test_moving_waits_while_a_file_is_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "POLL_SECONDS", 0.0)
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")
    refused, _ = in_use(windows.ATTEMPTS - 1)
    monkeypatch.setattr(Path, "replace", refused)
    windows.move(tmp_path / "new", tmp_path / "old")
    assert (tmp_path / "old").read_text() == "new"
    (tmp_path / "new").write_text("newer")
    refused, calls = in_use(1000)
    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError):
        windows.move(tmp_path / "new", tmp_path / "old")
    assert len(calls) == windows.ATTEMPTS


def test_a_read_only_file_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("new", "old"):
        (tmp_path / name).write_text(name)
    (tmp_path / "old").chmod(0o444)
    refused, calls = in_use(1000)
    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError):
        windows.move(tmp_path / "new", tmp_path / "old")
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("new", "old", "number"),
    [("folder", "folder", errno.EEXIST), ("folder", "file", errno.ENOTDIR), ("file", "folder", errno.EISDIR)],
)
def test_what_cannot_be_replaced(tmp_path: Path, new: str, old: str, number: int) -> None:
    for name, kind in (("new", new), ("old", old)):
        (tmp_path / name).mkdir() if kind == "folder" else (tmp_path / name).write_text("")
    with pytest.raises(OSError) as error:
        windows.move(tmp_path / "new", tmp_path / "old")
    assert error.value.errno == number


# ---- single functions ----------------------------------------------------------------------------


@linux
def test_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt", as_windows._msvcrt())
    first, second = windows.open_lock(tmp_path), windows.open_lock(tmp_path)
    try:
        assert windows.try_lock(first) is True
        assert windows.try_lock(second) is False
        monkeypatch.setattr(time, "sleep", lambda seconds: os.close(first))
        windows.wait_for_lock(second)
        assert (tmp_path / "lock").stat().st_size == 0
    finally:
        os.close(second)


def test_a_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt", None)
    descriptor = windows.open_lock(tmp_path)
    assert windows.try_lock(descriptor) is None
    windows.wait_for_lock(descriptor)
    os.close(descriptor)


@pytest.mark.parametrize("system", [platform, windows])
def test_signals_arrive_at_the_wakeup_descriptor(system: Any) -> None:
    descriptor, receive = system.wakeup()
    handler = signal.signal(signal.SIGTERM, lambda number, frame: None)
    before = signal.set_wakeup_fd(descriptor, warn_on_full_buffer=False)
    try:
        signal.raise_signal(signal.SIGTERM)
        assert receive() == bytes([signal.SIGTERM])
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGTERM, handler)


@linux
def test_a_group_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`taskkill` is asked first, and then the process itself is ended."""
    program = tmp_path / "System32" / "taskkill.exe"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\n')
    program.chmod(0o755)
    monkeypatch.setenv("SYSTEMROOT", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        windows.end_group(process)
        assert windows.wait(process) != 0
    assert (tmp_path / "arguments").read_text() == f"/T /F /PID {process.pid}\n"


def test_waiting_returns_the_exit_code() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(0.3); raise SystemExit(3)"]
    ) as process:
        assert platform.wait(process) == windows.wait(process) == 3


@linux
def test_a_command_runs_words_and_its_arguments(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b", "$HOME", 'it\'s "q"']
    command = platform.write_command(tmp_path, "name", words)
    assert command == tmp_path / "name"
    found = subprocess.run([command, "x  y", "", "*"], capture_output=True, text=True, check=True).stdout
    assert ast.literal_eval(found) == [*words[3:], "x  y", "", "*"]


def test_a_command_for_windows(tmp_path: Path) -> None:
    command = windows.write_command(tmp_path, "java", [r"C:\My Programs\python.exe", "-E", r"C:\100%\x.py"])
    assert command == tmp_path / "java.cmd"
    assert command.read_bytes() == b'@"C:\\My Programs\\python.exe" "-E" "C:\\100%%\\x.py" %*\r\n'


@pytest.mark.parametrize("system", [platform, windows])
def test_becoming_another_program(system: Any) -> None:
    code = f"""if True:
        import sys
        from {system.__name__} import become
        sys.exit(become(sys.executable, ["-c", "import sys; print(sys.argv[1:]); sys.exit(3)", "a b"]))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "['a b']\n")


def test_the_end_of_another_program() -> None:
    assert [platform.end_as(code) for code in (0, 3, 255)] == [0, 3, 255]
    assert windows.end_as(0xC0000005) == 0xC0000005


def test_signals_from_a_terminal() -> None:
    assert not platform.from_terminal(signal.SIGTERM)
    assert windows.from_terminal(signal.SIGINT)


def test_peak_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert platform.peak_memory() > 1 << 20

    class Kernel:
        """Answers as kernel32 does on systems with 64 bits: the peak is after 8 of 72 bytes."""

        def __init__(self, name: str) -> None:
            assert name == "kernel32"
            self.GetCurrentProcess = Function()

        def K32GetProcessMemoryInfo(self, process: Any, place: Any, size: int) -> int:  # noqa: N802
            assert (process.value, size) == (1, 72)
            ctypes.memmove(place, (72).to_bytes(4, "little") + bytes(4) + (123456).to_bytes(8, "little"), 16)
            return 1

    class Function:
        restype: Any = None

        def __call__(self) -> int:
            return 1

    monkeypatch.setattr(ctypes, "CDLL", Kernel)
    assert windows.peak_memory() == 123456
    assert windows.peak_memory_of_children() == 0


def test_long_paths(tmp_path: Path) -> None:
    assert windows.long_path(tmp_path / "a") == tmp_path / "a"
    long = tmp_path / ("b" * 250)
    assert str(windows.long_path(long)) == "\\\\?\\" + str(long)
    assert windows.extended("C:\\x") == "\\\\?\\C:\\x"
    assert windows.extended("\\\\server\\share\\x") == "\\\\?\\UNC\\server\\share\\x"
    assert platform.long_path(tmp_path) == tmp_path


def test_a_broken_pipe_has_other_numbers() -> None:
    invalid = OSError(errno.EINVAL, "Invalid argument")
    assert windows.is_broken_pipe(invalid)
    assert windows.is_broken_pipe(BrokenPipeError()) and platform.is_broken_pipe(BrokenPipeError())
    assert platform.is_broken_pipe(invalid) == (os.name == "nt")
    assert not windows.is_broken_pipe(OSError(errno.ENOSPC, "full"))


def test_links_are_not_private() -> None:
    class Found:
        st_file_attributes = 0x10

    assert windows.is_private(Found())  # type: ignore[arg-type]
    Found.st_file_attributes |= 0x400
    assert not windows.is_private(Found())  # type: ignore[arg-type]


def test_a_console_keeps_its_own_stream() -> None:
    raw = type("_WindowsConsoleIO", (), {})()
    stream = type("Stream", (), {"buffer": type("Buffer", (), {"raw": raw})})()
    assert windows.console(stream) is raw
    assert windows.console(sys.__stdout__) is None or os.name == "nt"
    assert windows.console(None) is None
