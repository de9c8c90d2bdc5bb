"""What people see in a terminal: boards in colour, lists and help at any width, numbers with their nouns."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import rekkyo as rk
from rekkyo.model.exact_cover import ExactCover
from rekkyo.model.packing import Packing
from rekkyo.model.puzzle import Puzzle
from rekkyo.render.board import board
from rekkyo.render.heat import heat_map, heat_of
from rekkyo.render.marks import colored_board, marks
from rekkyo.render.svg.pieces import PiecesOnBoard
from rekkyo.wording import several, with_article
from tests.cli.terminals import in_terminal
from tests.programs import REKKYO, rekkyo
from tests.render.test_pictures import TILES, first, read, uses_of


def bracketed(text: str, fill: str) -> str:
    return f"<{fill}{text}>"


def at_width(monkeypatch: pytest.MonkeyPatch, n_columns: int, *words: str) -> str:
    monkeypatch.setenv("COLUMNS", str(n_columns))
    return rekkyo(*words).stdout


class TestColours:
    @pytest.mark.parametrize(
        "words", ["dominoes 4 4", "pentominoes 6 10", "soma", "hexiamonds 6 6", "tetrasticks", "digits"]
    )
    def test_every_cell_of_a_piece_has_its_colour(self, words: str) -> None:
        puzzle = rk.puzzle(words)
        model = puzzle.model
        assert isinstance(model, Packing)
        row = first(puzzle)
        lines = board(puzzle, row).split("\n")
        found = marks(puzzle, row)
        chosen = [number for number in row if number < len(model.placements())]
        assert len(found) == sum(len(model.placements()[number].cells) for number in chosen)
        assert len({(mark.line, mark.column) for mark in found}) == len(found)
        by_fill: dict[str, set[str]] = {}
        for mark in found:
            text = lines[mark.line][mark.column : mark.column + mark.length]
            assert text.strip() not in ("", ".", "+")
            by_fill.setdefault(mark.fill, set()).add(text)
        fills = PiecesOnBoard(model).colors_together(chosen)
        assert set(by_fill) == set(fills)
        if len(model.pieces) > 1:
            assert all(len(texts) == 1 for texts in by_fill.values())

    def test_the_text_is_the_same_without_its_colours(self) -> None:
        for words in ("dominoes 4 4", "hip 4", "soma", "queens 5", "magic-square 3"):
            puzzle = rk.puzzle(words)
            row = first(puzzle)
            text = colored_board(puzzle, row, bracketed)
            assert re.sub(r"<#[0-9A-F]{6}(.)>", r"\1", text) == board(puzzle, row)

    @pytest.mark.parametrize("name", ["square", "triangle", "hexagon"])
    def test_sides_of_tiles(self, name: str) -> None:
        puzzle = read(TILES[name])
        row = first(puzzle)
        assert isinstance(puzzle.model, ExactCover)
        lines = board(puzzle, row).split("\n")
        found = marks(puzzle, row)
        sides = {item: color for use in uses_of(puzzle, row) for item, color in use.items() if color}
        assert sorted(lines[m.line][m.column : m.column + m.length] for m in found) == sorted(sides.values())

    @pytest.mark.parametrize("name", ["square", "triangle", "hexagon"])
    def test_sides_of_a_tile_on_a_board_whose_other_cells_stay_free(self, name: str) -> None:
        puzzle = read(TILES[name])
        assert isinstance(puzzle.model, ExactCover)
        free = replace(puzzle.model, bounds=((0, 1),) * len(puzzle.model.primary))
        puzzle = Puzzle("free", free, "cells may stay free")
        length = free.row_shape.length
        for number in range(len(free.options)):
            row = (number, *[len(free.options)] * (length - 1))
            lines = board(puzzle, row).split("\n")
            (sides,) = ([color for color in use.values() if color] for use in uses_of(puzzle, row))
            found = [lines[m.line][m.column : m.column + m.length] for m in marks(puzzle, row)]
            assert sorted(found) == sorted(sides)

    def test_colours_of_a_colouring(self) -> None:
        puzzle = rk.puzzle("hip 3 --any-balance")
        row = (0, 0, 1, 0, 1, 1, 1, 0, 0)
        assert [mark.fill for mark in marks(puzzle, row)] == [
            "#F0E442" if value else "#0072B2" for value in row
        ]

    def test_cubes_and_numbers_have_none(self) -> None:
        puzzle = read(TILES["cube"])
        assert marks(puzzle, first(puzzle)) == []
        assert marks(rk.puzzle("magic-square 3"), tuple(range(9))) == []

    def test_a_heat_map_in_colour(self) -> None:
        puzzle = rk.queens(4)
        found = rk.stats(puzzle)
        text = heat_map(puzzle, found.total, found.uses, bracketed)
        assert text.count(f"<{heat_of(0.5, 0.5)} 50.0 >") == 8
        assert text.count(f"<{heat_of(0, 0.5)}  0.0 >") == 8
        assert heat_of(1, 1) == "#D55E00"
        assert heat_of(0, 0) == heat_of(0, 1) == "#F4F1EA"

    def test_in_a_terminal_and_only_there(self) -> None:
        solve = ["solve", "dominoes", "4", "2", "--format", "board", "--limit", "1"]

        def screen(*words: str, **variables: str) -> str:
            colored = {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | variables
            without = "" if "NO_COLOR" in variables else "NO_COLOR"
            return in_terminal([*REKKYO, *words], without=without, **colored)

        assert "\x1b[38;2;0;0;0;48;2;230;159;0ma\x1b[0m" in screen(*solve)
        assert "\x1b[38;5;" in screen(*solve, COLORTERM="")
        assert "aabb" in screen(*solve, NO_COLOR="1")
        assert "aabb" in screen(*solve, TERM="dumb")
        assert rekkyo(*solve).stdout == "aabb\nbbaa\n\n"
        stats = ["stats", "queens", "4"]
        assert "48;2;213;94;0m 50.0 " in screen(*stats)
        assert "\x1b" not in rekkyo(*stats).stdout


class TestWidths:
    @pytest.mark.parametrize("n_columns", [60, 80, 200])
    def test_no_line_is_too_long_and_no_word_is_lost(
        self, n_columns: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        wide = at_width(monkeypatch, 200, "list")
        text = at_width(monkeypatch, n_columns, "list")
        assert max(map(len, text.split("\n"))) <= n_columns
        assert text.split() == wide.split()

    @pytest.mark.parametrize("command", [(), ("solve",), ("draw",), ("count",), ("run",), ("estimate",)])
    @pytest.mark.parametrize("n_columns", [60, 80, 200])
    def test_help(self, command: tuple[str, ...], n_columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
        wide = at_width(monkeypatch, 200, *command, "--help")
        text = at_width(monkeypatch, n_columns, *command, "--help")
        assert max(map(len, text.split("\n"))) <= max(n_columns, 60)
        assert "..." not in text.replace("PUZZLE...", "").replace("[ARGS]...", "").replace("WORDS...", "")
        assert [word for word in text.split() if word != "\\"] == wide.split()


def test_numbers_with_their_nouns() -> None:
    assert several(1, "solution") == "1 solution"
    assert several(0, "solution") == "0 solutions"
    assert several(12345, "solution") == "12,345 solutions"
    assert several(2, "vertex", "vertices") == "2 vertices"
    with_an = [8, 11, 18, 80, 88, 800, 8000, 11000, 18000]
    with_a = [1, 2, 7, 9, 10, 12, 17, 19, 28, 108, 110, 111, 118, 180, 1100, 1800]
    assert [with_article(f"{n}x3 board") for n in with_an] == [f"an {n}x3 board" for n in with_an]
    assert [with_article(f"{n}x3 board") for n in with_a] == [f"a {n}x3 board" for n in with_a]


def test_titles_have_the_right_article() -> None:
    assert rk.queens(8).title == "8 queens on an 8x8 board"
    assert rk.queens(6).title == "6 queens on a 6x6 board"
    assert rk.queens(1).title == "1 queen on a 1x1 board"
    assert rk.puzzle("dominoes 11 2").title == "Dominoes that fill an 11x2 board"
    assert rekkyo("solve", "queens", "1").stderr.startswith("queens 1: 1 solution listed in ")
