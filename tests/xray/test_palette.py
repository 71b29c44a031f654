"""Colours are readable and distinguishable."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from bolide._support import palette
from bolide.explanation import drawing

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


def lab(colour: str) -> tuple[float, ...]:
    """CIE L*a*b*, in which distances are differences that people see."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (
            (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
            0.2126 * r + 0.7152 * g + 0.0722 * b,
            (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_24_systems_can_be_told_apart() -> None:
    """Two colours differ by far more than the smallest visible difference (2.3), or the marks differ."""
    for one, two in combinations(palette.SYSTEMS, 2):
        assert math.dist(lab(one), lab(two)) > 25
    looks = [(palette.system_colour(k), palette.mark(k)) for k in range(24)]
    assert len(set(looks)) == 24
    assert all(palette.mark(k) != palette.mark(k + 1) for k in range(10))


@pytest.mark.parametrize("colour", palette.DARK)
def test_dark_colours_are_seen_on_dark_ground(colour: str) -> None:
    assert contrast(colour, DARK_GROUND) >= 4.5


def test_faint_words_can_be_read() -> None:
    assert contrast(palette.FAINT, palette.PAPER) >= 4.5
