"""The levels of a `Csp`: a variable at each, in an order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

from rekkyo.engines.csp.frontier.colors import Color, laid_out_by_colors
from rekkyo.engines.csp.frontier.memories import (
    JointsMemory,
    Memory,
    OnceMemory,
    Parts,
    PatternMemory,
    ReaderMemory,
)
from rekkyo.engines.csp.frontier.rules import Rules
from rekkyo.engines.frontier.levels import NO_ATOM, Choice, Level, Levels
from rekkyo.engines.frontier.levels import Rules as LevelRules
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp

Order: TypeAlias = Sequence[Variable]


HOPELESS = Levels((), 0, True, (), {})


def make_levels(model: Csp, rules: Rules, order: Order, colors: Sequence[Color] = ()) -> Levels:
    """The levels of a model whose variables get their values in an order. Raises EngineRefuses.

    colors: values that can be exchanged, whose bits are to lie side by side.
    """
    if rules.is_hopeless:
        return HOPELESS
    level_of = [0] * len(order)
    for level, v in enumerate(order):
        level_of[v] = level
    memories: list[Memory] = [PatternMemory(rules.patterns, level_of)]
    memories += [OnceMemory(once, level_of) for once in rules.onces]
    readers = [ReaderMemory(reader, level_of, model.domains) for reader in rules.readers]
    memories += readers
    memories += [JointsMemory(joints, level_of, model.domains, readers) for joints in rules.joints]
    remembered = [one for memory in memories for one in memory.remembered()]
    fields = laid_out_by_colors(remembered, colors)
    n_bits = max((field.shift + field.width for field in fields.values()), default=0)
    acting: dict[int, list[Memory]] = defaultdict(list)
    for memory in memories:
        for level in memory.levels:
            acting[level].append(memory)
    closing = [0] * len(order)
    for field in fields.values():
        closing[field.last] |= (1 << field.width) - 1 << field.shift
    atoms = _atoms(model)
    levels = []
    for level, v in enumerate(order):
        domain = model.domains[v]
        parts = Parts(level, v, domain, [0] * len(domain), [0] * len(domain))
        for memory in acting[level]:
            memory.write(parts, fields)
        if len(parts.shut_out) == len(domain):
            return HOPELESS
        levels.append(_level(parts, [atoms.get((v, x), NO_ATOM) for x in domain], n_bits, closing[level]))
    return Levels(tuple(levels), n_bits, False, tuple(level_of), fields)


def _atoms(model: Csp) -> dict[tuple[Variable, int], int]:
    """The atom of a value of a variable of the solution."""
    number_of = {value: number for number, value in enumerate(model.values)}
    return {
        (v, value): position * len(model.values) + number_of[value]
        for position, v in enumerate(model.solution)
        for value in model.domains[v]
    }


def _level(parts: Parts, atoms: Sequence[int], n_bits: int, closing: int) -> Level:
    """A level without the choices that are shut out in any case."""
    kept = [choice for choice in range(len(atoms)) if choice not in parts.shut_out]
    new = {choice: number for number, choice in enumerate(kept)}
    rules = LevelRules(
        tuple(hop._replace(choice=new[hop.choice]) for hop in parts.hops if hop.choice in new),
        tuple(m._replace(after=tuple(m.after[choice] for choice in kept)) for m in parts.machines),
        tuple(j._replace(touched=tuple(j.touched[choice] for choice in kept)) for j in parts.joins),
    )
    return Level(
        choices=tuple(Choice(atoms[choice], parts.clash[choice], parts.take[choice], 0) for choice in kept),
        covered=0,
        opening=0,
        required=parts.required,
        limits=(),
        keep=(1 << n_bits) - 1 & ~closing,
        rules=rules,
    )
