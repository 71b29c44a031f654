"""The fields of a manifest and their types. Each check returns the value, or raises a ValueError that names
the field. Manifests may come from untrusted sources, so everything is checked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from bolide.resources.pack_files import is_plain_name

Check = Callable[[str, Any], Any]

_SHA256 = re.compile("[0-9a-f]{64}")
_CODE = re.compile("[A-Za-z0-9_-]{1,32}")
_LARGEST_NUMBER = 2**63 - 1
_DEEPEST = 4  # levels of tables that record how a pack was learned


def checked(table: Mapping[str, Any]) -> dict[str, Any]:
    """The known fields of a manifest. Only `learned` may be missing."""
    return {name: check(name, table.get(name, _MISSING.get(name))) for name, check in FIELDS.items()}


def _fail(name: str, wanted: str) -> ValueError:
    # Control characters must not reach the terminal.
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[:80])
    return ValueError(f"{shown} must be {wanted}")


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _fail(name, "a text")
    return value


def _matching(pattern: re.Pattern[str], wanted: str) -> Check:
    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise _fail(name, wanted)
        return value

    return check


def _version(name: str, value: Any) -> str:
    if not _text(name, value).isprintable():
        raise _fail(name, "a text without control characters")
    return str(value)


def _number(name: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST_NUMBER:
        raise _fail(name, "a whole number, not negative and below 2^63")
    return value


def _plain_name(name: str, value: Any) -> str:
    if not isinstance(value, str) or not is_plain_name(value):
        raise _fail(name, "a plain name, without a path")
    return value


def _table(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _fail(name, "a table")
    return value


def _table_of(check: Check) -> Check:
    return lambda name, value: {
        key: check(f"{name}.{key}", each) for key, each in _table(name, value).items()
    }


def _files(name: str, value: Any) -> dict[str, dict[str, Any]]:
    rows = _table_of(_table)(name, value)
    for key in rows:
        _plain_name(f"'{key}' in {name}", key)
    return {
        key: {field: check(f"{name}.{key}.{field}", row.get(field)) for field, check in _FILE.items()}
        for key, row in rows.items()
    }


def _record(name: str, value: Any, depth: int = 0) -> Any:
    """A text, a number, true or false, or a table of them."""
    if isinstance(value, dict) and depth < _DEEPEST:
        return {key: _record(f"{name}.{key}", each, depth + 1) for key, each in value.items()}
    if not isinstance(value, (str, int, float)) or (isinstance(value, float) and not math.isfinite(value)):
        raise _fail(name, "a text, a number, or a small table of them")
    return value


_FILE: dict[str, Check] = {"bytes": _number, "sha256": _matching(_SHA256, "64 hexadecimal digits")}
_TEXTS = _table_of(_text)
FIELDS: dict[str, Check] = {
    "format": _number,
    "language": _matching(_CODE, "the code of a language"),
    "bolide": _version,
    "folder": _plain_name,
    "origin": _TEXTS,
    "sources": _TEXTS,
    "licences": _TEXTS,
    "counts": _table_of(_number),
    "files": _files,
    "learned": _table_of(lambda name, value: _record(name, _table(name, value))),
}
_MISSING: dict[str, Any] = {"learned": {}}
