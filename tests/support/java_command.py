"""Run `bolide java` in this process."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bolide.errors import ResourceError
from bolide.java import command
from tests.conftest import missing


@dataclass(frozen=True)
class Answer:
    """The output of a run, and its exit code."""

    output: str
    errors: str
    code: int


def bolide_java(
    arguments: Sequence[str], folder: Path, standard_input: bytes = b"", *, coco: bool = False
) -> Answer:
    """Run `bolide java ARGUMENTS` in `folder`; skips the test if its resources are not available. `coco`
    answers as the jar in coco-caption does."""
    output, errors = io.StringIO(newline=""), io.StringIO(newline="")
    before = Path.cwd()
    os.chdir(folder)
    try:
        code = command.run(list(arguments), io.BytesIO(standard_input), output, errors, coco=coco)
    except ResourceError as error:
        missing(str(error))
    finally:
        os.chdir(before)
    return Answer(output.getvalue(), errors.getvalue(), code)
