"""Counts in words."""

from __future__ import annotations

import re


def counted(count: int, label: str) -> str:
    """A count with its unit. The unit is given as a plural.

    >>> counted(1, "segments"), counted(1, "words with synsets"), counted(5270, "paraphrases")
    ('1 segment', '1 word with synsets', '5,270 paraphrases')
    """
    if count == 1:
        label = re.sub(r"(?<=x)es\b|s\b", "", label, count=1)  # the first plural: prefixes before numbers
    return f"{count:,} {label}"
