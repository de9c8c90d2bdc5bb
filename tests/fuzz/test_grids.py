"""Random grid files mean what the definitions of their clauses and of their symmetry say."""

from __future__ import annotations

import random
import re

import rekkyo as rk
from rekkyo.errors import BadFile
from rekkyo.export.puzzle_toml.grid.reader import CLAUSES
from rekkyo.model.csp.csp import Csp
from tests.fuzz.grids import draw_grid_file

N_FILES = 400


def test_random_files_have_the_solutions_of_their_clauses() -> None:
    n_read = n_solved = n_moved = 0
    with_solutions = set[str]()
    for number in range(N_FILES):
        file = draw_grid_file(random.Random(f"grid/{number}"), is_middle=False)
        try:
            puzzle = rk.puzzle_from_text(file.text)
        except BadFile:
            continue  # such as more different cells than values
        assert isinstance(puzzle.model, Csp)
        rows = [tuple(puzzle.model.values[index] for index in row) for row in rk.solve(puzzle)]
        assert len(rows) == len(set(rows)), file.text
        fillings = file.fillings()
        assert set(rows) == fillings, file.text
        if file.moves:
            orbits = file.orbits(fillings)
            assert all(orbit <= fillings for orbit in orbits), file.text
            assert rk.count(puzzle).unique == len(orbits), file.text
            n_moved += 1
        n_read, n_solved = n_read + 1, n_solved + bool(rows)
        with_solutions.update(re.findall(r"\[\[([a-z]+)\]\]", file.text) if rows else [])
    assert n_read > N_FILES / 2
    assert n_solved > N_FILES / 3
    assert with_solutions == set(CLAUSES)
    assert n_moved > N_FILES / 50
