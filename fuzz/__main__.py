"""Runs fuzz targets, each for some seconds: `python -m fuzz [--seconds N] [--list] [NAMES]`.

`.ci/fuzz` builds the core with sanitizers first, and then does the same.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from fuzz.targets import CORE, PYTHON

HERE = Path(__file__).parent
REPOSITORY = HERE.parent
PROGRAMS = REPOSITORY / "build/fuzz/fuzz/core"  # where .ci/fuzz builds the core's targets
FINDINGS = REPOSITORY / "build/findings"
# An input that takes longer (seconds) or more memory (MB) is a finding.
LIMITS = ("-timeout=60", "-rss_limit_mb=3072", "-max_len=4096")
EXECUTIONS = re.compile(r"^stat::number_of_executed_units:\s*(\d+)", re.MULTILINE)
COVERAGE = re.compile(r"cov: (\d+) ft: (\d+)")


@dataclass(frozen=True)
class Outcome:
    """How a target ended: with numbers of libFuzzer, with the reason for a skip, or with a finding."""

    executions: int = 0
    coverage: int = 0
    features: int = 0
    skipped: str = ""
    log: str = ""  # of a finding


def run(name: str, language: str, arguments: argparse.Namespace) -> Outcome:
    if reason := missing(name, language):
        return Outcome(skipped=reason)
    FINDINGS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        corpus = Path(arguments.corpus or work) / "corpus" / name
        corpus.mkdir(parents=True, exist_ok=True)
        command = [
            *program(name, language),
            *LIMITS,
            f"-max_total_time={arguments.seconds}",
            f"-seed={arguments.seed}",
            "-print_final_stats=1",
            f"-artifact_prefix={FINDINGS}/{name}-",
            str(corpus),
            *map(str, seeds(name)),
        ]
        done = subprocess.run(
            command,
            env=environment(work, language, arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    executions = EXECUTIONS.findall(done.stdout)
    coverage = COVERAGE.findall(done.stdout)
    fine = done.returncode == 0 and executions and coverage
    edges, features = coverage[-1] if coverage else (0, 0)
    return Outcome(
        int(executions[-1]) if executions else 0,
        int(edges),
        int(features),
        log="" if fine else done.stdout or "it printed nothing",
    )


def missing(name: str, language: str) -> str:
    """The reason why a target cannot run here, if any."""
    if language == "core":
        return "" if (PROGRAMS / f"fuzz_{name}").exists() else "not built; .ci/fuzz builds it, with Clang"
    return "" if find_spec("atheris") else f"atheris is not installed for Python {sys.version.split()[0]}"


def program(name: str, language: str) -> list[str]:
    if language == "core":
        return [str(PROGRAMS / f"fuzz_{name}")]
    return [sys.executable, "-m", "fuzz.one", name]


def seeds(name: str) -> list[Path]:
    folder = HERE / "seeds" / name
    return [folder] if folder.exists() else []


def environment(work: str, language: str, arguments: argparse.Namespace) -> dict[str, str]:
    found = {**os.environ, "TMPDIR": work, "BOLIDE_HOME": f"{work}/home", "BOLIDE_OFFLINE": "1"}
    # Python does not free all memory at its end.
    found["ASAN_OPTIONS"] = "detect_leaks=0" if language == "python" else ""
    if arguments.sanitized and language == "python":
        import atheris

        found["LD_PRELOAD"] = str(Path(atheris.path()) / "asan_with_fuzzer.so")
    return found


def show(name: str, language: str, outcome: Outcome) -> None:
    if outcome.log:
        print(outcome.log[-6000:])
    numbers = f"{outcome.executions:>10,} {outcome.coverage:>6,} {outcome.features:>7,}"
    result = f"skipped: {outcome.skipped}" if outcome.skipped else "FINDING" if outcome.log else "fine"
    print(f"{language:<7} {name:<16} {numbers}  {result}", flush=True)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Runs fuzz targets.")
    parser.add_argument("names", nargs="*", help="targets (default: all)")
    parser.add_argument("--seconds", type=int, default=10, help="for each target (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="makes a run repeatable (default: random)")
    parser.add_argument("--list", action="store_true", help="list the targets and what they call")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time")
    parser.add_argument("--corpus", help="a folder that keeps the inputs found, for the next run")
    parser.add_argument("--sanitized", action="store_true", help="bolide was built by .ci/fuzz")
    arguments = parser.parse_args(words)
    tables = {"core": CORE, "python": PYTHON}
    rows = [(name, language) for language, table in tables.items() for name in table]
    if unknown := set(arguments.names) - {name for name, _ in rows}:
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    rows = [row for row in rows if not arguments.names or row[0] in arguments.names]
    if arguments.list:
        for name, language in rows:
            print(f"{language:<7} {name:<16} {tables[language][name]}")
        return 0
    print(f"{'':<7} {'target':<16} {'executions':>10} {'edges':>6} {'features':>7}")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = pool.map(lambda row: run(row[0], row[1], arguments), rows)
        found = 0
        for (name, language), outcome in zip(rows, outcomes, strict=True):
            show(name, language, outcome)
            found += bool(outcome.log)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
