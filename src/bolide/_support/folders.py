"""The user's folders for data and for caches. Nothing is created."""

from __future__ import annotations

import os
import sys
from pathlib import Path

LINUX_FOLDERS = {"data": ".local/share", "cache": ".cache"}


def user_folder(kind: str) -> Path:
    """The user's folder for bolide's data or cache."""
    if sys.platform == "linux" and not os.environ.get(f"XDG_{kind.upper()}_HOME"):
        # The same as below. Importing platformdirs takes 3% of the time of a short command.
        return Path(os.path.expanduser(f"~/{LINUX_FOLDERS[kind]}"), "bolide")  # noqa: PTH111
    import platformdirs

    found = {"data": platformdirs.user_data_dir, "cache": platformdirs.user_cache_dir}[kind]
    return Path(found("bolide", appauthor=False))
