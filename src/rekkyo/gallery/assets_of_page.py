"""The files of the page, read once."""

from __future__ import annotations

from importlib.resources import files

from rekkyo.gallery.facts import style_sheet

KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def read_assets() -> dict[str, bytes]:
    """All files of the page by name, the style sheet of drawings among them."""
    folder = files("rekkyo.gallery").joinpath("assets")
    found = {file.name: file.read_bytes() for file in folder.iterdir() if file.name.endswith(tuple(KINDS))}
    return found | {"drawing.css": style_sheet().encode()}
