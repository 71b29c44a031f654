"""Runs a program of `tests/support/programs` with and without `patch()`, and prints what happened as JSON.

    python -m tests.support.patched_program with_nltk late

"late": the program is imported before the patch; "early": after it; "run": the same, but this process is
started by `bolide run`, which has made the patch. Keys of the answer:

    active              whether there was a patch when this module started
    original, patched   its scores, or the error
    java, connections   Java processes and network connections while the patch was active
    replaced            the names that were replaced
    wrong               names that are not the original objects after `unpatch()`
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from typing import Any

import bolide.compat
from bolide.compat import patching
from bolide.compat.patching.finder import Finder

_java: list[str] = []
_connections: list[str] = []


def _count(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("subprocess.Popen", "os.posix_spawn", "os.exec"):
        command = [str(word) for word in arguments[1]]
        _java.extend(word for word in command[:1] if word.endswith(("java", "java.exe")))
    if event in ("socket.connect", "socket.getaddrinfo"):
        _connections.append(str(arguments[-1] if event == "socket.connect" else arguments[0]))
        raise ConnectionRefusedError("tests have no network")


def main(program: str, order: str) -> dict[str, Any]:
    """Runs a program both ways."""
    answer: dict[str, Any] = {"active": bool(_finders())}
    sys.addaudithook(_count)
    name = f"tests.support.programs.{program}"
    if order == "late":
        answer["original"] = _scores(name)
        before = _objects()
    patch = bolide.compat.patch()
    _java.clear()
    _connections.clear()
    answer["patched"] = _scores(name)
    answer.update(java=[*_java], connections=[*_connections], replaced=patch.replaced)
    ours = {id(each.replacement) for made in patching._state._made.values() for each in made}
    bolide.compat.unpatch()
    after = _objects()
    wrong = [place for place, value in after.items() if id(value) in ours]
    if order == "late":
        wrong += [place for place, value in before.items() if after.get(place) is not value]
    else:
        answer["original"] = _scores(name)
    return {**answer, "wrong": wrong, "hook": _finders()}


def _finders() -> list[str]:
    """The import hooks of the patch."""
    return [str(finder) for finder in sys.meta_path if type(finder) is Finder]


def _scores(name: str) -> Any:
    try:
        return importlib.import_module(name).scores()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _objects() -> dict[str, Any]:
    """All functions and classes of all modules, by name."""
    return {
        f"{module_name}.{name}": value
        for module_name, module in list(sys.modules.items())
        for name, value in list(getattr(module, "__dict__", {}).items())
        if callable(value)
    }


if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):  # some programs print
        found = main(*sys.argv[1:])
    print(json.dumps(found))
