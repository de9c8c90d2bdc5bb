"""Changes of a grid with numbers: its cells, cages, orders, and regions of different values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rekkyo.designer.drawn import given_in_words, grid_marks, is_of_cells
from rekkyo.designer.edits.fields import LETTERS, Change, data_of, spots_of
from rekkyo.designer.marks import MAX_ACROSS, Marks
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.writing import with_value
from rekkyo.model.lattices.drawing import Spot


def painted_grid(text: str, data: Mapping[str, Any], key: str, spots: list[Spot], mark: str | None) -> str:
    """Paint a grid: a point is a cell, and all drawings have the lines of the board."""
    blank = " " if "#" in str(data.get("values")) else "#"
    marks = grid_marks(str(data.get("board", "")), data.get("values"))
    if given_in_words(data):
        raise BadInput("what is given is written as words, a line for each row; change it in the text")
    if key == "given" and isinstance(data.get("given"), str):
        given = {at: found for at, found in grid_marks(str(data["given"])).items() if found != "."}
        given |= dict.fromkeys(spots, mark or ".")
        return with_value(text, ("given",), grid_text({at: given.get(at, ".") for at in marks}, blank))
    if any(min(at) < 0 for at in spots):
        raise BadInput("a grid grows to the right and below; its first line and column stay where they are")
    n_lines = 1 + max((line for _, line, _ in marks), default=-1)
    for at in spots:
        if mark is None:
            marks.pop(at, None)
        else:
            marks[at] = mark
    if not marks:
        raise BadInput("a grid has at least one cell")
    text = with_value(text, ("board",), grid_text(marks, blank))
    if n_lines != (lines := 1 + max(line for _, line, _ in marks)):
        for number, clause in enumerate(data.get("cage", [])):
            regions = clause.get("regions")
            if isinstance(regions, str) and "\n" in regions:
                drawn = (regions.strip("\n").split("\n") + ["."] * lines)[:lines]
                text = with_value(text, ("cage", number, "regions"), "".join(f"{line}\n" for line in drawn))
    return text


def grid_text(marks: Marks, blank: str = "#") -> str:
    """The drawing. blank: the character where there is no cell."""
    n_lines, n_columns = (1 + max(axis) for axis in list(zip(*marks, strict=True))[1:])
    if max(n_lines, n_columns) > MAX_ACROSS:
        raise BadInput(f"a board to paint on has at most {MAX_ACROSS} lines and columns")
    rows = (
        "".join(marks.get((0, line, column), blank) for column in range(n_columns)) for line in range(n_lines)
    )
    return "".join(f"{row.rstrip(blank) or blank}\n" for row in rows)


def cage(text: str, change: Change) -> str:
    """Add a cage: cells and a rule such as "sum 12"; without a rule, remove the cages of these cells."""
    data = data_of(text)
    spots, rule = spots_of(change), change.get("rule")
    board = grid_marks(str(data.get("board", "")), data.get("values"))
    cages = data.get("cage", [])
    number = next((k for k, clause in enumerate(cages) if "\n" in str(clause.get("regions", ""))), len(cages))
    clause = cages[number] if number < len(cages) else {}
    marks = {at: mark for at, mark in grid_marks(str(clause.get("regions", ""))).items() if mark != "."}
    taken = {marks[at] for at in spots if at in marks}
    marks = {at: mark for at, mark in marks.items() if mark not in taken and at in board}
    for name in taken:
        text = with_value(text, ("cage", number, name), None)
    words = str(clause.get("clues", "")).split()
    if words and taken:
        pairs = zip(words[::2], words[1::2], strict=False)
        left = [f"{name} {clue}" for name, clue in pairs if name not in taken]
        text = with_value(text, ("cage", number, "clues"), " ".join(left) or None)
    if rule is not None:
        if (
            not isinstance(rule, str)
            or not 0 < len(rule) < 60
            or any(at not in board for at in spots)
            or not spots
        ):
            raise BadInput("a cage has cells of the board and a rule, such as sum 12")
        free = (letter for letter in LETTERS if letter not in marks.values())
        new_name = next(free, "")
        if not new_name:
            raise BadInput(f"more than {len(LETTERS)} cages; write the others in the text")
        marks |= dict.fromkeys(spots, new_name)
    if not marks:
        return with_value(text, ("cage", number), None)
    drawing = grid_text({at: marks.get(at, ".") for at in board})
    text = with_value(text, ("cage", number, "regions"), drawing)
    return text if rule is None else with_value(text, ("cage", number, new_name), rule)


def compare(text: str, change: Change) -> str:
    """Add an order of cells, such as `0,0 < 0,1`, or remove it if it is there."""
    wanted = change.get("line")
    if not isinstance(wanted, str) or not 0 < len(wanted) < 200 or not wanted.isprintable():
        raise BadInput("an order is one line, such as 0,0 < 0,1")
    clauses = data_of(text).get("compare", [])
    number = next((k for k, clause in enumerate(clauses) if is_of_cells(clause)), len(clauses))
    lines = str(clauses[number].get("cells", "")).split("\n") if number < len(clauses) else []
    known = [line.strip() for line in lines if line.strip()]
    left = [line for line in known if line != wanted] if wanted in known else [*known, wanted]
    if not left:
        return with_value(text, ("compare", number), None)
    written = "".join(f"{line}\n" for line in left)
    if number == len(clauses):
        return with_value(text, ("compare", number), {"cells": written})
    return with_value(text, ("compare", number, "cells"), written)


def different(text: str, change: Change) -> str:
    """Add a named region whose cells differ, such as rows or boxes 3x3, or remove it if it is there."""
    name = change.get("name")
    if not isinstance(name, str) or not 0 < len(name) < 40:
        raise BadInput("regions have a name of 1 to 39 characters")
    clauses = data_of(text).get("different", [])
    found: Any = clauses[0].get("regions", []) if clauses else []
    names = list(found) if isinstance(found, list) else [found]
    names = [known for known in names if known != name] if name in names else [*names, name]
    if not names and clauses:
        return with_value(text, ("different", 0), None)
    return with_value(text, ("different", 0, "regions"), names)
