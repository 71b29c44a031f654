"""Language packs: fetched and compiled once into flat arrays, then memory-mapped.

    catalogue ──▶ fetch ──▶ distribution ──▶ formats, compile ──▶ installation ──▶ load ──▶ Pack
    (what, where)  (pip)    (any archive)    (arrays on disk)     (atomically)     (mapped)

A scorer needs only `open_pack("en")`. `open_synonyms("wordnet", "en")` opens synonyms from another source.
Importing this package, or asking for paths, fetches and writes nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bolide.resources.catalogue import pack_folder
from bolide.resources.home import home
from bolide.resources.load import load_pack, open_pack, open_synonyms
from bolide.resources.pack import Pack

if TYPE_CHECKING:
    from bolide.resources.custom import custom_pack
    from bolide.resources.installation import install, install_learned, install_synonyms, verify

__all__ = [
    "Pack",
    "custom_pack",
    "home",
    "install",
    "install_learned",
    "install_synonyms",
    "load_pack",
    "open_pack",
    "open_synonyms",
    "pack_folder",
    "verify",
]

# Slow to import (archives, subprocesses) and rarely needed: imported on first use.
_LATER = {
    "custom_pack": "custom",
    "install": "installation",
    "install_learned": "installation",
    "install_synonyms": "installation",
    "verify": "installation",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"bolide.resources.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
