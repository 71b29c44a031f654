"""The atomic writer: a target is either complete or unchanged, whatever happens in between."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bolide._support import staging
from bolide._support.outputs import remove_unfinished, unfinished
from bolide._support.platform import exchange
from bolide._support.staging import Staging
from bolide._support.writing import atomic_path, atomic_text, check_target
from bolide.errors import OutputError
from tests.support.posix import needs_fork, needs_pipes


def _folder(path: Path, text: str) -> Path:
    path.mkdir()
    (path / "file").write_text(text)
    return path


def test_a_text_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    with atomic_text(target) as file:
        file.write("é\n")
        assert not target.exists()
    assert target.read_bytes() == "é\n".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_by_its_path(tmp_path: Path) -> None:
    """The temporary name has the suffix of the target, because libraries use it to choose a format."""
    target = tmp_path / "a.npy"
    target.write_text("before")
    with atomic_path(target) as new:
        assert new.suffix == ".npy"
        new.write_text("after")
        assert target.read_text() == "before"
    assert target.read_text() == "after"
    assert list(tmp_path.iterdir()) == [target]


def test_files_have_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    with atomic_text(tmp_path / "text") as file:
        file.write("a")
    assert (tmp_path / "text").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("name", ["pack", "pack.old", "old"])
def test_a_folder_replaces_a_folder(tmp_path: Path, name: str) -> None:
    target = _folder(tmp_path / name, "before")
    with atomic_path(target) as new:
        _folder(new, "after")
    assert (target / "file").read_text() == "after"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("write", [atomic_path, atomic_text])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError])
def test_a_failure_leaves_the_target_as_it_was(tmp_path: Path, write: object, failure: type) -> None:
    target = tmp_path / "old"
    target.write_text("before")
    with pytest.raises(failure), write(target):  # type: ignore[operator]
        raise failure
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("how", ["exception", "signal"])
@pytest.mark.parametrize("name", ["pack", "old"])
def test_a_folder_survives_an_interruption_between_the_renames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, name: str
) -> None:
    target = _folder(tmp_path / name, "before")

    def interrupted(self: Path, place: Path) -> None:
        assert not target.exists()
        if how == "signal":
            remove_unfinished()  # as the command does when it must end at once
            assert (target / "file").read_text() == "before"
            assert list(tmp_path.iterdir()) == [target]
        raise KeyboardInterrupt

    monkeypatch.setattr(staging, "exchange", lambda one, two: False)  # as on a system without it
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), atomic_path(target) as new:
        _folder(new, "after")
    assert (target / "file").read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_folders_are_exchanged_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = _folder(tmp_path / "one", "1"), _folder(tmp_path / "two", "2")
    if not exchange(one, two):
        pytest.skip("this system cannot exchange two names")
    assert ((one / "file").read_text(), (two / "file").read_text()) == ("2", "1")
    with pytest.raises(FileNotFoundError):
        exchange(one, tmp_path / "three")
    monkeypatch.setattr(Path, "rename", lambda *_: pytest.fail("the target was missing for a moment"))
    with atomic_path(one) as new:
        _folder(new, "3")
    assert (one / "file").read_text() == "3"


def _killed(work: Callable[[], None]) -> None:
    """Runs the function in another process, which ends there as if it were killed."""
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(process, 0)


@needs_fork
@pytest.mark.parametrize("name", ["pack", "old", "n" * 200, "é" * 100])
def test_the_next_process_removes_what_a_killed_one_left(tmp_path: Path, name: str) -> None:
    def work() -> None:
        with atomic_text(tmp_path / name) as file:
            file.write("a")
            os._exit(0)

    _killed(work)
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".unfinished")
    user = _folder(tmp_path / ".settings.unfinished", "not ours")
    with atomic_text(tmp_path / "other") as file:
        file.write("b")
    assert sorted(tmp_path.iterdir()) == [user, tmp_path / "other"]


@needs_fork
def test_the_next_process_moves_a_folder_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process was killed between the two renames, on a system that cannot exchange names."""
    target = _folder(tmp_path / "pack", "before")

    def work() -> None:
        monkeypatch.setattr(staging, "exchange", lambda one, two: False)
        monkeypatch.setattr(Path, "replace", lambda one, two: os._exit(0))
        with atomic_path(target) as new:
            _folder(new, "after")

    _killed(work)
    assert not target.exists()
    with pytest.raises(KeyboardInterrupt), atomic_path(target):
        assert (target / "file").read_text() == "before"
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_cannot_be_moved_back_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, rename = _folder(tmp_path / "pack", "before"), Path.rename

    def refused(self: Path, place: Path) -> object:
        if place == target:
            raise OSError(errno.EIO, "Input/output error")
        return rename(self, place)

    monkeypatch.setattr(staging, "exchange", lambda one, two: False)
    monkeypatch.setattr(Path, "replace", refused)
    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(OutputError, match="Input/output error"), atomic_path(target) as new:
        _folder(new, "after")
    monkeypatch.undo()
    assert next(tmp_path.glob("*.unfinished/old/pack/file")).read_text() == "before"
    with atomic_text(tmp_path / "other"):
        assert (target / "file").read_text() == "before"


