"""Language packs: fetched and compiled once into flat arrays, then memory-mapped.

    catalogue ──▶ fetch ──▶ distribution ──▶ formats, compile ──▶ installation ──▶ load ──▶ opening ──▶ Pack
    (what, where)  (pip)    (any archive)    (arrays on disk)     (atomically)     (mapped)  (by language)

A scorer needs only `open_pack("en")`. `open_synonyms("wordnet", "en")` opens synonyms from another source,
`open_frequencies("en")` the frequencies of words.
Importing this package, or asking for paths, fetches and writes nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bolide.resources.catalogue import pack_folder
from bolide.resources.frequencies import has_frequencies
from bolide.resources.home import home
from bolide.resources.load import load_pack
from bolide.resources.opening import open_frequencies, open_pack, open_synonyms
from bolide.resources.pack import Pack

if TYPE_CHECKING:
    from bolide.resources.custom import custom_pack
    from bolide.resources.installation import (
        install,
        install_frequencies,
        install_learned,
        install_synonyms,
        verify,
    )

__all__ = ["Pack", "custom_pack", "has_frequencies", "home", "install", "install_frequencies"]
__all__ += ["install_learned", "install_synonyms", "load_pack", "open_frequencies", "open_pack"]
__all__ += ["open_synonyms", "pack_folder", "verify"]


def __getattr__(name: str) -> Any:
    """Imports the other names on first use: they are slow to import (archives, subprocesses) and rarely
    needed."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "custom" if name == "custom_pack" else "installation"
    return getattr(import_module(f"bolide.resources.{module}"), name)
