"""The server that runs commands with faults."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import missing
from tests.support.faults import FaultServer, compiled


@pytest.fixture(scope="session")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultServer]:
    folder = tmp_path_factory.mktemp("faults")
    library = compiled(folder)
    if library is None:
        missing("needs Linux and a C compiler (Debian: apt-get install gcc)")
    server = FaultServer(library, folder)
    yield server
    server.close()
