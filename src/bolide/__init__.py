"""bolide: METEOR, the machine-translation metric, as its official release computes it, many times faster.

>>> import bolide
>>> bolide.__version__.count(".")
2
"""

from bolide._version import __version__
from bolide.compare import Comparison, compare
from bolide.errors import BolideError, ConfigurationError, InputError, ResourceError
from bolide.metric import Alignment, Match, Meteor
from bolide.score import CorpusScore, Parameters, Score

__all__ = [
    "Alignment",
    "BolideError",
    "Comparison",
    "ConfigurationError",
    "CorpusScore",
    "InputError",
    "Match",
    "Meteor",
    "Parameters",
    "ResourceError",
    "Score",
    "__version__",
    "compare",
]
