"""rekkyo (列挙): every solution of a combinatorial puzzle, counted, listed, checked.

The public names, nothing else. Each is loaded when it is first used, so that `import rekkyo` needs no
compiler and takes no time; but for `verify`, which shares its name with a module: loading that later would
put it in the function's place."""

from importlib import import_module
from typing import TYPE_CHECKING

from rekkyo.render.notebook import show_puzzles_in_notebooks
from rekkyo.verify import verify

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rekkyo.ask.count import Count as Count
    from rekkyo.ask.count import count as count
    from rekkyo.ask.diagram import diagram as diagram
    from rekkyo.ask.diagram import load_diagram as load_diagram
    from rekkyo.ask.diagram import save_diagram as save_diagram
    from rekkyo.ask.diagram import stats as stats
    from rekkyo.ask.estimate import Estimate as Estimate
    from rekkyo.ask.estimate import estimate as estimate
    from rekkyo.ask.orbits import Orbits as Orbits
    from rekkyo.ask.orbits import orbits as orbits
    from rekkyo.ask.sample import sample as sample
    from rekkyo.ask.solve import solve as solve
    from rekkyo.ask.solve import solve_blocks as solve_blocks
    from rekkyo.catalog.hip import hip as hip
    from rekkyo.catalog.index import puzzle as puzzle
    from rekkyo.catalog.own import packing as packing
    from rekkyo.catalog.own_figure import sum_figure as sum_figure
    from rekkyo.catalog.own_symmetry import OwnSymmetry as OwnSymmetry
    from rekkyo.catalog.own_symmetry import own_symmetry as own_symmetry
    from rekkyo.catalog.queens import queens as queens
    from rekkyo.errors import RekkyoError as RekkyoError
    from rekkyo.export.puzzle_files import puzzle_from_file as puzzle_from_file
    from rekkyo.model.coloring import Coloring as Coloring
    from rekkyo.model.exact_cover import ExactCover as ExactCover
    from rekkyo.model.packing import Packing as Packing
    from rekkyo.model.packing import Piece as Piece
    from rekkyo.model.puzzle import Puzzle as Puzzle
    from rekkyo.model.queens import Queens as Queens
    from rekkyo.model.sum_figure import Line as Line
    from rekkyo.model.sum_figure import SumFigure as SumFigure
    from rekkyo.render.board import board as board
    from rekkyo.render.svg.drawing import Svg as Svg
    from rekkyo.render.svg.drawing import sheet as sheet
    from rekkyo.render.svg.drawing import svg as svg
    from rekkyo.runs.exporting import bfile as bfile
    from rekkyo.runs.exporting import export_puzzle as export_puzzle
    from rekkyo.runs.exporting import export_run as export_run
    from rekkyo.runs.recount import recount as recount
    from rekkyo.runs.sample_run import sample_run as sample_run
    from rekkyo.runs.status import RunStatus as RunStatus
    from rekkyo.runs.status import status as status
    from rekkyo.runs.stored import resume as resume
    from rekkyo.runs.stored import run as run
    from rekkyo.runs.verify_run import verify_run as verify_run
    from rekkyo.search.progress import Progress as Progress
    from rekkyo.store.reader import RunReader as RunReader

_HOMES = {
    "Coloring": "rekkyo.model.coloring",
    "Count": "rekkyo.ask.count",
    "Estimate": "rekkyo.ask.estimate",
    "ExactCover": "rekkyo.model.exact_cover",
    "Line": "rekkyo.model.sum_figure",
    "Orbits": "rekkyo.ask.orbits",
    "OwnSymmetry": "rekkyo.catalog.own_symmetry",
    "Packing": "rekkyo.model.packing",
    "Piece": "rekkyo.model.packing",
    "Progress": "rekkyo.search.progress",
    "Puzzle": "rekkyo.model.puzzle",
    "Queens": "rekkyo.model.queens",
    "RekkyoError": "rekkyo.errors",
    "SumFigure": "rekkyo.model.sum_figure",
    "RunReader": "rekkyo.store.reader",
    "RunStatus": "rekkyo.runs.status",
    "bfile": "rekkyo.runs.exporting",
    "board": "rekkyo.render.board",
    "count": "rekkyo.ask.count",
    "export_puzzle": "rekkyo.runs.exporting",
    "export_run": "rekkyo.runs.exporting",
    "orbits": "rekkyo.ask.orbits",
    "own_symmetry": "rekkyo.catalog.own_symmetry",
    "hip": "rekkyo.catalog.hip",
    "estimate": "rekkyo.ask.estimate",
    "diagram": "rekkyo.ask.diagram",
    "load_diagram": "rekkyo.ask.diagram",
    "packing": "rekkyo.catalog.own",
    "puzzle": "rekkyo.catalog.index",
    "puzzle_from_file": "rekkyo.export.puzzle_files",
    "queens": "rekkyo.catalog.queens",
    "sample": "rekkyo.ask.sample",
    "sample_run": "rekkyo.runs.sample_run",
    "save_diagram": "rekkyo.ask.diagram",
    "recount": "rekkyo.runs.recount",
    "resume": "rekkyo.runs.stored",
    "run": "rekkyo.runs.stored",
    "sheet": "rekkyo.render.svg.drawing",
    "solve": "rekkyo.ask.solve",
    "solve_blocks": "rekkyo.ask.solve",
    "stats": "rekkyo.ask.diagram",
    "sum_figure": "rekkyo.catalog.own_figure",
    "status": "rekkyo.runs.status",
    "Svg": "rekkyo.render.svg.drawing",
    "svg": "rekkyo.render.svg.drawing",
    "verify_run": "rekkyo.runs.verify_run",
}

__all__ = [  # noqa: RUF022 - in the order of _HOMES
    "Coloring",
    "Count",
    "Estimate",
    "ExactCover",
    "Line",
    "Orbits",
    "OwnSymmetry",
    "Packing",
    "Piece",
    "Progress",
    "Puzzle",
    "Queens",
    "RekkyoError",
    "SumFigure",
    "RunReader",
    "RunStatus",
    "bfile",
    "board",
    "count",
    "export_puzzle",
    "export_run",
    "orbits",
    "own_symmetry",
    "hip",
    "estimate",
    "diagram",
    "load_diagram",
    "packing",
    "puzzle",
    "puzzle_from_file",
    "queens",
    "sample",
    "sample_run",
    "save_diagram",
    "recount",
    "resume",
    "sheet",
    "solve",
    "solve_blocks",
    "stats",
    "sum_figure",
    "status",
    "Svg",
    "svg",
    "verify_run",
    "run",
    "verify",
    "__version__",
]

show_puzzles_in_notebooks()


if not TYPE_CHECKING:  # or a type checker would take any name

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'rekkyo' has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
