"""rekkyo (列挙): every solution of a combinatorial puzzle, counted, listed, checked.

The public names, nothing else. Each is loaded when it is first used, so that `import rekkyo` needs no
compiler and takes no time; but for `verify`, which shares its name with its module: loading the module later
would put it in the function's place.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from rekkyo.verify import verify

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rekkyo.catalog.index import puzzle as puzzle
    from rekkyo.catalog.own import packing as packing
    from rekkyo.catalog.queens import queens as queens
    from rekkyo.errors import RekkyoError as RekkyoError
    from rekkyo.model.exact_cover import ExactCover as ExactCover
    from rekkyo.model.packing import Packing as Packing
    from rekkyo.model.packing import Piece as Piece
    from rekkyo.model.puzzle import Puzzle as Puzzle
    from rekkyo.model.queens import Queens as Queens
    from rekkyo.render.board import board as board
    from rekkyo.run.count import Count as Count
    from rekkyo.run.count import count as count
    from rekkyo.run.progress import Progress as Progress
    from rekkyo.run.solve import solve as solve
    from rekkyo.run.solve import solve_blocks as solve_blocks

_HOMES = {
    "Count": "rekkyo.run.count",
    "ExactCover": "rekkyo.model.exact_cover",
    "Packing": "rekkyo.model.packing",
    "Piece": "rekkyo.model.packing",
    "Progress": "rekkyo.run.progress",
    "Puzzle": "rekkyo.model.puzzle",
    "Queens": "rekkyo.model.queens",
    "RekkyoError": "rekkyo.errors",
    "board": "rekkyo.render.board",
    "count": "rekkyo.run.count",
    "packing": "rekkyo.catalog.own",
    "puzzle": "rekkyo.catalog.index",
    "queens": "rekkyo.catalog.queens",
    "solve": "rekkyo.run.solve",
    "solve_blocks": "rekkyo.run.solve",
}

__all__ = [  # noqa: RUF022 - in the order of _HOMES
    "Count",
    "ExactCover",
    "Packing",
    "Piece",
    "Progress",
    "Puzzle",
    "Queens",
    "RekkyoError",
    "board",
    "count",
    "packing",
    "puzzle",
    "queens",
    "solve",
    "solve_blocks",
    "verify",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'rekkyo' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
