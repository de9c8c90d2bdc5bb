"""Every number that is shown is what `rekkyo.count` says."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import rekkyo as rk
from rekkyo.designer import answers
from rekkyo.designer.drawn import drawn
from rekkyo.designer.edits.changes import changed
from rekkyo.designer.first_text import text_of_puzzle
from rekkyo.designer.help import given_clues
from rekkyo.errors import BadInput, RekkyoError
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.symmetry.atoms import uses_in
from tests.design.listening import stage, told_of

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    "name",
    ["soma", "killer-sudoku", "magic-hexagon", "nonogram", "word-search", "petersen-coloring", "takuzu"],
)
def test_the_stages_of_an_example(name: str) -> None:
    path = EXAMPLES / f"{name}.toml"
    told = told_of("answer", path.read_text("utf-8"))
    counted = rk.count(rk.puzzle_from_file(path))
    quick = [one for one in told if one["stage"] == "total"]  # where it was found in time
    told = [one for one in told if one["stage"] not in ("total", "progress")]
    assert [one["stage"] for one in told][:4] == ["read", "checks", "few", "count"]
    assert all(one["total"] == str(counted.total) for one in quick)
    assert stage(told, "count")["total"] == str(counted.total)
    assert stage(told, "count")["unique"] == str(counted.unique)
    n_pictures = len(stage(told, "few")["pictures"])
    assert n_pictures == min(6, counted.total)
    assert stage(told, "few")["few"] == ("one" if counted.total == 1 else "many")
    assert "<style" not in str(told)
    if counted.total > 1:
        assert stage(told, "heat")["svg"].startswith("<svg")


def test_a_family_and_a_file_beside(tmp_path: Path) -> None:
    told = told_of("answer", (EXAMPLES / "calendar.toml").read_text("utf-8"), values=["oct", "6"])
    assert stage(told, "count")["total"] == "7"
    assert stage(told, "read")["drawn"]["family"] == ["month", "day"]
    text = 'kind = "grid"\nvalues = "AB"\nboard = "rectangle 1 2"\n[[table]]\nregions = "rows"\nfile = "words.txt"\n'
    (tmp_path / "words.txt").write_text("AB BA")
    assert stage(told_of("answer", text, folder=str(tmp_path)), "count")["total"] == "2"
    assert "problem" in stage(told_of("answer", text), "read")
    assert stage(told_of("answer", text), "read")["problem"] is not None


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("kind = 1", 1, "write a text"),
        ("", 1, '"kind" is missing'),
        ("kind = ", 1, "not TOML"),
        ('kind = "packing"\nboard = "##"\n[pieces]\nA = "###"\n', 2, "the pieces have 3 cells"),
        ('kind = "packing"\n\nboards = "##"\n', 3, "did you mean"),
        ("a = " + "[" * 10_000, 1, "nested"),
        ("a." * 5_000 + "a = 1", 1, "parts"),
        ("\x00", 1, "not TOML"),
        ('kind = "packing"\nboard = "rectangle 99999 99999"\npieces = "A"\n', 2, ""),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, line: int, said: str) -> None:
    told = told_of("answer", text)
    assert [one["stage"] for one in told] == ["read"]
    assert told[0]["problem"]["line"] == line
    assert said in told[0]["problem"]["message"]


def test_checks_before_any_search() -> None:
    text = 'kind = "packing"\nboard = """\n.###\n####\n###.\n####\n"""\ntimes = { D = 7 }\npieces = "DD"\n'
    told = told_of("answer", text)
    assert "board has 14 cells; the pieces have 14" in str(stage(told, "checks"))
    assert stage(told, "count")["total"] == str(rk.count(read_toml(text, "x")).total)
    text = 'kind = "grid"\nvalues = "1..4"\nboard = "1.1."\n[[different]]\nregions = "rows"\n'
    assert "0,0 and 0,2 are both 1" in str(stage(told_of("answer", text), "checks"))
    named = text.replace("[[", 'names = "a b c d"\n[[')
    assert "a and c are both 1" in str(stage(told_of("answer", named), "checks"))


