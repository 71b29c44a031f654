"""bolide: METEOR, the machine-translation metric, as its official release computes it, many times faster.

>>> import bolide
>>> bolide.__version__.count(".")
2
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bolide._version import __version__

if TYPE_CHECKING:
    from bolide.errors import BolideError, ConfigurationError, InputError, ResourceError
    from bolide.metric import Alignment, Match, Meteor
    from bolide.score import CorpusScore, Parameters, Score

# Where the public names stand. They are imported when asked for: the command line has to set up NumPy's
# library before anything imports it.
_HOMES = {
    "Alignment": "bolide.metric",
    "BolideError": "bolide.errors",
    "ConfigurationError": "bolide.errors",
    "CorpusScore": "bolide.score",
    "InputError": "bolide.errors",
    "Match": "bolide.metric",
    "Meteor": "bolide.metric",
    "Parameters": "bolide.score",
    "ResourceError": "bolide.errors",
    "Score": "bolide.score",
}

__all__ = [
    "Alignment",
    "BolideError",
    "ConfigurationError",
    "CorpusScore",
    "InputError",
    "Match",
    "Meteor",
    "Parameters",
    "ResourceError",
    "Score",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'bolide' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
