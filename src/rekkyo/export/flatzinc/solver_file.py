"""The file that tells MiniZinc about a solver: rekkyo's own library, and the program that searches.

Source of the format: MiniZinc Handbook, "Solver Configuration Files".
"""

from __future__ import annotations

import json
from pathlib import Path

from rekkyo import __version__

LIBRARY = Path(__file__).parent / "mznlib"
"""What MiniZinc is to leave to rekkyo as it is."""

FILE_NAME = "rekkyo.msc"
PROGRAM = "fzn-rekkyo"


def solver_text(program: str = PROGRAM) -> str:
    """The content of the file. program: what is to be run, with its folder where it is not on the path."""
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
