"""`kind = "cover"`: items and options, written as words.

An option is a line of items; `x:red` gives a secondary item a colour. For Knuth's format see `export/xcc.py`.
"""

from __future__ import annotations

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.document import MAX_NAME, Drawing, Table, Word
from rekkyo.export.puzzle_toml.times import read_times
from rekkyo.model.exact_cover import MAX_ITEMS, ExactCover, Option

MAX_OPTIONS = 1 << 18
KEYS = ("items", "secondary", "options", "times")


def read_cover(table: Table) -> ExactCover:
    """The model of a table. Raises BadFile."""
    numbers = table.drawing("items").numbered("item", {}, MAX_ITEMS, _problem_of_name)
    n_primary = len(numbers)
    if not n_primary:
        table.refuse("items", "there are no items; name at least one")
    if "secondary" in table:
        table.drawing("secondary").numbered("item", numbers, MAX_ITEMS, _problem_of_name)
    reader = _Options(table.drawing("options"), numbers, n_primary)
    options = reader.read()
    names = list(numbers)
    with table.errors_at("items"):
        return ExactCover(
            tuple(names[:n_primary]),
            tuple(names[n_primary:]),
            tuple(options),
            _bounds(table, names[:n_primary], len(options)),
            color_names=tuple(reader.colors),
        )


def _problem_of_name(name: str) -> str | None:
    if len(name) <= MAX_NAME and name.isprintable() and ":" not in name and "|" not in name:
        return None
    return f'"{in_short(name)}" cannot name an item; use 1 to {MAX_NAME} characters, no : and |'


def _bounds(table: Table, primary: list[str], n_options: int) -> tuple[tuple[int, int], ...]:
    if table.data.get("times", {}) == {}:
        return ()
    bounds = read_times(table, primary, lambda name: f'there is no item "{name}" that must be covered')
    return tuple((low, max(1, low, n_options) if high is None else high) for low, high in bounds.values())


class _Options:
    """Reads the options. numbers: of the items, by name; the primary ones come first."""

    def __init__(self, drawing: Drawing, numbers: dict[str, int], n_primary: int) -> None:
        self.drawing = drawing
        self.numbers = numbers
        self.n_primary = n_primary
        self.colors: dict[str, int] = {}

    def read(self) -> list[Option]:
        options: list[Option] = []
        for words in self.drawing.words():
            if len(options) == MAX_OPTIONS:
                words[0].refuse(f"more than the {MAX_OPTIONS} options that are read; use mine.xcc")
            uses: dict[int, int] = {}
            for word in words:
                item, color = self._use(word)
                if item in uses:
                    word.refuse(f'"{in_short(word.text)}" names an item again in this option; name it once')
                uses[item] = color
            if min(uses) >= self.n_primary:
                words[0].refuse("the option has none of the items that must be covered; add one")
            options.append(tuple(sorted(uses.items())))
        return options

    def _use(self, word: Word) -> tuple[int, int]:
        name, colon, color = word.text.partition(":")
        if name not in self.numbers:
            word.refuse(f'there is no item "{in_short(name)}"; name it under "items" or "secondary"')
        item = self.numbers[name]
        if not colon:
            return item, 0
        if item < self.n_primary:
            word.refuse(f'"{in_short(word.text)}" gives a colour to an item that is not secondary')
        if not color or not color.isprintable():
            word.refuse(f'"{in_short(word.text)}" names no colour; write it as {name}:red')
        return item, self.colors.setdefault(color, len(self.colors) + 1)
