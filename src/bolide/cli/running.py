"""`bolide run`: any program, with METEOR from bolide. It parses its own options, because most options belong
to the program, and so that nothing of the other commands is loaded while the program runs.
The module is not named `run`, because `bolide.cli.run` is a function.
"""

from __future__ import annotations

import os

from bolide.cli import threads
from bolide.errors import ConfigurationError

NO_PATCH = "--no-patch"


def main(arguments: list[str]) -> int:
    """Runs `bolide run` with these arguments; its exit code."""
    from bolide.running.environment import AS_JAVA

    if arguments[:1] == [AS_JAVA]:
        from bolide.running import stand_in

        return stand_in.answer(arguments[1], arguments[2:])
    if arguments[:1] in (["-h"], ["--help"]):
        from bolide.cli.application import application

        return application(["run", "--help"])
    return _run(arguments)


def _run(arguments: list[str]) -> int:
    from bolide._support.platform import end_as
    from bolide.running import program

    patch, words = _parse(arguments)
    environment = dict(os.environ)
    if not threads.THREADS_GIVEN:
        del environment[threads.THREADS]
    return end_as(program.run(words, environment, patch=patch))


def _parse(arguments: list[str]) -> tuple[bool, list[str]]:
    """Whether to patch, and the command. Its options begin after its name."""
    patch, words = True, list(arguments)
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option == "--":
            break
        if option != NO_PATCH:
            raise ConfigurationError(f"unknown option '{option}'; use bolide run [{NO_PATCH}] -- COMMAND ...")
        patch = False
    return patch, words
