"""Calls a function after modules are loaded, by a finder in `sys.meta_path`.

For any other module, the finder costs one look-up in a dict. It finds nothing by itself: the finders after it
do, and it wraps their loader.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Finder:
    """Calls `loaded` with the name of every module in `wanted` that is loaded from now on."""

    def __init__(self, wanted: Collection[str], loaded: Callable[[str], None]) -> None:
        self._wanted = wanted
        self._loaded = loaded

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self._wanted:
            return None
        for finder in list(sys.meta_path):
            find = None if finder is self else getattr(finder, "find_spec", None)
            if find is None:  # old finders have only `find_module`, which Python ignores, too
                continue
            spec: ModuleSpec | None = find(name, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(name, spec.loader, self._loaded)  # type: ignore[assignment]
                return spec
        return None


class _Loader:
    """A loader that calls a function after the module is executed. It is replaced by the original before
    that, so that the module looks as usual."""

    def __init__(self, name: str, loader: Any, loaded: Callable[[str], None]) -> None:
        self._name = name
        self._loader = loader
        self._loaded = loaded

    def __getattr__(self, name: str) -> Any:
        if name in ("_loader", "__setstate__"):  # `copy` asks for them before there is a loader
            raise AttributeError(name)
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        created: ModuleType | None = self._loader.create_module(spec)
        return created

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        self._loaded(self._name)
