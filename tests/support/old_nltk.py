"""NLTK before 3.6.3, from PyPI, in a process of its own.

It is BOLIDE_OLD_NLTK, a folder made by `pip install --no-deps --target FOLDER nltk==3.6.2`, or pip installs
it once into the user's cache. Its METEOR needs no other package but those of the current NLTK.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import platformdirs

VERSION = "3.6.2"
# Reads a list of [references, hypothesis, arguments] from standard input, and writes the scores.
PROGRAM = """
import json, sys, warnings
warnings.simplefilter("ignore")
old, data = sys.argv[1:]
sys.path.insert(0, old)
import nltk
assert nltk.__version__ in ("3.6", "3.6.1", "3.6.2"), nltk.__version__
nltk.data.path.insert(0, data)
from nltk.translate.meteor_score import meteor_score
json.dump([meteor_score(*texts, **more) for *texts, more in json.load(sys.stdin)], sys.stdout)
"""


def find() -> Path:
    """The folder; raises OSError if it is not available."""
    if given := os.environ.get("BOLIDE_OLD_NLTK"):
        return Path(given)
    folder = Path(platformdirs.user_cache_dir("bolide")) / f"nltk-{VERSION}"
    if not (folder / "nltk" / "VERSION").is_file():
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--target", str(folder)]
        command = [sys.executable, "-m", "pip", "install", *options, f"nltk=={VERSION}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise OSError(f"pip cannot install nltk=={VERSION}: {done.stderr.strip().splitlines()[-1]}")
    return folder


def scores(calls: list[tuple[list[str], str, dict[str, Any]]], wordnet: Path) -> list[float]:
    """The scores of calls (references, hypothesis, arguments), with this WordNet."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(find()), str(wordnet.parents[1])],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise OSError(done.stderr)
    found: list[float] = json.loads(done.stdout)
    return found
