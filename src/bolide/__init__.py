"""bolide: METEOR, the machine-translation metric, as its official release computes it, many times faster.

>>> import bolide
>>> bolide.__version__.count(".")
2
"""

from importlib import import_module

from bolide._version import __version__

TYPE_CHECKING = False  # as type checkers know it; the command should not have to load `typing` for it
if TYPE_CHECKING:
    from typing import Any

    from bolide.comparison import Comparison, compare
    from bolide.errors import BolideError, ConfigurationError, InputError, ResourceError
    from bolide.explain import Explanation
    from bolide.metric import Alignment, Match, Meteor
    from bolide.score import CorpusScore, Parameters, Score
    from bolide.signature import Signature

# Where the public names stand. They are imported when asked for: the command line has to set up NumPy's
# library before anything imports it.
_HOMES = {
    "Alignment": "bolide.metric",
    "BolideError": "bolide.errors",
    "Comparison": "bolide.comparison",
    "ConfigurationError": "bolide.errors",
    "CorpusScore": "bolide.score",
    "Explanation": "bolide.explain",
    "InputError": "bolide.errors",
    "Match": "bolide.metric",
    "Meteor": "bolide.metric",
    "Parameters": "bolide.score",
    "ResourceError": "bolide.errors",
    "Score": "bolide.score",
    "Signature": "bolide.signature",
    "compare": "bolide.comparison",
}

__all__ = [
    "Alignment",
    "BolideError",
    "Comparison",
    "ConfigurationError",
    "CorpusScore",
    "Explanation",
    "InputError",
    "Match",
    "Meteor",
    "Parameters",
    "ResourceError",
    "Score",
    "Signature",
    "__version__",
    "compare",
]


# Packages that are imported when asked for.
_PACKAGES = ("evaluation", "mert", "xray")


def __getattr__(name: str) -> "Any":
    if name in _PACKAGES:
        return import_module(f"bolide.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'bolide' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
