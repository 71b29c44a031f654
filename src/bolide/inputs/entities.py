"""Entities of SGML. A file of its own: the Java command line needs nothing else of the formats here."""

from __future__ import annotations

import re

# &amp; comes last, so that &amp;lt; is &lt;.
ENTITIES = {"&quot;": '"', "&apos;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&"}


def without_entities(text: str) -> str:
    """The text with the five entities that such files have replaced by their characters.

    >>> without_entities("R&amp;D &LT; R&D")
    'R&D < R&D'
    """
    if "&" in text:
        for entity, character in ENTITIES.items():
            text = re.sub(entity, character, text, flags=re.IGNORECASE)
    return text
