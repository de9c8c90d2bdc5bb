"""The files of a page: those in the package's own folder, what `web/` built, and the rules of drawings."""

from __future__ import annotations

from importlib.resources import files

from rekkyo.render.svg.style import THEMES, rules

KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}


def files_of_page(package: str) -> dict[str, bytes]:
    """The files in `assets/` of a package and in `assets/built/`, by name, and drawing.css for all themes."""
    folder = files(package).joinpath("assets")
    all_files = [*folder.iterdir(), *folder.joinpath("built").iterdir()]
    found = {file.name: file.read_bytes() for file in all_files if file.name.endswith(tuple(KINDS))}
    return found | {"drawing.css": "".join(map(rules, THEMES)).encode()}
