"""A few random models; `python -m tests.fuzz_minizinc FIRST N` goes on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from rekkyo.cli.fzn import fzn_command
from tests.export.flatzinc.equal_texts import random_equal_text
from tests.fuzz_minizinc.comparing import compared

pytestmark = pytest.mark.minizinc


@pytest.mark.parametrize("seed", range(60))
def test_as_many_solutions_as_gecode(seed: int, tmp_path: Path) -> None:
    compared(seed, tmp_path)


@pytest.mark.parametrize("seed", range(100))
def test_equal_variables_print_what_gecode_prints(seed: int, tmp_path: Path) -> None:
    """Gecode writes a solution again for other values of hidden variables, and worse ones before a best one."""
    model = random_equal_text(seed)
    path = tmp_path / "model.fzn"
    path.write_text(model.text, "utf-8")
    done = subprocess.run(["fzn-gecode", "-a", str(path)], capture_output=True, text=True, check=True)
    ours = CliRunner().invoke(fzn_command, ["-a", "-p", "1", str(path)], catch_exceptions=False).stdout
    found, wanted = parts_of(ours), parts_of(done.stdout)
    assert len(set(found)) == len(found)
    if model.goal == "satisfy":
        assert set(found) == set(wanted)
    else:
        assert set(wanted[-1:]) <= set(found)
        assert bool(found) == bool(wanted)


def parts_of(said: str) -> list[str]:
    """The solutions. Gecode sorts their lines by name."""
    return ["\n".join(sorted(part.splitlines())) for part in said.split("----------\n")[:-1]]
