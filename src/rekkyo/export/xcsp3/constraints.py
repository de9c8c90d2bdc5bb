"""The constraints of XCSP3-core, each under its name.

An index beyond a list makes a constraint false. Variants that are not read are refused.
Source: Boussemart, Lecoutre, Audemard and Piette, XCSP3-core specifications, sections on constraints.
Left out on purpose: what is not in XCSP3-core, and symbolic variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise

from rekkyo.errors import in_short
from rekkyo.export.flatzinc.domains import Atom, Unknown
from rekkyo.export.flatzinc.global_constraints import post
from rekkyo.export.xcsp3.expressions import Sum, plain
from rekkyo.export.xcsp3.given import Given
from rekkyo.export.xcsp3.packing import bin_packing, cumulative, knapsack, no_overlap
from rekkyo.export.xcsp3.tables import extension, mdd, regular
from rekkyo.export.xcsp3.words import Call
from rekkyo.model.csp import constraints as c

Write = Callable[[Given], None]

ORDERS = ("lt", "le", "ge", "gt")


def _intension(given: Given) -> None:
    tag = "function" if given.has("function") else "list"
    given.expressions.post(given.words(tag).expression())


def _all_different(given: Given) -> None:
    if given.has("matrix"):
        rows = given.rows("matrix")
        excepted = given.numbers("except") if given.has("except") else []
        for line in (*rows, *zip(*rows, strict=True)):
            _different(given, line, excepted)
    elif len(given.parts("list")) > 1:
        _different_lists(given)
    else:
        _different(given, given.only_list(), given.numbers("except") if given.has("except") else [])


def _different(given: Given, atoms: Sequence[Atom], excepted: Sequence[int]) -> None:
    building = given.building
    if len(set(atoms)) < len(atoms):  # the same variable or number twice
        for one, other in combinations(atoms, 2):
            statements = [building.linear((1, -1), (one, other), c.NOT_EQUAL, 0)]
            statements += [building.table((one,), [(value,) for value in excepted])] if excepted else []
            building.state(given.any_of(statements))
    elif len(atoms) > 1:
        building.add(c.AllDifferent(building.variables(atoms), tuple(sorted(set(excepted)))))


def _different_lists(given: Given) -> None:
    lists = given.lists()
    given.as_many(*lists)
    excepted = given.number_rows("except") if given.has("except") else []
    if any(len(row) != len(lists[0]) for row in excepted):
        given.building.refuse(f"a tuple of <except> does not have {len(lists[0])} values")
    for one, other in combinations(lists, 2):
        pairs = zip(one, other, strict=True)
        statements = [given.building.linear((1, -1), pair, c.NOT_EQUAL, 0) for pair in pairs]
        statements += [given.building.table(one, excepted)] if excepted else []
        given.building.state(given.any_of(statements))


def _all_equal(given: Given) -> None:
    for one, other in pairwise(given.only_list()):
        given.building.state(given.building.equal(one, other))


def _operator(given: Given) -> str:
    operator = given.text("operator")
    if operator not in ORDERS:
        given.building.refuse(f"<operator> is {in_short(operator)}, and must be one of {', '.join(ORDERS)}")
    return operator


def _ordered(given: Given) -> None:
    atoms, operator = given.only_list(), _operator(given)
    lengths: list[Atom] = given.atoms("lengths") if given.has("lengths") else [0] * (len(atoms) - 1)
    given.as_many(atoms[1:], lengths)
    for (one, other), length in zip(pairwise(atoms), lengths, strict=True):
        left = ([1, 1], [one, length], 0)
        given.building.state(given.expressions.compared(operator, left, plain(other)))


def _lex(given: Given) -> None:
    operator = _operator(given)
    is_strict = operator in ("lt", "gt")
    if given.has("matrix"):
        rows = given.rows("matrix")
        blocks = [rows, [list(column) for column in zip(*rows, strict=True)]]
    else:
        blocks = [given.lists()]
        if len(blocks[0]) < 2:
            given.building.refuse("it must have two <list> or more, or a <matrix>")
    for lists in blocks:
        given.as_many(*lists)
        for one, other in pairwise(map(tuple, lists)):
            words = (one, other) if operator in ("lt", "le") else (other, one)
            post(given.building, "fzn_lex_less_int" if is_strict else "fzn_lex_lesseq_int", *words)


def _precedence(given: Given) -> None:
    """An automaton; its state is how many of the values have occurred."""
    atoms = given.only_list()
    domain = sorted({value for atom in atoms for value in given.building.values(atom)})
    values = given.numbers("values") if given.has("values") else domain
    if len(set(values)) < len(values):
        given.building.refuse("<values> names a number twice")
    is_covered = given.is_true("covered", "false", "values") if given.has("values") else False
    given.building.check_rows((len(values) + 1) * len(domain))
    rank = {value: at for at, value in enumerate(values)}
    moves = []
    for state in range(len(values) + 1):
        for value in domain:
            at = rank.get(value, -1)
            if at <= state:
                moves.append((state, value, state + (at == state)))
    final = (len(values),) if is_covered else tuple(range(len(values) + 1))
    given.building.add(c.Regular(given.building.variables(atoms), len(values) + 1, tuple(moves), final))


def _sum(given: Given) -> None:
    given.expressions.holds(weighted_sum(given), given.condition())


def weighted_sum(given: Given) -> Sum:
    """The sum of the list with its coefficients, which may be variables."""
    expressions = given.expressions
    terms = [expressions.checked_sum(node) for node in given.list_nodes()]
    if not given.has("coeffs"):
        return expressions.weighted([1] * len(terms), terms)
    factors = given.nodes("coeffs")
    given.as_many(terms, factors)
    scales, sums = [], []
    for factor, term in zip(factors, terms, strict=True):
        if isinstance(factor, int):
            scales.append(factor)
            sums.append(term)
        else:
            atoms = expressions.checked_atom(factor), expressions.atom_of_sum(term)
            scales.append(1)
            sums.append(expressions.sum(Call("mul", atoms)))
    return expressions.weighted(scales, sums)


def _count(given: Given) -> None:
    """How many entries have one of the values, which may be variables."""
    atoms, building = given.only_list(), given.building
    wanted = given.atoms("values")
    times = given.expressions.target(given.condition(), range(len(atoms) + 1))
    fixed = tuple(dict.fromkeys(value for value in wanted if isinstance(value, int)))
    others = [value for value in wanted if isinstance(value, Unknown)]
    if not others and fixed:
        building.add(c.Count(building.variables(atoms), fixed, building.variable(times)))
        return
    found = []
    for atom in atoms:
        equal = [building.equal(atom, value) for value in others]
        found.append(
            building.truth(given.any_of([*equal, building.one_of((atom, value) for value in fixed)]))
        )
    building.state(building.linear((*(1 for _ in found), -1), (*found, times), c.EQUAL, 0))


def _n_values(given: Given) -> None:
    given.expressions.holds(number_of_values(given), given.condition())


def number_of_values(given: Given) -> Sum:
    """How many different values the list has, as a sum of truth values."""
    excepted = given.numbers("except") if given.has("except") else []
    taken = given.building.taken(given.only_list(), excepted)
    return [1] * len(taken), taken, 0


def _cardinality(given: Given) -> None:
    atoms, building = given.only_list(), given.building
    values, occurs = given.numbers("values"), given.nodes("occurs")
    given.as_many(values, occurs)
    for value, times in zip(values, occurs, strict=True):
        if isinstance(times, range):
            wanted: Atom = given.expressions.hidden(n for n in range(len(atoms) + 1) if n in times)
        else:
            wanted = given.expressions.checked_atom(times)
        building.add(c.Count(building.variables(atoms), (value,), building.variable(wanted)))
    if given.is_true("closed", "false", "values"):
        for atom in atoms:
            building.state(building.table((atom,), [(value,) for value in values]))


def _extreme(name: str, given: Given) -> None:
    atoms = given.only_list()
    result = given.expressions.target(given.condition(), given.expressions.extremes(name, atoms))
    post(given.building, f"array_int_{name}imum", result, tuple(atoms))


def _extreme_place(name: str, given: Given) -> None:
    """The value at an index, which need not be the only one, is the greatest or least."""
    condition = given.condition()
    if given.attribute("rank", "any") != "any" or condition.operator != "eq":
        given.building.refuse("only rank any and the operator eq are read")
    atoms = given.only_list()
    best = given.expressions.hidden(given.expressions.extremes(name, atoms))
    post(given.building, f"array_int_{name}imum", best, tuple(atoms))
    index = given.expressions.checked_atom(condition.right)
    given.building.element(index, atoms, best, given.start())


def _element(given: Given) -> None:
    if given.attribute("rank", "any", "index") != "any":
        given.building.refuse("only the rank any is read")
    if given.has("matrix"):
        index, atoms, first = _place_in_matrix(given)
    else:
        index, atoms, first = given.atom("index"), given.only_list(), given.start()
    if given.has("value"):
        result = given.atom("value")
    else:
        values = {value for atom in atoms for value in given.building.values(atom)}
        result = given.expressions.target(given.condition(), values)
    given.building.element(index, atoms, result, first)


def _place_in_matrix(given: Given) -> tuple[Atom, list[Atom], int]:
    """The place in the rows of a matrix, one after the other."""
    rows, indices = given.rows("matrix"), given.atoms("index")
    if len(indices) != 2:
        given.building.refuse("<index> does not have two entries")
    sizes = len(rows), len(rows[0])
    firsts = given.start("matrix", "startRowIndex"), given.start("matrix", "startColIndex")
    for index, first, size in zip(indices, firsts, sizes, strict=True):
        given.building.state(given.expressions.member(index, range(first, first + size), is_in=True))
    terms = [([1], [index], -first) for index, first in zip(indices, firsts, strict=True)]
    place = given.expressions.weighted([sizes[1], 1], terms)
    return given.expressions.atom_of_sum(place), [atom for row in rows for atom in row], 0


def _channel(given: Given) -> None:
    building, first = given.building, given.start()
    if given.has("value"):
        atoms, value = given.only_list(), given.atom("value")
        building.state(given.expressions.member(value, range(first, first + len(atoms)), is_in=True))
        for place, atom in enumerate(atoms, first):
            building.state(given.expressions.member(atom, range(2), is_in=True))
            building.reify(building.equal(value, place), atom)
        return
    lists = given.lists()
    if len(lists) not in (1, 2):
        building.refuse("it has one or two lists")
    if any(given.start(at=at) != first for at in range(len(lists))):
        building.refuse("its lists must have one startIndex")
    one, other = lists[0], lists[-1]
    if not one:
        building.refuse("its list is empty")
    if len(one) == len(other):
        building.add(c.Inverse(building.variables(one), building.variables(other), first))
        return
    if len(one) > len(other):
        building.refuse("its first list is longer than the second")
    for place, atom in enumerate(one, first):
        building.element(atom, other, place, first)


def _circuit(given: Given) -> None:
    """The nodes that are not their own successors make one cycle, and there are some."""
    building, atoms, first = given.building, given.only_list(), given.start()
    building.add(c.Circuit(building.variables(atoms), first, subcircuit=True))
    moves = [building.linear((1,), (atom,), c.NOT_EQUAL, at) for at, atom in enumerate(atoms, first)]
    building.state(given.any_of([statement for statement in moves if statement is not False]))
    if given.has("size"):
        truths = [building.truth(statement) for statement in moves]
        building.state(
            given.expressions.compared("eq", ([1] * len(truths), truths, 0), plain(given.atom("size")))
        )


def _instantiation(given: Given) -> None:
    atoms, values = given.only_list(), given.numbers("values")
    given.as_many(atoms, values)
    for atom, value in zip(atoms, values, strict=True):
        given.building.state(given.building.equal(atom, value))


def _clause(given: Given) -> None:
    nodes = tuple(given.list_nodes())
    given.expressions.post(Call("or", nodes))


CONSTRAINTS: dict[str, Write] = {
    "intension": _intension,
    "extension": extension,
    "regular": regular,
    "mdd": mdd,
    "allDifferent": _all_different,
    "allEqual": _all_equal,
    "ordered": _ordered,
    "lex": _lex,
    "precedence": _precedence,
    "sum": _sum,
    "count": _count,
    "nValues": _n_values,
    "cardinality": _cardinality,
    "minimum": partial(_extreme, "min"),
    "maximum": partial(_extreme, "max"),
    "minimumArg": partial(_extreme_place, "min"),
    "maximumArg": partial(_extreme_place, "max"),
    "element": _element,
    "channel": _channel,
    "noOverlap": no_overlap,
    "cumulative": cumulative,
    "binPacking": bin_packing,
    "knapsack": knapsack,
    "circuit": _circuit,
    "instantiation": _instantiation,
    "clause": _clause,
}
