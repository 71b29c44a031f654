"""Installation under bad conditions: kills, concurrent installers, full disks, no network, wrong files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import resources
from bolide.errors import ResourceError
from bolide.resources import catalogue, load, manifest, pip_download
from tests.support import core_testing, fake_meteor
from tests.support.posix import not_for_root
from tests.support.processes import PATIENCE

fcntl = pytest.importorskip("fcntl", reason="no POSIX locks on this system")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOLIDE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("BOLIDE_OFFLINE", raising=False)
    return tmp_path / "home"


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, Path]:
    """Two distributions with different data."""
    first = fake_meteor.folder(tmp_path / "first")
    return first, fake_meteor.folder(tmp_path / "second", files=fake_meteor.jar_files("and", "or"))


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def is_clean(home: Path) -> bool:
    """Whether there are no files except those listed in the manifests."""
    packs = [folder for folder in (home / "packs").iterdir() if len(list(folder.iterdir())) == 2]
    return not (home / "staging").exists() and len(packs) == len(list((home / "packs").iterdir()))


# ---- kills ---------------------------------------------------------------------------------------

# Forks once per step; the child kills itself with SIGKILL just before its n-th change to the file system.
KILLER = """
    import json, os, signal, sys
    from bolide import resources
    from bolide.resources import installation
    source, first = sys.argv[1], sys.argv[2]
    changes = {"os.rename", "os.mkdir", "os.remove", "os.rmdir", "shutil.rmtree", "tempfile.mkdtemp"}
    step = 0
    while True:
        step += 1
        if first != "-":
            resources.install("en", first, force=True)
        child = os.fork()
        if child == 0:
            left = step
            def hook(event, arguments):
                global left
                writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_ACCMODE
                if event in changes or writes:
                    left -= 1
                    if left == 0:
                        os.kill(os.getpid(), signal.SIGKILL)
            sys.addaudithook(hook)
            resources.install("en", source, force=True)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        folder = resources.pack_folder("en")
        state = resources.verify(folder).hash if (folder / "manifest.toml").exists() else None
        again = resources.install("en", source)[0].hash
        left_over = [str(p) for p in resources.home().rglob("*") if "staging" in p.parts]
        left_over += [str(p) for p in folder.glob("arrays-*")][1:]
        print(json.dumps([step, os.WIFSIGNALED(status), state, again, left_over]), flush=True)
        if not os.WIFSIGNALED(status):
            break
        if first == "-":
            import shutil
            shutil.rmtree(resources.home())
            resources.load._opened.clear()
"""


def killed_steps(source: Path, first: Path | str) -> list[list[Any]]:
    out, errors = start(KILLER, source, first).communicate(timeout=PATIENCE)
    steps = [json.loads(line) for line in out.splitlines()]
    assert steps, errors
    assert not steps[-1][1], errors  # the last child finished, so every step was tried
    assert len(steps) > 30
    return steps


def test_killed_at_every_step_of_a_first_install(home: Path, versions: tuple[Path, Path]) -> None:
    steps = killed_steps(versions[0], "-")
    complete = steps[-1][3]
    for step, _, state, again, left_over in steps:
        assert state in (None, complete), f"step {step} left a broken pack"
        assert again == complete, f"step {step} could not be repaired by the next install"
        assert left_over == [], f"step {step} left files that the next install did not sweep"
    assert {state for _, _, state, _, _ in steps} == {None, complete}


def test_killed_at_every_step_of_a_replacement(home: Path, versions: tuple[Path, Path]) -> None:
    first, second = versions
    old = resources.install("en", first)[0].hash
    steps = killed_steps(second, first)
    new = steps[-1][2]
    for step, _, state, _, _ in steps:
        assert state in (old, new), f"step {step} left neither the old pack nor the new one"
    assert {state for _, _, state, _, _ in steps} == {old, new}


def test_interrupt_during_the_fetch_leaves_nothing(home: Path, tmp_path: Path) -> None:
    code = """
        import os, signal, sys, threading, time
        from bolide import resources
        from bolide.resources import pip_download
        slow = f"import os, time; open({sys.argv[1]!r}, 'w').write(str(os.getpid())); time.sleep(3600)"
        pip_download.pip_command = lambda: [sys.executable, "-c", slow]
        resources.install("en")
    """
    process = start(code, tmp_path / "pip.pid")
    while not (tmp_path / "pip.pid").exists() or not (tmp_path / "pip.pid").read_text():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert "KeyboardInterrupt" in errors
    assert not (home / "staging").exists()
    with pytest.raises(ProcessLookupError):  # pip has ended too
        os.kill(int((tmp_path / "pip.pid").read_text()), 0)


# ---- concurrent installers -----------------------------------------------------------------------

INSTALL = """
    import sys
    from bolide import resources
    print(resources.install("en", sys.argv[1], force=sys.argv[2] == "force")[0].hash)
