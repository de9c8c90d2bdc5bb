"""Solutions in the output format of FlatZinc, one after the other.

    x = 3;
    grid = array2d(1..2, 1..2, [1, 2, 2, 1]);
    ----------

Source: MiniZinc Handbook, "Interfacing Solvers to Flattened MiniZinc", "Output".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rekkyo.export.flatzinc.domains import Unknown
from rekkyo.export.flatzinc.reader import Flat, Shown

SOLUTION_END = "----------\n"
SEARCH_END = "==========\n"
UNSATISFIABLE = "=====UNSATISFIABLE=====\n"
UNKNOWN = "=====UNKNOWN=====\n"
ERROR = "=====ERROR=====\n"

TRUTHS = ("false", "true")


def solution_writer(flat: Flat) -> Callable[[Sequence[int]], str]:
    """A function that writes a row of the model of a parsed text."""
    place = {variable: at for at, variable in enumerate(flat.model.solution)}
    values = flat.model.values

    def value_text(shown: Shown, row: Sequence[int]) -> list[str]:
        numbers = [
            values[row[place[atom.number]]] if isinstance(atom, Unknown) else atom for atom in shown.atoms
        ]
        return [TRUTHS[number] if shown.is_truth else str(number) for number in numbers]

    def write(row: Sequence[int]) -> str:
        lines = [_line(shown, value_text(shown, row)) for shown in flat.shown]
        return "".join(lines) + SOLUTION_END

    return write


def _line(shown: Shown, texts: list[str]) -> str:
    if not shown.index_sets:
        return f"{shown.name} = {texts[0]};\n"
    sets = ", ".join(f"{indices.start}..{indices.stop - 1}" for indices in shown.index_sets)
    return f"{shown.name} = array{len(shown.index_sets)}d({sets}, [{', '.join(texts)}]);\n"
