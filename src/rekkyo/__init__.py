"""Finds every solution of a combinatorial puzzle (列挙, enumeration).

Make a puzzle   puzzle puzzle_from_file puzzle_from_text queens packing hip
                sum_figure graph Graph from_cpmpy as_csp
Ask             count counts solve solve_blocks verify orbits clues estimate
  answers       Count Solution Orbits OrbitClass Clues Estimate Range
  settings      Progress Sizes
Without a list  diagram Diagram save_diagram load_diagram sample Samples
Numbers         stats Stats recurrence Recurrence bfile
Runs            run Run RunReader RunStatus Evidence Recount RunCheck Damage
Proofs          certify Certificate NoProof certify_count CountCertificate
                check_certificate CertificateCheck Check
Bundles         publish Bundle Term Way check_bundle BundleCheck
Show, export    board svg Svg sheet export_puzzle design
Models          Puzzle Queens ExactCover Packing Piece Coloring SumFigure
                Line Csp Problem own_symmetry OwnSymmetry with_own_symmetry
Errors          RekkyoError and its subclasses, in rekkyo.errors

Try help(rekkyo.count), or the command `rekkyo --help`.
"""

# Each public name is loaded from `__init__.pyi` when it is first used, so that `import rekkyo` needs no
# compiler and is fast. `verify` is loaded at once, because it shares its name with a module: loading that
# later would replace the function by the module.

import lazy_loader

from rekkyo.render.notebook import show_puzzles_in_notebooks
from rekkyo.verify import verify as verify

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

show_puzzles_in_notebooks()
