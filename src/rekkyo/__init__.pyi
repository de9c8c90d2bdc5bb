"""The public names of rekkyo. `__init__.py` reads the imports, and loads a name when it is first used."""

from .ask.clues import Clues, clues
from .ask.count import Count, count
from .ask.counts import counts
from .ask.cpmpy import from_cpmpy
from .ask.diagram import Stats, diagram, load_diagram, save_diagram, stats
from .ask.estimate import Estimate, estimate
from .ask.interval import Range
from .ask.orbits import OrbitClass, Orbits, orbits
from .ask.recurrence import Recurrence, recurrence
from .ask.sample import Samples, sample
from .ask.solve import solve, solve_blocks
from .catalog.graphs.graph import Graph, graph
from .catalog.hip import hip
from .catalog.index import puzzle
from .catalog.own import packing, sum_figure
from .catalog.own_symmetry import OwnSymmetry, own_symmetry, with_own_symmetry
from .catalog.queens import queens
from .designer.notebook import design
from .engines.diagram.diagram import Diagram
from .errors import (
    BadDrawing,
    BadFile,
    BadInput,
    BadModel,
    BadRun,
    BadSolution,
    CountsDisagree,
    EngineRefuses,
    GroupTooLarge,
    RekkyoError,
    RunDamaged,
    RunInUse,
    RunStopped,
    RunUnreadable,
    UnknownEngine,
    UnknownPuzzle,
)
from .export.puzzle_files import puzzle_from_file, puzzle_from_text
from .model.coloring import Coloring
from .model.csp.csp import Csp
from .model.csp.problem import Problem
from .model.csp.restated import as_csp
from .model.exact_cover import ExactCover
from .model.packing import Packing, Piece
from .model.puzzle import Puzzle
from .model.queens import Queens
from .model.solution import Solution
from .model.sum_figure import Line, SumFigure
from .render.board import board
from .render.svg.drawing import Svg, sheet, svg
from .runs.bfiles import bfile
from .runs.bundle import Bundle, Term, Way
from .runs.certificate import Certificate, CountCertificate
from .runs.certificate_folder import NoProof
from .runs.certify import certify
from .runs.certify_count import certify_count
from .runs.check_bundle import BundleCheck, check_bundle
from .runs.check_certificate import CertificateCheck, Check, check_certificate
from .runs.exporting import export_puzzle
from .runs.publish import publish
from .runs.recount import Recount
from .runs.repair import Damage
from .runs.run import Run
from .runs.status import Evidence, RunStatus
from .runs.stored import run
from .runs.verify_run import RunCheck
from .search.progress import Progress
from .search.sizes import Sizes
from .store.reader import RunReader
from .verify import verify

__version__: str
__all__ = [  # noqa: RUF022 - in the groups of help(rekkyo)
    # Make a puzzle
    "puzzle",
    "puzzle_from_file",
    "puzzle_from_text",
    "queens",
    "packing",
    "sum_figure",
    "hip",
    "graph",
    "Graph",
    "from_cpmpy",
    "as_csp",
    "own_symmetry",
    "OwnSymmetry",
    "with_own_symmetry",
    # Ask
    "count",
    "counts",
    "solve",
    "solve_blocks",
    "verify",
    "orbits",
    "clues",
    "estimate",
    "Count",
    "Solution",
    "Orbits",
    "OrbitClass",
    "Clues",
    "Estimate",
    "Range",
    "Progress",
    "Sizes",
    # Without a list
    "diagram",
    "Diagram",
    "save_diagram",
    "load_diagram",
    "sample",
    "Samples",
    # Numbers
    "stats",
    "Stats",
    "recurrence",
    "Recurrence",
    "bfile",
    # Runs
    "run",
    "Run",
    "RunReader",
    "RunStatus",
    "Evidence",
    "Recount",
    "RunCheck",
    "Damage",
    # Proofs
    "certify",
    "Certificate",
    "NoProof",
    "certify_count",
    "CountCertificate",
    "check_certificate",
    "CertificateCheck",
    "Check",
    # Bundles
    "publish",
    "Bundle",
    "Term",
    "Way",
    "check_bundle",
    "BundleCheck",
    # Show and export
    "board",
    "svg",
    "Svg",
    "sheet",
    "export_puzzle",
    "design",
    # Models
    "Puzzle",
    "Queens",
    "ExactCover",
    "Packing",
    "Piece",
    "Coloring",
    "SumFigure",
    "Line",
    "Csp",
    "Problem",
    # Errors
    "RekkyoError",
    "BadInput",
    "BadModel",
    "BadFile",
    "BadDrawing",
    "BadSolution",
    "BadRun",
    "UnknownPuzzle",
    "UnknownEngine",
    "EngineRefuses",
    "GroupTooLarge",
    "CountsDisagree",
    "RunDamaged",
    "RunInUse",
    "RunStopped",
    "RunUnreadable",
    # Version
    "__version__",
]
