"""`[[table]]`: the cells of each group, read in order, are a word of a list.

words               a text or a list; each character of a word is the value of one cell
file                instead of words: a file in the same folder, with words separated by spaces or line ends.
                    Words with other characters than the values are skipped
regions and others  groups of cells, see `regions.py`. Only words as long as a group count for it
repeat              whether a word may occur several times; true by default
"""

from __future__ import annotations

from rekkyo.errors import in_short
from rekkyo.export.puzzle_toml.beside import FILE, note_content, text_beside
from rekkyo.export.puzzle_toml.document import Table as TomlTable
from rekkyo.export.puzzle_toml.grid.board import Board
from rekkyo.export.puzzle_toml.grid.different import words_differ
from rekkyo.export.puzzle_toml.grid.regions import GROUP_KEYS, read_groups
from rekkyo.model.csp.constraints import Table

TABLE_KEYS = ("words", FILE, "repeat", *GROUP_KEYS)


def read_table(board: Board, table: TomlTable) -> None:
    """Add the constraints of a clause. Raises BadFile."""
    table.check_keys(TABLE_KEYS)
    if ("words" in table) == (FILE in table):
        table.refuse_table('[[table]] has either "words" or "file", the name of a file beside this one')
    if not board.values.symbols:
        table.refuse_table("words need values that are characters, or numbers from 0 to 61")
    groups = read_groups(board, table)
    lengths = set(map(len, groups))
    words, n_skipped = (_own_words(board, table), 0) if "words" in table else _words_of_file(board, table)
    number_of = board.values.number_of
    rows_of = {
        length: tuple(tuple(number_of[c] for c in word) for word in words if len(word) == length)
        for length in sorted(lengths)
    }
    for group in groups:
        if not rows_of[len(group)]:
            fix = "add some, or change it"
            if n_skipped:
                skipped = f"{n_skipped} of {n_skipped + len(words)} words were skipped"
                fix = f"{skipped}: other characters than {board.values.written()}"
            table.refuse_table(f"no word has {len(group)} letters, the size of a region; {fix}")
        board.add(table, Table(tuple(group), rows_of[len(group)]), len(rows_of[len(group)]) * len(group))
    if not table.flag("repeat", True):
        words_differ(board, table, groups)


def _own_words(board: Board, table: TomlTable) -> list[str]:
    """The words in the file itself."""
    words = table.words("words")
    for place, word in enumerate(words):
        bad = next((c for c in word if c not in board.values.number_of), None)
        if bad is not None:
            said = f'"{in_short(bad)}" of "{in_short(word)}" is none of the values {board.values.written()}'
            table.refuse_value("words", said, place)
    return list(dict.fromkeys(words))


def _words_of_file(board: Board, table: TomlTable) -> tuple[list[str], int]:
    """The words of a file in the folder of the puzzle file, and the number of those with other characters."""
    known = board.values.number_of.keys()
    every = list(dict.fromkeys(text_beside(table).split()))
    words = [word for word in every if known >= set(word)]
    note_content(table, "words", " ".join(words))
    return words, len(every) - len(words)
