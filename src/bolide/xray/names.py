"""Names of systems for display."""

from __future__ import annotations

from collections.abc import Iterable

from bolide.errors import InputError


def check_texts(what: str, texts: Iterable[str | None]) -> None:
    """Fails if a text is not a string, or cannot be encoded."""
    for text in texts:
        if text is None:
            continue
        if not isinstance(text, str):
            raise InputError(f"{what} must be text, not {text!r}")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"U+{ord(text[error.start]):04X}"
            raise InputError(
                f"{what} has a lone surrogate ({half}), which is not a valid character: {text!a}; "
                "decode it as UTF-8 with errors='replace' first"
            ) from None
