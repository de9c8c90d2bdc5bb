"""The order in which variables get their values: the one that promises the fewest states.

Orders are compared: the given one with hidden variables first, or each where it is determined; King's;
reverse Cuthill-McKee; and for many states those line by line, where the rules of lines name all variables,
along the longest direction (`lengthwise.py`), and King's from other variables on and reversed. Of cycles of a
grid of 9x16 cells, whose rows are long, they take 0.76 million nodes, and King's 68 million. What a state has
to hold after a level is guessed from the rules. A guess takes what it adds up for independent, so orders
whose guesses are close are tried (`plan.py`). Variables that must be decided one after the other, such as
those that a symmetry ties together, come as blocks. Source: Cuthill and McKee, "Reducing the bandwidth of
sparse symmetric matrices" (1969); King, "An automatic reordering scheme for simultaneous equations derived
from network systems" (1970).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, combinations, pairwise
from math import log2
from typing import NamedTuple, TypeAlias

from rekkyo.engines.bandwidth import cuthill_mckee
from rekkyo.engines.covers.masks.order import grown, grown_from_both_ends
from rekkyo.engines.csp.frontier.determined import determinants
from rekkyo.engines.csp.frontier.readers import Reader, ReadSum, Tables
from rekkyo.engines.csp.frontier.rules import Joint, Rules
from rekkyo.engines.lengthwise import lengthwise
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp

Block: TypeAlias = tuple[Variable, ...]
"""Variables that get their values one after the other."""

MOST_READER_BITS = 8.0
"""The assumed bits of a reader's state if its tables cannot be made in the given order."""

LABEL_BITS = 1.5
"""The assumed bits of a joint's label; labels do not cross."""

LONG = 18.0
"""The logarithm of the states from which on another order is worth its time."""

LEAST_SAVED = 1.0
"""The bits that an order from an end must save by the guess, so that it is tried. To try the four orders of
sum-free sets, which are guessed to be the same, took longer than to count them."""

SPARSE = 4
"""So many times as many variables as one has neighbours have ends, if any do."""

LEAST_LINE, MOST_FAMILIES = 3, 4
"""The variables of a line, and the families of lines such as rows and columns."""

MOST_BESIDE = 1 << 23
"""The most variables of a rule times all variables, for its variables to be neighbours: half of 4,096 times
4,096."""


class Guess(NamedTuple):
    """An order, and the logarithm of how many states there may be after each level but the last."""

    order: tuple[Variable, ...]
    bits: tuple[float, ...]

    def with_last(self, last: Variable) -> Guess:
        """The same order, in which one variable is decided after all others."""
        return self._replace(order=(*(v for v in self.order if v != last), last))

    def in_total(self, share: float = 1.0) -> float:
        """The logarithm of the states of all levels, when each level has that share of its bits.

        Rounded, because the last digits depend on the computer, and the order must not.
        """
        widest = max(self.bits) * share
        return round(widest + log2(sum(2.0 ** max(bits * share - widest, -1000.0) for bits in self.bits)), 6)


def guesses(
    model: Csp,
    rules: Rules,
    read: Sequence[Tables | None],
    blocks: Sequence[Block],
    handicap: float | None,
) -> list[Guess]:
    """Orders of all variables, those with the fewest states first. blocks: each variable in one of them.

    read: the tables of each reader, in the order of its variables; None for one that has none in this order.
    handicap: each hidden variable is after those that determine it, and the given order alone, unless another
    is so many bits better.
    """
    scopes = list(dict.fromkeys(frozenset(v for v, _ in pattern) for pattern in rules.patterns))
    beside = _neighbors((*scopes, *_groups(rules)), blocks)
    placed = sorted(range(len(blocks)), key=lambda block: min(blocks[block]))
    determined = determinants(model)
    candidates = [
        _hidden_after(determined, placed, blocks),
        _hidden_first(model, placed, blocks),
        list(grown({block: beside[block] for block in placed})),
        cuthill_mckee(beside, placed),
    ]
    if handicap is not None:
        candidates = [_hidden_after(determined, order, blocks) for order in candidates]
    sizes = [
        _reader_bits(tables, len(reader.variables))
        for reader, tables in zip(rules.readers, read, strict=True)
    ]

    def guessed(orders: Iterable[Sequence[int]]) -> list[Guess]:
        of_variables = dict.fromkeys(tuple(v for block in order for v in blocks[block]) for order in orders)
        return [Guess(order, _bits(model, rules, scopes, sizes, order)) for order in of_variables]

    found = guessed(candidates)
    best = sorted(found, key=Guess.in_total)
    if best[0].in_total() >= LONG:
        along = chain(
            _lengthwise(model, rules, beside, placed, blocks), _by_lines(model, rules, placed, blocks)
        )
        ends, most = _from_both_ends(model, beside, placed, blocks), best[0].in_total() - LEAST_SAVED
        more, others = (
            guessed(_hidden_after(determined, order, blocks) for order in orders) for orders in (along, ends)
        )
        others = [guess for guess in others if guess.in_total() <= most]
        best = sorted([*found, *more, *others], key=Guess.in_total)
    if handicap is not None and found[0].in_total() <= best[0].in_total() + handicap:
        return found[:1]
    return best


