"""Checksums of large files when a pack is opened (BOLIDE_VERIFY), and descriptors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bolide import resources
from bolide.errors import ConfigurationError, ResourceError
from bolide.resources import load, verified
from bolide.resources.pack_files import PackFiles
from tests.support import fake_meteor


@pytest.fixture
def large(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that opening checks only on request: all files count as large."""
    monkeypatch.setattr(load, "SMALL", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(verified, "SETTLED", 0)
    monkeypatch.delenv("BOLIDE_VERIFY", raising=False)
    return fake_meteor.arrays(fake_meteor.installed(tmp_path)) / "synonyms.ids.npy"


def flip(path: Path, *, keep_times: bool = False) -> None:
    """Flips the last bit of a file, in place."""
    before = path.stat()
    with path.open("r+b") as stream:
        stream.seek(-4, os.SEEK_END)
        [byte] = stream.read(1)
        stream.seek(-4, os.SEEK_END)
        stream.write(bytes([byte ^ 1]))
    if keep_times:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def opened(path: Path) -> resources.Pack:
    return resources.load_pack(path.parent.parent)


@pytest.mark.parametrize("mode", ["once", "always", None])
@pytest.mark.parametrize("keep_times", [False, True])
def test_a_flipped_bit_is_found(
    large: Path, monkeypatch: pytest.MonkeyPatch, mode: str | None, keep_times: bool
) -> None:
    if mode:
        monkeypatch.setenv("BOLIDE_VERIFY", mode)
    opened(large)
    flip(large, keep_times=keep_times)
    for _ in range(2):  # a wrong file is never remembered as right
        with pytest.raises(ResourceError, match=r"ids\.npy is damaged, its sha256 is wrong: repair"):
            opened(large)
    flip(large)
    opened(large)


def test_a_pack_is_hashed_once(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    check = PackFiles.check

    def counted(files: PackFiles, name: str) -> None:
        hashed.append(name)
        check(files, name)

    monkeypatch.setattr(PackFiles, "check", counted)
    opened(large)
    assert hashed == []  # the fixture opened it
    monkeypatch.setattr(verified, "boot", lambda: "second")
    opened(large)
    assert large.name in hashed
    for mode, expected in {"once": False, "never": False, "always": True}.items():
        hashed.clear()
        monkeypatch.setenv("BOLIDE_VERIFY", mode)
        opened(large)
        assert (large.name in hashed) == expected


def test_files_that_were_changed_just_now_are_hashed_again(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two changes at the same time leave the same times."""
    monkeypatch.setattr(verified, "SETTLED", 60)
    monkeypatch.setattr(verified, "boot", lambda: "another")
    opened(large)
    hashed: list[str] = []
    monkeypatch.setattr(PackFiles, "check", lambda files, name: hashed.append(name))
    opened(large)
    assert large.name in hashed


def test_never_means_never(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOLIDE_VERIFY", "never")
    flip(large)
    opened(large)
    with pytest.raises(ResourceError, match="sha256 is wrong"):
        resources.verify(large.parent.parent)


def test_other_values_are_refused(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOLIDE_VERIFY", "sometimes")
    with pytest.raises(ConfigurationError, match=r"unknown BOLIDE_VERIFY 'sometimes'.*once, always, never"):
        opened(large)


def test_a_cache_that_cannot_be_written(large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    opened(large)
    flip(large)
    with pytest.raises(ResourceError, match="sha256 is wrong"):
        opened(large)


def test_old_records_are_removed(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verified, "MOST", 3)
    for boot in range(9):
        monkeypatch.setattr(verified, "boot", lambda boot=boot: str(boot))
        opened(large)
    records = list(verified.folder().iterdir())
    assert 1 <= len(records) <= 3
    hashed: list[str] = []
    monkeypatch.setattr(PackFiles, "check", lambda files, name: hashed.append(name))
    opened(large)
    assert hashed == []  # the newest record is kept


def test_few_descriptors_suffice(large: Path, tmp_path: Path) -> None:
    """Opening a pack keeps no descriptor per file."""
    pytest.importorskip("resource")
    code = """
        import os, resource, sys
        from bolide import Meteor
        from bolide.resources import load
        load.SMALL = int(sys.argv[2])
        import platformdirs, numpy.ma
        Meteor(resources=sys.argv[1]).sentence_score("a small boat", "a dinghy")  # imports everything
        open_before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 8
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_before + 2, open_before + 2))
        kept = [load.load_pack(sys.argv[1]) for _ in range(50)]
        print(Meteor(resources=kept[-1]).sentence_score("a small boat", "a dinghy").score > 0.3)
    """
    for small in ("0", "65536"):
        command = [sys.executable, "-c", "\n".join(line[8:] for line in code.splitlines())]
        command += [str(large.parent.parent), small]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.stdout == "True\n", done.stderr


def test_arrays_cannot_be_written(large: Path) -> None:
    pack = opened(large)
    assert pack.synonyms is not None
    with pytest.raises(ValueError, match="read-only"):
        pack.synonyms.ids[0] = 1
