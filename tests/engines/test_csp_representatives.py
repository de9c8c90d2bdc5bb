"""Engine `csp`, when it searches for representatives alone: published counts, brute force, and less work."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.engines.csp.propagating import representatives
from rekkyo.engines.csp.propagating.engine import CspSearch
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.problem import Problem
from rekkyo.symmetry.group import close
from tests.engines.csp_problems import (
    costas,
    golomb_ruler,
    hamiltonian_cycles,
    latin_square,
    magic_square,
    queens,
)
from tests.fuzz.asking import Case, ask_and_check
from tests.fuzz.models import draw_small_truth, draw_truth
from tests.fuzz.symmetric_csps import draw_symmetric_csp
from tests.fuzz.ways import WEIGHTS, draw_way_to_ask

Atoms = tuple[int, ...]

EXAMPLES = Path(__file__).parents[2] / "examples"


def atoms_of(model: Csp, image: Callable[[int, int], tuple[int, int]]) -> Atoms:
    """The permutation of atoms that takes (position, value) to another such pair."""
    n, values = len(model.solution), list(model.values)
    moved = (image(position, value) for position, value in product(range(n), values))
    return tuple(position * len(values) + values.index(value) for position, value in moved)


def squares_of_columns(model: Csp) -> tuple[Atoms, ...]:
    """Position r with value c is the square in row r and column c: a quarter turn and a mirror."""
    n = len(model.solution)
    return atoms_of(model, lambda r, c: (c, n - 1 - r)), atoms_of(model, lambda r, c: (r, n - 1 - c))


def boards(model: Csp) -> tuple[Atoms, ...]:
    """Positions are the squares of a board, and values stay."""
    n = int(len(model.solution) ** 0.5)
    quarter, mirror = quarter_of(n), mirror_of(n)
    return atoms_of(model, lambda p, x: (quarter[p], x)), atoms_of(model, lambda p, x: (mirror[p], x))


def cycles_on_boards(model: Csp) -> tuple[Atoms, ...]:
    """Values are squares, too; and a cycle may be walked the other way: its successors are its predecessors."""
    n = int(len(model.solution) ** 0.5)
    moves = [
        atoms_of(model, lambda p, x, move=move: (move[p], move[x])) for move in (quarter_of(n), mirror_of(n))
    ]
    return (*moves, atoms_of(model, lambda p, x: (x, p)))


def quarter_of(n: int) -> list[int]:
    return [c * n + n - 1 - r for r, c in product(range(n), repeat=2)]


def mirror_of(n: int) -> list[int]:
    return [r * n + n - 1 - c for r, c in product(range(n), repeat=2)]


def isotopisms(model: Csp) -> tuple[Atoms, ...]:
    """Rows, columns and symbols exchanged."""
    n = len(model.values)
    swap, turn = [1, 0, *range(2, n)], [*range(1, n), 0]
    return tuple(
        atoms_of(model, image)
        for to in (swap, turn)
        for image in (
            lambda p, x, to=to: (to[p // n] * n + p % n, x),
            lambda p, x, to=to: (p // n * n + to[p % n], x),
            lambda p, x, to=to: (p, 1 + to[x - 1]),
        )
    )


def graceful(edges: list[tuple[int, int]]) -> Csp:
    """Labels 0 … number of edges, and every difference on an edge is another one."""
    problem = Problem()
    n = 1 + max(map(max, edges))
    labels = problem.variables([f"label {v}" for v in range(n)], range(len(edges) + 1))
    problem.all_different(labels)
    differences = []
    for a, b in edges:
        differences.append(problem.hidden(range(1, len(edges) + 1)))
        rows = [(x, y, abs(x - y)) for x, y in product(range(len(edges) + 1), repeat=2) if x != y]
        problem.table((labels[a], labels[b], differences[-1]), rows)
    problem.all_different(differences)
    return problem.model()


def two_cliques(n: int) -> list[tuple[int, int]]:
    """The product of a complete graph and an edge."""
    pairs = list(combinations(range(n), 2))
    return [*pairs, *((n + a, n + b) for a, b in pairs), *((v, n + v) for v in range(n))]


def graceful_symmetry(n: int) -> Callable[[Csp], tuple[Atoms, ...]]:
    """Of two cliques, and labels counted from the other end."""

    def generators(model: Csp) -> tuple[Atoms, ...]:
        most = model.values[-1]
        swap, turn = [1, 0, *range(2, n)], [*range(1, n), 0]
        moves = [[*to, *(n + v for v in to)] for to in (swap, turn)]
        moves.append([*range(n, 2 * n), *range(n)])
        of_vertices = [atoms_of(model, lambda p, x, move=move: (move[p], x)) for move in moves]
        return (*of_vertices, atoms_of(model, lambda p, x: (p, most - x)))

    return generators


PUBLISHED = [
    ("A001441", costas(8), squares_of_columns, 444, 60),
    ("A001441", costas(9), squares_of_columns, 760, 100),
    ("A002562", queens(8), squares_of_columns, 92, 12),
    ("A002562", queens(9), squares_of_columns, 352, 46),
    ("Frénicle 1693", magic_square(4), boards, 7040, 880),
    ("A040082, isotopy classes", latin_square(4), isotopisms, 576, 2),
    ("A209077", hamiltonian_cycles(4, 4), cycles_on_boards, 2 * 6, 2),
    ("A209077", hamiltonian_cycles(6, 6), cycles_on_boards, 2 * 1072, 149),
    pytest.param(
        "Petrie and Smith, Symmetry breaking in graceful graphs, 2003: K4 x P2",
        graceful(two_cliques(4)),
        graceful_symmetry(4),
        1440,
        15,
        marks=pytest.mark.second,
    ),
]


@pytest.mark.parametrize(
    ("source", "model", "symmetry", "total", "unique"),
    PUBLISHED,
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_published_counts_up_to_symmetry(
    source: str, model: Csp, symmetry: Callable[[Csp], tuple[Atoms, ...]], total: int, unique: int
) -> None:
    """With fewer nodes than all solutions take."""
    puzzle = rk.Puzzle("published", model, source, generators=symmetry(model))
    found = rk.count(puzzle, engine="csp")
    assert (found.total, found.unique) == (total, unique)
    everything = rk.count(puzzle, engine="csp", digest=True)
    assert (everything.total, everything.unique) == (total, unique)
    assert found.nodes < everything.nodes


@pytest.mark.parametrize("most", [1, 7, 10_000])
def test_any_elements_of_a_group_are_enough(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Fewer only leave more to sort."""
    model = latin_square(3)
    puzzle = rk.Puzzle("isotopisms of order 216", model, "Latin squares", generators=isotopisms(model))
    monkeypatch.setattr(representatives, "MOST_ELEMENTS", most)
    found = rk.count(puzzle, engine="csp")
    assert (found.total, found.unique) == (12, 1)


