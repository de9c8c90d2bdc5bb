"""Random graph files mean what the definitions of their objects say, also up to the symmetry of the graph."""

from __future__ import annotations

import random

import rekkyo as rk
from rekkyo.model.exact_cover import ExactCover
from tests.fuzz.graphs import draw_graph_file, read_graph
from tests.fuzz.oracle import TooLarge

N_FILES = 200


def test_random_files_have_the_objects_that_they_name() -> None:
    n_read = n_solved = 0
    for number in range(N_FILES):
        file = draw_graph_file(random.Random(f"graph/{number}"), is_middle=False)
        text = file.text()
        try:
            puzzle = read_graph(text)
        except TooLarge:
            continue  # such as a size of more edges than there are
        rows = list(rk.solve(puzzle))
        if isinstance(puzzle.model, ExactCover):
            n_options = len(puzzle.model.options)
            found = [frozenset(option for option in row if option < n_options) for row in rows]
        else:
            found = [frozenset(place for place, value in enumerate(row) if value) for row in rows]
        assert len(found) == len(set(found)), text
        assert set(found) == set(file.found), text
        if puzzle.knows_symmetry:
            assert rk.count(puzzle).unique == file.n_orbits(), text
        n_read, n_solved = n_read + 1, n_solved + bool(rows)
    assert n_read > 2 * N_FILES / 3
    assert n_solved > N_FILES / 3
