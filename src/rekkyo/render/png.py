"""SVG to PNG, by resvg (extra `png`), with the fonts of this computer.

Numbers and names are text, so a computer without any font would give drawings without them; this raises
BadInput.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from rekkyo.errors import BadInput

FONT_FAMILIES = {
    "DejaVuSans.ttf": "DejaVu Sans",
    "LiberationSans-Regular.ttf": "Liberation Sans",
    "NotoSans-Regular.ttf": "Noto Sans",
    "Arial.ttf": "Arial",
    "arial.ttf": "Arial",
    "Helvetica.ttc": "Helvetica",
}
MAX_WIDTH = 16_384


def png(svg: str, *, width: int | None = None) -> bytes:
    """The picture, `width` pixels across or of the width of the SVG. Raises BadInput."""
    try:
        import resvg_py
    except ImportError:
        raise BadInput("PNG needs the extra package: pip install 'rekkyo[png]'; or write SVG") from None
    check_width(width)
    family = _font_family()
    if family is None and "<text" in svg:
        raise BadInput("no font was found on this computer for the numbers in the picture; write SVG instead")
    render: Any = resvg_py.svg_to_bytes
    return bytes(render(svg_string=svg, width=width, sans_serif_family=family, font_family=family))


def check_width(width: int | None) -> None:
    """Raise BadInput unless a picture may be so many pixels across."""
    if width is not None and not 1 <= width <= MAX_WIDTH:
        raise BadInput(f"the width of a picture is 1 to {MAX_WIDTH} pixels, not {width}")


def _font_family() -> str | None:
    """An installed sans-serif family."""
    found = font_file()
    return None if found is None else FONT_FAMILIES[found.name]


def font_file() -> Path | None:
    """The file of a sans-serif font of this computer."""
    named = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
    folders = [Path(os.path.expanduser(name)) for name in named]  # Path.expanduser raises if there is no home
    if sys.platform == "darwin":
        folders = [Path("/System/Library/Fonts"), Path("/Library/Fonts")]
    if sys.platform == "win32":
        folders = [Path("C:/Windows/Fonts")]
    there = {path.name: path for folder in folders if folder.is_dir() for path in folder.rglob("*.tt[fc]")}
    return next((there[name] for name in FONT_FAMILIES if name in there), None)