def test_a_group_that_is_too_large_or_trivial_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    model = latin_square(3)
    assert CspSearch().plan_for_representatives(model, close(model.row_shape, ())) is None
    puzzle = rk.Puzzle("squares", model, "Latin squares", generators=isotopisms(model))
    monkeypatch.setattr(representatives, "MOST_ATOMS", 26)
    assert CspSearch().plan_for_representatives(model, close(model.row_shape, puzzle.generators)) is None
    assert (rk.count(puzzle, engine="csp").total, rk.count(puzzle, engine="csp").unique) == (12, 1)


def test_optimal_solutions_up_to_symmetry() -> None:
    """A036501: 4 shortest rulers of 6 marks, each with its mirror image, and shortest is 17."""
    model = golomb_ruler(6, 17)
    puzzle = rk.Puzzle("golomb 6", model, "rulers", generators=(mirrored_ruler(model),))
    found = rk.count(puzzle, engine="csp")
    assert (found.optimum, found.total, found.unique) == (17, 8, 4)
    assert list(rk.solve(puzzle, engine="csp")) == list(rk.solve(puzzle, engine="csp-plain"))


def test_a_symmetry_of_the_best_solutions_alone_is_enough() -> None:
    """3, 2 has no image among the solutions that are less good, and 4, 4 none but itself; the best are 5, 1 and 1, 5."""
    problem = Problem()
    a, b = problem.variables("ab", range(6))
    worth = problem.hidden(range(30))
    problem.table((a, b, worth), [(3, 2, 7), (4, 4, 8), (0, 5, 2), (5, 1, 25), (1, 5, 25)])
    problem.maximize(worth)
    model = problem.model()
    swap = atoms_of(model, lambda p, x: (1 - p, x))
    found = rk.count(rk.Puzzle("pairs", model, "pairs", generators=(swap,)), engine="csp")
    assert (found.optimum, found.total, found.unique) == (25, 2, 1)