@pytest.mark.second
def test_estimates_hold_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a number of draws, as the number in some seconds depends on the load of the computer."""

    def estimated(puzzle: rk.Puzzle, *, budgets: Any, **_: Any) -> rk.Estimate:
        return rk.estimate(puzzle, draws=1000, budgets=budgets)

    monkeypatch.setattr(answers, "estimate", estimated)
    text = (EXAMPLES / "polyspheres-5x11.toml").read_text("utf-8")
    totals = [one["total"] for one in told_of("guess", text) if one["stage"] == "estimate"]
    assert len(totals) == 2
    for value, low, high in totals:
        assert 0.3 * 371_020 < low < value < high < 3 * 371_020


def test_uses_are_those_of_the_solutions() -> None:
    puzzle = rk.queens(6)
    rows = [*rk.solve_blocks(puzzle)]
    assert len(rows) == 1
    uses = uses_in(puzzle.model.row_shape, rows[0])
    assert sum(uses) == 4 * 6
    packing = rk.puzzle("dominoes 2 3")
    uses = uses_in(packing.model.row_shape, next(iter(rk.solve_blocks(packing))))
    assert uses.tolist() == list(rk.stats(packing).uses)


STARTS: list[dict[str, Any]] = [
    {"do": "new", "kind": "packing", "lattice": lattice, "size": size}
    for lattice, size in (
        ("square", [3, 4]),
        ("cube", [2, 2, 3]),
        ("triangle", [2, 3]),
        ("hexagon", [3, 3]),
        ("quartered", [1, 2]),
        ("edges", [2, 2]),
    )
]
STARTS += [{"do": "new", "kind": "grid", "size": [4, 4]}, {"do": "new", "kind": "figure"}]


def random_change(rng: random.Random, text: str) -> dict[str, Any]:
    shown = drawn(text)
    if shown["kind"] == "grid":
        spots = [cell[:3] for cell in shown["board"]["cells"] if min(cell[1:3]) >= 0]
        return rng.choice(
            [
                {
                    "do": "paint",
                    "of": "board",
                    "spots": [rng.choice(spots)],
                    "mark": rng.choice([None, *"...1234"]),
                },
                {"do": "different", "name": rng.choice(["rows", "columns", "boxes 2x2"])},
                {
                    "do": "cage",
                    "spots": rng.sample(spots, 2),
                    "rule": rng.choice(["sum 5", "different", "product 4", None]),
                },
                {"do": "compare", "line": f"0,0 < {rng.choice(spots)[1]},{rng.choice(spots)[2]}"},
            ]
        )
    if shown["kind"] == "figure":
        names = [name for name, _, _ in shown["cells"]]
        line = " ".join(rng.sample(names, min(len(names), 3)))
        return rng.choice(
            [
                {"do": "cell", "at": [2 * rng.randrange(3), 2 * rng.randrange(3)]},
                {"do": "line", "line": line or "a"},
                {"do": "set", "path": ["sum"], "value": rng.choice([None, 6, 10])},
            ]
        )
    cells = [cell[:3] for cell in shown["board"]["cells"]]
    pieces = shown["pieces"] or [{"name": None, "cells": [[0, 0, 0]]}]
    piece = rng.choice(pieces)
    shape = [cell[:3] for cell in piece["cells"]]
    return rng.choice(
        [
            {
                "do": "paint",
                "of": "board",
                "spots": rng.sample(cells, min(2, len(cells))),
                "mark": rng.choice([None, "#", "?"]),
            },
            {
                "do": "piece",
                "name": rng.choice([None, piece["name"]]),
                "spots": rng.sample(shape, min(rng.randint(0, 3), len(shape))),
            },
            {
                "do": "turn",
                "name": piece["name"],
                "how": rng.choice(["turn", "flip"]),
                "number": rng.randrange(48),
            },
            {"do": "place", "name": piece["name"], "spots": [shape[0], rng.choice(cells)]},
            {"do": "set", "path": ["times"], "value": rng.choice(["any", None, "at most once"])},
            {"do": "times", "name": piece["name"] or "A", "value": rng.choice([None, 2, [0, 1], "any"])},
            {"do": "set", "path": ["filled"], "value": rng.choice([None, False])},
        ]
    )


def test_a_piece_is_laid_across_an_edge_of_a_torus() -> None:
    text = 'kind = "packing"\nboard = "rectangle 2 4"\ntoroidal = true\nfilled = false\n[pieces]\nA = "A.A"\n'
    laid = changed(text, {"do": "place", "name": "A", "spots": [[0, 0, 0], [0, 1, 3]]})
    assert "\n.A.A\n" in laid
    assert rk.count(rk.puzzle_from_text(laid)).total == 1


def test_a_piece_is_laid_as_it_is_drawn() -> None:
    text = 'kind = "packing"\nlattice = "triangle"\nboard = "parallelogram 2 3"\ntimes = "any"\n[pieces]\nA = "AA"\n'
    up, down = [spot[:3] for spot in drawn(text)["pieces"][0]["marks"]]
    for target, given in (([0, 0, 2], "..AA"), ([0, 1, 3], "\n...AA")):
        laid = changed(text, {"do": "place", "name": "A", "spots": [up, target]})
        assert given in laid
        assert changed(laid, {"do": "place", "name": "A", "spots": [up, target]}) == laid
    with pytest.raises(BadInput, match="cannot lie there as it is turned"):
        changed(text, {"do": "place", "name": "A", "spots": [down, [0, 0, 2]]})


def replay(seed: int, n_changes: int) -> int:
    """Random changes, of which every number is counted again from the text alone. How many there were."""
    rng = random.Random(seed)
    text = changed("", rng.choice(STARTS))
    n_counted = 0
    for _ in range(n_changes):
        told = told_of("answer", text, changes=[random_change(rng, text)])
        text = stage(told, "read")["text"]
        assert (stage(told, "read")["problem"] is None) == (len(told) > 1) or stage(told, "read")["problem"][
            "of_change"
        ]
        if len(told) == 1:
            continue
        counted = rk.count(read_toml(text, "again"), up_to="none")
        assert stage(told, "count")["total"] == str(counted.total), text
        assert {"none": 0, "one": 1}.get(stage(told, "few")["few"], 2) == min(2, counted.total), text
        if any(not check["ok"] for check in stage(told, "checks")["checks"]):
            assert counted.total == 0
        n_counted += 1
    return n_counted


@pytest.mark.second
def test_random_changes_are_counted_right() -> None:
    assert sum(replay(seed, 8) for seed in range(20)) > 30


@pytest.mark.long
def test_a_thousand_random_changes() -> None:
    assert sum(replay(seed, 20) for seed in range(100, 170)) > 300


def test_nothing_but_errors_of_ours_comes_out_of_foreign_changes() -> None:
    """What the page may send is checked: every nonsense is refused in one line."""
    rng = random.Random(1)
    nonsense: list[Any] = [
        None,
        1,
        -1,
        1e300,
        "x" * 50,
        [],
        {},
        [[1, 2]],
        [[0, 0, 10**9]],
        True,
        "board",
        "\n'''",
    ]
    keys = ("do", "kind", "lattice", "size", "path", "value", "of", "mark", "spots", "name", "how", "number")
    keys += ("rule", "first", "second", "sign", "at", "line", "text")
    texts = [
        (EXAMPLES / f"{name}.toml").read_text("utf-8")
        for name in ("soma", "kenken", "magic-hexagram", "futoshiki")
    ]
    does = ("new", "set", "text", "paint", "piece", "turn", "cage", "compare", "different", "cell", "line")
    for _ in range(4000):
        change = {key: rng.choice(nonsense) for key in rng.sample(keys, rng.randint(1, 6))}
        change["do"] = rng.choice([*does, rng.choice(nonsense)])
        try:
            made = changed(rng.choice(texts), change)
        except RekkyoError as problem:
            assert "\n" not in str(problem)
        else:
            assert isinstance(made, str)


def test_a_family_is_not_painted() -> None:
    with pytest.raises(BadInput, match="family"):
        changed((EXAMPLES / "calendar.toml").read_text("utf-8"), {"do": "paint", "of": "board", "spots": []})


@pytest.mark.parametrize("clause", ['pattern = "ab"\ncells = "a < b"', 'words = "A < B"'])
def test_orders_have_a_clause_apart_from_patterns_and_words(clause: str) -> None:
    head = 'kind = "grid"\nvalues = "1..4"\nboard = ".."\nnames = "A B"\n'
    text = f"{head}[[compare]]\n{clause}\n"
    assert drawn(text)["compare"] == []
    assert given_clues(text) == []
    added = changed(text, {"do": "compare", "line": "0,1 < 4"})
    assert [str(line).strip() for line in drawn(added)["compare"]] == ["0,1 < 4"]
    assert rk.count(read_toml(added, "mine"), up_to="none").total == 3
    assert rk.count(read_toml(text, "mine"), up_to="none").total == 6
    taken = changed(added, {"do": "compare", "line": "0,1 < 4"})
    assert rk.count(read_toml(taken, "mine"), up_to="none").total == 6


def test_lines_of_a_figure_are_read_as_in_a_puzzle_file() -> None:
    """They may be separated by commas, and signs need no spaces around them."""
    text = 'kind = "figure"\ncells = "1 2 3\\n4 5 6"\nlines = "1 2 3 = 6, 1<4, 2=2; 4 5 6"\n'
    lines = ["1 2 3 = 6", "1<4", "2=2", "4 5 6"]
    assert drawn(text)["lines"] == lines
    assert drawn(changed(text, {"do": "line", "line": "1 6"}))["lines"] == [*lines, "1 6"]
    assert drawn(changed(text, {"do": "line", "line": "1<4"}))["lines"] == ["1 2 3 = 6", "2=2", "4 5 6"]
    assert drawn(changed(text, {"do": "cell", "at": [1, 4]}))["lines"] == lines[:3]
    assert drawn(changed(text, {"do": "cell", "at": [0, 0]}))["lines"] == ["2=2", "4 5 6"]
    with pytest.raises(BadInput):
        changed(text, {"do": "line", "line": "1 2, 4 5"})


def test_a_number_sign_may_be_a_value() -> None:
    """In a nonogram it is a filled cell, and elsewhere no cell."""
    text = 'kind = "grid"\nvalues = "-#"\nboard = "rectangle 2 3"\n'
    for spot, mark in (([0, 1, 2], "#"), ([0, 0, 0], "-"), ([0, 0, 2], None)):
        text = changed(text, {"do": "paint", "of": "board", "spots": [spot], "mark": mark})
    assert 'board = """' not in text
    assert "-.\n..#\n" in text
    assert rk.count(read_toml(text, "x")).total == 8
    text = 'kind = "grid"\nvalues = "12"\nboard = "rectangle 2 3"\n'
    text = changed(text, {"do": "paint", "of": "board", "spots": [[0, 0, 0]], "mark": None})
    assert "#..\n...\n" in text
    assert rk.count(read_toml(text, "x")).total == 32


