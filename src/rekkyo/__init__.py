"""rekkyo (列挙): every solution of a combinatorial puzzle, counted, listed, checked.

The public names are listed in `__init__.pyi`. Each is loaded when it is first used, so that `import rekkyo`
needs no compiler and takes no time. The exception is `verify`, which shares its name with a module: loading
that later would replace the function by the module.
"""

import lazy_loader

from rekkyo.render.notebook import show_puzzles_in_notebooks
from rekkyo.verify import verify as verify

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

show_puzzles_in_notebooks()
