"""Avoids downloads that METEOR does not need when bolide computes it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bolide.compat import evaluate
from bolide.compat.patching.table import DOWNLOADERS

# NLTK's data by identifier: the places in NLTK's folder where it may be; none if METEOR does not need it with
# bolide. NLTK has two forms of the same model, punkt and punkt_tab, and each version reads one of them.
DATA = {
    "omw-1.4": (),
    "perluniprops": ("misc/perluniprops",),
    "punkt": ("tokenizers/punkt", "tokenizers/punkt_tab"),
    "punkt_tab": ("tokenizers/punkt_tab",),
    "wordnet": (),
}
# The module "meteor" of evaluate and jury, which they load under such a name.
MODULE_OF_EVALUATE = re.compile(r"(evaluate_modules|datasets_modules|jury)\b.*meteor")
# Names of Hugging Face's module.
MODULES = ("meteor", "evaluate-metric/meteor")


def download(original: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Replaces `nltk.download`. If the caller computes METEOR, WordNet is not fetched, and neither is data
    that is there already. NLTK would connect to its server to look for updates."""
    caller = sys._getframe(2).f_globals.get("__name__", "")  # behind the function that replaces the original
    computes_meteor = caller in DOWNLOADERS or MODULE_OF_EVALUATE.match(caller)
    if computes_meteor and len(arguments) == 1 and named.keys() <= {"quiet"}:
        name = arguments[0]
        if isinstance(name, str) and name in DATA and _is_there(DATA[name]):
            return True
    return original(*arguments, **named)


def _is_there(places: tuple[str, ...]) -> bool:
    return not places or any(map(_finds, places))


def _finds(place: str) -> bool:
    try:
        import_module("nltk.data").find(place)
    except (LookupError, OSError):  # some versions raise an OSError
        return False
    return True


def load(original: Callable[..., Any], path: str, *arguments: Any, **named: Any) -> Any:
    """Replaces `evaluate.load`. The module "meteor" is bolide's, which gives the same numbers; evaluate would
    fetch its own from Hugging Face."""
    plain = not arguments and named.get("config_name") is None and named.get("revision") is None
    if path in MODULES and plain and not Path(path, "meteor.py").exists():
        if not _is_there(DATA["punkt_tab"]):
            import_module("nltk").download("punkt_tab", quiet=True)  # as evaluate's own module does
        path = evaluate.path()
    return original(path, *arguments, **named)


class NoWordNet:
    """Takes the place of `nltk.corpus.wordnet` in a module that only loads it to see whether it is there."""

    def ensure_loaded(self) -> None:
        """Does nothing."""
