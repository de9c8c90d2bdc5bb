"""How engines pack what they know into words, computed from real models and drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from captions import with_lines
from layouts import GAP, Box, Line, bits, layout, named, word

import rekkyo as rk
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.lower import lower
from rekkyo.render.svg.drawing import document
from rekkyo.render.svg.markup import CELL, drawn_path, number, square, words


def queens_bitmap() -> str:
    """The three masks of a row of queens."""
    n, row = 8, 3
    queens = [0, 4, 7]
    taken = sum(1 << c for c in queens)
    falling = sum(1 << (c + row - r) for r, c in enumerate(queens) if c + row - r < n)
    rising = sum(1 << (c - row + r) for r, c in enumerate(queens) if c - row + r >= 0)
    free = ~(taken | falling | rising) & ((1 << n) - 1)
    lines = [
        *(
            Line(f"row {r}", tuple(Box("Q" if c == q else "") for c in range(n)))
            for r, q in enumerate(queens)
        ),
        Line("taken", word(taken, n), "columns that hold a queen"),
        Line(
            "falling",
            word(falling, n),
            "hit along diagonals down to the right: all bits move one up for the next row",
        ),
        Line("rising", word(rising, n), "hit along diagonals down to the left: all bits move one down"),
        Line(f"free for row {row}", word(free, n), "allowed & ~(taken | falling | rising)"),
    ]
    return layout("The masks of queens-bitmap", lines)


def _small_cover() -> ExactCover:
    model = lower(rk.puzzle("dominoes 2 3").model)
    assert isinstance(model, ExactCover)
    return model


def _options_of(model: ExactCover, item: str) -> int:
    return sum(
        1 << k for k, option in enumerate(model.options) if item in [name for name, _ in _uses(model, k)]
    )


def _uses(model: ExactCover, option: int) -> list[tuple[str, int]]:
    names = [*model.primary, *model.secondary]
    return [(names[item], color) for item, color in model.options[option]]


def cover_bitset() -> str:
    """Live options, items and conflicts as bit vectors over the options."""
    model = _small_cover()
    n = len(model.options)
    live = (1 << n) - 1
    rows = {item: _options_of(model, item) for item in model.primary}
    conflict = 0
    for item, _ in _uses(model, 0):
        conflict |= rows[item]
    lines = [Line("option", tuple(Box(str(k)) for k in range(n)))]
    lines.append(Line("live", word(live, n), "options that can still be chosen"))
    for item in model.primary:
        remark = f"popcount(item & live) = {(rows[item] & live).bit_count()}"
        lines.append(Line(f"item {item}", word(rows[item], n), remark))
    lines.append(Line("conflict of option 0", word(conflict, n), "options that share an item with it"))
    lines.append(Line("live after option 0", word(live & ~conflict, n), "live & ~conflict"))
    return layout("The bit vectors of cover-bitset, on the dominoes of 2 x 3", lines)


def cover_masks() -> str:
    """Options as masks over the cells, by their lowest cell."""
    model = _small_cover()
    n = len(model.primary)
    lines = [Line("item", tuple(Box(item, width=1.6) for item in model.primary))]

    def wide(value: int) -> tuple[Box, ...]:
        return tuple(
            Box(str(value >> k & 1), 1.6, "rk-shade" if value >> k & 1 else "rk-paper") for k in range(n)
        )

    covered = 0
    by_lowest: dict[int, list[int]] = {}
    for k in range(len(model.options)):
        places = [model.primary.index(item) for item, _ in _uses(model, k)]
        by_lowest.setdefault(min(places), []).append(sum(1 << place for place in places))
    lines.append(
        Line("covered", wide(covered), "the lowest 0 is the item to cover next: " + model.primary[0])
    )
    fits = "fits, because mask & covered = 0"
    lines += [Line("a mask of its list", wide(mask), fits) for mask in by_lowest[0]]
    covered |= by_lowest[0][0]
    lowest = next(k for k in range(n) if not covered >> k & 1)
    lines.append(Line("covered | mask", wide(covered), "next: " + model.primary[lowest]))
    return layout("The masks of cover-masks, on the dominoes of 2 x 3", lines)


def cover_parts() -> str:
    """Slots in words, part after part."""
    narrow = [Box(text, 3) for text in ("11011", "11000", "01110", "11111", "10000")]
    row = [Box(text, 3) for text in ("00000", "00000", "01010", "11011", "10000")]
    lines = [
        Line(
            "part", (Box("part 0", 6, "rk-board"), Box("part 1", 3, "rk-board"), Box("part 2", 6, "rk-board"))
        ),
        Line(
            "live", tuple(narrow), "slots (options) that can still be chosen; a part begins with a new word"
        ),
        Line("row of a slot of part 0", tuple(row), "slots that agree with it: none of its own part"),
        Line(
            "live & row",
            tuple(Box(f"{int(a.text, 2) & int(b.text, 2):05b}", 3) for a, b in zip(narrow, row, strict=True)),
            "what is left when it is chosen",
        ),
    ]
    return layout("The table of cover-parts: which options agree", lines)


def cover_frontier() -> str:
    """States of the dominoes of 2 x 3, level by level, with the number of ways to each."""
    model = _small_cover()
    n = len(model.primary)
    masks = [
        sum(1 << model.primary.index(item) for item, _ in _uses(model, k)) for k in range(len(model.options))
    ]
    levels: list[Counter[int]] = [Counter({0: 1})]
    arrows: list[set[tuple[int, int]]] = []
    for item in range(n):
        after: Counter[int] = Counter()
        drawn = set()
        for state, ways in levels[-1].items():
            choices = (
                [0]
                if state >> item & 1
                else [mask for mask in masks if mask & -mask == 1 << item and not mask & state]
            )
            for mask in choices:
                after[state | mask] += ways
                drawn.add((state, state | mask))
        levels.append(after)
        arrows.append(drawn)
    across, down, side = 110.0, 74.0, 14.0
    place = {
        (level, state): (level * across, index * down)
        for level, states in enumerate(levels)
        for index, state in enumerate(sorted(states))
    }
    body = []
    for level, drawn in enumerate(arrows):
        for start, end in sorted(drawn):
            (x, y), (u, v) = place[level, start], place[level + 1, end]
            body.append(
                drawn_path(
                    f"M{number(x + 3 * side)} {number(y + 1.5 * side)}L{number(u)} {number(v + 1.5 * side)}",
                    "rk-line",
                )
            )
    cells = [tuple(int(part) for part in item.split(",")) for item in model.primary]
    for (level, state), (x, y) in place.items():
        for k, (i, j) in enumerate(cells):
            kind = "rk-shade" if state >> k & 1 else "rk-paper"
            cell = square(x + j * side, y + i * side, side)
            body += [drawn_path(cell, kind), drawn_path(cell, "rk-grid")]
        ways = levels[level][state]
        height = (max(i for i, _ in cells) + 1) * side
        body.append(words(f"{ways} way{'s' * (ways > 1)}", (x + 1.5 * side, y + height + 10), 11, "rk-faint"))
    tallest = max(len(states) for states in levels)
    width, height = n * across + 3 * side, tallest * down
    return document(
        "".join(body),
        width,
        height,
        "States of the dominoes of 2 x 3",
        "Equal sets of covered cells are one state.",
        "auto",
    )


def sum_lines() -> str:
    """Free numbers, mirrored and shifted."""
    n = 9
    free = sum(1 << (k - 1) for k in (1, 3, 4, 6, 8, 9))
    rest = 10
    partners = sum(1 << (rest - k - 1) for k in range(1, 10) if free >> (k - 1) & 1 and 1 <= rest - k <= n)
    both = free & partners & ~(1 << (rest // 2 - 1))
    lines = [
        Line("number", tuple(Box(str(k)) for k in range(1, 10))),
        Line("free", word(free, n), "numbers in no cell yet: here 2, 5 and 7 are placed"),
        Line("10 - free", word(partners, n), "the same word mirrored and shifted"),
        Line("x with x + y = 10", word(both, n), "free & (10 - free): x and y are found at once"),
    ]
    return layout("The words of sum-lines", lines)


def magic_lines() -> str:
    """Five-sets with the sum 65 as words of 25 bits."""
    sets = {
        "row": (6, 7, 13, 19, 20),
        "another row": (3, 5, 16, 17, 24),
        "a column": (3, 10, 13, 14, 25),
    }
    masks = {name: sum(1 << (k - 1) for k in numbers) for name, numbers in sets.items()}
    assert all(sum(numbers) == 65 for numbers in sets.values())
    header = tuple(Box(str(k), 1.1) for k in range(1, 26))

    def wide(value: int) -> tuple[Box, ...]:
        return tuple(
            Box(str(value >> k & 1), 1.1, "rk-shade" if value >> k & 1 else "rk-paper") for k in range(25)
        )

    row, other, column = masks.values()
    lines = [
        Line("number", header),
        *(
            Line(f"{name}", wide(mask), " + ".join(map(str, sets[name])) + " = 65")
            for name, mask in masks.items()
        ),
        Line("row & row", wide(row & other), "two rows: no number in common"),
        Line("row & column", wide(row & column), "a row and a column: exactly one"),
    ]
    return layout("Five-sets as words", lines)


def coloring_masks() -> str:
    """A word for each colour, and a set of which one cell is left."""
    n = 16
    corners = (0, 2, 8, 10)
    colored = (0, 2, 8, 5)
    corner_bits = sum(1 << c for c in corners)
    done = sum(1 << c for c in colored)
    rest = corner_bits & ~done

    def rows(value: int) -> tuple[Box, ...]:
        text = "".join(str(value >> k & 1) for k in range(n))
        return bits(" ".join(text[k : k + 4] for k in range(0, n, 4)))

    lines = [
        Line("cells, row by row", sum(((*named(f"row {k}", width=4), GAP) for k in range(4)), ())),
        Line("cells of colour 0", rows(done), "one word for each colour"),
        Line("a square", rows(corner_bits), "its corners must not all be of one colour"),
        Line(
            "square & ~colour 0",
            rows(rest),
            "one bit left (rest & (rest - 1) = 0): that cell cannot have colour 0",
        ),
    ]
    return layout("The words of coloring-masks, on a board of 4 x 4", lines)


def queens_join() -> str:
    """A board cut into quadrants."""
    row = (0, 4, 7, 5, 2, 6, 1, 3)
    half = number(4 * CELL)
    whole = number(8 * CELL)
    return with_lines(
        rk.queens(8),
        row,
        [f"M{half} 0V{whole}", f"M0 {half}H{whole}"],
        "Quadrants of a board",
        "Two quadrants make a half; two halves agree when no diagonal that they share is used by both.",
    )


def cursor() -> str:
    """A plan, its shards, and a cursor inside one."""
    lines = [
        Line("plan", named("read-only arrays, made once from the model", width=20), ""),
        Line(
            "shards",
            tuple(Box(f"shard {k}", 5, "rk-board") for k in range(4)),
            "prefixes of decisions; disjoint, together everything",
        ),
        Line(
            "",
            (
                Box(kind=None, width=5),
                Box("done", 2, "rk-shade"),
                Box("open", 3),
            ),
            "a cursor stands inside a shard, and can be stopped anywhere",
        ),
        Line(
            "rows",
            (*tuple(Box("row", 2) for _ in range(5)), Box("free", 10, "rk-blocked")),
            "a block of rows: when it is full, it is handed on",
        ),
    ]
    return layout("Plan, shards, cursor and rows", lines)


PICTURES: dict[str, Callable[[], str]] = {
    "engine-cursor": cursor,
    "engine-queens-bitmap": queens_bitmap,
    "engine-queens-join": queens_join,
    "engine-cover-bitset": cover_bitset,
    "engine-cover-masks": cover_masks,
    "engine-cover-parts": cover_parts,
    "engine-cover-frontier": cover_frontier,
    "engine-sum-lines": sum_lines,
    "engine-magic-lines": magic_lines,
    "engine-coloring-masks": coloring_masks,
}
