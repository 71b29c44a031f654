"""Short names of files: without their common parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from bolide._support.plurals import counted
from bolide._support.visible import visible
from bolide.errors import ConfigurationError

# A name may be cut next to these characters. Beside the weak ones, a longer rest is needed: `online-A` stays.
STRONG, WEAK = "./:", "-_ "


def labels(files: Sequence[str]) -> list[str]:
    """Names of files without their common folder, beginning and end. Each is still different, and begins with
    a letter if the name does. Bytes of a name that are not UTF-8 are escaped.

    >>> labels(["out/newstest2013.de-en.umd.txt", "out/newstest2013.de-en.online-A.txt"])
    ['umd', 'online-A']
    >>> labels(["set.system-1", "set.system-2"]), labels(["one/a.txt", "two/a.txt"]), labels(["out/a.txt"])
    (['system-1', 'system-2'], ['one', 'two'], ['a.txt'])
    """
    names = without_folder(files)
    if len(set(names)) < 2:
        return names
    return _cut(_cut(names, _beginnings, str.removeprefix), _ends, str.removesuffix)


def chosen_labels(names: str | None, files: Sequence[str]) -> list[str]:
    """The names that a user has given, with commas between them; else those of the files.

    >>> chosen_labels("one, two", ["a.txt", "b.txt"]), chosen_labels(None, ["a.txt", "b.txt"])
    (['one', 'two'], ['a', 'b'])
    """
    if names is None:
        return labels(files)
    found = [name.strip() for name in names.split(",")]
    if len(found) != len(files):
        raise ConfigurationError(
            f"--names has {counted(len(found), 'names')} for {counted(len(files), 'systems')}; "
            "give one for each, such as --names A,B"
        )
    if not all(found):
        raise ConfigurationError(f"--names '{names}' has an empty name")
    if again := next((name for k, name in enumerate(found) if name in found[:k]), None):
        raise ConfigurationError(f"--names has '{again}' twice; each system needs its own name")
    return [writable(name) for name in found]


def without_folder(files: Sequence[str]) -> list[str]:
    """Names of files without their common folder.

    >>> without_folder(["out/one/a.txt", "out/two/a.txt"]), without_folder(["a.txt", "/b/a.txt"])
    (['one/a.txt', 'two/a.txt'], ['a.txt', '/b/a.txt'])
    """
    parts = [name.replace(os.sep, "/").split("/") for name in files]
    folders = zip(*(part[:-1] for part in parts), strict=False)
    shared = sum(1 for _ in takewhile(lambda names: len(set(names)) == 1, folders))
    return [writable("/".join(part[shared:])) for part in parts]


def short_name(name: str, letters: int = 40) -> str:
    """A name for people: without control characters, and without its middle if it is long.

    >>> print(short_name("newstest2013.de-en.system", 15), short_name("a\\x1bb"))
    newstes….system a\\x1bb
    """
    name = visible(name)
    end = (letters - 1) // 2
    return name if len(name) <= letters else f"{name[: letters - 1 - end]}…{name[-end:]}"


def writable(name: str) -> str:
    """A file name with only valid characters.

    >>> print(writable("caf\\udce9.txt"))
    caf\\xe9.txt
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


Splitter = Callable[[str], Iterator[tuple[str, str]]]


def _cut(names: list[str], pieces: Splitter, remove: Callable[[str, str], str]) -> list[str]:
    """The names without the longest piece that all of them share and that leaves good names."""
    for piece, edge in pieces(names[0]):
        if all(len(remove(name, piece)) < len(name) for name in names):
            found = [remove(name, piece) for name in names]
            if all(_good(rest, name, edge) for rest, name in zip(found, names, strict=True)):
                return found
    return names


def _good(rest: str, name: str, edge: str) -> bool:
    least = 1 if edge in STRONG else 2
    return len(rest) >= least and (rest[0].isalpha() or not name[0].isalpha())


def _beginnings(name: str) -> Iterator[tuple[str, str]]:
    """The beginnings up to a character where a name may be cut, the longest first; and this character."""
    return ((name[: k + 1], name[k]) for k in reversed(range(len(name))) if name[k] in STRONG + WEAK)


def _ends(name: str) -> Iterator[tuple[str, str]]:
    return ((name[k:], name[k]) for k in range(len(name)) if name[k] in STRONG + WEAK)
