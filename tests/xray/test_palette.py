"""Colours are readable and distinguishable."""

from __future__ import annotations

import pytest

from bolide.explanation import drawing
from bolide.xray import palette

DARK_GROUND = "#161b22"


def luminance(colour: str) -> float:
    """WCAG 2's relative luminance."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, two: str) -> float:
    bright, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_there_are_as_many_as_styles() -> None:
    assert len(palette.LIGHT) == len(palette.DARK) == len(drawing.STYLES)
    assert palette.colour(len(palette.LIGHT)) == palette.LIGHT[0]


@pytest.mark.parametrize("colour", palette.LIGHT)
def test_letters_can_be_read_on_tints(colour: str) -> None:
    assert contrast(palette.INK, palette.tint(colour)) >= 4.5


@pytest.mark.parametrize("colour", palette.SYSTEMS)
def test_systems_are_seen_on_both_grounds(colour: str) -> None:
    assert contrast(colour, palette.PAPER) >= 3
    assert contrast(colour, DARK_GROUND) >= 3


@pytest.mark.parametrize("colour", palette.DARK)
def test_dark_colours_are_seen_on_dark_ground(colour: str) -> None:
    assert contrast(colour, DARK_GROUND) >= 4.5


def test_faint_words_can_be_read() -> None:
    assert contrast(palette.FAINT, palette.PAPER) >= 4.5
