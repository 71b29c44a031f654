"""Runs bolide commands with faults, each in its own process, for `tests.support.faults`.

The library `faults.c` must be preloaded. The server imports bolide once and forks one child per command, so
that a command takes milliseconds. Jobs and answers are lines of JSON on standard input and output.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import sys
from typing import Any

# Imported before the first fork. Modules that start threads must not be among them.
MODULES = (
    "numpy",
    "bolide.__main__",
    "bolide.cli.application",
    "bolide.learning.filtered_packs",
    "bolide.mert",
)


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
    program()


def main() -> None:
    jobs = os.fdopen(0, "rb", buffering=0, closefd=False)  # unbuffered: a child must not see more jobs
    for name in MODULES:
        importlib.import_module(name)
    while line := jobs.readline():
        process = os.fork()
        if process == 0:
            child(json.loads(line))
            return
        _, status = os.waitpid(process, 0)
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)


main()
