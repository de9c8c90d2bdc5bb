"""SVG to PDF, by svglib and reportlab (extra `pdf`): lines and letters stay sharp at any size.

Text uses a font of this computer, which is embedded in the file; without one, the standard fonts of PDF,
which have only Latin letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from rekkyo.errors import BadInput
from rekkyo.render.png import font_file

A4 = (595.28, 841.89)
"""Width and height of a page in points, 72 to an inch."""

MARGIN = 36.0


def pdf(pictures: Sequence[str], *, on_a4: bool = False) -> bytes:
    """A page for each SVG: of its size, or A4 with the drawing scaled to fit. Raises BadInput."""
    try:
        from reportlab.graphics import renderPDF
        from reportlab.pdfgen.canvas import Canvas
        from svglib.svglib import svg2rlg
    except ImportError:
        raise BadInput("PDF needs the extra package: pip install 'rekkyo[pdf]'; or write SVG") from None
    _use_font()
    out = BytesIO()
    canvas: Any = Canvas(out, invariant=True)
    for picture in pictures:
        drawn: Any = svg2rlg(BytesIO(picture.encode()))
        width, height = drawn.width, drawn.height
        page = A4 if on_a4 else (width, height)
        scale = min((page[0] - 2 * MARGIN) / width, (page[1] - 2 * MARGIN) / height) if on_a4 else 1.0
        left, top = (MARGIN, MARGIN) if on_a4 else (0.0, 0.0)
        drawn.scale(scale, scale)
        canvas.setPageSize(page)
        renderPDF.draw(drawn, canvas, left, page[1] - top - height * scale)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _use_font() -> None:
    """Register a font for the first family of our style sheets with svglib."""
    from svglib.fonts import register_font

    file = font_file()
    if file is not None and file.suffix == ".ttf":
        register_font("system-ui", str(file))
