"""Markers for tests that need what not every system has."""

from __future__ import annotations

import os

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
needs_terminals = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals on this system")
needs_shell = pytest.mark.skipif(os.name != "posix", reason="no POSIX shell on this system")
needs_devices = pytest.mark.skipif(os.name != "posix", reason="no /dev on this system")
# Windows has no such permissions.
not_for_root = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 0)() == 0, reason="this user may read and write everything"
)
