"""The command line: a thin layer over the public API, with one file per command."""

from __future__ import annotations

import gc
import os
import sys

from bolide._support import interruption
from bolide._support.interruption import INTERRUPTED, TERMINATED
from bolide._support.outputs import remove_unfinished
from bolide.cli import streams, threads

threads.limit()  # before NumPy is loaded

# Python searches for reference cycles whenever there are this many new objects. The number is so large that
# no search happens while modules are loaded, and so small that memory stays constant.
OBJECTS_PER_COLLECTION = 200_000

BROKEN_PIPE = 141


def main() -> None:
    """Runs the command in `sys.argv`, for Python code that may go on afterwards; raises SystemExit."""
    before, thresholds = (sys.stdin, sys.stdout, sys.stderr), gc.get_threshold()
    with interruption.restored():
        interruption.install()
        code = command()
    sys.stdin, sys.stdout, sys.stderr = before
    gc.set_threshold(*thresholds)
    sys.exit(code)


def command() -> int:
    """Runs the command in `sys.argv`; its exit code. All of its output is written."""
    streams.prepare()
    interruption.watch(remove_unfinished)
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    code = interruption.exit_code(lambda: run(sys.argv[1:]))
    if code in (INTERRUPTED, TERMINATED):
        os._exit(code)  # without waiting for threads at work
    streams.finish()
    return code


def run(arguments: list[str]) -> int:
    """Runs a command; its exit code: 0 success, 1 the job failed, 2 wrong usage; 130 interrupted, 141 broken
    pipe (for example `| head`), 143 terminated, as shells report signals."""
    from bolide.errors import BolideError, ModuleError

    code = 0
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except ModuleError as error:
        how = "with --modules (and --weights)"
        streams.tell(error.told(how, error.choices, error.remedies.values()))
        failure = error.exit_code
    except BolideError as error:
        streams.tell(str(error))
        failure = error.exit_code
    except MemoryError:
        streams.tell("not enough memory: use a narrower beam, fewer threads or shorter segments")
        failure = 1
    except BrokenPipeError:
        failure = BROKEN_PIPE
    except OSError as error:  # for example: standard output is on a full disk
        where = "" if error.filename is None else f"{error.filename}: "
        streams.tell(f"{where}{error.strerror or error}")
        failure = 1
    return code or failure  # a command that has failed keeps its exit code if its output cannot be written


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["java"]:  # has its own options, and must start fast
        from bolide.cli import java

        return java.main(arguments[1:])
    if arguments[:1] == ["run"]:  # the same
        from bolide.cli import running

        return running.main(arguments[1:])
    from bolide.cli import plain_arguments

    if plain_arguments.run(arguments):
        return 0
    from bolide.cli.application import application

    return application(arguments)
