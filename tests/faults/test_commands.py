"""Every command that writes, stopped at each of its file operations.

Afterwards its results are the old ones or the new ones, never a mixture. The same command then succeeds, and
leaves the same files as without the fault. The fast tests stop each command at some of its operations, and
--slow at all.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import signal
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.fault_commands import COMMANDS, Command, Results
from tests.support.faults import COUNT, FULL, KILL, MODES, TERMINATE, FaultServer, Outcome, state

SAMPLES = 4  # operations at which the fast tests stop a command


@dataclass(frozen=True)
class Whole:
    """A command and its folder: before it, and after it has run without a fault."""

    command: Command
    before: Path
    operations: int
    old: Results
    new: Results
    files: dict[str, str]


def run(
    server: FaultServer,
    command: Command,
    root: Path,
    mode: str = COUNT,
    number: int = 0,
    *,
    first: bool = False,
) -> Outcome:
    (root / "tmp").mkdir(exist_ok=True)
    return server.run(
        shlex.split(command.arguments), root, mode, number, command.environment(root), first=first
    )


def listed(root: Path, command: Command) -> dict[str, str]:
    """All files, without the random names of folders in packs."""
    found = {}
    for path in root.rglob("*"):
        name = re.sub("arrays-[0-9a-f]{8}", "arrays", str(path.relative_to(root)))
        if path.is_file():
            data = b"" if name.endswith(command.varying) else path.read_bytes()
            found[name] = hashlib.sha256(re.sub(b"arrays-[0-9a-f]{8}", b"arrays", data)).hexdigest()
        else:
            found[name] = "folder"
    return found


WHOLE: dict[str, Whole] = {}


@pytest.fixture
def whole(
    request: pytest.FixtureRequest, faults: FaultServer, tmp_path_factory: pytest.TempPathFactory
) -> Whole:
    name: str = request.param
    command = COMMANDS[name]
    for package in command.needs:
        if not find_spec(package):
            pytest.skip(f"needs the package {package}")
    if name not in WHOLE:
        before, first, after = (
            tmp_path_factory.mktemp(part) / "root" for part in ("before", "first", "after")
        )
        before.mkdir()
        command.prepare(before)
        (before / "tmp").mkdir()
        shutil.copytree(before, first)
        run(faults, command, first, first=True)
        shutil.copytree(before, after)
        done = run(faults, command, after)
        assert (done.code, done.errors) == (0, "")
        old, new = command.results(before), command.results(after)
        assert old != new
        WHOLE[name] = Whole(command, before, done.operations, old, new, listed(after, command))
    return WHOLE[name]


def numbers(operations: int, every: bool) -> list[int]:
    """The operations to stop at: all, or some, with the last ones, which put results in place."""
    if every or operations <= SAMPLES:
        return list(range(1, operations + 1))
    last = SAMPLES // 2
    first = {1 + k * (operations - last) // (SAMPLES - last) for k in range(SAMPLES - last)}
    return sorted(first | set(range(operations - last + 1, operations + 1)))


# These write their files in the same way as the others.
SLOW = {
    "xray", "correlate", "correlate scores", "filter a file", "java -sgml", "java -writeAlignments", "mbr",
    "oracle", "learn function-words", "learn paraphrases", "learn phrases",
}  # fmt: skip
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in COMMANDS]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("whole", NAMES, indirect=True)
def test_old_or_new_and_no_leftovers(
    whole: Whole, mode: str, faults: FaultServer, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    every = request.config.getoption("--slow")
    wrong = []
    states: dict[str, list[str]] = {}  # what was wrong after the next run, by what it found
    root = tmp_path / "root"  # always the same: states with its name are then equal, too
    for number in numbers(whole.operations, every):
        shutil.copytree(whole.before, root)
        done = run(faults, whole.command, root, MODES[mode], number)
        found = problems(whole, root, done, MODES[mode])
        left = state(root)
        if left not in states:
            states[left] = problems_of_next_run(whole, root, faults)
        wrong += [f"operation {number}: {problem}" for problem in (*found, *states[left])]
        shutil.rmtree(root)
    print(
        f"{len(numbers(whole.operations, every))} of {whole.operations} operations, {len(states)} states, "
        f"{len(wrong)} problems"
    )
    assert not wrong, "\n".join(wrong)


def problems(whole: Whole, root: Path, done: Outcome, mode: str) -> list[str]:
    """What is wrong after a fault, and before the next run."""
    found = []
    results = whole.command.results(root)
    mixed = [key for key, value in results.items() if value not in (whole.old[key], whole.new[key])]
    if mixed:
        found.append(f"neither old nor new: {mixed}")
    if mode == KILL and done.code != -signal.SIGKILL:
        found.append(f"not killed: {done.code} {done.errors}")
    if mode == TERMINATE and done.code not in (0, 128 + signal.SIGTERM):
        found.append(f"ended with {done.code}: {done.errors}")
    if mode == FULL and done.code not in (0, 1):
        found.append(f"ended with {done.code}: {done.errors}")
    if mode == FULL and done.code == 1 and not re.fullmatch("bolide: .*No space left.*\n", done.errors):
        found.append(f"unclear message: {done.errors}")
    if mode != KILL and done.code == 0 and results != whole.new:
        found.append("success without the new results")
    return found


def problems_of_next_run(whole: Whole, root: Path, faults: FaultServer) -> list[str]:
    found = []
    again = run(faults, whole.command, root)
    if (again.code, again.errors) != (0, ""):
        found.append(f"the next run ends with {again.code}: {again.errors}")
    files = listed(root, whole.command)
    if files != whole.files:
        other = {name for name, _ in files.items() ^ whole.files.items()}
        found.append(f"other files after the next run: {sorted(other)}")
    return found
