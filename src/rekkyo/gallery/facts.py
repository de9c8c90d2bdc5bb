"""The data of the page: its files, the puzzle and its drawing, atoms in parts, one solution with its orbit.

The live server and the files of `--static` send the same objects.
"""

from __future__ import annotations

import re
from typing import Any

from rekkyo.gallery.collection import MAX_IMAGES, Collection
from rekkyo.model.row import Atom, Layout
from rekkyo.render.board import board
from rekkyo.render.svg.painting import Layer, Look, Markup, Painting
from rekkyo.serving.assets import files_of_page

ATOMS_IN_PART = 128
SOLID = "solid.js"
"""The script for puzzles in space only, which is not joined into the main script."""

IMPORT = re.compile(r'^import (\{.*?\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (async function|class|function|const) (\w+)", re.MULTILINE)


def puzzle_facts(collection: Collection) -> dict[str, Any]:
    """The constant facts."""
    puzzle, painting = collection.puzzle, collection.painting
    shape = puzzle.model.row_shape
    looks, body = painting.looks, painting.body
    return {
        "puzzle": puzzle.name,
        "title": puzzle.title,
        "row_meaning": puzzle.model.row_meaning,
        "by_position": shape.layout is Layout.BY_POSITION,
        "n_values": shape.n_values,
        "n_atoms": shape.n_atoms,
        "width": painting.width,
        "height": painting.height,
        "background": painting.background,
        "spots": painting.spots,
        "spot_names": painting.spot_names,
        "things": painting.things,
        "atoms_in_part": ATOMS_IN_PART,
        "colors": looks and looks.colors,
        "near": looks.near if looks and painting.most_looks > 1 else None,
        "body": body and {"shape": body.shape, "middles": body.middles},
        "group_order": None if collection.survey is None else collection.survey.group.order,
        "has_representatives": collection.has_representatives,
        "has_symmetry": collection.has_symmetry,
        "up_to": collection.source.up_to,
        "key": collection.source.key,
    }


def kind_facts(collection: Collection) -> dict[str, Any]:
    """The facts for the palette."""
    kinds = collection.kinds
    return {
        "names": kinds.names,
        "of_atom": kinds.of_atom,
        "examples": kinds.examples,
        "has_placements": kinds.has_placements,
    }


def atoms_part(collection: Collection, part: int) -> list[list[Any]]:
    """The drawings of some atoms in their first look, each with its (spot, thing) pairs."""
    painting = collection.painting
    return [[_drawn(painting, atom, 0), painting.pairs_of_atom(atom)] for atom in _atoms_of(painting, part)]


def look_part(collection: Collection, look: Look, part: int) -> list[Any]:
    """The drawings of the same atoms in another look, None for atoms with fewer looks."""
    painting = collection.painting
    return [
        _drawn(painting, atom, look) if look < painting.n_looks(atom) else None
        for atom in _atoms_of(painting, part)
    ]


def _atoms_of(painting: Painting, part: int) -> range:
    first = part * ATOMS_IN_PART
    return range(first, min(first + ATOMS_IN_PART, painting.shape.n_atoms))


def _drawn(painting: Painting, atom: Atom, look: Look) -> Markup | tuple[Layer, ...]:
    """The layers of an atom; only the markup for a single layer at depth 0."""
    layers = painting.layers(atom, look)
    return layers[0][1] if [depth for depth, _ in layers] == [0] else layers


def solution_facts(collection: Collection, number: int) -> dict[str, Any]:
    """One solution, its orbit and a drawing as text. Raises BadInput."""
    row = collection.row(number)
    orbit = collection.orbit(row)
    order = 0 if collection.survey is None else collection.survey.group.order
    return {
        "number": number,
        "name": collection.source.name(number),
        "row": row,
        "orbit": orbit[:MAX_IMAGES],
        "orbit_size": len(orbit),
        "stabilizer_order": order // len(orbit) if order else None,
        "text": board(collection.puzzle, row),
    }


def read_assets() -> dict[str, bytes]:
    """The files of the page by name: its modules as one script, and the rules of all themes.

    One script loads faster than 16 modules, and a page that was opened as a file cannot load modules. The
    page may not have inline rules. The scripts built in `web/` are loaded when they are needed.
    """
    found = files_of_page("rekkyo.gallery")
    modules = {
        name.removesuffix(".js"): found.pop(name).decode()
        for name in [*found]
        if name.endswith(".js") and name != SOLID
    }
    return found | {"gallery.js": joined(modules).encode()}


def joined(modules: dict[str, str]) -> str:
    """Modules as one script: each is a function that returns its exports, after those that it imports."""
    parts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in parts:
            return
        text = modules[name]
        for _, imported in IMPORT.findall(text):
            add(imported)
        exported = ", ".join(found for _, found in EXPORT.findall(text))
        text = IMPORT.sub(r"const \1 = modules.\2;", EXPORT.sub(r"\1 \2", text))
        parts[name] = f"modules.{name} = (() => {{\n{text}\nreturn {{ {exported} }};\n}})();\n"

    for name in sorted(modules):
        add(name)
    return f'"use strict";\nconst modules = {{}};\n{"".join(parts.values())}'
