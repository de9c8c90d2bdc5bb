"""Colours: the style rules of the class names in all drawings, and a palette for pieces.

A drawing itself contains only the colours of pieces, which are the same in light and dark. `auto` follows the
reader's system. Every rule names its theme, so that drawings of several themes can be on one page.

The colours of pieces are also different for colour-blind readers; outlines and names help in addition. The
first seven are those of M. Okabe and K. Ito, "Color Universal Design" (2008), without black. Each further
colour maximizes the distance from all before it. The distance of two colours is the least of four CIELAB
distances: for normal vision, and without each of the three kinds of cones as simulated by G. M. Machado et
al. (2009). The distance of any two of the first twelve is at least 16, of all at least 12
(`tests/render/test_palette.py` measures it).
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.errors import BadInput, fix_for_name
from rekkyo.model.checks import check_type
from rekkyo.render.svg.markup import Place, words

RULES = {
    "paper": ("fill:{}", "#ffffff", "#16181c"),
    "board": ("fill:{}", "#f4f1ea", "#23262c"),
    "shade": ("fill:{}", "#d9cfbd", "#39404a"),
    "blocked": ("fill:{}", "#8b8680", "#6f747c"),
    "filled": ("fill:{};fill-opacity:.5", "#1b1b1b", "#d8dade"),
    "grid": ("fill:none;stroke:{};stroke-width:1", "#b9b2a6", "#4a505a"),
    "frame": ("fill:none;stroke:{};stroke-width:2;stroke-linejoin:round", "#2b2b2b", "#d8dade"),
    "cage": ("fill:none;stroke:{};stroke-width:1;stroke-dasharray:3 2", "#6d675e", "#a3a8b0"),
    "given": ("font-weight:bold", "", ""),
    "sign": (
        "fill:{};paint-order:stroke;stroke-width:3;stroke-linejoin:round",
        "#1b1b1b;stroke:#f4f1ea",
        "#f2f2f2;stroke:#23262c",
    ),
    "line": ("fill:none;stroke:{};stroke-width:1.5", "#6d675e", "#a3a8b0"),
    "queen": (
        "fill:{};stroke-width:.6;stroke-linejoin:round",
        "#1b1b1b;stroke:#ffffff",
        "#f2f2f2;stroke:#16181c",
    ),
    "piece": ("stroke:{};stroke-width:2;stroke-linejoin:round;fill-rule:evenodd", "#1b1b1b", "#0b0c0e"),
    "face": ("stroke-width:.6;stroke-linejoin:round", "", ""),
    "edge": ("fill:none;stroke:{};stroke-width:1.2;stroke-linecap:round", "#1b1b1b", "#0b0c0e"),
    "side": ("stroke:{};stroke-width:.7;stroke-linejoin:round", "#1b1b1b", "#0b0c0e"),
    "stick": ("fill:none;stroke-linecap:round;stroke-linejoin:round", "", ""),
    "ink": ("fill:{}", "#1b1b1b", "#f2f2f2"),
    "faint": ("fill:{}", "#6d675e", "#a3a8b0"),
}
"""The declarations of each class, and the replacements of {} in light and in dark."""

TEXT = "font-family:system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif;text-anchor:middle"

THEMES = ("auto", "light", "dark")


def check_theme(theme: str) -> None:
    """Raise BadInput unless there is such a theme."""
    check_type("the theme of a drawing is a text", theme, str)
    if theme not in THEMES:
        raise BadInput(f'no theme "{theme}"; {fix_for_name(theme, THEMES)}')


def rules(theme: str) -> str:
    """The style sheet of a theme. Raises BadInput."""
    check_theme(theme)
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


_FIRST = "#E69F00 #56B4E9 #009E73 #F0E442 #0072B2 #D55E00 #CC79A7 #8800FF #BBEE99 #994433 #00FFDD #BB55FF"
_FURTHER = "#AAAA55 #884477 #BB0000 #88EE66 #8822CC #DDAAAA #FF0066 #EECCFF #AA1199 #BBCC99 #9999FF #AA2255"
COLORS = (*_FIRST.split(), *_FURTHER.split())


def color(number: int) -> str:
    """The colour of piece, option or line `number`; they repeat after the last one."""
    return COLORS[number % len(COLORS)]


LETTERS = {
    "r": "#D55E00",
    "o": "#E69F00",
    "y": "#F0E442",
    "g": "#009E73",
    "b": "#0072B2",
    "p": "#CC79A7",
    "w": "#FFFFFF",
    "k": "#1B1B1B",
}
"""The colours named red, orange, yellow, green, blue, pink, white and black."""

GREY = {"-": "#A6A6A6", ".": "#A6A6A6"}


def colors_of(names: Sequence[str]) -> list[str]:
    """A colour for each name: by the letters, if all are initials of colours, else in order."""
    left = [name for name in names if name not in GREY]
    are_letters = all(name.lower() in LETTERS for name in left) and len({n.lower() for n in left}) == len(
        left
    )
    found = {name: LETTERS[name.lower()] if are_letters else color(k) for k, name in enumerate(left)} | GREY
    return [found[name] for name in names]


def ink_on(background: str) -> str:
    """Black or white, whichever has more contrast with the background."""
    return "#000" if luminance(background) > 0.179 else "#fff"


def written_on(fill: str, text: str, place: Place, size: float) -> str:
    """Text with contrast to the colour below it."""
    return words(text, place, size, "rk-name", fill=ink_on(fill))


def darker(background: str, share: float) -> str:
    """The colour in shadow."""
    return "#" + "".join(f"{round(part * 255 * share):02X}" for part in _parts(background))


def shades(background: str) -> list[str]:
    """Three shades of a colour: darker ones of a light colour, else lighter ones and a darker one."""
    if luminance(background) > 0.3:
        return [darker(background, share) for share in (0.62, 0.36, 0.16)]
    return [_lighter(background, 0.45), _lighter(background, 0.75), darker(background, 0.45)]


def _lighter(background: str, share: float) -> str:
    return "#" + "".join(f"{round((part * (1 - share) + share) * 255):02X}" for part in _parts(background))


def luminance(background: str) -> float:
    """The relative luminance of WCAG 2: 0 for black, 1 for white."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(background)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parts(background: str) -> list[float]:
    return [int(background[start : start + 2], 16) / 255 for start in (1, 3, 5)]
