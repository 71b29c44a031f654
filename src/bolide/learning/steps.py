"""Work in steps that are done once: ended at any moment and begun again, it goes on with the step it was at.

A step writes its files to a folder of its own; when they are whole and on the disk they are moved to the
folder of the work, and then a record, STEP.json, says what they were made from and how they look. A step is
done if its record is of the same inputs and settings, and the files are as it says. So whatever is killed,
and whenever, a step is done or not; and the result is that of a single run.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bolide._support import progress
from bolide._support.progress import Advance
from bolide._support.writing import atomic_text, unfinished
from bolide.errors import InputError, LearningError
from bolide.resources.distribution import sha256


@dataclass(frozen=True)
class Step:
    name: str
    title: str  # for people
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]  # files of earlier steps
    settings: Mapping[str, Any]  # all that the files depend on but the inputs; numbers, texts, tables of them
    # Writes the files to a folder, and returns facts about them. "peak" is the memory of another process.
    make: Callable[[Path, Advance], Mapping[str, Any]]


@dataclass(frozen=True)
class StepRecord:
    """A step that is done."""

    step: str
    counts: Mapping[str, Any]
    seconds: float
    cpu: float  # seconds of all threads, and of the processes that were started
    peak: int  # bytes
    outputs: Mapping[str, str]  # each file with its sha256
    key: Mapping[str, Any]
    kept: bool = False  # from a run before


class Work:
    """A folder in which steps are done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records: dict[str, StepRecord] = {}

    @contextmanager
    def opened(self) -> Iterator[Work]:
        """The folder, for this process alone. What a killed run left half done is removed."""
        with _writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / "lock").open("ab") as stream:
                _lock(stream.fileno(), self.folder)
                for pattern in ("*.unfinished", ".*.json.*"):
                    for path in self.folder.glob(pattern):
                        shutil.rmtree(path, ignore_errors=True)
                yield self

    def path(self, name: str) -> Path:
        return self.folder / name

    def do(self, step: Step) -> StepRecord:
        """Does a step, unless it is done."""
        key = {"settings": dict(step.settings), "inputs": {name: self._sha256(name) for name in step.inputs}}
        key = json.loads(json.dumps(key))  # as it will be read back
        record = self._done(step, key) or self._made(step, key)
        self.records[step.name] = record
        return record

    def _sha256(self, name: str) -> str:
        """Of a file that an earlier step of this run vouches for."""
        return next(record.outputs[name] for record in self.records.values() if name in record.outputs)

    def _done(self, step: Step, key: Mapping[str, Any]) -> StepRecord | None:
        try:
            told = json.loads(self.path(f"{step.name}.json").read_text(encoding="utf-8"))
            record = StepRecord(**{**told, "kept": True})
            same = record.key == key and set(record.outputs) == set(step.outputs)
            intact = same and all(
                sha256(self.path(name)) == digest for name, digest in record.outputs.items()
            )
        except (OSError, ValueError, TypeError):  # not there, or not whole
            return None
        return record if intact else None

    def _made(self, step: Step, key: Mapping[str, Any]) -> StepRecord:
        staging = self.path(f"{step.name}.unfinished")
        record_path = self.path(f"{step.name}.json")
        record_path.unlink(missing_ok=True)  # its files are about to change
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir()
        try:
            with unfinished(staging), progress.bar(step.title, unit="steps") as advance, measured() as used:
                told = dict(step.make(staging, advance))
            outputs = {name: _flushed(staging / name) for name in step.outputs}
            for name in step.outputs:
                (staging / name).replace(self.path(name))
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        peak = max(used.peak, int(told.pop("peak", 0)))
        record = StepRecord(step.name, told, used.seconds, used.cpu, peak, outputs, key)
        self._write(record_path, record)
        return record

    def _write(self, place: Path, record: StepRecord) -> None:
        told = {
            name: getattr(record, name)
            for name in ("step", "counts", "seconds", "cpu", "peak", "outputs", "key")
        }
        with atomic_text(place) as file:
            json.dump(told, file, indent=1)


def _flushed(path: Path) -> str:
    """Waits until a file is on the disk; its sha256."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
    return sha256(path)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise LearningError(
            f"cannot write to {folder} ({reason}): free space there, or name another folder with --work; "
            "what is done already is kept"
        ) from None


def _lock(descriptor: int, folder: Path) -> None:
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"another process works in {folder}: wait for it, or name another folder with --work"
            ) from None
        except OSError:  # a file system without locks
            pass


class Used:
    """Time, processor time, and the most memory, in bytes, that a block of code took."""

    seconds = cpu = 0.0
    peak = 0


@contextmanager
def measured() -> Iterator[Used]:
    used, start, cpu = Used(), time.monotonic(), _cpu()
    with suppress(OSError):  # Linux: the highest memory use is counted from now on
        Path("/proc/self/clear_refs").write_text("5")
    yield used
    used.seconds, used.cpu = time.monotonic() - start, _cpu() - cpu
    used.peak = _peak()


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _peak() -> int:
    """Since it was set back, where that can be done; else since the program began."""
    with suppress(OSError, StopIteration):
        status = Path("/proc/self/status").read_text().splitlines()
        return 1024 * int(next(line for line in status if line.startswith("VmHWM:")).split()[1])
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