def test_a_process_at_work_keeps_its_folder(tmp_path: Path) -> None:
    with atomic_text(tmp_path / "a") as one, atomic_text(tmp_path / "a") as two:
        one.write("1")
        two.write("2")
    assert (tmp_path / "a").read_text() == "1"
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_a_folder_that_another_process_removes_before_it_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its creation and its lock, a staging folder looks like that of a killed process."""
    taken: list[Path] = []
    make = Path.mkdir

    def slow(self: Path, mode: int = 0o777) -> None:
        make(self, mode)
        if self.parent == tmp_path and len(taken) < 3:
            taken.append(self)
            shutil.rmtree(self)

    monkeypatch.setattr(Path, "mkdir", slow)
    with atomic_text(tmp_path / "a") as file:
        file.write("a")
    assert len(taken) == 3
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_two_processes_that_write_one_folder(tmp_path: Path) -> None:
    """The second replaces the folder of the first, although there was none when it started to look."""
    target = tmp_path / "pack"
    one, two = Staging(target), Staging(target)
    one.make()
    two.make()
    _folder(one.new, "1")
    _folder(two.new, "2")
    one.put_in_place()
    two.put_in_place()
    assert (target / "file").read_text() == "2"
    one.discard()
    two.discard()
    assert list(tmp_path.iterdir()) == [target]


def test_signals_remove_what_is_unfinished(tmp_path: Path) -> None:
    folder, file = _folder(tmp_path / "folder", "a"), tmp_path / "file"
    file.write_text("a")
    with unfinished(lambda: shutil.rmtree(folder)), unfinished(file.unlink):
        remove_unfinished()
        assert list(tmp_path.iterdir()) == []
    (tmp_path / "later").write_text("a")
    remove_unfinished()
    assert (tmp_path / "later").exists()


def test_errors_name_the_target(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "a"
    for write in (atomic_path, atomic_text):
        with pytest.raises(OutputError, match=r"cannot write .*none.a: No such file"), write(missing):
            pass
    folder = _folder(tmp_path / "folder", "a")
    with pytest.raises(OutputError, match=r"cannot write .*folder: "), atomic_text(folder) as file:
        file.write("a")
    assert (folder / "file").read_text() == "a"
    with pytest.raises(OutputError, match=r"cannot write .*a: No space left"), atomic_path(tmp_path / "a"):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_target_can_be_checked_early(tmp_path: Path) -> None:
    check_target(tmp_path / "a")
    with pytest.raises(OutputError, match=r"cannot write .*none.a: there is no folder .*none"):
        check_target(tmp_path / "none" / "a")
    with pytest.raises(OutputError, match=r"cannot write .*: it is a folder"):
        check_target(tmp_path)


def test_a_folder_that_is_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    with pytest.raises(OutputError, match=r"cannot write .*\ba: the folder .* is not writable"):
        check_target(tmp_path / "a")


def test_errors_of_another_file_keep_its_name(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="other"), atomic_text(tmp_path / "a") as file:
        file.write("a")
        raise OSError(errno.ENOSPC, "No space left on device", "other")
    with (
        pytest.raises(OutputError, match="cannot write b: No space left"),
        atomic_text(tmp_path / "a"),
        atomic_text(tmp_path / "c"),
    ):
        raise OutputError("cannot write b: No space left on device")
    assert list(tmp_path.iterdir()) == []


@needs_pipes
@pytest.mark.parametrize("write", [atomic_path, atomic_text])
def test_a_pipe_is_not_replaced(tmp_path: Path, write: object) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_target(pipe)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(pipe.read_text)
        with write(pipe) as new:  # type: ignore[operator]
            new.write_text("text") if isinstance(new, Path) else new.write("text")
        assert found.result() == "text"
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


def test_a_symbolic_link_is_replaced(tmp_path: Path) -> None:
    """It may belong to another user, and lead to any file."""
    other, link = tmp_path / "other", tmp_path / "link"
    other.write_text("precious")
    link.symlink_to(other)
    with atomic_text(link) as file:
        file.write("new")
    assert not link.is_symlink() and link.read_text() == "new" and other.read_text() == "precious"


def test_links_in_circles_and_long_names(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for target in (loop, tmp_path / ("a" * 300)):
        with pytest.raises(OutputError, match="cannot write"):
            check_target(target)
        with pytest.raises(OutputError, match="cannot write"), atomic_text(target) as file:
            file.write("a")


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_in_a_file_is_not_replaced(name: str, tmp_path: Path) -> None:
    if not Path(name).exists():
        pytest.skip(f"no {name} on this system")
    code = f"from bolide._support.writing import atomic_text as f\nwith f({name!r}) as file: file.write('a')"
    log = tmp_path / "log"
    log.write_text("precious\n")
    with log.open("a") as stream:
        done = subprocess.run([sys.executable, "-c", code], stdout=stream, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "give the name of the file itself" in done.stderr
    assert log.read_text() == "precious\n"


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no /dev/shm on this system")
def test_files_in_shared_memory_are_replaced() -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        target = Path(folder) / "file"
        for text in ("old", "new"):
            check_target(target)
            with atomic_text(target) as file:
                file.write(text)
            assert target.read_text() == text


def test_permissions_stay(tmp_path: Path) -> None:
    file, folder = tmp_path / "file", _folder(tmp_path / "folder", "before")
    file.write_text("before")
    file.chmod(0o600)
    folder.chmod(0o700)
    with atomic_text(file) as stream, atomic_path(folder) as new:
        stream.write("after")
        _folder(new, "after")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, folder)] == [0o600, 0o700]


PLANTED = ".a.aaaaaaaa.unfinished"


@needs_pipes
def test_planted_names_are_left_alone(tmp_path: Path) -> None:
    """An archive may have them: links to other folders, pipes, and folders that others may enter."""
    secret = _folder(tmp_path / "secret", "key")
    places = [tmp_path / name for name in ("link", "inner", "pipe", "open")]
    for place in places:
        place.mkdir()
    (tmp_path / "link" / PLANTED).symlink_to(secret)
    (tmp_path / "inner" / PLANTED).mkdir(mode=0o700)
    (tmp_path / "inner" / PLANTED / "old").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe" / PLANTED, 0o600)
    (tmp_path / "open" / PLANTED / "old").mkdir(parents=True)
    (tmp_path / "open" / PLANTED / "old" / "id").write_text("planted")
    (tmp_path / "open" / PLANTED).chmod(0o755)
    for place in places:
        with atomic_text(place / "report") as file:
            file.write("a")
        assert (secret / "file").read_text() == "key"
        assert {path.name for path in place.iterdir()} <= {"report", PLANTED}


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_leaves_the_staging_folder(tmp_path: Path) -> None:
    with atomic_text(tmp_path / "report") as file:
        process = os.fork()
        if process == 0:
            remove_unfinished()
            os._exit(0)
        assert os.waitpid(process, 0)[1] == 0
        file.write("a")
    assert (tmp_path / "report").read_text() == "a"


def test_another_folder_appears_between_the_renames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On systems that cannot exchange two folders."""
    monkeypatch.setattr("bolide._support.staging.exchange", lambda one, two: False)
    target = _folder(tmp_path / "target", "before")
    rename = Path.rename
    rounds: list[Path] = []

    def renamed(self: Path, place: Path) -> Path:
        found = rename(self, place)
        if self == target and len(rounds) < 2:
            rounds.append(_folder(target, "of another process"))
        return found

    monkeypatch.setattr(Path, "rename", renamed)
    with atomic_path(target) as new:
        _folder(new, "after")
    assert len(rounds) == 2 and (target / "file").read_text() == "after"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["mkdir", "open", "rmtree"])
def test_an_interrupt_at_any_call_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The interrupt comes just after the call."""
    module = {"mkdir": Path, "open": os, "rmtree": shutil}[name]
    original, calls = getattr(module, name), []

    def interrupted(*arguments: object, **options: object) -> object:
        found = original(*arguments, **options)
        calls.append(arguments)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(module, name, interrupted)
    with pytest.raises(KeyboardInterrupt), atomic_text(tmp_path / "report") as file:
        file.write("a")
    assert {path.name for path in tmp_path.iterdir()} <= {"report"}
