"""The atomic writer: a target is either complete or unchanged, whatever happens in between."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from bolide._support.writing import atomic_path, atomic_text, check_target, remove_unfinished, unfinished
from bolide.errors import OutputError


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

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), atomic_path(target) as new:
        _folder(new, "after")
    assert (target / "file").read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_signals_remove_what_is_unfinished(tmp_path: Path) -> None:
    folder, file = _folder(tmp_path / "folder", "a"), tmp_path / "file"
    file.write_text("a")
    with unfinished(folder), unfinished(file):
        remove_unfinished()
        assert list(tmp_path.iterdir()) == []
    (tmp_path / "later").write_text("a")
    remove_unfinished()
    assert (tmp_path / "later").exists()


def test_errors_name_the_target(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "a"
    for write in (atomic_path, atomic_text):
        with pytest.raises(OutputError, match=r"cannot write .*none/a: No such file"), write(missing):
            pass
    folder = _folder(tmp_path / "folder", "a")
    with pytest.raises(OutputError, match=r"cannot write .*folder: "), atomic_text(folder) as file:
        file.write("a")
    assert (folder / "file").read_text() == "a"
    with pytest.raises(OutputError, match=r"cannot write .*a: No space left"), atomic_path(tmp_path / "a"):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_target_can_be_checked_early(tmp_path: Path) -> None:
    check_target(tmp_path / "a")
    with pytest.raises(OutputError, match=r"cannot write .*none/a: there is no folder .*none"):
        check_target(tmp_path / "none" / "a")
    with pytest.raises(OutputError, match=r"cannot write .*: it is a folder"):
        check_target(tmp_path)


def test_a_folder_that_is_not_writable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    with pytest.raises(OutputError, match=r"cannot write .*/a: the folder .* is not writable"):
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
