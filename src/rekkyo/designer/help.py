"""Help for the author of a puzzle: clues to give, given clues that are not needed, and effects of changes.

A proposal is a change as the page itself makes it (`edits/`), with a description, so that a click applies it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from rekkyo.ask.clues import clues
from rekkyo.ask.count import count
from rekkyo.ask.estimate import estimate
from rekkyo.ask.played import played_page
from rekkyo.ask.solve import solve
from rekkyo.designer.answers import NAME, Job, Say, bare_puzzle, puzzle_of
from rekkyo.designer.drawn import cages, given_in_words, grid_marks, is_of_cells, lattice_of
from rekkyo.designer.edits.changes import changed
from rekkyo.designer.edits.fields import Change, data_of
from rekkyo.designer.fewest import Broken, fewest, irreducible
from rekkyo.designer.marks import read_marks
from rekkyo.errors import BadInput, RekkyoError
from rekkyo.export.puzzle_toml.document import read_document
from rekkyo.methods.walks import nodes_by_depth, ways_for
from rekkyo.model.csp.csp import Csp
from rekkyo.model.lattices.drawing import spot
from rekkyo.model.lower import lower
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Atom
from rekkyo.model.sum_figure import SumFigure
from rekkyo.render.svg.drawing import painting_of
from rekkyo.verify import verify

MOST_SHOWN = 60
MAX_MOVES = 200_000
SECONDS_OF_DIFFICULTY = 2.0
_ON_BOARD = re.compile(r"([0-9]+),([0-9]+)")


class Proposal(NamedTuple):
    """words: describe the clue or the change. change: None if a click cannot apply it."""

    words: str
    change: Change | None


def give(puzzle: Puzzle, atom: Atom) -> Proposal:
    """The change that gives an atom."""
    model = puzzle.model
    if isinstance(model, Packing):
        piece, cells = model.placements()[atom]
        spots = [list(spot(model.lattice, cell)) for cell in cells]
        change = {"do": "paint", "of": "given", "spots": spots, "mark": piece} if len(piece) == 1 else None
        return Proposal(f"piece {piece} on {' '.join(','.join(map(str, cell)) for cell in cells)}", change)
    if isinstance(model, Csp):
        position, value = divmod(atom, len(model.values))
        name = model.names[model.solution[position]]
        at, symbol = _ON_BOARD.fullmatch(name), puzzle.symbols[value : value + 1]
        if at is None or len(model.values) > len(puzzle.symbols):
            return Proposal(f"{model.values[value]} in {name}", None)
        where = f"row {int(at[1]) + 1}, column {int(at[2]) + 1}"
        spots = [[0, int(at[1]), int(at[2])]]
        return Proposal(
            f"{symbol} in {where}", {"do": "paint", "of": "board", "spots": spots, "mark": symbol}
        )
    if isinstance(model, SumFigure):
        position, value = divmod(atom, len(model.numbers))
        name, number = model.cells[position], model.numbers[value]
        return Proposal(f"{number} in {name}", {"do": "set", "path": ["given", name], "value": number})
    painting = painting_of(puzzle)
    pairs = painting.pairs_of_atom(atom)
    words = ", ".join(f"{painting.things[thing]} at {painting.spot_names[place]}" for place, thing in pairs)
    return Proposal(words or f"option {atom}", None)


def give_all(puzzle: Puzzle, atoms: Sequence[Atom]) -> list[Proposal]:
    """The changes that give atoms. One drawing cannot show two copies of a piece."""
    found = [give(puzzle, atom) for atom in atoms]
    if not isinstance(puzzle.model, Packing):
        return found
    marks = [name for name, _ in puzzle.model.given]
    marks += [puzzle.model.placements()[atom].piece for atom in atoms]
    return [
        one if marks.count(puzzle.model.placements()[atom].piece) == 1 else Proposal(one.words, None)
        for atom, one in zip(atoms, found, strict=True)
    ]


def given_clues(text: str) -> list[Proposal]:
    """A change for every given clue, which removes it: marks, cages, orders, numbers. A family has none."""
    data = read_document(text, NAME).data
    if "family" in data:
        return []
    kind = data.get("kind")
    found: list[Proposal] = []
    if kind == "packing" and isinstance(data.get("given"), str):
        by_mark: dict[str, list[list[int]]] = {}
        for at, mark in read_marks(data["given"], lattice_of(data)).items():
            by_mark.setdefault(mark, []).append(list(at))
        found += [
            Proposal(f"piece {mark}", {"do": "paint", "of": "given", "spots": spots, "mark": None})
            for mark, spots in by_mark.items()
        ]
    if kind == "grid":
        for key in ("board",) if given_in_words(data) else ("board", "given"):
            for at, mark in grid_marks(str(data.get(key, "")), data.get("values")).items():
                if mark != ".":
                    words = f"{mark} in row {at[1] + 1}, column {at[2] + 1}"
                    change = {"do": "paint", "of": key, "spots": [list(at)], "mark": "."}
                    found.append(Proposal(words, change))
        for clause in [one for one in data.get("cage", []) if "\n" in str(one.get("regions"))][:1]:
            for cage in cages(clause):
                change = {"do": "cage", "spots": [[0, *cell] for cell in cage["cells"]]}
                found.append(Proposal(f"cage {cage['name']}: {cage['rule']}", change))
        for clause in list(filter(is_of_cells, data.get("compare", [])))[:1]:
            lines = filter(None, map(str.strip, str(clause.get("cells", "")).split("\n")))
            found += [Proposal(line, {"do": "compare", "line": line}) for line in lines]
    if kind == "figure" and isinstance(data.get("given"), dict):
        found += [
            Proposal(f"{number} in {name}", {"do": "set", "path": ["given", name], "value": None})
            for name, number in data["given"].items()
        ]
    return found


def what_ifs(text: str, job: Job) -> Iterator[Proposal]:
    """Changes that leave out, add, double or mirror each piece, or remove each cell of a flat board.

    If the puzzle is not a packing, each change removes a given clue. Raises BadInput for a family.
    """
    data_of(text)
    model = bare_puzzle(text, job).model
    if not isinstance(model, Packing):
        yield from (Proposal(f"without {words}", change) for words, change in given_clues(text))
        return
    for piece in model.pieces:
        yield Proposal(f"without piece {piece.name}", {"do": "piece", "name": piece.name, "spots": []})
        if piece.high is not None:
            ways = {(piece.low + 1, piece.high + 1): f"one more piece {piece.name}"}
            ways.setdefault((2 * piece.low, 2 * piece.high), f"piece {piece.name} twice as often")
            for (low, high), words in ways.items():
                times: Any = [low, high] if low < high else low
                yield Proposal(words, {"do": "times", "name": piece.name, "value": times})
        if not model.reflections:
            yield Proposal(f"piece {piece.name} mirrored", {"do": "turn", "how": "flip", "name": piece.name})
    for cell in sorted(model.board):
        place = list(spot(model.lattice, cell))
        yield Proposal(
            f"without cell {','.join(map(str, cell))}", {"do": "paint", "of": "board", "spots": [place]}
        )


def say_clues(job: Job, say: Say) -> None:
    """Send the clues that would make the puzzle unique, and which given clues are not needed."""
    puzzle = puzzle_of(str(job["text"]), job)
    found = clues(puzzle)
    answer = {
        "total": str(found.total),
        "size": found.size,
        "looked_at": found.looked_at,
        "n_smallest": str(found.n_smallest),
        "n_in_one": len(found.in_one),
        "n_in_all": len(found.in_all),
        "n_in_none": len(found.in_none),
        "in_all": [give(puzzle, atom).words for atom in found.in_all[:MOST_SHOWN]],
        "in_none": [give(puzzle, atom).words for atom in found.in_none[:MOST_SHOWN]],
        "smallest": [
            [one._asdict() for one in give_all(puzzle, atoms)] for atoms in found.smallest[:MOST_SHOWN]
        ],
    }
    say({"stage": "clues"} | answer)
    text = str(job["text"])
    for proposal in given_clues(text):
        if proposal.change is not None:
            total = _total(changed(text, proposal.change), job, found.total + 1)
            is_needed = total != found.total
            say({"stage": "given", "needed": is_needed} | proposal._asdict())


def _total(text: str, job: Job, limit: int) -> int | None:
    """The number of solutions, counted up to a limit; None for a text that is not a puzzle."""
    try:
        return count(bare_puzzle(text, job), up_to="none", limit=limit).total
    except RekkyoError:
        return None


def say_what_if(job: Job, say: Say) -> None:
    """Send a row for each change when it is counted."""
    text = str(job["text"])
    for number, proposal in enumerate(what_ifs(text, job)):
        assert proposal.change is not None
        row: dict[str, Any] = {"stage": "what_if", "row": number} | proposal._asdict()
        try:
            found = count(puzzle_of(changed(text, proposal.change), job))
            row |= {"total": str(found.total), "unique": None if found.unique is None else str(found.unique)}
        except RekkyoError as problem:
            row |= {"total": "0", "unique": None, "why": " ".join(str(problem).split()).partition(": ")[2]}
        say(row)


def say_difficulty(job: Job, say: Say) -> None:
    """Send the number of decisions of each plain method, and a page that plays them if they are few."""
    puzzle = puzzle_of(str(job["text"]), job)
    model = lower(puzzle.model)
    ways = ways_for(model)
    for way in ways:
        depths = nodes_by_depth(partial(way.walk, model), model.row_shape.length, MAX_MOVES)
        nodes = sum(depths.nodes)
        say({"stage": "difficulty", "way": way.title, "nodes": float(nodes), "exact": depths.is_exact})
    if not ways and isinstance(model, Csp):
        found = estimate(puzzle, engine="csp-plain", seconds=SECONDS_OF_DIFFICULTY)
        said = {"way": "one cell after the other, with every rule checked", "nodes": found.nodes.value}
        say({"stage": "difficulty", "exact": found.exact} | said)
    page, why = None, "No walk to watch is written for puzzles of this kind."
    try:
        page = played_page(puzzle) if ways else None
    except BadInput as problem:
        why = str(problem)
    say({"stage": "played", "html": page, "why": why})


def say_fewest(job: Job, say: Say) -> None:
    """Send given clues that keep one solution: a set from which none can be left out, then a smallest set."""
    text = str(job["text"])
    data_of(text)  # refuses a family
    rows = list(solve(bare_puzzle(text, job), limit=2))
    if len(rows) != 1:
        raise BadInput("the fewest clues are those of a puzzle with one solution; make it unique first")
    proposals = [proposal for proposal in given_clues(text) if proposal.change is not None]
    broken = _broken_by_another(text, proposals, job)
    for find in (irreducible, fewest):
        kept = find(len(proposals), broken)
        dropped = [proposal for number, proposal in enumerate(proposals) if number not in kept]
        say(
            {
                "stage": "fewest",
                "exact": find is fewest,
                "kept": [proposals[number].words for number in sorted(kept)],
                "dropped": [proposal._asdict() for proposal in dropped],
            }
        )


def _broken_by_another(text: str, proposals: Sequence[Proposal], job: Job) -> Broken:
    """The function for `fewest`: the clues that are broken by another solution with the kept clues.

    It breaks a clue if it does not solve the puzzle with that clue alone, as `verify` says.
    """
    without = _Without(text, proposals)
    alone = [bare_puzzle(without(frozenset({number})), job) for number in range(len(proposals))]

    def broken_by_another(kept: frozenset[int]) -> frozenset[int] | None:
        puzzle = bare_puzzle(without(kept), job)
        for row in solve(puzzle, limit=2):
            broken = frozenset(n for n, one in enumerate(alone) if not _fits(puzzle, row, one))
            if broken:
                return broken
        return None

    return broken_by_another


def _fits(puzzle: Puzzle, row: Sequence[int], other: Puzzle) -> bool:
    """Whether a solution also solves another puzzle of the same board, whose rows may have other numbers."""
    here, there = puzzle.model, other.model
    if isinstance(here, Packing) and isinstance(there, Packing):
        numbers = {placement: number for number, placement in enumerate(there.placements())}
        laid = [numbers.get(here.placements()[number]) for number in here.row_shape.atoms(row)]
        known = [number for number in laid if number is not None]
        return len(known) == len(laid) and not verify(other, sorted(known))
    if isinstance(here, Csp) and isinstance(there, Csp):
        values = {value: number for number, value in enumerate(there.values)}
        found = [values.get(here.values[number], -1) for number in row]
        return min(found) >= 0 and not verify(other, found)
    return not verify(other, list(row))


class _Without:
    """Makes texts without some of the clues; sets with the same beginning share the work."""

    def __init__(self, text: str, proposals: Sequence[Proposal]) -> None:
        self._proposals = proposals
        self._made = {(0, frozenset[int]()): text}

    def __call__(self, kept: frozenset[int]) -> str:
        """The text with only the kept clues."""
        start = len(self._proposals)
        while (start, _below(kept, start)) not in self._made:
            start -= 1
        text = self._made[start, _below(kept, start)]
        for number in range(start, len(self._proposals)):
            change = self._proposals[number].change
            if number not in kept and change is not None:
                text = changed(text, change)
            self._made[number + 1, _below(kept, number + 1)] = text
        return text


def _below(kept: frozenset[int], number: int) -> frozenset[int]:
    return frozenset(one for one in kept if one < number)
