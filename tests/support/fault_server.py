"""Runs bolide commands with faults, each in its own process, for `tests.support.faults`.

The library `faults.c` must be preloaded. The server imports bolide once and forks one child per command, so
that a command takes milliseconds. It also imports what a command without a fault imported: pandas, ibis and
Altair take seconds. Jobs and answers are lines of JSON on standard input and output.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

# Imported before the first fork.
MODULES = ("numpy", "bolide.__main__", "bolide.cli.application")


def child(job: dict[str, Any]) -> None:
    """Runs a command as the program `bolide` does."""
    from bolide.__main__ import program

    for descriptor, (name, flags) in enumerate(
        [(os.devnull, os.O_RDONLY), (job["output"], os.O_WRONLY), (job["errors"], os.O_WRONLY)]
    ):
        opened = os.open(name, flags | (os.O_CREAT | os.O_TRUNC if descriptor else 0), 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.update(job["environment"])
    os.chdir(job["root"])
    sys.argv = ["bolide", *job["arguments"]]
    arguments = (os.fsencode(job["root"]), job["number"], ord(job["mode"]), os.fsencode(job["count"]))
    ctypes.CDLL(None).faults_arm(*arguments)
    try:
        program()
    finally:
        if job["modules"]:
            Path(job["modules"]).write_text("\n".join(sys.modules), encoding="utf-8")


def imported(names: Iterable[str]) -> None:
    """Imports modules for all later children. Some have no name to import: they come with others."""
    for name in names:
        with suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()  # else each child copies all objects, to search them for cycles


def main() -> None:
    jobs = os.fdopen(0, "rb", buffering=0, closefd=False)  # unbuffered: a child must not see more jobs
    imported(MODULES)
    while line := jobs.readline():
        job = json.loads(line)
        process = os.fork()
        if process == 0:
            child(job)
            return
        _, status = os.waitpid(process, 0)
        if job["modules"] and Path(job["modules"]).exists():
            imported(Path(job["modules"]).read_text(encoding="utf-8").splitlines())
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)


main()
