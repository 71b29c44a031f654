"""Replaces objects in loaded modules, and puts the originals back.

Both look through the names of all loaded modules for objects by their identity. So names are found wherever
they were imported to, also while the patch was active.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from bolide.compat.patching.table import OLDEST, PatchRow


class Replacement(NamedTuple):
    """An object that is replaced."""

    row: PatchRow
    original: Any
    replacement: Any


def replace(rows: list[PatchRow]) -> list[Replacement]:
    """Replaces the objects of loaded modules, everywhere. Names that a module does not have are left out:
    other versions of a package may lack them. So are modules of versions that compute other numbers."""
    old = {name for name in {row.module for row in rows} if _is_too_old(name)}
    rows = [row for row in rows if row.module not in old]
    if not rows:
        return []
    from bolide.compat.patching.kinds import KINDS  # imports more than a program needs that never gets here

    made = []
    for row in rows:
        names = _names(sys.modules[row.module])
        if row.attribute in names:
            original = names[row.attribute]
            names[row.attribute] = KINDS[row.kind](original, row.target)
            made.append(Replacement(row, original, names[row.attribute]))
    _put({id(each.original): each.replacement for each in made if each.row.everywhere})
    return made


def _is_too_old(module: str) -> bool:
    package, oldest = OLDEST.get(module, ("", ()))
    version = getattr(sys.modules.get(package), "__version__", "")
    numbers = tuple(map(int, re.findall(r"\d+", version)[:3]))  # 3.9b1: 3, 9, 1
    if not numbers or numbers >= oldest:
        return False
    import warnings

    least = ".".join(map(str, oldest))
    warnings.warn(
        f"{package} {version} is not replaced: its METEOR gives other numbers than that of {least} and "
        f"later; run: pip install '{package}>={least}'",
        stacklevel=6,
    )
    return True


def restore(made: list[Replacement]) -> None:
    """Puts the originals back in all modules."""
    _put({id(each.replacement): each.original for each in made})


def places(made: list[Replacement]) -> dict[str, str]:
    """The names that are replaced now in any module, and bolide's names."""
    targets = {id(each.replacement): each.row.target for each in made}
    found: dict[str, str] = {}
    for module, names in _modules():
        found.update(
            {
                f"{module}.{name}": targets[id(value)]
                for name, value in list(names.items())
                if id(value) in targets
            }
        )
    return found


def _put(values: Mapping[int, Any]) -> None:
    if not values:
        return
    for _, names in _modules():
        for name, value in list(names.items()):
            if id(value) in values:
                names[name] = values[id(value)]


def _modules() -> Iterator[tuple[str, dict[str, Any]]]:
    seen: set[int] = set()
    for name, module in list(sys.modules.items()):
        # Not `isinstance`: objects of cffi claim to be modules.
        if issubclass(type(module), ModuleType) and id(module) not in seen:
            seen.add(id(module))
            yield name, _names(module)


def _names(module: ModuleType) -> dict[str, Any]:
    """The names of a module. Attributes of lazy modules would load them."""
    names: dict[str, Any] = object.__getattribute__(module, "__dict__")
    return names
