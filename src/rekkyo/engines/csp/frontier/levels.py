"""The levels of a `Csp`: a variable at each, in an order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from rekkyo.bits import Words
from rekkyo.engines.csp.frontier.blocks import classes_of
from rekkyo.engines.csp.frontier.colors import (
    Color,
    blocks_of_colors,
    colors_after,
    laid_out_by_colors,
    swapped_colors,
)
from rekkyo.engines.csp.frontier.exchanges import Exchange, kept_after
from rekkyo.engines.csp.frontier.families import Swaps, Things, things_of, with_sides
from rekkyo.engines.csp.frontier.joints import JointsMemory
from rekkyo.engines.csp.frontier.loops import LoopFinder
from rekkyo.engines.csp.frontier.memories import Memory, OnceMemory, Parts, ReaderMemory
from rekkyo.engines.csp.frontier.named import NamedMemory, renamed_by
from rekkyo.engines.csp.frontier.patterns import PatternMemory
from rekkyo.engines.csp.frontier.rules import Rules
from rekkyo.engines.csp.frontier.ways import WaysMemory
from rekkyo.engines.frontier.levels import NO_ATOM, Choice, Key, Level, Levels
from rekkyo.engines.frontier.levels import Rules as LevelRules
from rekkyo.engines.frontier.plan import Renamed, exchanged_bits, exchanged_blocks, exchanged_names
from rekkyo.model.csp.constraints import Variable
from rekkyo.model.csp.csp import Csp

Order: TypeAlias = Sequence[Variable]

MOST_RENAMED = 32
"""The most exchanges that rename joints. All of them are tried for every state after a level."""

HOPELESS = Levels((), 0, True, (), {})


class Alike(NamedTuple):
    """The exchanges that keep the rules: values that can be exchanged everywhere, and other exchanges."""

    colors: Sequence[Color] = ()
    exchanges: Sequence[Exchange] = ()

    @property
    def keep_values(self) -> bool:
        """Whether no exchange but those of colours changes a value."""
        return all(x == y for exchange in self.exchanges for (_, x), (_, y) in exchange.moves.items())

    def without(self, v: Variable) -> Alike:
        """The exchanges that do not move the values of a variable."""
        return Alike((), [exchange for exchange in self.exchanges if v not in exchange.onto])


NOTHING_ALIKE = Alike()


def make_levels(
    model: Csp, rules: Rules, order: Order, alike: Alike = NOTHING_ALIKE
) -> tuple[Levels, list[Words]]:
    """The levels of a model whose variables get their values in an order, and what can be exchanged after
    each. Raises EngineRefuses.
    """
    if rules.is_hopeless:
        return HOPELESS, []
    level_of = [0] * len(order)
    for level, v in enumerate(order):
        level_of[v] = level
    kept = kept_after(alike.exchanges, order)
    readers: list[ReaderMemory] = []
    readers += [ReaderMemory(reader, level_of, rules.tables, readers) for reader in rules.readers]
    finder = LoopFinder(rules, level_of, model.domains, readers)
    loops = [finder.loop_of(joints) for joints in rules.joints]
    patterns = [pattern for pattern in rules.patterns if pattern not in finder.replaced]
    readers[:] = [reader for reader in readers if reader not in finder.replaced]  # each knows these
    onces = OnceMemory(rules.onces, level_of)
    memories: list[Memory] = [PatternMemory(patterns, level_of, kept), onces]
    memories += readers
    memories += [
        loop
        or (
            WaysMemory(joints, level_of)
            if joints.directed
            else JointsMemory(joints, level_of, model.domains, readers)
        )
        for joints, loop in zip(rules.joints, loops, strict=True)
    ]
    remembered = [one for memory in memories for one in memory.remembered()]
    fields = laid_out_by_colors(remembered, alike.colors)
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
            return HOPELESS, []
        levels.append(_level(parts, [atoms.get((v, x), NO_ATOM) for x in domain], n_bits, closing[level]))
    made = Levels(tuple(levels), n_bits, False, tuple(level_of), fields)
    return made, _exchanged(made, memories, kept, alike)


def _exchanged(
    levels: Levels, memories: Sequence[Memory], kept: Mapping[int, Sequence[Exchange]], alike: Alike
) -> list[Words]:
    """The exchanges after each level: of colours, and the effect of other exchanges on bits."""
    blocks = colors_after(levels, len(alike.colors))
    things, once_bits = _things(kept.values()), _once_bits(levels, memories)
    for level, exchanges in kept.items():
        swapped = [(_swapped(levels, memories, one, level), one) for one in exchanges]
        named = [one for one in memories if isinstance(one, NamedMemory) and one.living_after(level)]
        if named:
            renamed = _renamed(levels, named, level, swapped)
            if renamed and not alike.colors:
                names = [memory.names_after(level, levels.fields) for memory in named]
                blocks[level] = exchanged_names(names, renamed[:MOST_RENAMED])
            continue
        by_bits = [(swaps, things[id(one)]) for swaps, one in swapped if swaps]
        use_up = all(once_bits.issuperset(chain.from_iterable(swaps)) for swaps, _ in by_bits)
        classes = classes_of(by_bits) if use_up else []
        if classes:
            blocks[level] = exchanged_blocks([*blocks_of_colors(levels, level, len(alike.colors)), *classes])
            continue
        living = (field for field in levels.fields.values() if field.first <= level < field.last)
        alone = sum(1 << field.shift for field in living if field.width == 1)
        found = with_sides(by_bits, alone)
        if found:
            of_colors = swapped_colors(levels, level, len(alike.colors), by_number=alike.keep_values)
            blocks[level] = exchanged_bits([*of_colors, *found])
    return blocks


def _renamed(
    levels: Levels,
    named: Sequence[NamedMemory],
    level: int,
    swapped: Sequence[tuple[Swaps | None, Exchange]],
) -> list[Renamed]:
    """The exchanges after a level at which joints live. swapped: what each swaps of other memories."""
    found = []
    for swaps, exchange in swapped:
        renamed = None if swaps is None else renamed_by(exchange, named, level, levels.fields)
        if renamed is not None and (swaps or renamed.swaps):
            found.append(Renamed([*(swaps or ()), *renamed.swaps], renamed.image_of))
    return found


def _once_bits(levels: Levels, memories: Sequence[Memory]) -> set[int]:
    """The bits each of which says that one of some literals holds, such as that a value is used up."""
    onces = (memory for memory in memories if isinstance(memory, OnceMemory))
    return {levels.fields[one.key].shift for memory in onces for one in memory.remembered()}


def _things(kept: Iterable[Iterable[Exchange]]) -> dict[int, Things | None]:
    """The things of each exchange that is used, by its identity."""
    used = {id(exchange): exchange.moves for exchanges in kept for exchange in exchanges}
    return dict(zip(used, things_of(list(used.values())), strict=True))


def _swapped(levels: Levels, memories: Sequence[Memory], exchange: Exchange, level: int) -> Swaps | None:
    """The bits that an exchange swaps after a level, but those of joints; None if it cannot be made."""
    images: dict[Key, Key] = {}
    for memory in memories:
        some = memory.exchanged(exchange, level)
        if some is None:
            return None
        images.update(some)
    fields = ((levels.fields[one], levels.fields[image]) for one, image in images.items())
    return sorted(
        (one.shift + bit, other.shift + bit)
        for one, other in fields
        if one.shift < other.shift
        for bit in range(one.width)
    )


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
        tuple(loop._replace(edges=tuple(loop.edges[choice] for choice in kept)) for loop in parts.loops),
        tuple(ways._replace(arcs=tuple(ways.arcs[choice] for choice in kept)) for ways in parts.ways),
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