def test_the_value_of_an_objective_may_be_one_of_a_row() -> None:
    """Two armies of 3 x 3 queens at peace: a corner and an edge, in 16 ways, and so with the number in the row."""
    puzzle = rk.puzzle_from_file(EXAMPLES / "peaceable-queens.toml", 3)
    assert isinstance(puzzle.model, Csp)
    found = rk.count(puzzle, engine="csp")
    assert (found.optimum, found.total, found.unique) == (1, 16, 2)
    assert puzzle.model.objective is not None
    shown = replace(
        puzzle.model, solution=(*puzzle.model.solution, puzzle.model.objective.variable), grid=None
    )
    of_board = [boards_of(shown, 3, move) for move in (quarter_of(3), mirror_of(3))]
    wider = rk.count(rk.Puzzle("shown", shown, "queens", generators=tuple(of_board)), engine="csp")
    assert (wider.optimum, wider.total, wider.unique) == (1, 16, 2)


def boards_of(model: Csp, n: int, move: list[int]) -> Atoms:
    """A motion of n * n squares, which leaves positions behind them alone."""
    return atoms_of(model, lambda p, x: (move[p] if p < n * n else p, x))


def mirrored_ruler(model: Csp) -> Atoms:
    """Mark k at x becomes the mark before the last at what is left of the length."""
    return atoms_of(model, lambda p, x: (len(model.solution) - 1 - p, model.values[-1] - x))


def test_a_search_compares_in_the_order_of_its_decisions() -> None:
    """The middle of a magic square is in most lines, so a representative need not be least as a row."""
    model = magic_square(3)
    group = close(model.row_shape, boards(model))
    engine = CspSearch()
    plan = engine.plan_for_representatives(model, group)
    assert plan is not None
    assert engine.comparing_order(plan) == (4, 0, 2, 6, 8, 1, 3, 5, 7)
    alike = queens(4)
    plan = engine.plan_for_representatives(alike, close(alike.row_shape, squares_of_columns(alike)))
    assert plan is not None
    assert engine.comparing_order(plan) is None
    puzzle = rk.Puzzle("magic", model, "magic squares", generators=boards(model))
    assert list(rk.solve(puzzle, engine="csp", up_to="symmetry")) == [(1, 6, 5, 8, 4, 0, 3, 2, 7)]


N_MODELS = 60


@pytest.mark.parametrize("part", [0, 1, *(pytest.param(part, marks=pytest.mark.second) for part in (2, 3))])
def test_random_symmetric_models_every_way(part: int) -> None:
    """Hidden variables, objectives, shards, blocks, workers, limits, runs and recounts, against brute force."""
    for number in range(part, N_MODELS, 4):
        rng = random.Random(f"symmetric/{number}")
        truth = draw_truth(rng, f"symmetric {number}", draw_symmetric_csp)
        case = Case(truth)
        for asked in rng.sample(ASKED_HERE, 6):
            ask_and_check(case, replace(draw_way_to_ask(rng, truth, asked), engine="csp", up_to="symmetry"))


ASKED_HERE = [asked for asked, weight in WEIGHTS.items() if weight and asked != "kth"]


@pytest.mark.kernel
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
def test_small_symmetric_models_uncompiled_and_with_bounds_checks() -> None:
    for number in range(10):
        rng = random.Random(f"small symmetric/{number}")
        truth = draw_small_truth(rng, f"small {number}", CspSearch(), draw_symmetric_csp)
        case = Case(truth)
        for asked in ("count", "slices", "solve"):
            ask_and_check(case, replace(draw_way_to_ask(rng, truth, asked), engine="csp", up_to="symmetry"))