def test_a_wrong_mark_is_a_cell_of_the_drawing() -> None:
    text = "kind = \"grid\"\nvalues = \"1..4\"\nboard = '''\n....\n..7.\n'''\n"
    problem = stage(told_of("answer", text), "read")["problem"]
    assert (problem["line"], problem["column"], problem["spot"]) == (5, 3, [0, 1, 2])
    problem = stage(told_of("answer", text.replace("..7.", "....") + "odd = 1"), "read")["problem"]
    assert problem["spot"] is None


@pytest.mark.second
@pytest.mark.parametrize(("seconds", "n_quick"), [(1e9, 1), (-1.0, 0)])
def test_a_quick_total_is_given_up_in_time(
    monkeypatch: pytest.MonkeyPatch, seconds: float, n_quick: int
) -> None:
    monkeypatch.setattr(answers, "QUICK_S", seconds)
    told = told_of("answer", (EXAMPLES / "pentominoes.toml").read_text("utf-8"))
    assert [one["total"] for one in told if one["stage"] == "total"] == ["9356"] * n_quick
    assert stage(told, "count")["unique"] == "2339"


def test_a_piece_whose_name_marks_no_cell_is_drawn_with_another_mark() -> None:
    text = 'kind = "packing"\nboard = "rectangle 2 3"\ntimes = 3\n[pieces]\n"." = "DD"\n'
    puzzle = read_toml(text, "dots")
    assert read_toml(text_of_puzzle(puzzle), "again").model == puzzle.model
    turned = read_toml(changed(text, {"do": "turn", "name": ".", "how": "turn", "number": 1}), "turned")
    assert set(turned.model.placements()) == set(puzzle.model.placements())
