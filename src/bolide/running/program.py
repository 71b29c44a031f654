"""Runs a program as if `bolide run` were not there: the same streams, signals and exit code."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

from bolide._support import platform
from bolide.errors import CommandError
from bolide.running.environment import prepare

PREFIX = "bolide-run-"


class Passing:
    """Passes signals on to a process. A signal that arrives before the process runs is kept for it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []

    def receive(self, number: int, frame: FrameType | None) -> None:
        if self._process is None:
            self._early.append(number)
        elif not platform.from_terminal(number):  # the terminal has sent it to the process, too
            self._process.send_signal(number)

    def start_passing(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        for number in self._early:
            with suppress(ValueError):  # Windows cannot send Ctrl-C to one process
                process.send_signal(number)


def run(words: Sequence[str], given: Mapping[str, str], *, patch: bool = True) -> int:
    """Runs a command in the environment `given`, with a `java` and patches. Returns its exit code, or if a
    signal ended it, the negative number of the signal."""
    if not words:
        raise CommandError("give a command: bolide run -- COMMAND ...")
    with _passing_signals() as passing, TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name:
        environment = prepare(Path(name), given, patch=patch)
        found = _find(words[0], environment["PATH"])
        try:
            # Python's own files are not inherited. Those of the user are, for example <(...) of a shell.
            process = subprocess.Popen([*words], executable=found, env=environment, close_fds=False)
        except OSError as error:
            raise CommandError(f"cannot start {words[0]}: {error.strerror}") from None
        passing.start_passing(process)
        return platform.wait(process)


@contextmanager
def _passing_signals() -> Iterator[Passing]:
    passing = Passing()
    before = {number: signal.getsignal(number) for number in platform.PASSED_ON}
    handled = {number for number, handler in before.items() if handler != signal.SIG_IGN}  # nohup
    for number in handled:
        signal.signal(number, passing.receive)
    try:
        yield passing
    finally:
        for number in handled:
            signal.signal(number, before[number])


def _find(program: str, path: str) -> str:
    found = shutil.which(program, path=path)
    if found is None:
        hint = "; give the command and its arguments as separate words" if " " in program else ""
        where = "is not a program that can be started" if Path(program).exists() else "was not found"
        raise CommandError(f"the command {program} {where}{hint}")
    return found