"""


def test_several_installers_at_once(home: Path, versions: tuple[Path, Path]) -> None:
    rivals = [start(INSTALL, versions[0], "gently") for _ in range(4)]
    answers = [rival.communicate(timeout=PATIENCE)[0] for rival in rivals]
    assert len(set(answers)) == 1
    assert [rival.returncode for rival in rivals] == [0, 0, 0, 0]
    assert resources.verify(resources.pack_folder("en")).hash == answers[0].strip()
    assert is_clean(home)


def test_readers_never_see_a_mixture(home: Path, versions: tuple[Path, Path]) -> None:
    """Readers open the pack while two installers replace it again and again with different data."""
    first, second = versions
    words = {}
    for version in versions:
        found = resources.install("en", version, force=True)[0]
        words[found.hash] = found.counts["function words"]
    replace_often = """
        import sys
        from bolide import resources
        for _ in range(10):
            for version in sys.argv[1:]:
                resources.install("en", version, force=True)
    """
    writers = [start(replace_often, first, second), start(replace_often, second, first)]
    seen: set[str] = set()
    while any(writer.poll() is None for writer in writers):
        pack = resources.load_pack(resources.pack_folder("en"))
        assert len(pack.function_words) == words[pack.hash]
        assert pack.paraphrases is not None
        assert len(core_testing.paraphrases(pack.paraphrases, ["a", "small", "boat"])) == 2
        seen.add(pack.hash)
    for writer in writers:
        assert "Traceback" not in writer.communicate()[1]
        assert writer.returncode == 0
    assert seen == set(words)
    assert is_clean(home)


def test_mapped_pack_outlives_its_replacement(home: Path, versions: tuple[Path, Path]) -> None:
    resources.install("en", versions[0])
    old = resources.open_pack("en")
    resources.install("en", versions[1], force=True)
    assert old.synonyms is not None
    assert old.synonyms.ids.tolist() == [12, 5, 12, 7, 99]
    assert resources.open_pack("en").hash != old.hash


def test_waiting_for_the_lock_is_announced(home: Path, versions: tuple[Path, Path]) -> None:
    home.mkdir()
    with (home / "install.lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = start(INSTALL, versions[0], "gently")
        assert process.stderr is not None
        assert "Waiting for another process" in process.stderr.readline()
        assert not (home / "packs").exists()
    assert process.communicate(timeout=PATIENCE)[0].strip() == manifest.read(resources.pack_folder("en")).hash


# ---- disks and folders ---------------------------------------------------------------------------


def test_full_disk(home: Path, tmp_path: Path) -> None:
    pairs = [(f"left {k}", f"right {k}") for k in range(3000)]
    source = fake_meteor.folder(tmp_path / "meteor")
    (source / "data/paraphrase-en.gz").write_bytes(fake_meteor.paraphrase_file(*pairs))
    code = """
        import resource, sys
        from bolide import resources
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        try:
            resources.install("en", sys.argv[1])
        except resources.load.ResourceError as error:
            print(error)
    """
    out, errors = start(code, source).communicate(timeout=PATIENCE)
    assert "cannot write to" in out, errors
    assert "set BOLIDE_HOME to a folder on another disk" in out
    assert not manifest.exists(resources.pack_folder("en"))
    assert not (home / "staging").exists()


def test_home_under_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, versions: tuple[Path, Path]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BOLIDE_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(ResourceError, match=r"cannot write to .*set BOLIDE_HOME"):
        resources.install("en", versions[0])
    with pytest.raises(ResourceError, match=r"cannot write to .*set BOLIDE_HOME"):
        resources.open_pack("en")


@not_for_root
def test_home_that_may_not_be_written(home: Path, versions: tuple[Path, Path]) -> None:
    home.mkdir(mode=0o555)
    with pytest.raises(ResourceError, match=r"cannot write to .*Permission denied.*set BOLIDE_HOME"):
        resources.install("en", versions[0])


# ---- fetching ------------------------------------------------------------------------------------


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """pip with only the settings of the test."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("PIP_TIMEOUT", "1")
    yield monkeypatch


