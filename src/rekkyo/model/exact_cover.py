"""Model: exact cover with colours and multiplicities.

Choose options so that every primary item is covered between `low` and `high` times (once by default), and so
that the options that touch a secondary item agree on its colour. A secondary item that an
option names without a colour is touched by at most one chosen option.

A row lists the chosen options by number, in increasing order (layout BY_OPTION). No option is chosen twice.
Source: Knuth, The Art of Computer Programming 4B (2022), section 7.2.2.1: XCC and MCC. Differences to his
MCC: an option is chosen at most once, and low may be 0 for a primary item.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from operator import itemgetter
from typing import Any, TypeAlias

from rekkyo.errors import BadModel
from rekkyo.model.checks import check_nested, check_size, check_whole, refuse, repeated
from rekkyo.model.row import Layout, RowShape
from rekkyo.wording import several

Item: TypeAlias = int
"""The number of an item: primary items first, then secondary ones."""

Color: TypeAlias = int
"""0: no colour; the colours of a model are numbered from 1."""

Use: TypeAlias = tuple[Item, Color]
"""An item in an option, with its colour; always (item, 0) for a primary item."""

Option: TypeAlias = tuple[Use, ...]

ITEM_OF_USE = itemgetter(0)

MAX_ITEMS = 1 << 20
MAX_OPTIONS = 1 << 22
MAX_USES = 1 << 26
MAX_COLOR = MAX_TIMES = 10**9 - 1
"""More than any model has options; fits in the 32 bits of the arrays and the 9 digits of Knuth's format."""


