"""The folder of all packs: `BOLIDE_HOME`, or the user's data directory. `home()` creates nothing.

home()/
  install.lock        locked by the process that installs
  staging/            downloads and unfinished packs; the next install removes them
  packs/en/
    manifest.toml     names the folder with the files of the pack; replacing it installs a pack
    arrays-1f0c93a2/  .npy files and licence texts
  packs/en-wordnet/   a pack of synonyms, with the same layout
  packs/en-frequencies/  a pack of word frequencies, too
"""

from __future__ import annotations

import os
from pathlib import Path

from bolide._support.folders import user_folder


def home() -> Path:
    """The folder for everything that bolide installs."""
    chosen = os.environ.get("BOLIDE_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return user_folder("data")


def offline() -> bool:
    """Whether the user forbids fetching (`BOLIDE_OFFLINE=1`)."""
    return os.environ.get("BOLIDE_OFFLINE", "").strip().lower() not in ("", "0", "false", "no")
