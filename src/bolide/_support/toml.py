"""Reads TOML with tomllib, or tomli before Python 3.11.

Files may come from untrusted sources. The parsers have no limits, and take quadratic time for long dotted
keys. Therefore `read` and `parse` refuse large files, long keys and deep nesting, with a ValueError.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path
from typing import IO, Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LARGEST = 1 << 20  # bytes of a file
LONGEST_KEY = 64  # parts of a dotted key
# Strings, comments and blanks. A string without an end reaches to the end of its line or of the text, so that
# the search takes linear time.
_NO_KEYS = re.compile(
    r"""
    (?P<string> "{3} (?: [^\\] | \\. )*? (?: "{3,5} | \\?\Z )
              | '{3} .*? (?: '{3,5} | \Z )
              | " (?: [^"\\\n] | \\[^\n] )* "?
              | ' [^'\n]* '? )
    | \#[^\n]* | [ \t]+
    """,
    re.DOTALL | re.VERBOSE,
)
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]+\.){{{LONGEST_KEY}}}")


def read(path: Path) -> dict[str, Any]:
    """The tables in a file of a user. OSError if it cannot be read, ValueError if it is not TOML."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):  # it may have no end
        raise OSError(errno.EINVAL, "it is a device", os.fspath(path))
    with path.open("rb") as stream:
        return parse(stream)


def parse(stream: IO[bytes], largest: int = LARGEST) -> dict[str, Any]:
    """The tables in an open file of a user. ValueError if it is not TOML, or larger than this."""
    data = stream.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"it has more than {largest:,} bytes")
    text = data.decode("utf-8")
    keys = _NO_KEYS.sub(lambda found: "s" if found["string"] else "", text)
    if _LONG_KEY.search(keys):
        raise ValueError(f"a dotted key has more than {LONGEST_KEY} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("too many nested tables or lists") from None


def package_data(name: str) -> dict[str, Any]:
    """The tables in a data file of bolide, such as "resources/catalogue.toml"."""
    path = Path(__file__).parents[1] / name
    return tomllib.loads(path.read_text(encoding="utf-8"))
