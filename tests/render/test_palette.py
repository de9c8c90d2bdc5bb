"""Colours stay apart for every kind of eye. The simulation is written anew here."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from rekkyo.render.svg.coloring import FILLS
from rekkyo.render.svg.style import COLORS, color, ink_on, luminance

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency"
# (2009), severity 1.0, on linear RGB.
EYES = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
)


def lab(name: str, eye: str) -> np.ndarray:
    parts = np.array([int(name[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    x, y, z = TO_XYZ @ np.clip(EYES[eye] @ linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = [np.cbrt(t) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def least_distance(colors: tuple[str, ...], eye: str) -> float:
    return min(float(np.linalg.norm(lab(a, eye) - lab(b, eye))) for a, b in combinations(colors, 2))


@pytest.mark.parametrize("eye", EYES)
def test_distances(eye: str) -> None:
    assert least_distance(COLORS[:12], eye) >= 16
    assert least_distance(COLORS, eye) >= 12
    assert least_distance(FILLS, eye) >= 10


def test_the_two_colours_of_a_colouring_differ_in_lightness_alone() -> None:
    assert abs(lab(FILLS[0], "normal")[0] - lab(FILLS[1], "normal")[0]) > 40


def test_names_on_pieces_can_be_read() -> None:
    for background in COLORS:
        light = 1.05 / (luminance(background) + 0.05)
        dark = (luminance(background) + 0.05) / 0.05
        assert (dark if ink_on(background) == "#000" else light) >= 4.5, "WCAG 2, level AA"


def test_colours_repeat_after_the_last() -> None:
    assert color(len(COLORS)) == color(0)
