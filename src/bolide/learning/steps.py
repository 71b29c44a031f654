"""Work in steps that can be interrupted at any moment, and resumes with the unfinished step.

A step writes its files to its own folder. When they are complete and on the disk, they are moved to the
folder of the work. Then a record, STEP.json, states their checksums, and what they were made from. A step is
done if its record has the same inputs and settings, and the files have these checksums. So after an
interruption a step is either done or not, and the result is the same as without.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bolide._support import platform, progress
from bolide._support.locking import locked_work
from bolide._support.outputs import unfinished
from bolide._support.progress import Advance
from bolide._support.writing import atomic_text
from bolide.errors import LearningError
from bolide.resources.distribution import sha256


@dataclass(frozen=True)
class Step:
    name: str
    title: str  # for messages
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]  # files of earlier steps
    settings: Mapping[str, Any]  # everything else that the files depend on: numbers, texts, tables of them
    # Writes the files to a folder, and returns facts about them. "peak" is the memory of another process.
    make: Callable[[Path, Advance], Mapping[str, Any]]


@dataclass(frozen=True)
class StepRecord:
    """The record of a finished step."""

    step: str
    counts: Mapping[str, Any]
    seconds: float
    cpu: float  # seconds of all threads and child processes
    peak: int  # bytes
    outputs: Mapping[str, str]  # the sha256 of each file
    key: Mapping[str, Any]
    kept: bool = False  # whether it is from an earlier run


class Work:
    """The folder of the work. `steps` are the names of all steps that can be done in it."""

    def __init__(self, folder: Path, steps: Sequence[str] = ()) -> None:
        self.folder = folder
        self.steps = steps
        self.records: dict[str, StepRecord] = {}

    @contextmanager
    def opened(self) -> Iterator[Work]:
        """Locks the folder for this process, and removes unfinished files of a killed run. Other files in the
        folder are not touched: they may belong to the user or to another process."""
        with _writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with locked_work(self.folder):
                for name in self.steps:
                    shutil.rmtree(self._staging(name), ignore_errors=True)
                yield self

    def path(self, name: str) -> Path:
        return self.folder / name

    def _staging(self, step: str) -> Path:
        return self.path(f"{step}.unfinished")

    def do(self, step: Step) -> StepRecord:
        """Does a step, unless it is already done."""
        key = {"settings": dict(step.settings), "inputs": {name: self._sha256(name) for name in step.inputs}}
        key = json.loads(json.dumps(key))  # the same types as in a record
        record = self._done(step, key) or self._made(step, key)
        self.records[step.name] = record
        return record

    def _sha256(self, name: str) -> str:
        """The checksum of a file from an earlier step."""
        return next(record.outputs[name] for record in self.records.values() if name in record.outputs)

    def _done(self, step: Step, key: Mapping[str, Any]) -> StepRecord | None:
        try:
            fields = json.loads(self.path(f"{step.name}.json").read_text(encoding="utf-8"))
            record = StepRecord(**{**fields, "kept": True})
            same = record.key == key and set(record.outputs) == set(step.outputs)
            intact = same and all(
                sha256(self.path(name)) == digest for name, digest in record.outputs.items()
            )
        except (OSError, ValueError, TypeError):  # missing or incomplete
            return None
        return record if intact else None

    def _made(self, step: Step, key: Mapping[str, Any]) -> StepRecord:
        staging = self._staging(step.name)
        record_path = self.path(f"{step.name}.json")
        record_path.unlink(missing_ok=True)  # its files are about to change
        discard = partial(shutil.rmtree, staging, ignore_errors=True)
        discard()
        staging.mkdir()
        try:
            with unfinished(discard), progress.bar(step.title, unit="steps") as advance, measured() as used:
                facts = dict(step.make(staging, advance))
            outputs = {name: _flushed(staging / name) for name in step.outputs}
            for name in step.outputs:
                platform.move(staging / name, self.path(name))
        finally:
            discard()
        peak = max(used.peak, int(facts.pop("peak", 0)))
        record = StepRecord(step.name, facts, used.seconds, used.cpu, peak, outputs, key)
        self._write(record_path, record)
        return record

    def _write(self, place: Path, record: StepRecord) -> None:
        fields = {name: value for name, value in vars(record).items() if name != "kept"}
        with atomic_text(place) as file:
            json.dump(fields, file, indent=1)


def _flushed(path: Path) -> str:
    """Waits until a file is on the disk, and returns its sha256."""
    platform.flush_file(path)
    return sha256(path)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise LearningError(
            f"cannot write to {folder} ({reason}): free space there, or name another folder with --work; "
            "finished steps are kept"
        ) from None


class Used:
    """The time, CPU time and peak memory (in bytes) of a block of code."""

    seconds = cpu = 0.0
    peak = 0


@contextmanager
def measured() -> Iterator[Used]:
    used, start, cpu = Used(), time.monotonic(), _cpu()
    platform.reset_peak_memory()
    yield used
    used.seconds, used.cpu = time.monotonic() - start, _cpu() - cpu
    used.peak = platform.peak_memory()


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
