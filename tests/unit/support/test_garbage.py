from __future__ import annotations

import gc

import pytest

from bolide._support.garbage import paused_collector


def test_the_collector_is_paused_and_goes_on() -> None:
    @paused_collector()
    def enabled() -> bool:
        return gc.isenabled()

    assert gc.isenabled() and not enabled() and gc.isenabled()
    with pytest.raises(ValueError, match="inside"), paused_collector():
        raise ValueError("inside")
    assert gc.isenabled()


def test_a_paused_collector_stays_paused() -> None:
    gc.disable()
    try:
        with paused_collector():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
