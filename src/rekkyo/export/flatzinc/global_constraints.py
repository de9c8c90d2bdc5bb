"""Global constraints under the names that our own library for MiniZinc (`mznlib/`) gives them.

Arrays of FlatZinc are counted from 1; if positions are values, the library passes the first position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rekkyo.export.flatzinc.arguments import Arguments
from rekkyo.export.flatzinc.building import TRUE, Building
from rekkyo.export.flatzinc.domains import Atom, Domain, IntSet, Value
from rekkyo.export.flatzinc.functions import FUNCTIONS, Write
from rekkyo.model.csp import constraints as c
from rekkyo.model.csp.constraints import AT_MOST, EQUAL


def _different_except(building: Building, given: Arguments, excepted: IntSet | None = None) -> None:
    """Atoms with other values than the excepted ones differ. excepted: by default the second argument."""
    atoms, excepted = given.atoms(0), given.set(1) if excepted is None else excepted
    values = {value for atom in atoms for value in building.values(atom) if value in excepted}
    if len(atoms) > 1:
        building.add(c.AllDifferent(building.variables(atoms), tuple(sorted(values))))


def _count_eq(building: Building, given: Arguments) -> None:
    """The number of atoms equal to the second argument is the third."""
    atoms, value, times = given.atoms(0), given.atom(1), given.atom(2)
    wanted = building.fixed(value)
    if wanted is not None:
        _count(building, atoms, (wanted,), times)
        return
    found = [building.truth(building.equal(atom, value)) for atom in atoms]
    building.state(building.linear((*(1 for _ in found), -1), (*found, times), EQUAL, 0))


def _among(building: Building, given: Arguments) -> None:
    times, atoms, wanted = given.atom(0), given.atoms(1), given.set(2)
    values = {value for atom in atoms for value in building.values(atom) if value in wanted}
    _count(building, atoms, tuple(sorted(values)), times)


def _global_cardinality(building: Building, given: Arguments) -> None:
    """The number of atoms with each value of the cover."""
    atoms, cover, counts = given.atoms(0), given.numbers(1), given.atoms(2)
    given.check_lengths(len(cover), counts)
    for value, times in zip(cover, counts, strict=True):
        _count(building, atoms, (value,), times)
    if len(set(cover)) < len(cover):  # MiniZinc counts a value that is named twice both times
        building.state(building.linear((1,) * len(counts), counts, AT_MOST, len(atoms)))


def _global_cardinality_low_up(building: Building, given: Arguments) -> None:
    atoms, cover, lows, highs = given.atoms(0), given.numbers(1), given.numbers(2), given.numbers(3)
    given.check_lengths(len(cover), lows, highs)
    bounds = tuple(
        (value, max(0, low), min(len(atoms), high))
        for value, low, high in zip(cover, lows, highs, strict=True)
    )
    if any(low > high for _, low, high in bounds):
        building.state(False)
    elif atoms:
        building.add(c.GlobalCardinality(building.variables(atoms), bounds))


def _regular(building: Building, given: Arguments, *, several: bool) -> None:
    """States and letters are counted from 1; in the transition table 0 means no next state.

    several: the table has sets of next states.
    """
    n_states, n_letters = given.number(1), given.number(2)
    if n_letters < 1:
        building.refuse(f"{given.predicate} has {n_letters} letters; it needs at least one")
    if several:
        table: list[Sequence[int]] = [_states_in(states, n_states) for states in given.sets(3)]
        building.check_rows(sum(map(len, table)))
    else:
        table = [[after] if after else [] for after in given.numbers(3)]
    given.check_lengths(n_states * n_letters, table)
    cells = ((at // n_letters + 1, at % n_letters + 1, states) for at, states in enumerate(table))
    moves = [(state, letter, after) for state, letter, states in cells for after in states]
    atoms, first, accepting = given.atoms(0), given.number(4), given.set(5)

    def number(state: int) -> int:
        """The number in our model, from 0 for the first state."""
        if not 1 <= state <= n_states:
            building.refuse(f"{given.predicate}: states are numbered from 1 to {n_states}, not {state}")
        return (state - first) % n_states

    number(first)  # refuses it if it is not a state
    ends = tuple(number(state) for state in range(1, n_states + 1) if state in accepting)
    if not atoms:
        building.state(first in accepting)
        return
    transitions = tuple((number(state), letter, number(after)) for state, letter, after in moves)
    building.add(c.Regular(building.variables(atoms), n_states, transitions, ends))


def _automaton(building: Building, given: Arguments) -> None:
    """Letters, the first state, moves as three arrays (state, letter, next state), and final states."""
    moves = given.numbers(2), given.numbers(3), given.numbers(4)
    given.check_lengths(len(moves[0]), *moves[1:])
    building.automaton(given.atoms(0), given.number(1), tuple(zip(*moves, strict=True)), given.numbers(5))


def _states_in(values: IntSet, n_states: int) -> Sequence[int]:
    """The values from 1 to n_states; a file may name endless ranges."""
    domain = Domain.of(values)
    domain.narrow(1, n_states)
    return domain.values()


def _mdd(building: Building, given: Arguments) -> None:
    """Nodes are counted from 1, the root, to N, levels from 1; an edge to node 0 ends in the true node."""
    atoms, n_nodes, level, n_edges = given.atoms(0), given.number(1), given.numbers(2), given.number(3)
    start, labels, end = given.numbers(4), given.sets(5), given.numbers(6)
    given.check_lengths(n_nodes, level)
    given.check_lengths(n_edges, start, labels, end)
    if not atoms:
        building.state(False)
        return
    levels = (len(atoms) + 1, *level)
    layers: list[list[tuple[int, int, int]]] = [[] for _ in atoms]
    for one, values, other in zip(start, labels, end, strict=True):
        is_right = 1 <= one <= n_nodes and 0 <= other <= n_nodes and 1 <= levels[one] <= len(atoms)
        if not is_right or levels[one] + 1 != levels[other]:
            building.refuse(
                f"{given.predicate}: no edge goes from node {one} to node {other} of the next level"
            )
        at = levels[one] - 1
        if other and at + 1 == len(atoms):  # after the last level, only the true node accepts
            continue
        known = (value for value in building.values(atoms[at]) if value in values)
        layers[at] += [(one - 1, value, max(other - 1, 0)) for value in known]
    building.add(c.Diagram(building.variables(atoms), tuple(map(tuple, layers))))


def _connected(building: Building, given: Arguments) -> None:
    """The chosen points and edges are a connected graph; edges are cells between their ends."""
    start, end, points, edges = given.numbers(0), given.numbers(1), given.truths(2), given.truths(3)
    given.check_lengths(len(edges), start, end)
    joined = []
    for at, (ends, edge) in enumerate(zip(zip(start, end, strict=True), edges, strict=True)):
        for point in ends:
            if not 1 <= point <= len(points):
                building.refuse(
                    f"{given.predicate}: points are numbered from 1 to {len(points)}, not {point}"
                )
            building.state(building.clause((points[point - 1],), (edge,)))
            joined.append((point - 1, len(points) + at))
    building.state(building.clause(points))
    if points:
        building.add(c.Connected(building.variables((*points, *edges)), tuple(joined), (TRUE,)))


def _nvalue(building: Building, given: Arguments) -> None:
    """The number of different values."""
    times, taken = given.atom(0), building.taken(given.atoms(1))
    building.state(building.linear((*(1 for _ in taken), -1), (*taken, times), EQUAL, 0))


def _circuit(building: Building, given: Arguments, *, subcircuit: bool, first: int | None = None) -> None:
    """The successors of nodes are a circuit. Without `first`, the first argument numbers the first node."""
    start, atoms = (given.number(0), given.atoms(1)) if first is None else (first, given.atoms(0))
    if atoms:
        building.add(c.Circuit(building.variables(atoms), start, subcircuit))


def _inverse(building: Building, given: Arguments, *, first: int | None = None) -> None:
    """Two arrays are inverse. Without `first`, the first argument is the first index of both."""
    start, at = (given.number(0), 1) if first is None else (first, 0)
    f, g = given.atoms(at), given.atoms(at + 1)
    if len(f) != len(g):
        building.state(False)
    elif f:
        building.add(c.Inverse(building.variables(f), building.variables(g), start))


def _lex_less(building: Building, given: Arguments, *, strict: bool) -> None:
    """The first word comes before the second; a word comes before those that it begins."""
    lesser, greater = given.atoms(0), given.atoms(1)
    n = min(len(lesser), len(greater))
    needs_less = len(lesser) > len(greater) or (strict and len(lesser) == len(greater))
    if n:
        words = building.variables(lesser[:n]), building.variables(greater[:n])
        building.add(c.LexLess(*words, strict=needs_less))
    elif needs_less:
        building.state(False)


def _count(building: Building, atoms: tuple[Atom, ...], values: tuple[int, ...], times: Atom) -> None:
    if atoms and values:
        building.add(c.Count(building.variables(atoms), values, building.variable(times)))
    else:
        building.state(building.equal(times, 0))


GLOBALS: dict[str, Write] = {
    "fzn_alldifferent_except": _different_except,
    "fzn_alldifferent_except_0": partial(_different_except, excepted=range(1)),
    "fzn_count_eq": _count_eq,
    "fzn_count_eq_par": _count_eq,
    "fzn_among": _among,
    "fzn_global_cardinality": _global_cardinality,
    "fzn_global_cardinality_low_up": _global_cardinality_low_up,
    "fzn_regular": partial(_regular, several=False),
    "fzn_regular_nfa": partial(_regular, several=True),
    "fzn_circuit": partial(_circuit, subcircuit=False, first=1),
    "fzn_subcircuit": partial(_circuit, subcircuit=True, first=1),
    "fzn_inverse": partial(_inverse, first=1),
    "fzn_lex_less_int": partial(_lex_less, strict=True),
    "fzn_lex_lesseq_int": partial(_lex_less, strict=False),
    "fzn_lex_less_bool": partial(_lex_less, strict=True),
    "fzn_lex_lesseq_bool": partial(_lex_less, strict=False),
    "fzn_mdd": _mdd,
    "fzn_mdd_nondet": _mdd,
    "fzn_nvalue": _nvalue,
    "rekkyo_automaton": _automaton,
    "rekkyo_connected": _connected,
    "rekkyo_circuit": partial(_circuit, subcircuit=False),
    "rekkyo_subcircuit": partial(_circuit, subcircuit=True),
    "rekkyo_inverse": _inverse,
}


def post(building: Building, name: str, *values: Value) -> None:
    """Add a predicate of FlatZinc by its name."""
    write = FUNCTIONS.get(name) or GLOBALS[name]
    write(building, Arguments(name, values, building))
