"""Light and dark: the rules behind the class names that all drawings use.

A drawing itself has no colours but those of pieces, which are the same in both. `auto` follows what the
reader's system asks for. Every rule names its theme, so that drawings of several themes can stand on one
page.
"""

from __future__ import annotations

from rekkyo.errors import BadInput, mend_for_name

LIGHT = {
    "paper": "fill:#ffffff",
    "board": "fill:#f4f1ea",
    "shade": "fill:#d9cfbd",
    "blocked": "fill:#8b8680",
    "grid": "fill:none;stroke:#b9b2a6;stroke-width:1",
    "frame": "fill:none;stroke:#2b2b2b;stroke-width:2;stroke-linejoin:round",
    "line": "fill:none;stroke:#6d675e;stroke-width:1.5",
    "queen": "fill:#1b1b1b;stroke:#ffffff;stroke-width:.6;stroke-linejoin:round",
    "piece": "stroke:#1b1b1b;stroke-width:2;stroke-linejoin:round;fill-rule:evenodd",
    "stick": "fill:none;stroke-linecap:round;stroke-linejoin:round",
    "ink": "fill:#1b1b1b",
    "faint": "fill:#6d675e",
}
DARK = {
    "paper": "fill:#16181c",
    "board": "fill:#23262c",
    "shade": "fill:#39404a",
    "blocked": "fill:#6f747c",
    "grid": "fill:none;stroke:#4a505a;stroke-width:1",
    "frame": "fill:none;stroke:#d8dade;stroke-width:2;stroke-linejoin:round",
    "line": "fill:none;stroke:#a3a8b0;stroke-width:1.5",
    "queen": "fill:#f2f2f2;stroke:#16181c;stroke-width:.6;stroke-linejoin:round",
    "piece": "stroke:#0b0c0e;stroke-width:2;stroke-linejoin:round;fill-rule:evenodd",
    "stick": "fill:none;stroke-linecap:round;stroke-linejoin:round",
    "ink": "fill:#f2f2f2",
    "faint": "fill:#a3a8b0",
}
TEXT = "font-family:system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif;text-anchor:middle"

THEMES = ("auto", "light", "dark")


def rules(theme: str) -> str:
    """The style sheet of a theme. Raises BadInput."""
    if theme not in THEMES:
        raise BadInput(f'no theme "{theme}"; {mend_for_name(theme, THEMES)}')
    root = f".rk-{theme}"
    first = _rules(root, DARK if theme == "dark" else LIGHT)
    anchors = f"{root} .rk-start{{text-anchor:start}}{root} .rk-end{{text-anchor:end}}"
    return f"{root} text{{{TEXT}}}{anchors}{first}" + (
        f"@media (prefers-color-scheme:dark){{{_rules(root, DARK)}}}" if theme == "auto" else ""
    )


def _rules(root: str, meaning: dict[str, str]) -> str:
    return "".join(f"{root} .rk-{name}{{{declarations}}}" for name, declarations in meaning.items())
