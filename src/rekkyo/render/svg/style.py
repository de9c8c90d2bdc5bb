"""Light and dark: the rules behind the class names that all drawings use.

A drawing itself has no colours but those of pieces, which are the same in both. `auto` follows what the
reader's system asks for. Every rule names its theme, so that drawings of several themes can stand on one
page.
"""

from __future__ import annotations

from rekkyo.errors import BadInput, mend_for_name

RULES = {
    "paper": ("fill:{}", "#ffffff", "#16181c"),
    "board": ("fill:{}", "#f4f1ea", "#23262c"),
    "shade": ("fill:{}", "#d9cfbd", "#39404a"),
    "blocked": ("fill:{}", "#8b8680", "#6f747c"),
    "grid": ("fill:none;stroke:{};stroke-width:1", "#b9b2a6", "#4a505a"),
    "frame": ("fill:none;stroke:{};stroke-width:2;stroke-linejoin:round", "#2b2b2b", "#d8dade"),
    "line": ("fill:none;stroke:{};stroke-width:1.5", "#6d675e", "#a3a8b0"),
    "queen": (
        "fill:{};stroke-width:.6;stroke-linejoin:round",
        "#1b1b1b;stroke:#ffffff",
        "#f2f2f2;stroke:#16181c",
    ),
    "piece": ("stroke:{};stroke-width:2;stroke-linejoin:round;fill-rule:evenodd", "#1b1b1b", "#0b0c0e"),
    "stick": ("fill:none;stroke-linecap:round;stroke-linejoin:round", "", ""),
    "ink": ("fill:{}", "#1b1b1b", "#f2f2f2"),
    "faint": ("fill:{}", "#6d675e", "#a3a8b0"),
}
"""For each class the declarations, and what takes the place of {} in light and in dark."""

TEXT = "font-family:system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif;text-anchor:middle"

THEMES = ("auto", "light", "dark")


def rules(theme: str) -> str:
    """The style sheet of a theme. Raises BadInput."""
    if theme not in THEMES:
        raise BadInput(f'no theme "{theme}"; {mend_for_name(theme, THEMES)}')
    root = f".rk-{theme}"
    first = _rules(root, dark=theme == "dark")
    anchors = f"{root} .rk-start{{text-anchor:start}}{root} .rk-end{{text-anchor:end}}"
    return f"{root} text{{{TEXT}}}{anchors}{first}" + (
        f"@media (prefers-color-scheme:dark){{{_rules(root, dark=True)}}}" if theme == "auto" else ""
    )


def _rules(root: str, *, dark: bool) -> str:
    return "".join(
        f"{root} .rk-{name}{{{declarations.format(in_dark if dark else in_light)}}}"
        for name, (declarations, in_light, in_dark) in RULES.items()
    )
