"""Parametrize tests over the CPU instruction sets that the core can use on this machine."""

from __future__ import annotations

import pytest

from bolide import _core

each_set = pytest.mark.parametrize("instructions", _core.available_instructions())
