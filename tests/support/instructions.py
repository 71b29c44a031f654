"""Tests that run once for each set of CPU instructions that the core may use here."""

from __future__ import annotations

import pytest

from bolide import _core

each_set = pytest.mark.parametrize("instructions", _core.available_instructions())
