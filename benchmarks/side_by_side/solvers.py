"""How each solver is asked for all solutions, or for their number, of each kind of model.

A solver gives two functions: the first makes what it needs, which is not timed, the second searches and
returns how many solutions it found, with its CPU seconds if it ran in another process. What a solver has no
means for, it refuses with `CannotSay`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

from gecode import NAME as GECODE
from gecode import Timed, gecode
from problems import Problem, cover, options_of

import rekkyo as rk
from rekkyo.engines.contract import Room, no_pause
from rekkyo.engines.registry import listing_engine
from rekkyo.model.coloring import Coloring
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.model.queens import Queens
from rekkyo.model.sum_figure import SumFigure

FOLDER = Path(__file__).parent.parent
Work = tuple[Callable[[], Any], Callable[[Any], int | Timed]]


class CannotSay(Exception):
    """This solver does not have the words for this model."""


def other(folder: str, name: str) -> ModuleType:
    """A module of another folder of benchmarks."""
    if str(FOLDER / folder) not in sys.path:
        sys.path.append(str(FOLDER / folder))
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", FOLDER / folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rekkyo_list(problem: Problem) -> Work:
    """Plan and search of the listing engine, one worker, every row written into a block."""
    model = lower(problem.puzzle.model)
    engine = listing_engine(model)
    engine.compile(model)
    engine.compile_for_long(model)
    room = Room.of(model.row_shape, 1 << 13)

    def run(_: Any) -> int:
        plan = engine.plan(model)
        return sum(
            len(block.rows)
            for shard in engine.split(plan, 1)
            for block in engine.blocks(plan, shard, room, 1 << 21, no_pause)
        )

    return lambda: None, run


def rekkyo_count(problem: Problem) -> Work:
    """The whole of `rekkyo.count`, one worker."""
    puzzle = problem.puzzle
    return lambda: None, lambda _: int(rk.count(puzzle, workers=1, up_to="none").total)


def xcover(problem: Problem) -> Work:
    run = other("cover", "peers").xcover(as_cover(problem))
    return lambda: None, lambda _: run()


def exact_cover(problem: Problem) -> Work:
    run = other("cover", "peers").exact_cover(as_cover(problem))
    return lambda: None, lambda _: run()


def as_cover(problem: Problem) -> ExactCover:
    if isinstance(problem.puzzle.model, Coloring | SumFigure):
        raise CannotSay
    return cover(problem)


def cp_sat(problem: Problem) -> Work:
    """One worker, `enumerate_all_solutions`."""
    sys.path.append(str(FOLDER))
    from ortools.sat.python import cp_model

    from cpsat import enumerated

    model = problem.puzzle.model
    if isinstance(model, Coloring):
        return other("coloring", "peers").cp_sat(problem.puzzle)

    def prepare() -> Any:
        made = cp_model.CpModel()
        if isinstance(model, SumFigure):
            cells = [made.new_int_var(model.numbers[0], model.numbers[-1], name) for name in model.cells]
            made.add_all_different(cells)
            for line in model.lines:
                made.add(sum(cells[cell] for cell in line.cells) == problem.magic_sum)
        elif isinstance(model, Queens):
            at = [made.new_int_var(0, model.n - 1, str(row)) for row in range(model.n)]
            made.add_all_different(at)
            made.add_all_different([column + row for row, column in enumerate(at)])
            made.add_all_different([column - row for row, column in enumerate(at)])
        else:
            covered = cover(problem)
            chosen = [made.new_bool_var(str(number)) for number in range(len(covered.options))]
            for item, options in enumerate(options_of(covered)):
                add = made.add_exactly_one if item < len(covered.primary) else made.add_at_most_one
                add([chosen[option] for option in options])
        return made

    return prepare, enumerated


def clingo(problem: Problem) -> Work:
    """All answer sets, grounding apart."""
    model = problem.puzzle.model
    if isinstance(model, Coloring):
        return other("coloring", "peers").clingo(problem.puzzle)
    if isinstance(model, SumFigure):
        numbers = ";".join(map(str, model.numbers))
        lines = [f"1 {{ x(C,({numbers})) }} 1 :- C = 0..{len(model.cells) - 1}."]
        lines.append(f":- N = ({numbers}), not 1 {{ x(_,N) }} 1.")
        for line in model.lines:
            terms = "; ".join(f"N,{cell} : x({cell},N)" for cell in line.cells)
            lines.append(f":- not #sum {{ {terms} }} = {problem.magic_sum}.")
    else:
        covered = cover(problem)
        lines = []
        for item, options in enumerate(options_of(covered)):
            low = 1 if item < len(covered.primary) else 0
            lines.append(f"{low} {{ " + ";".join(f"x({option})" for option in options) + " } 1.")
    return other("coloring", "peers").answer_sets(lines)


def pysat(problem: Problem) -> Work:
    """CaDiCaL 1.9.5 with a blocking clause for each solution: only what was chosen, where that is enough."""
    from pysat.solvers import Solver

    model = problem.puzzle.model
    if isinstance(model, SumFigure):
        raise CannotSay
    if isinstance(model, Coloring):
        return other("coloring", "peers").cadical(problem.puzzle)
    covered = cover(problem)
    clauses = []
    for item, options in enumerate(options_of(covered)):
        if item < len(covered.primary):
            clauses.append([option + 1 for option in options])
        clauses += [[-one - 1, -two - 1] for one, two in combinations(options, 2)]

    def run(solver: Any) -> int:
        found = 0
        while solver.solve():
            found += 1
            solver.add_clause([-literal for literal in solver.get_model() if literal > 0])
        return found

    return lambda: Solver(name="cadical195", bootstrap_with=clauses), run


def python_constraint(problem: Problem) -> Work:
    """`getSolutionIter` with the solver that it takes by itself."""
    import constraint

    model = problem.puzzle.model
    made = constraint.Problem()
    if isinstance(model, SumFigure):
        made.addVariables(range(len(model.cells)), list(model.numbers))
        made.addConstraint(constraint.AllDifferentConstraint())
        for line in model.lines:
            made.addConstraint(constraint.ExactSumConstraint(problem.magic_sum), list(line.cells))
    elif isinstance(model, Coloring):
        made.addVariables(range(model.n_cells), list(range(model.n_colors)))
        for cells in model.sets:
            made.addConstraint(constraint.SomeNotInSetConstraint({0}), list(cells))
            made.addConstraint(constraint.SomeNotInSetConstraint({1}), list(cells))
        for pattern in model.patterns:
            forbidden = tuple(color for _, color in pattern)
            made.addConstraint(
                lambda *colors, forbidden=forbidden: colors != forbidden, [cell for cell, _ in pattern]
            )
    elif isinstance(model, Queens):
        made.addVariables(range(model.n), list(range(model.n)))
        made.addConstraint(constraint.AllDifferentConstraint())
        for one, two in combinations(range(model.n), 2):
            made.addConstraint(lambda a, b, apart=two - one: abs(a - b) != apart, (one, two))
    else:
        return lambda: None, add_cover(made, cover(problem))
    return lambda: None, lambda _: sum(1 for _ in made.getSolutionIter())


def add_cover(made: Any, covered: ExactCover) -> Callable[[Any], int]:
    """One variable for each piece, where every option has one; else one for each item."""
    used = [frozenset(item for item, _ in option) for option in covered.options]
    by_item = options_of(covered)
    chosen: list[int] = []
    for item in range(len(covered.primary)):
        if all(used[option].isdisjoint(chosen) for option in by_item[item]):
            chosen.append(item)
    pieces = all(not options.isdisjoint(chosen) for options in used)
    variables = chosen if pieces else list(range(len(covered.primary)))
    for item in variables:
        made.addVariable(item, by_item[item])
    for one, two in combinations(variables, 2):
        made.addConstraint(lambda a, b: (not pieces and a == b) or used[a].isdisjoint(used[b]), (one, two))
    primary = frozenset(range(len(covered.primary)))

    def run(_: Any) -> int:
        everything = (frozenset().union(*map(used.__getitem__, s.values())) for s in made.getSolutionIter())
        return sum(primary <= items for items in everything)

    return run


def cpmpy(problem: Problem) -> Work:
    """`solveAll` with its default solver, which is OR-Tools, one worker."""
    import cpmpy as cp

    model = problem.puzzle.model
    if isinstance(model, SumFigure):
        cells = cp.intvar(model.numbers[0], model.numbers[-1], shape=len(model.cells))
        rules = [cp.AllDifferent(cells)]
        rules += [cp.sum([cells[c] for c in line.cells]) == problem.magic_sum for line in model.lines]
    elif isinstance(model, Coloring):
        cells = cp.boolvar(shape=model.n_cells)
        rules = []
        for group in model.sets:
            rules += [cp.any([cells[c] for c in group]), cp.any([~cells[c] for c in group])]
        for pattern in model.patterns:
            rules.append(cp.any([~cells[c] if color else cells[c] for c, color in pattern]))
    elif isinstance(model, Queens):
        cells = cp.intvar(0, model.n - 1, shape=model.n)
        shifted = [[cells[row] + sign * row for row in range(model.n)] for sign in (-1, 0, 1)]
        rules = [cp.AllDifferent(columns) for columns in shifted]
    else:
        covered = cover(problem)
        cells = cp.boolvar(shape=len(covered.options))
        rules = []
        for item, options in enumerate(options_of(covered)):
            total = cp.sum([cells[option] for option in options])
            rules.append(total == 1 if item < len(covered.primary) else total <= 1)
    return lambda: cp.Model(rules), lambda made: int(made.solveAll(solver="ortools", num_workers=1))


def graphillion(problem: Problem) -> Work:
    """Perfect matchings of the grid, counted by a decision diagram."""
    name, *sizes = problem.words.split()
    if name != "dominoes" or sizes[0] != sizes[1]:
        raise CannotSay
    from graphillion import GraphSet

    grid = other("diagram", "against")._grid(int(sizes[0]))
    degrees = {vertex: 1 for edge in grid for vertex in edge}

    def prepare() -> None:
        GraphSet.set_universe(grid)

    return prepare, lambda _: int(GraphSet.graphs(degree_constraints=degrees).len())


OURS = {"rekkyo list": rekkyo_list, "rekkyo count": rekkyo_count}
PEERS = {
    "xcover": xcover,
    "exact-cover": exact_cover,
    "CP-SAT": cp_sat,
    "clingo": clingo,
    "python-sat": pysat,
    "python-constraint2": python_constraint,
    "CPMpy": cpmpy,
    GECODE: gecode,
    "Graphillion": graphillion,
}
SOLVERS = OURS | PEERS
COMPILES = (*OURS, "xcover")
"""These get one run before the clock starts, which compiles."""