@pytest.fixture
def local_wheel(pip: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A package index of one file, under the name of the pinned wheel."""
    path = fake_meteor.wheel(tmp_path / "index")
    pip.setenv("PIP_NO_INDEX", "1")
    pip.setenv("PIP_FIND_LINKS", str(path.parent))
    return path


def pin(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pinned = replace(catalogue.wheel(), sha256=fake_meteor.sha256(wheel))
    monkeypatch.setattr(catalogue, "wheel", lambda: pinned)


def test_first_use_fetches_with_pip(
    home: Path, local_wheel: Path, pip: pytest.MonkeyPatch, capfd: Any
) -> None:
    pin(local_wheel, pip)
    pack = resources.open_pack("en")
    assert pack.paraphrases is not None
    assert manifest.read(resources.pack_folder("en")).origin["sha256"] == fake_meteor.sha256(local_wheel)
    out, errors = capfd.readouterr()
    assert out == ""
    assert errors.startswith("Installing the English language pack in ")
    assert errors.count("\n") == 1  # no bar: not a terminal
    assert is_clean(home)


def test_first_use_names_the_language_that_was_asked_for(
    home: Path, local_wheel: Path, pip: pytest.MonkeyPatch, capfd: Any
) -> None:
    """Languages without files of their own share the pack `other`."""
    pip.setenv("BOLIDE_OFFLINE", "1")
    with pytest.raises(ResourceError, match="the Chinese language pack must be fetched"):
        resources.open_pack("zh")
    pip.delenv("BOLIDE_OFFLINE")
    pin(local_wheel, pip)
    resources.open_pack("zh")
    resources.open_pack("japanese")
    assert capfd.readouterr().err.startswith("Installing the Chinese language pack in ")
    assert manifest.exists(home / "packs" / "other")


def test_several_languages_are_fetched_once(home: Path, local_wheel: Path, pip: pytest.MonkeyPatch) -> None:
    pin(local_wheel, pip)
    calls: list[object] = []
    pip_command = pip_download.pip_command

    def counted() -> list[str] | None:
        calls.append(None)
        return pip_command()

    pip.setattr(pip_download, "pip_command", counted)
    found = resources.install(["en", "de", "it", "fi"])
    assert [one.language for one in found] == ["en", "de", "other"]
    assert len(calls) == 1


def test_wrong_checksum_installs_nothing(home: Path, local_wheel: Path) -> None:
    with pytest.raises(ResourceError, match=r"has sha256 .* expected 083ed791"):
        resources.install("en")
    assert not (home / "packs").exists()
    assert not (home / "staging").exists()


def explains_no_network(error: ResourceError) -> bool:
    needed = ("could not fetch pycocoevalcap==1.2", "on a computer with a network", "--from FILE")
    return all(words in str(error) for words in needed) and "\n" not in str(error)


def test_no_network(home: Path, pip: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        pip.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{closed.getsockname()[1]}/simple")
        with pytest.raises(ResourceError, match="no connection to the package index") as error:
            resources.open_pack("en")
    assert explains_no_network(error.value)
    assert not (home / "staging").exists()


def test_index_that_never_answers(home: Path, pip: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        pip.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        with pytest.raises(ResourceError, match="no connection to the package index") as error:
            resources.open_pack("en")
    assert explains_no_network(error.value)


def test_pip_that_stalls_is_ended(home: Path, pip: pytest.MonkeyPatch) -> None:
    pip.setattr(pip_download, "_STALL_SECONDS", 0.3)
    slow = [sys.executable, "-c", "import time; time.sleep(300)"]
    pip.setattr(pip_download, "pip_command", lambda: slow)
    with pytest.raises(ResourceError, match="nothing arrived for 0 seconds") as error:
        resources.open_pack("en")
    assert explains_no_network(error.value)


def test_package_not_on_the_index(home: Path, pip: pytest.MonkeyPatch) -> None:
    pip.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(ResourceError, match="does not answer or does not have it") as error:
        resources.install("de")
    assert explains_no_network(error.value)
    assert "install de" in str(error.value)


def test_offline_forbids_fetching(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOLIDE_OFFLINE", "1")
    with pytest.raises(ResourceError, match="BOLIDE_OFFLINE forbids"):
        resources.install(["en", "de"])
    assert not home.exists()


def test_pip_is_found_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert pip_download.pip_command() == [sys.executable, "-m", "pip"]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with on_path(tmp_path, "pip3", monkeypatch) as program:
        assert pip_download.pip_command() == [str(program)]
    assert pip_download.pip_command() is None


def test_pip_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, `shutil.which` finds it there although the path does not say so."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)
    with on_path(tmp_path, "pip", monkeypatch):
        monkeypatch.setenv("PATH", ".")
        assert shutil.which("pip") is not None
        assert pip_download.pip_command() is None


def test_pip_inside_python_is_the_last_resort(home: Path, local_wheel: Path, pip: pytest.MonkeyPatch) -> None:
    bundled = pip_download._bundled_pip()
    if bundled is None:
        pytest.skip("this Python carries no pip")
    pin(local_wheel, pip)
    pip.setattr(pip_download, "pip_command", lambda: [sys.executable, str(bundled / "pip")])
    assert resources.open_pack("en").paraphrases is not None


@contextmanager
def on_path(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    yield program
    program.unlink()


@pytest.mark.parametrize("name", ["exception_bases", "offsets", "exception_offsets"])
def test_numbers_out_of_range_are_noticed(
    home: Path, versions: tuple[Path, Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "SMALL", 0)  # as if the files were large
    monkeypatch.setenv("BOLIDE_VERIFY", "never")
    resources.install("en", versions[0])
    [path] = resources.pack_folder("en").glob(f"arrays-*/synonyms.{name}.npy")
    np.save(path, np.full_like(np.load(path), 10_000_000))
    with pytest.raises(ResourceError, match="are damaged"):
        resources.load_pack(resources.pack_folder("en"))
