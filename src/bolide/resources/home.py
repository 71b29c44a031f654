"""The folder of all packs: `BOLIDE_HOME`, or the user's data directory. `home()` creates nothing.

home()/
  install.lock        locked by the process that installs
  staging/            downloads and unfinished packs; the next install removes them
  packs/en/
    manifest.toml     names the folder with the files of the pack; replacing it installs a pack
    arrays-1f0c93a2/  .npy files and licence texts
  packs/en-wordnet/   a pack of synonyms, with the same layout
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

LINUX_FOLDERS = {"data": ".local/share", "cache": ".cache"}


def home() -> Path:
    """The folder for everything that bolide installs."""
    chosen = os.environ.get("BOLIDE_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return user_folder("data")


def user_folder(kind: str) -> Path:
    """The user's folder for bolide's data or cache."""
    if sys.platform == "linux" and not os.environ.get(f"XDG_{kind.upper()}_HOME"):
        # The same as below. Importing platformdirs takes 3% of the time of a short command.
        return Path(os.path.expanduser(f"~/{LINUX_FOLDERS[kind]}"), "bolide")  # noqa: PTH111
    import platformdirs

    found = {"data": platformdirs.user_data_dir, "cache": platformdirs.user_cache_dir}[kind]
    return Path(found("bolide", appauthor=False))


def offline() -> bool:
    """Whether the user forbids fetching (`BOLIDE_OFFLINE=1`)."""
    return os.environ.get("BOLIDE_OFFLINE", "").strip().lower() not in ("", "0", "false", "no")