def _neighbors(groups: Iterable[Collection[Variable]], blocks: Sequence[Block]) -> list[set[int]]:
    """Blocks that have a rule in common; rules for more than half of all variables tell nothing.

    groups: the variables of each rule. For many variables, pairs of those of a large rule take more memory
    than there is.
    """
    block_of = {v: number for number, block in enumerate(blocks) for v in block}
    beside: list[set[int]] = [set() for _ in blocks]
    for variables in groups:
        some = {block_of[v] for v in variables}
        if 2 * len(some) <= max(8, len(blocks)) and len(some) * len(blocks) <= MOST_BESIDE:
            for one, other in combinations(sorted(some), 2):
                beside[one].add(other)
                beside[other].add(one)
    return beside


def _groups(rules: Rules) -> Iterator[set[Variable]]:
    """The variables of each rule but the patterns."""
    for once in rules.onces:
        yield {v for v, _ in once.literals}
    for reader in rules.readers:
        yield set(reader.variables)
    for joints in rules.joints:
        touching: dict[int, set[Variable]] = {}
        for (v, _), touched in joints.touched.items():
            for joint in touched:
                touching.setdefault(joint, set()).add(v)
        yield from touching.values()


def _lengthwise(
    model: Csp, rules: Rules, beside: Sequence[set[int]], placed: Sequence[int], blocks: Sequence[Block]
) -> Iterator[Sequence[int]]:
    """Orders along the longest direction: of the variables, or of the joints that they touch.

    Variables with one value come first, because one that stands for the outside of a board is beside all of
    its edge: loops around cells of 4x16 take 4,000 nodes so, and 770,000 otherwise.
    """
    known = {block for block in placed if all(len(model.domains[v]) == 1 for v in blocks[block])}
    order = lengthwise({block: beside[block] - known for block in placed if block not in known})
    if order is not None:
        yield [*sorted(known), *order]
    joined: dict[tuple[int, Joint], set[tuple[int, Joint]]] = defaultdict(set)
    touching: dict[Variable, set[tuple[int, Joint]]] = defaultdict(set)
    for number, joints in enumerate(rules.joints):
        for (v, _), touched in joints.touched.items():
            some = {(number, joint) for joint in touched}
            touching[v] |= some
            for joint in some:
                joined[joint] |= some - {joint}
    along = lengthwise(dict(sorted(joined.items())))
    if along is not None:
        place_of = {joint: place for place, joint in enumerate(along)}
        places = {v: sorted(map(place_of.__getitem__, some)) for v, some in touching.items()}
        nowhere = [len(along)]
        yield sorted(placed, key=lambda block: min(places.get(v, nowhere) for v in blocks[block]))


def _by_lines(
    model: Csp, rules: Rules, placed: Sequence[int], blocks: Sequence[Block]
) -> Iterator[Sequence[int]]:
    """Orders line by line, for each family of lines, such as rows and columns: rules for three variables or
    more, of which no two have a variable in common and which together have all variables of the solution.
    """
    families: list[dict[Variable, int]] = []
    scopes = chain(
        (frozenset(v for v, _ in once.literals) for once in rules.onces),
        (frozenset(reader.variables) for reader in rules.readers),
    )
    lines = [line for line in dict.fromkeys(scopes) if len(line) >= LEAST_LINE]
    for number, line in enumerate(lines):
        family = next((family for family in families if family.keys().isdisjoint(line)), None)
        if family is None and len(families) < MOST_FAMILIES:
            families.append(family := {})
        if family is not None:
            family.update(dict.fromkeys(line, number))
    for family in families:
        if family.keys() >= {*model.solution}:
            nowhere = max(family.values()) + 1
            yield sorted(placed, key=lambda block: min(family.get(v, nowhere) for v in blocks[block]))


def _from_both_ends(
    model: Csp, beside: Sequence[set[int]], placed: Sequence[int], blocks: Sequence[Block]
) -> Iterator[Sequence[int]]:
    """Orders by `grown_from_both_ends`, with hidden variables last.

    One rule may be about all hidden variables, and would make them neighbours. All paths in a polygon of 60
    corners that is divided into triangles take 54,000 nodes so. With hidden variables in the order, a state
    has 53 bits, by the guess.
    """
    solution = set(model.solution)
    shown = {block for block in placed if not solution.isdisjoint(blocks[block])}
    others = [block for block in placed if block not in shown]
    near = {block: beside[block] & shown for block in placed if block in shown}
    if SPARSE * sum(map(len, near.values())) > len(near) ** 2:
        return iter(())
    return ([*order, *others] for order in grown_from_both_ends(near))


