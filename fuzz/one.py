"""Runs one Python target with atheris: `python -m fuzz.one NAME [options of libFuzzer] [folders]`."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from contextlib import suppress

import atheris

with atheris.instrument_imports(include=["bolide"]):
    from bolide.errors import BolideError
    from fuzz import bodies


def allowing_errors(body: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """The errors that bolide raises on purpose are no findings. All others are."""

    def run(data: bytes) -> None:
        with suppress(BolideError):
            body(data)

    return run


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    program, name, *options = sys.argv
    atheris.Setup([program, *options], allowing_errors(getattr(bodies, name)))
    atheris.Fuzz()
