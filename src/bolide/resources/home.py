"""Where packs live: `BOLIDE_HOME`, or the user's data directory. Asking never creates a folder.

home()/
  install.lock        held by the process that installs
  staging/            a download and half-written packs; swept by the next install
  packs/en/
    manifest.toml     names the folder of the pack's files; replacing it is what installs a pack
    arrays-1f0c93a2/  .npy files and licence texts
  packs/en-wordnet/   a pack of synonyms from elsewhere, built alike
"""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """The folder that holds everything bolide installs."""
    chosen = os.environ.get("BOLIDE_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_dir

    return Path(user_data_dir("bolide", appauthor=False))


def offline() -> bool:
    """Whether the user forbids fetching (`BOLIDE_OFFLINE=1`)."""
    return os.environ.get("BOLIDE_OFFLINE", "").strip().lower() not in ("", "0", "false", "no")
