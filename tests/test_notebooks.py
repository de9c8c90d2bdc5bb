"""The notebooks run from top to bottom; what they assert holds. They are kept without outputs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "docs" / "notebooks").glob("*.ipynb"))
EXECUTE = """
import sys, nbclient, nbformat
nbclient.NotebookClient(nbformat.read(sys.argv[1], as_version=4), timeout=120, kernel_name="python3").execute()
"""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", EXECUTE, str(notebook)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_notebook_is_kept_without_outputs(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3
