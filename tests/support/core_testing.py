"""The functions of `bolide._core_testing`. A test that calls one skips if the module is not installed.

Releases do not contain it: they are built with BOLIDE_RELEASE=1 (pyproject.toml).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bolide._core_testing import choose as choose
    from bolide._core_testing import compare_scores as compare_scores
    from bolide._core_testing import likely_paraphrases as likely_paraphrases
    from bolide._core_testing import paraphrases as paraphrases
    from bolide._core_testing import power as power
    from bolide._core_testing import ptb_build_all as ptb_build_all
    from bolide._core_testing import ptb_decisions as ptb_decisions
    from bolide._core_testing import ptb_definitions as ptb_definitions
    from bolide._core_testing import ptb_next as ptb_next
    from bolide._core_testing import ptb_rules as ptb_rules
    from bolide._core_testing import ptb_sets as ptb_sets
    from bolide._core_testing import shortest_decimal as shortest_decimal
    from bolide._core_testing import sweep_scores as sweep_scores
    from bolide._core_testing import wide_operation as wide_operation


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # imports ask for these
        raise AttributeError(name)
    module = pytest.importorskip(
        "bolide._core_testing", reason="a release does not have bolide._core_testing"
    )
    return getattr(module, name)
