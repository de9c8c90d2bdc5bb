"""Checks that a problem has exactly so many solutions. Plain Python; imports nothing of rekkyo.

    python check_count.py problem.opb diagram.nnf

The problem: sums of variables that are 0 or 1 are equal to a number, or at least a number. The diagram:
decisions in *levels*. An `O` node has a branch for each assignment of its level's variables that it permits;
a branch is an `A` node of literals and a node of the next level. Proved is: every way through the diagram
gives each variable one value, and no two ways are the same; on every way every constraint holds; a branch
that a node lacks would break a constraint, or leave no assignment to a later level, on whichever way the node
was reached. Then the ways are counted.

It is known which partial sums the ways to a node have. A constraint that forbids that some variables are all
1 has an *end*, those that are left once the others are 1. Ends are known that some way to a node has (`may`),
or every way (`must`): ways that meet may owe the same end to different constraints.
Source of the question: Bryant, Nawrocki, Avigad, Heule, "Certified knowledge compilation" (SAT 2023). Left
out on purpose: decisions without levels, and lacks for other reasons that several constraints together have.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

START = re.compile(rb"\* #variable= ([0-9]{1,9}) #constraint= ([0-9]{1,9})\n")
CONSTRAINT = re.compile(rb"((?:[+-]?[0-9]{1,18} x[1-9][0-9]{0,8} )+)(>=|=) (-?[0-9]{1,18}) ;\n")
NODE = re.compile(rb"(?:L -?[1-9][0-9]{0,8}|A(?: [0-9]{1,10})+|O(?: [0-9]{1,10}){2,})\n")
MOST = 1 << 20  # partial sums of a constraint, or assignments of a level

Variables = tuple[int, ...]  # as an assignment of a level, those that are 1
Group = tuple[Variables, set[Variables]]  # the variables of a level, which of them are 1 on some branch
Branch = tuple[Variables, Variables, int]  # those that are 1, those that are 0, the next node or -1


class NotProved(Exception):
    """What is not as it must be, in a line."""


@dataclass(frozen=True, slots=True)
class Sum:
    """low <= the sum of the coefficients of all variables that are 1 <= high."""

    coefficients: dict[int, int]
    low: int
    high: int

    def forbids_all(self) -> bool:
        """Whether it says just that not all of its variables are 1."""
        low = 1 - len(self.coefficients)
        return {*self.coefficients.values()} == {-1} and (self.low, self.high) == (low, 0)

    def may_hold(self, seen: set[int], ones: Variables) -> bool:
        """Whether it can hold when these are 1, of the variables that were seen."""
        so_far = sum(self.coefficients.get(x, 0) for x in ones)
        rest = [coefficient for x, coefficient in self.coefficients.items() if x not in seen]
        least, most = sum(c for c in rest if c < 0), sum(c for c in rest if c > 0)
        return so_far + least <= self.high and so_far + most >= self.low


def read_problem(lines: Iterable[bytes]) -> tuple[int, list[Sum]]:
    """The number of variables, and the constraints. Raises NotProved."""
    numbered = enumerate(lines, 1)
    start = START.fullmatch(next(numbered, (1, b""))[1])
    if start is None:
        raise NotProved("problem, line 1: that is not `* #variable= NUMBER #constraint= NUMBER`")
    sums = []
    for number, line in numbered:
        parts = CONSTRAINT.fullmatch(line)
        words = parts[1].split() if parts else []
        coefficients = {int(x[1:]): int(c) for c, x in zip(words[::2], words[1::2], strict=True)}
        if parts is not None and 2 * len(coefficients) == len(words):
            low, most = int(parts[3]), sum(max(0, c) for c in coefficients.values())
            sums.append(Sum(coefficients, low, low if parts[2] == b"=" else most))
        elif not line.startswith(b"*"):
            raise NotProved(f"problem, line {number}: that is no sum of different variables")
    if len(sums) != int(start[2]):
        raise NotProved(f"problem: line 1 says {int(start[2])} constraints, but there are {len(sums)}")
    return int(start[1]), sums


def read_diagram(lines: Iterable[bytes]) -> tuple[dict[int, list[Branch]], int]:
    """The branches of each decision, and the root, the last node. Raises NotProved."""
    numbered = iter(lines)
    header, n_edges, n_variables = next(numbered, b""), 0, 0
    nodes: list[Branch | None] = []  # None for a decision
    branches: dict[int, list[Branch]] = {}
    known: dict[Variables, Variables] = {}  # so that equal ones are kept once
    for number, line in enumerate(numbered):
        if NODE.fullmatch(line) is None:
            raise NotProved(f"diagram, line {number + 2}: that is no node")
        is_or, numbers = line.startswith(b"O"), [int(word) for word in line[2:].split()]
        if line.startswith(b"L"):
            nodes.append(((numbers[0],), (), -1) if numbers[0] > 0 else ((), (-numbers[0],), -1))
            n_variables = max(n_variables, abs(numbers[0]))
            continue
        n_children, *children = numbers[is_or:]
        below = [nodes[child] or ((), (), child) for child in children if child < number]
        following = [end for *_, end in below if end >= 0]
        if len(below) != n_children or len(children) != n_children or (len(following) > 1 and not is_or):
            raise NotProved(f"diagram, line {number + 2}: not so many nodes before it, or two decisions")
        n_edges += n_children
        if is_or:
            branches[number] = below
            nodes.append(None)
            continue
        ones = tuple(sorted(x for some, _, _ in below for x in some))
        zeros = tuple(sorted(x for _, some, _ in below for x in some))
        nodes.append((known.setdefault(ones, ones), known.setdefault(zeros, zeros), max(-1, *following, -1)))
    if header != b"nnf %d %d %d\n" % (len(nodes), n_edges, n_variables):
        raise NotProved(f"diagram, line 1: that is not `nnf {len(nodes)} {n_edges} {n_variables}`")
    branches[len(nodes)] = [(nodes[-1] if nodes else None) or ((), (), len(nodes) - 1)]
    return branches, len(nodes)


def levels_of(branches: dict[int, list[Branch]], root: int) -> list[Group]:
    """The variables of each level, which every branch of it assigns, and which are 1 on some branch."""
    levels: list[Group] = []
    front, known = {root}, set[int]()
    while front:
        here = [branch for node in front for branch in branches[node]]
        assigned = {tuple(sorted(ones + zeros)) for ones, zeros, _ in here}
        for variables in assigned:
            n_known, known = len(known), known | set(variables)
            is_new = len(known) == n_known + len(variables)
            if not is_new or len(assigned) > 1 or len({following < 0 for *_, following in here}) > 1:
                raise NotProved(f"level {len(levels)}: branches must assign the same new variables")
            levels.append((variables, {ones for ones, _, _ in here}))
        front = {following for *_, following in here if following >= 0}
    return levels


@dataclass(slots=True)
class Ends:
    """What an assignment makes of ends, each a bit; bit 0 is the empty end, that of a broken constraint."""

    keep: int
    start: int = 0
    moves: list[tuple[int, int]] = field(default_factory=list)

    def after(self, before: int) -> int:
        """The ends that are left."""
        after = before & self.keep | self.start
        for bit, moved in self.moves:
            if before & bit:
                after |= moved
        return after


@dataclass(slots=True)
class Level:
    """What constraints say about a level, its sums by their numbers."""

    ends: dict[Variables, Ends]  # of each assignment, see `_assignments`
    adds: dict[int, dict[Variables, int]] = field(default_factory=dict)  # what assignments add
    possible: dict[int, frozenset[int]] = field(default_factory=dict)  # sums so far that can become right
    closed: list[int] = field(default_factory=list)  # those without variables later
    blocking: list[int] = field(default_factory=list)  # ends inside the level, by assignment


def prepared(groups: Sequence[Group], n_variables: int, constraints: Sequence[Sum]) -> list[Level]:
    """What the constraints say about each level. Raises NotProved."""
    level_of = {x: number for number, (variables, _) in enumerate(groups) for x in variables}
    named = {x for one in constraints for x in one.coefficients}
    if not len(level_of) == n_variables >= max(named | level_of.keys(), default=0):
        raise NotProved(f"problem and diagram are not both about variables 1 to {n_variables}")
    here: list[list[Sum]] = [[] for _ in groups]
    for one in constraints:
        for number in {level_of[x] for x in one.coefficients}:
            here[number].append(one)
    levels = [Level(_assignments(*group, some)) for group, some in zip(groups, here, strict=True)]
    for index, one in enumerate(constraints):
        if not one.forbids_all():
            _follow_sum(index, one, [levels[n] for n in sorted({level_of[x] for x in one.coefficients})])
    _follow_ends(levels, level_of, [one for one in constraints if one.forbids_all()])
    return levels


def _assignments(variables: Variables, there: set[Variables], sums: Sequence[Sum]) -> dict[Variables, Ends]:
    """Assignments of a level: those that are there, and all that no constraint forbids by itself."""
    found: list[Variables] = [()]
    for place, x in enumerate(variables):
        seen = set(variables[: place + 1])
        both = found + [(*ones, x) for ones in found]
        found = [ones for ones in both if all(one.may_hold(seen, ones) for one in sums)]
        if len(found) > MOST:
            raise NotProved(f"a level has more than {MOST} assignments")
    return {ones: Ends(-1) for ones in (*found, *there)}


def _follow_sum(index: int, one: Sum, levels: Sequence[Level]) -> None:
    """Write what the levels with its variables add to a sum, and when it can still be right."""
    reached = [frozenset((0,))]
    for level in levels:
        level.adds[index] = {ones: sum(one.coefficients.get(x, 0) for x in ones) for ones in level.ends}
        more = set(level.adds[index].values())
        reached.append(frozenset(total + step for total in reached[-1] for step in more))
        if len(reached[-1]) > MOST:
            raise NotProved(f"a constraint has more than {MOST} partial sums")
    levels[-1].closed.append(index)
    possible = frozenset(total for total in reached.pop() if one.low <= total <= one.high)
    for level, before in zip(reversed(levels), reversed(reached), strict=True):
        level.possible[index] = possible
        more = set(level.adds[index].values())
        possible = frozenset(total for total in before if any(total + step in possible for step in more))


def _follow_ends(levels: Sequence[Level], level_of: dict[int, int], clauses: Sequence[Sum]) -> None:
    """Write what each assignment makes of the ends of constraints that forbid that all are 1."""
    bit_of: dict[Variables, int] = {(): 1}
    starting: list[dict[Variables, None]] = [{} for _ in levels]
    for clause in clauses:
        end = tuple(sorted(clause.coefficients, key=lambda x: (level_of[x], x)))
        starting[level_of[end[0]]][end] = None
        while end := tuple(x for x in end if level_of[x] > level_of[end[0]]):
            bit_of.setdefault(end, 1 << len(bit_of))
    begun: list[list[Variables]] = [[] for _ in levels]
    for end in filter(None, bit_of):
        begun[level_of[end[0]]].append(end)
    for number, level in enumerate(levels):
        for ones, ends in level.ends.items():
            ends.keep = ~sum(bit_of[end] for end in begun[number])
            for end in (*begun[number], *starting[number]):
                rest = tuple(x for x in end if level_of[x] > number)
                if not {*end[: len(end) - len(rest)]} <= {*ones}:
                    continue  # one of its variables is 0
                if end in starting[number]:
                    ends.start |= bit_of[rest]
                if end in bit_of:
                    ends.moves.append((bit_of[end], bit_of[rest]))
        inside = [end for end in begun[number] if level_of[end[-1]] == number]
        level.blocking = [sum(bit_of[end] for end in inside if {*end} <= {*ones}) for ones in level.ends]


@dataclass(slots=True)
class State:
    """Of the ways to a node: how many, the partial sums of each constraint, ends on some way and on all."""

    n_ways: int
    sums: dict[int, frozenset[int]]
    may: int
    must: int

    def join(self, other: State) -> None:
        """Let other ways come to the same node."""
        self.n_ways += other.n_ways
        self.may |= other.may
        self.must &= other.must
        for index, totals in other.sums.items():
            if self.sums[index] != totals:
                self.sums[index] |= totals

    def is_broken(self, level: Level, ones: Variables, later: Sequence[Level]) -> bool:
        """Whether an assignment breaks a constraint, or leaves none to a later level, on every way."""
        must = level.ends[ones].after(self.must)
        if must & 1 or any(all(must & ends for ends in other.blocking) for other in later):
            return True
        return any(
            all(total + adds[ones] not in level.possible[index] for total in self.sums.get(index, (0,)))
            for index, adds in level.adds.items()
        )

    def after(self, level: Level, ones: Variables) -> State:
        """The ways on after an assignment. Raises NotProved if it breaks a constraint on one of them."""
        sums = dict(self.sums)
        for index, adds in level.adds.items():
            sums[index] = frozenset(total + adds[ones] for total in self.sums.get(index, (0,)))
        may, must = level.ends[ones].after(self.may), level.ends[ones].after(self.must)
        if may & 1 or not all(sums.pop(index) <= level.possible[index] for index in level.closed):
            raise NotProved(f"there is a way on which {ones} are 1 and a constraint is broken")
        return State(self.n_ways, sums, may, must)


def count(problem: tuple[int, list[Sum]], branches: dict[int, list[Branch]], root: int) -> int:
    """How many solutions the problem has, if the diagram proves it. Raises NotProved."""
    front = {root: State(1, {}, 0, 0)}
    levels = prepared(levels_of(branches, root), *problem)
    for number, level in enumerate(levels):
        later = [other for other in levels[number + 1 :] if all(other.blocking)]
        reached: dict[int, State] = {}
        for node, state in front.items():
            there = {ones: following for ones, _, following in branches[node]}
            if len(there) < len(branches[node]):
                raise NotProved(f"level {number}, node {node}: a branch is there twice")
            for ones in level.ends:
                following = there.get(ones)
                if not (following and branches.get(following, True)) and state.is_broken(level, ones, later):
                    continue  # no way on from here, rightly
                if following is None:
                    raise NotProved(f"level {number}, node {node}: no branch where {ones} are 1")
                after = state.after(level, ones)
                if reached.setdefault(following, after) is not after:
                    reached[following].join(after)
        front = reached
    return sum(state.n_ways for state in front.values())


def main(problem: str, diagram: str) -> None:
    """Print the verdict, and end the program with code 1 unless the count is proved."""
    try:
        with Path(problem).open("rb") as one, Path(diagram).open("rb") as other:
            total = count(read_problem(one), *read_diagram(other))
    except (NotProved, OSError) as reason:
        raise SystemExit(f"s NOT VERIFIED: {reason}") from None
    print(f"s VERIFIED {total} solutions")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("s NOT VERIFIED: name a problem and a diagram")
    main(*sys.argv[1:])
