"""The colours of modules, in the order of `drawing.STYLES`, and of systems.

Modules have the colours of Okabe and Ito, which are distinguishable with any colour vision (Color Universal
Design, 2008). Pictures also name the module. A `tint` of a colour is a background for text in INK.
"""

from __future__ import annotations

# Modules, on white and on dark background.
LIGHT = ("#009e73", "#56b4e9", "#e69f00", "#cc79a7", "#0072b2", "#d55e00")
DARK = ("#2fbf94", "#7cc7f2", "#f0b429", "#e29bc4", "#6c9ef8", "#f08a4b")
# Systems, for both backgrounds: contrast 3 : 1 on white and on #161b22.
SYSTEMS = (
    *("#4477aa", "#cc5566", "#2f8f4e", "#aa4fa0", "#98761a", "#0e8f9e"),
    *("#a45a35", "#7a7f87", "#a40be6", "#e60b0b", "#0b63e6", "#08a808"),
)
# Marks of systems, as Vega names them. Colour and mark together are different for 48 systems.
MARKS = ("circle", "square", "triangle-up", "diamond")
# Dashes of their lines, in the same order.
DASHES = ((1, 0), (6, 2), (2, 2), (8, 2, 2, 2))

INK = "#1f2328"
FAINT = "#656d76"  # unmatched words
LINES = "#d0d7de"
PAPER = "#ffffff"
INKED = 0.55  # share of the colour in a tint


def colour(stage: int) -> str:
    """The colour of a module on white."""
    return LIGHT[stage % len(LIGHT)]


def system_colour(system: int) -> str:
    return SYSTEMS[system % len(SYSTEMS)]


def mark(system: int) -> int:
    """The mark of a system: a place in MARKS and DASHES.

    >>> [mark(system) for system in (0, 1, 2, 3, 4, 11, 12, 13)]
    [0, 1, 2, 3, 0, 3, 1, 2]
    """
    return (system + system // len(SYSTEMS)) % len(MARKS)


def tint(colour: str, share: float = INKED) -> str:
    """A lighter colour: the colour mixed with white.

    >>> tint("#000000", 0.5)
    '#808080'
    """
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)