@dataclass(frozen=True, slots=True)
class ExactCover:
    """Items, options and how often each primary item is covered.

    primary, secondary: names, all different.
    options: each names at least one primary item, and no item twice; colours go up to MAX_COLOR.
    exchanges: families of blocks of items. Exchanging any two blocks of a family, item by item, takes every
        option to an option; a search may use that, and the rows are the same without it.
    bounds: (low, high) for each primary item, 0 <= low <= high, 1 <= high <= MAX_TIMES; empty means (1, 1)
        for all.
    color_names: how solutions show the colours, from colour 1; empty means by their numbers. It changes no
        solution, so two models that differ in it alone are equal.
    Raises BadModel.
    """

    primary: tuple[str, ...]
    secondary: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    bounds: tuple[tuple[int, int], ...] = ()
    exchanges: tuple[tuple[tuple[Item, ...], ...], ...] = ()
    color_names: tuple[str, ...] = field(default=(), compare=False)
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        uses = self._check_shapes()
        self._check_sizes()
        if (twice := repeated(self.primary + self.secondary)) is not None:
            raise BadModel(f'exact cover: item "{twice}" is named twice; give each item its own name')
        sizes = array("i", map(len, self.options))
        ending, fewest = self._checked_options(uses[::2], uses[1::2], sizes)
        self._check_bounds()
        self._check_exchanges()
        self._memo.update(
            {"uses": array("i", uses), "sizes": sizes, "ending with": ending, "fewest covered": fewest}
        )

    def _checked_options(
        self, items: list[Item], colors: list[Color], sizes: Sequence[int]
    ) -> tuple[Mapping[Item, Sequence[int]], int]:
        """For each item the options whose last primary item it is, and the fewest primary items of an option.

        All uses are compared with their bounds at once. An option is looked at more closely only if something
        is wrong; looking at each use took most of the time of making a model.
        """
        n_primary, are_in_bounds = len(self.primary), self._are_in_bounds(items, colors)
        ending: defaultdict[Item, array[int]] = defaultdict(partial(array, "i"))
        fewest, stop = n_primary, 0
        for index, size in enumerate(sizes):
            first, stop = stop, stop + size
            used = items[first:stop]
            covered = [item for item in used if item < n_primary] if self.secondary else used
            if not are_in_bounds or not covered or len(set(used)) < size:
                self._check_option(index, self.options[index])
            ending[max(covered)].append(index)
            fewest = min(fewest, len(covered))
        return ending, fewest

    def _are_in_bounds(self, items: list[Item], colors: list[Color]) -> bool:
        """Whether all uses are of items with colours that these can have."""
        n_primary, n_items = len(self.primary), len(self.primary) + len(self.secondary)
        if items and not 0 <= min(items) <= max(items) < n_items:
            return False
        colored = [item for item, color in zip(items, colors, strict=True) if color] if any(colors) else []
        return not colored or (min(colors) >= 0 and max(colors) <= MAX_COLOR and min(colored) >= n_primary)

    def _check_shapes(self) -> list[int]:
        """The numbers of all uses."""
        rule = "exact cover: {} are a tuple of {}"
        for what in ("primary", "secondary", "color_names"):
            check_nested(rule.format(what, "names"), getattr(self, what), (tuple, str))
        uses = rule.format("options", "options, each a tuple of pairs (item, colour) of whole numbers")
        numbers = check_nested(uses, self.options, (tuple, tuple, tuple, int), length=2)
        pairs = rule.format("bounds", "pairs (low, high) of whole numbers")
        check_nested(pairs, self.bounds, (tuple, tuple, int), length=2)
        blocks = rule.format("exchanges", "families, each a tuple of blocks, each a tuple of items")
        check_nested(blocks, self.exchanges, (tuple, tuple, tuple, int))
        return numbers

    def _check_sizes(self) -> None:
        if not self.primary:
            raise BadModel("exact cover: there is no primary item; name at least one")
        check_size("exact cover", len(self.primary) + len(self.secondary), "items", MAX_ITEMS)
        check_size("exact cover", len(self.options), "options", MAX_OPTIONS)
        check_size("exact cover", sum(map(len, self.options)), "items in options", MAX_USES)

    def _check_option(self, index: int, option: Option) -> None:
        n_primary, n_items = len(self.primary), len(self.primary) + len(self.secondary)
        items = [item for item, _ in option]
        for item, color in option:
            if not 0 <= item < n_items:
                refuse(f"exact cover: option {index} uses items from 0 to {n_items - 1}", item)
            if not 0 <= color <= MAX_COLOR:
                check_whole(f"exact cover: a colour in option {index}", color, 0, MAX_COLOR)
            if color and item < n_primary:
                raise BadModel(
                    f'exact cover: option {index} gives primary item "{self.primary[item]}" a colour;'
                    " only secondary items have colours"
                )
        if (twice := repeated(items)) is not None:
            raise BadModel(f'exact cover: option {index} uses item "{self.item_name(twice)}" twice')
        if min(items, default=n_primary) >= n_primary:
            raise BadModel(f"exact cover: option {index} uses no primary item; give it one")

    def _check_bounds(self) -> None:
        if self.bounds and len(self.bounds) != len(self.primary):
            sizes = f"{several(len(self.bounds), 'bound')} for {len(self.primary)} primary items"
            raise BadModel(f"exact cover: {sizes}; give one for each")
        for name, (low, high) in zip(self.primary, self.bounds, strict=False):
            if not 0 <= low <= high <= MAX_TIMES or high < 1:
                problem = f'exact cover: the bounds of item "{name}" need 0 <= low <= high and high from 1 to'
                refuse(f"{problem} {MAX_TIMES}", (low, high))

    def _check_exchanges(self) -> None:
        """Raise BadModel unless exchanging neighbouring blocks keeps the set of options, and so the rest."""
        n_items, n_primary = len(self.primary) + len(self.secondary), len(self.primary)
        options = sorted(tuple(sorted(option)) for option in self.options) if self.exchanges else []
        for family in self.exchanges:
            items = [item for block in family for item in block]
            sizes = {len(block) for block in family}
            if len(sizes) != 1 or len(set(items)) < len(items) or not all(0 <= i < n_items for i in items):
                raise BadModel(
                    "exact cover: blocks that can be exchanged have the same number of items, all different"
                )
            for one, other in pairwise(family):
                image = dict(zip((*one, *other), (*other, *one), strict=True))
                moved = sorted(
                    tuple(sorted((image.get(item, item), color) for item, color in option))
                    for option in self.options
                )
                fits = all(
                    (a < n_primary) == (b < n_primary)
                    and (a >= n_primary or self.bounds_of(a) == self.bounds_of(b))
                    for a, b in image.items()
                )
                if moved != options or not fits:
                    names = self.item_name(one[0]), self.item_name(other[0])
                    raise BadModel(
                        f'exact cover: the blocks of "{names[0]}" and "{names[1]}" cannot be exchanged;'
                        " the options or bounds change"
                    )

    def item_name(self, item: Item) -> str:
        """The name of an item by its number."""
        n_primary = len(self.primary)
        return self.primary[item] if item < n_primary else self.secondary[item - n_primary]

    def color_name(self, color: Color) -> str:
        """The name of a colour, or its number when it has none."""
        return self.color_names[color - 1] if 0 < color <= len(self.color_names) else str(color)

    @property
    def is_once(self) -> bool:
        """Whether every primary item is covered exactly once."""
        return not self.bounds or set(self.bounds) == {(1, 1)}

    def bounds_of(self, item: Item) -> tuple[int, int]:
        """How often a primary item is covered, at least and at most."""
        return self.bounds[item] if self.bounds else (1, 1)

    @property
    def uses(self) -> array[int]:
        """Item and colour of every use, in one flat array. Engines read it because another loop over the
        tuples of a large model takes ten times as long.
        """
        found: array[int] = self._memo["uses"]
        return found

    @property
    def sizes(self) -> array[int]:
        """The number of uses of each option, for the same reason."""
        found: array[int] = self._memo["sizes"]
        return found

    @property
    def row_shape(self) -> RowShape:
        """The number of positions is an upper bound of the number of options in a solution.

        Two bounds are used: each option covers a least number of primary items; and each covers an item of a
        set that meets every option, such as the pieces of a packing. That set is found greedily.
        """
        if "row shape" not in self._memo:
            self._memo["row shape"] = self._row_shape()
        shape: RowShape = self._memo["row shape"]
        return shape

    def _row_shape(self) -> RowShape:
        highs = [self.bounds_of(item)[1] for item in range(len(self.primary))]
        length = min(
            sum(highs) // self._memo["fewest covered"],
            sum(highs[item] for item in self._items_that_meet_all()),
            len(self.options),
        )
        return RowShape(max(1, length), max(1, len(self.options)), Layout.BY_OPTION)

    def _items_that_meet_all(self) -> set[Item]:
        """Items of which every option covers at least one: all items, minus those that are not needed.

        An item is needed if it is the last one that some option covers and no other item of that is kept.
        """
        kept: set[Item] = set()
        for item, options in sorted(self._memo["ending with"].items()):
            if any(kept.isdisjoint(map(ITEM_OF_USE, self.options[option])) for option in options):
                kept.add(item)
        return kept

    @property
    def row_meaning(self) -> str:
        """Values are numbers of options."""
        return "the numbers of the chosen options, from 0, in increasing order"
