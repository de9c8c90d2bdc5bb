"""How Sphinx builds these pages: `python -m sphinx -W docs build/docs`, with `pip install 'rekkyo[docs]'`."""

from __future__ import annotations

import sys
from pathlib import Path

import rekkyo

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "rekkyo"
author = "The rekkyo authors"
project_copyright = author
version = release = rekkyo.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
    "examples_of_commands",
    "plain_docstrings",
    "repository_links",
]
exclude_patterns = ["_ext", "pictures", "**.ipynb_checkpoints"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
nb_execution_mode = "cache"  # in the folder of the pages; the notebooks are kept without outputs
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "rekkyo"
html_copy_source = False
highlight_language = "text"
nitpicky = False
smartquotes = False  # a dash is not an option
copybutton_prompt_text = r"\$ |>>> "  # what is copied can be pasted: no prompts, and no output
copybutton_prompt_is_regexp = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
add_module_names = False
