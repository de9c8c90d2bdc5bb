"""Help in designing, against trying everything."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.designer.drawn import drawn
from rekkyo.designer.edits.changes import changed
from rekkyo.designer.fewest import fewest, smallest_hitting
from rekkyo.designer.help import given_clues, what_ifs
from rekkyo.errors import BadInput, RekkyoError
from rekkyo.export.puzzle_toml.reader import read_toml
from tests.design.listening import stage, told_of

pytestmark = pytest.mark.second

EXAMPLES = Path(__file__).parents[2] / "examples"
Cell = tuple[int, int]


def text_of(name: str) -> str:
    return (EXAMPLES / f"{name}.toml").read_text("utf-8")


def total(text: str) -> int:
    try:
        return rk.count(read_toml(text, "puzzle"), up_to="none").total
    except RekkyoError:
        return 0


def with_changes(text: str, changes: list[Any]) -> str:
    for change in changes:
        text = changed(text, change)
    return text


@pytest.mark.parametrize(
    "name", ["kenken", "futoshiki", "anti-knight-sudoku", "killer-sudoku", "star-battle"]
)
def test_each_given_clue_can_be_taken_away(name: str) -> None:
    """A text without all its clues has none left, and more solutions."""
    text = text_of(name)
    clues = given_clues(text)
    n_clues = {"kenken": 6, "futoshiki": 5, "anti-knight-sudoku": 13, "killer-sudoku": 35, "star-battle": 0}[
        name
    ]
    assert len(clues) == n_clues
    bare = with_changes(text, [clue.change for clue in clues])
    assert given_clues(bare) == []
    if clues:
        assert rk.count(read_toml(bare, "bare"), limit=2).total == 2


def test_which_clues_are_needed() -> None:
    text = text_of("futoshiki")
    told = told_of("clues", text)
    assert stage(told, "clues")["size"] == 0
    needed = {one["words"]: one["needed"] for one in told if one["stage"] == "given"}
    assert needed == {clue.words: total(changed(text, clue.change or {})) != 1 for clue in given_clues(text)}


@pytest.mark.parametrize("name", ["kenken", "futoshiki"])
def test_the_fewest_clues(name: str) -> None:
    """No smaller set of clues leaves one solution, and the one that is found does."""
    text = text_of(name)
    clues = given_clues(text)
    quick, told = (one for one in told_of("fewest", text) if one["stage"] == "fewest")
    kept = frozenset(number for number, clue in enumerate(clues) if clue.words in told["kept"])

    def left(chosen: frozenset[int]) -> int:
        changes = [clue.change for number, clue in enumerate(clues) if number not in chosen]
        return rk.count(read_toml(with_changes(text, changes), "x"), limit=2).total

    assert left(kept) == 1
    assert all(left(frozenset(some)) == 2 for some in combinations(range(len(clues)), len(kept) - 1))
    assert (quick["exact"], told["exact"]) == (False, True)
    assert len(told["kept"]) == len(kept) <= len(quick["kept"])
    left_out = [one["change"] for one in quick["dropped"]]
    assert total(with_changes(text, left_out)) == 1
    for clue in clues:
        if clue.words in quick["kept"]:
            assert rk.count(read_toml(with_changes(text, [*left_out, clue.change]), "x"), limit=2).total == 2
    assert total(with_changes(text, [one["change"] for one in told["dropped"]])) == 1


def test_the_fewest_given_pieces() -> None:
    """Of six pieces that are given, the fewest that leave one solution; tried against all subsets."""
    text = text_of("pentominoes").replace("rectangle 6 10", "rectangle 3 20")
    puzzle = read_toml(text, "x")
    model = puzzle.model
    assert isinstance(model, rk.Packing)
    placed = [model.placements()[number] for number in next(iter(rk.solve(puzzle)))][:6]
    for piece, cells in placed:
        change = {"do": "paint", "of": "given", "spots": [[0, *cell] for cell in cells], "mark": piece}
        text = changed(text, change)
    clues = given_clues(text)
    assert len(clues) == 6
    _, told = (one for one in told_of("fewest", text) if one["stage"] == "fewest")
    sizes = [
        size
        for size in range(7)
        if any(
            total(with_changes(text, [c.change for n, c in enumerate(clues) if n not in some])) == 1
            for some in combinations(range(6), size)
        )
    ]
    assert len(told["kept"]) == sizes[0]


def test_only_a_unique_puzzle_has_fewest_clues() -> None:
    with pytest.raises(BadInput, match="one solution"):
        told_of("fewest", text_of("soma"))


def naive_hitting(sets: list[frozenset[int]], n: int) -> int:
    return next(
        size
        for size in range(n + 1)
        if any(all(one & set(some) for one in sets) for some in combinations(range(n), size))
    )


def test_smallest_hitting_sets() -> None:
    for seed in range(300):
        rng = Random(seed)
        sets = [frozenset(rng.sample(range(8), rng.randint(1, 4))) for _ in range(rng.randint(0, 9))]
        found = smallest_hitting(sets)
        assert all(one & found for one in sets)
        assert len(found) == naive_hitting(sets, 8)
        asked: list[frozenset[int]] = []

        def broken(
            kept: frozenset[int], sets: list[frozenset[int]] = sets, asked: list[Any] = asked
        ) -> frozenset[int] | None:
            asked.append(kept)
            return next((one for one in sets if not one & kept), None)

        assert len(fewest(8, broken)) == len(found)


def test_what_if_is_the_count_after_the_change() -> None:
    text = 'kind = "packing"\nboard = "rectangle 3 5"\npolyforms = 5\ntimes = "at most once"\nreflections = false\n'
    told = [one for one in told_of("what_if", text) if one["stage"] == "what_if"]
    assert [one["row"] for one in told] == list(range(len(told)))
    assert len(told) == 18 * 4 + 15
    for one in told[::7]:
        assert int(one["total"]) == total(changed(text, one["change"])), one


def matchings(vertices: frozenset[Cell], edges: list[frozenset[Cell]]) -> int:
    """The number of sets of disjoint edges that cover all vertices."""
    if not vertices:
        return 1
    first = min(vertices)
    return sum(matchings(vertices - edge, edges) for edge in edges if first in edge and edge <= vertices)


def test_what_if_leaves_each_cell_of_a_torus_out() -> None:
    text = 'kind = "packing"\nboard = "rectangle 3 3"\ntoroidal = true\npieces = "AA"\ntimes = "any"\n'
    cells = [(row, column) for row in range(3) for column in range(3)]
    edges = [frozenset({(r, c), to}) for r, c in cells for to in ((r, (c + 1) % 3), ((r + 1) % 3, c))]
    told = {one["words"]: int(one["total"]) for one in told_of("what_if", text) if one["stage"] == "what_if"}
    left = {f"without cell {r},{c}": matchings(frozenset(cells) - {(r, c)}, edges) for r, c in cells}
    assert told == {"without piece A": 0} | left


def test_what_if_of_a_grid_leaves_clues_out() -> None:
    text = text_of("kenken")
    assert [one.change for one in what_ifs(text, {})] == [one.change for one in given_clues(text)]


def test_words_in_a_file_beside_are_read(tmp_path: Path) -> None:
    """Without the file, every clue seemed to be needed. Either A leaves only AB over BA."""
    (tmp_path / "words.txt").write_text("AB BA", encoding="utf-8")
    words = '[[table]]\nregions = ["rows", "columns"]\nfile = "words.txt"\n'
    text = f'kind = "grid"\nvalues = "AB"\nboard = "A.\\n.A"\n{words}'
    told = told_of("clues", text, folder=str(tmp_path))
    assert [one["needed"] for one in told if one["stage"] == "given"] == [False, False]
    told = told_of("what_if", text, folder=str(tmp_path))
    assert [one["total"] for one in told if one["stage"] == "what_if"] == ["1", "1"]
    told = told_of("fewest", text, folder=str(tmp_path))
    assert [len(one["kept"]) for one in told if one["stage"] == "fewest"] == [1, 1]


def test_a_family_is_changed_only_in_the_text() -> None:
    text = 'kind = "grid"\nvalues = "1..{n}"\nboard = "rectangle 2 2"\n[[different]]\nregions = "rows"\n'
    text += '[family]\nn = "2..3"\n'
    assert [one["stage"] for one in told_of("clues", text, values=["2"])][-1] == "clues"
    for what in ("what_if", "fewest"):
        with pytest.raises(BadInput, match="a family of puzzles is changed in the text"):
            told_of(what, text, values=["2"])


def test_clues_of_a_packing_make_it_unique() -> None:
    text = (EXAMPLES / "calendar.toml").read_text("utf-8")
    told = stage(told_of("clues", text, values=["oct", "6"]), "clues")
    assert told["total"] == "7"
    text = text_of("pentominoes").replace("rectangle 6 10", "rectangle 4 15").replace("6x10", "4x15")
    told = stage(told_of("clues", text), "clues")
    for one in told["smallest"][:4]:
        assert total(with_changes(text, [part["change"] for part in one])) == 1


def test_difficulty_counts_decisions() -> None:
    told = told_of("difficulty", text_of("kenken"))
    (found,) = [one for one in told if one["stage"] == "difficulty"]
    assert found["exact"]
    assert found["nodes"] == rk.estimate(read_toml(text_of("kenken"), "x"), engine="csp-plain").nodes.value
    told = told_of("difficulty", 'kind = "queens"\nn = 5\n')
    numbers = [one["nodes"] for one in told if one["stage"] == "difficulty"]
    assert len(numbers) > 1
    assert all(a >= b for a, b in pairwise(sorted(numbers, reverse=True)))
    assert stage(told, "played")["html"].startswith("<!doctype html>")


def test_files() -> None:
    from base64 import b64decode

    soma = text_of("soma")
    for form, begin in {
        "xcc": b"| ",
        "xmpuzzle": b"<?xml",
        "svg": b"<svg",
        "sheet.svg": b"<svg",
        "png": b"\x89PNG",
        "pdf": b"%PDF",
        "dimacs": b"c ",
    }.items():
        told = stage(told_of("export", soma, form=form), "file")
        assert told["name"] == f"puzzle.{form}"
        assert b64decode(told["base64"]).startswith(begin) or form in ("xcc", "dimacs")
    with pytest.raises(BadInput, match="no such format"):
        told_of("export", soma, form="exe")


def test_given_numbers_with_spaces_between() -> None:
    """They are shown on their cells, and are no clues that the page takes away."""
    text = 'kind = "grid"\nvalues = "1..12"\nboard = "....#."\ngiven = "1 . 12 . # 7"\n'
    assert drawn(text)["board"]["given"] == [[0, 0, 0, "1"], [0, 0, 2, "12"], [0, 0, 5, "7"]]
    assert given_clues(text) == []
    with pytest.raises(BadInput, match="written as words"):
        changed(text, {"do": "paint", "of": "given", "spots": [[0, 0, 1]], "mark": "3"})
