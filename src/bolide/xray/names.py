"""Names of systems for display."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import takewhile

from bolide.errors import InputError


def labels(files: Sequence[str]) -> list[str]:
    """Names of files without their common folder, because space on the page is limited.

    Bytes of a name that are not UTF-8 are escaped.

    >>> labels(["out/one/a.txt", "out/two/a.txt"]), labels(["out/a.txt"]), labels(["a.txt", "/b/a.txt"])
    (['one/a.txt', 'two/a.txt'], ['a.txt'], ['a.txt', '/b/a.txt'])
    """
    parts = [name.replace(os.sep, "/").split("/") for name in files]
    folders = zip(*(part[:-1] for part in parts), strict=False)
    shared = sum(1 for _ in takewhile(lambda names: len(set(names)) == 1, folders))
    return [writable("/".join(part[shared:])) for part in parts]


def writable(name: str) -> str:
    """A file name with only valid characters.

    >>> print(writable("caf\\udce9.txt"))
    caf\\xe9.txt
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def check_texts(what: str, texts: Iterable[str | None]) -> None:
    """Fails if a text is not a string, or cannot be encoded."""
    for text in texts:
        if text is None:
            continue
        if not isinstance(text, str):
            raise InputError(f"{what} must be text, not {text!r}")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"U+{ord(text[error.start]):04X}"
            raise InputError(
                f"{what} has a lone surrogate ({half}), which is not a valid character: {text!a}; "
                "decode it as UTF-8 with errors='replace' first"
            ) from None
