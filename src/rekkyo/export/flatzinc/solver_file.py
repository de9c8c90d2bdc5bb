"""The solver configuration file for MiniZinc: rekkyo's own library, and the program that searches.

Source of the format: MiniZinc Handbook, "Solver Configuration Files".
"""

from __future__ import annotations

import json
from pathlib import Path

from rekkyo import __version__

LIBRARY = Path(__file__).parent / "mznlib"
"""The constraints that MiniZinc passes to rekkyo unchanged."""

FILE_NAME = "rekkyo.msc"
PROGRAM = "fzn-rekkyo"


def solver_text(program: str = PROGRAM) -> str:
    """The content of the file. program: the program to run, with its folder if it is not on the path."""
    facts = {
        "id": "org.rekkyo.rekkyo",
        "name": "rekkyo",
        "description": "Every solution of a combinatorial puzzle",
        "version": __version__,
        "mznlib": str(LIBRARY),
        "executable": program,
        "tags": ["cp", "int"],
        "stdFlags": ["-a", "-n", "-p", "-s", "-t"],
        "supportsMzn": False,
        "supportsFzn": True,
        "needsSolns2Out": True,
        "needsMznExecutable": False,
        "needsStdlibDir": False,
        "isGUIApplication": False,
    }
    return json.dumps(facts, indent=2) + "\n"
