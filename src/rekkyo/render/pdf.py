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
        page, margin = (A4, MARGIN) if on_a4 else ((width, height), 0.0)
        scale = min((page[0] - 2 * margin) / width, (page[1] - 2 * margin) / height)
        drawn.scale(scale, scale)
        canvas.setPageSize(page)
        renderPDF.draw(drawn, canvas, margin, page[1] - margin - height * scale)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _use_font() -> None:
    """Register a font for the first family of our style sheets with svglib."""
    from svglib.fonts import register_font

    file = font_file()
    if file is not None and file.suffix == ".ttf":
        register_font("system-ui", str(file))
