"""bolide: METEOR, the machine-translation metric, as its official release computes it, many times faster.

>>> import bolide
>>> bolide.__version__.count(".")
2
"""

from importlib import import_module

from bolide._version import __version__

TYPE_CHECKING = False  # type checkers know this name; importing `typing` would slow down every command
if TYPE_CHECKING:
    from typing import Any

    from bolide.comparison.compare import Comparison, compare
    from bolide.errors import BolideError, ConfigurationError, InputError, ResourceError
    from bolide.explanation.explanation import Explanation
    from bolide.formula.parameters import Parameters
    from bolide.scoring.alignment import Alignment, Match
    from bolide.scoring.meteor import Meteor
    from bolide.scoring.score import CorpusScore, Score
    from bolide.scoring.signature import Signature

# The modules of the public names. They are imported on first use, because the command line must set an
# environment variable before anything imports NumPy.
_HOMES = {
    "comparison.compare": ("Comparison", "compare"),
    "errors": ("BolideError", "ConfigurationError", "InputError", "ResourceError"),
    "explanation.explanation": ("Explanation",),
    "formula.parameters": ("Parameters",),
    "scoring.alignment": ("Alignment", "Match"),
    "scoring.meteor": ("Meteor",),
    "scoring.score": ("CorpusScore", "Score"),
    "scoring.signature": ("Signature",),
}

__all__ = ["Alignment", "BolideError", "Comparison", "ConfigurationError", "CorpusScore", "Explanation"]
__all__ += ["InputError", "Match", "Meteor", "Parameters", "ResourceError", "Score", "Signature"]
__all__ += ["__version__", "compare"]


# Packages that are imported on first use.
_PACKAGES = ("evaluation", "mert", "xray")


def __getattr__(name: str) -> "Any":
    if name in _PACKAGES:
        return import_module(f"bolide.{name}")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"bolide.{home}"), name)
    raise AttributeError(f"module 'bolide' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
