"""SGML entities. A separate module, because `bolide java` needs nothing else of the SGML reader."""

from __future__ import annotations

import re

# &amp; is last, so that &amp;lt; becomes &lt;.
ENTITIES = {"&quot;": '"', "&apos;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&"}


def without_entities(text: str) -> str:
    """Replaces the five usual entities by their characters.

    >>> without_entities("R&amp;D &LT; R&D")
    'R&D < R&D'
    """
    if "&" in text:
        for entity, character in ENTITIES.items():
            text = re.sub(entity, character, text, flags=re.IGNORECASE)
    return text
