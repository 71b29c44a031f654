"""What the tests of language packs share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bolide import cli

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bolide(home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `bolide resources`: exit code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = cli.run(["resources", *map(str, arguments)])
        return code, *capsys.readouterr()

    return run
