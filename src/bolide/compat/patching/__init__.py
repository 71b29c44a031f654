"""Replaces METEOR in other packages, also in packages that are imported later.

    import bolide.compat

    bolide.compat.patch()        # until bolide.compat.unpatch()

    with bolide.compat.patch():  # until the end of the block
        ...

The functions and classes keep their signatures, numbers and exceptions. There is no Java, and no download of
WordNet. `print(bolide.compat.patch())` lists what is replaced.
"""

from __future__ import annotations

import sys
from collections import Counter
from importlib import import_module
from threading import RLock
from types import ModuleType, TracebackType

from bolide.compat.patching.finder import Finder
from bolide.compat.patching.replacing import Replacement, places, replace, restore
from bolide.compat.patching.table import FRAMEWORKS, PatchRow, modules_of
from bolide.errors import unknown


class Patch:
    """A patch, which is also a context manager. Printed, it lists all names that are replaced now."""

    def __init__(self, frameworks: frozenset[str]) -> None:
        self.frameworks = frameworks

    @property
    def replaced(self) -> dict[str, str]:
        """The replaced names of all modules, and bolide's names. It grows as packages are imported."""
        return _state.places(self)

    def __repr__(self) -> str:
        which = ", ".join(sorted(self.frameworks))
        lines = [f"  {name} -> {target}" for name, target in sorted(self.replaced.items())]
        if not _state.is_active(self):
            return f"<ended patch of {which}>"
        if not lines:
            lines = ["  nothing yet: none of them is imported"]
        return "\n".join([f"<patch of {which}, which has replaced:", *lines]) + ">"

    def __enter__(self) -> Patch:
        _state.enter(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _state.leave(self)


def patch(*frameworks: str) -> Patch:
    """Replaces METEOR in packages, by default in all that bolide knows. `frameworks` are names of packages on
    PyPI, such as "nltk" or "pycocoevalcap".

    The patch stays until `unpatch()`; in a `with` statement, until the end of the block. Repeated and nested
    calls are allowed, also in several threads: what one of them needs stays replaced. The patch is for the
    whole process; child processes need their own. Objects made before, such as a running `Meteor` of
    pycocoevalcap, stay as they are.
    """
    for name in frameworks:
        if not isinstance(name, str) or name not in FRAMEWORKS:
            raise unknown("framework", name, FRAMEWORKS)
    made = Patch(frozenset(frameworks or FRAMEWORKS))
    _state.start(made)
    return made


def unpatch() -> None:
    """Ends all patches made by `patch()`, except in `with` blocks that have not ended. All names get their
    original objects back, also in modules that imported them while they were replaced. It does nothing if
    there is no patch."""
    _state.end_all()


class _State:
    """The patches that are active, and what is replaced because of them."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._calls: set[Patch] = set()  # made by a call, until unpatch()
        self._blocks: Counter[Patch] = Counter()  # how often `with` has entered each
        self._wanted: dict[str, list[PatchRow]] = {}
        self._made: dict[str, list[Replacement]] = {}  # by module
        self._finder = Finder(self._wanted, self._loaded)

    def start(self, patch: Patch) -> None:
        with self._lock:
            self._calls.add(patch)
        self._update()

    def enter(self, patch: Patch) -> None:
        with self._lock:
            self._calls.discard(patch)
            self._blocks[patch] += 1
        self._update()

    def leave(self, patch: Patch) -> None:
        with self._lock:
            self._blocks -= Counter([patch])  # removes it at 0
        self._update()

    def end_all(self) -> None:
        with self._lock:
            self._calls.clear()
        self._update()

    def is_active(self, patch: Patch) -> bool:
        return patch in self._calls or patch in self._blocks

    def places(self, patch: Patch) -> dict[str, str]:
        if not self.is_active(patch):
            return {}
        with self._lock:
            modules = modules_of(patch.frameworks)
            return places([each for name in modules for each in self._made.get(name, ())])

    def _update(self) -> None:
        """Replaces and restores what the active patches require."""
        with self._lock:
            active = [*self._calls, *self._blocks]
            wanted = modules_of(frozenset().union(*(each.frameworks for each in active)))
            ended = self._wanted.keys() - wanted.keys()
            restore([each for name in ended for each in self._made.pop(name, ())])
            for name in ended:
                del self._wanted[name]
            self._wanted.update(wanted)
            self._install(bool(wanted))
        loaded = [name for name in wanted if isinstance(sys.modules.get(name), ModuleType)]
        for name in loaded:
            import_module(name)  # waits if another thread is importing it
        self._loaded(*loaded)

    def _install(self, wanted: bool) -> None:
        if wanted and self._finder not in sys.meta_path:
            sys.meta_path.insert(0, self._finder)
        elif not wanted and self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)

    def _loaded(self, *names: str) -> None:
        """Replaces the objects of modules that have been loaded, unless they are replaced already. A module
        that is loaded again has new objects."""
        with self._lock:
            ours = {id(each.replacement) for made in self._made.values() for each in made}
            rows = [
                row
                for name in names
                if name in sys.modules
                for row in self._wanted.get(name, ())
                if id(vars(sys.modules[name]).get(row.attribute)) not in ours
            ]
            for each in replace(rows):
                self._made.setdefault(each.row.module, []).append(each)


_state = _State()