def _hidden_first(model: Csp, placed: Sequence[int], blocks: Sequence[Block]) -> list[int]:
    """The given order behind the hidden variables: what they are is known to all constraints then."""
    shown = set(model.solution)
    return sorted(placed, key=lambda block: not shown.isdisjoint(blocks[block]))


def _hidden_after(
    determined: Mapping[Variable, set[Variable]], placed: Sequence[int], blocks: Sequence[Block]
) -> list[int]:
    """The given order, with each hidden variable where it is first determined. determined: `determinants`."""
    place = {v: (float(at), -1.0) for at, block in enumerate(placed) for v in blocks[block]}
    for number, (v, others) in enumerate(determined.items()):
        place[v] = (max((place[u][0] for u in others), default=-1.0), float(number))
    return sorted(placed, key=lambda block: max(place[v] for v in blocks[block]))


def _reader_bits(tables: Tables | None, n_variables: int) -> list[float]:
    """The logarithm of how many states a reader has after each variable but the last."""
    if tables is None:
        return [MOST_READER_BITS] * (n_variables - 1)
    return [log2(len(table[0])) for table in tables.after[1:]]


def _held(
    readers: Sequence[Reader], reader_bits: Sequence[Sequence[float]], level_of: Mapping[Variable, int]
) -> Iterable[tuple[int, int, float]]:
    """From which level to which other one a state holds so many bits for readers.

    A sum whose terms are the first of another one holds the same number, so that the sums of all beginnings
    of a row hold one in all. Other sums with a common term, such as lines of a magic square, soon differ.
    """
    numbers: dict[Hashable, int] = {}
    after_terms: list[list[int]] = []
    for number, reader in enumerate(readers):
        terms = reader.begin.weights if isinstance(reader.begin, ReadSum) else None
        read, found = -1 if terms else len(numbers), list[int]()
        for place in sorted(range(len(reader.variables)), key=lambda at: level_of[reader.variables[at]]):
            term = max(terms[place].items()) if terms else number  # the greatest value tells the factor
            read = numbers.setdefault((read, reader.variables[place], term), len(numbers))
            found.append(read)
        after_terms.append(found)
    before_others = {read for found in after_terms for read in found[:-1]}
    common = {read for found in after_terms if found and found[-1] in before_others for read in found}
    held: dict[Hashable, tuple[int, int, float]] = {}
    for number, (reader, sizes, found) in enumerate(zip(readers, reader_bits, after_terms, strict=True)):
        levels = pairwise(sorted(level_of[v] for v in reader.variables))
        for size, read, (here, after) in zip(sizes, found[:-1], levels, strict=True):
            key = read if read in common else (number, read)
            _, known_after, known_size = held.get(key, (here, after, size))
            held[key] = here, max(after, known_after), max(size, known_size)
    return held.values()


def _bits(
    model: Csp,
    rules: Rules,
    scopes: Iterable[Collection[Variable]],
    reader_bits: Sequence[Sequence[float]],
    order: Sequence[Variable],
) -> tuple[float, ...]:
    """The bits of a guess.

    scopes: the variables of the patterns. reader_bits: of each reader, by the number of its variables that
    are decided.
    """
    n = len(order)
    level_of = {v: level for level, v in enumerate(order)}
    weight = [log2(len(model.domains[v])) for v in order]
    behind, ahead, rest = ([0.0] * (n + 1) for _ in range(3))

    def add(change: list[float], first: int, stop: int, bits: float) -> None:
        change[first] += bits
        change[stop] -= bits

    reach, needed_from = list(range(n)), list(range(n))
    for scope in scopes:
        levels = [level_of[v] for v in scope]
        first, last = min(levels), max(levels)
        for level in levels:
            reach[level] = max(reach[level], last)
            needed_from[level] = min(needed_from[level], first)
    for level in range(n):
        add(behind, level, reach[level], weight[level])
        add(ahead, needed_from[level], level, float(len(model.domains[order[level]])))
    for once in rules.onces:
        levels = sorted(level_of[v] for v, _ in once.literals)
        for n_read, (here, after) in enumerate(pairwise(levels), start=1):
            part = n_read / len(levels)
            add(rest, here, after, -part * log2(part) - (1 - part) * log2(1 - part))
    for here, after, size in _held(rules.readers, reader_bits, level_of):
        add(rest, here, after, size)
    for joints in rules.joints:
        for touching in _groups(Rules(joints=[joints])):
            levels = sorted(level_of[v] for v in touching)
            add(rest, levels[0], levels[-1], LABEL_BITS)
    sums = zip(accumulate(behind), accumulate(ahead), accumulate(rest), strict=True)
    return tuple(min(one, other) + more for one, other, more in sums)
