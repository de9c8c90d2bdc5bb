"""What results look like as the last line of a notebook cell, and heat maps against counts by hand."""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.errors import BadRun
from rekkyo.html_tables import written
from rekkyo.model.lattices import SQUARE
from rekkyo.model.row import Layout
from rekkyo.render.heat import heat_map, heats
from rekkyo.render.notebook import shares
from rekkyo.render.svg.heat_map import heat_svg

TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)


def cells(html: str) -> list[str]:
    """The texts of all cells, after checking that the tables are well formed."""
    tables = TABLE.findall(html)
    assert tables
    return [
        cell.text or ""
        for table in tables
        for cell in ElementTree.fromstring(table).iter()
        if cell.tag in ("td", "th")
    ]


def pictures(html: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(text) for text in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


class TestResults:
    def test_count(self) -> None:
        shown = cells(rk.count(rk.queens(6))._repr_html_())
        assert shown[:4] == ["total", "4", "up to symmetry", "1"]
        assert "at least" in cells(rk.count(rk.queens(6), limit=2)._repr_html_())

    def test_a_total_that_python_does_not_write(self) -> None:
        assert written(2**20_000) == "3.980e+6020"

    def test_orbits(self) -> None:
        found = rk.orbits(rk.queens(6))
        shown = cells(found._repr_html_())
        assert shown[:4] == ["symmetry", "order", "orbits", "solutions"]
        assert shown[-1] == "4"

    def test_estimate(self) -> None:
        exact = cells(rk.estimate(rk.queens(6))._repr_html_())
        assert exact[4:8] == ["solutions", "4", "", ""]
        drawn = rk.estimate(rk.queens(16), draws=2000, workers=1)
        shown = cells(drawn._repr_html_())
        assert {"solutions", "nodes", "seconds"} <= set(shown)
        assert drawn.total.high is not None
        assert shown[6:8] == [written(drawn.total.low), written(drawn.total.high)] != ["", ""]

    def test_samples_are_pictures(self) -> None:
        found = rk.sample(rk.queens(6), 3)
        (picture,) = pictures(found._repr_html_())
        assert "3 solutions of queens 6" in "".join(picture.itertext())
        assert all(isinstance(row, tuple) and row.puzzle == rk.queens(6) for row in found.rows)  # type: ignore[attr-defined]
        assert rk.sample(rk.queens(6), 0)._repr_html_()

    def test_diagram(self) -> None:
        drawn = rk.diagram(rk.queens(6))
        assert "4" in cells(drawn._repr_html_())
        assert repr(drawn).startswith("<Diagram of 4 rows of length 6: ")
        assert rk.diagram(rk.queens(3))._repr_html_()
        long = cells(rk.diagram(rk.puzzle("dominoes 8 12"))._repr_html_())
        assert len(long[long.index("first row") + 1].split()) == 40

    def test_stats(self) -> None:
        found = rk.stats(rk.queens(6))
        (picture,) = pictures(found._repr_html_())
        assert len([path for path in picture.iter() if path.get("class") == "rk-heat"]) == 36
        assert cells(found._repr_html_())[-4:-1] == ["nodes", str(found.n_nodes), "time"]

    def test_stats_of_a_cover_without_a_board_is_a_table(self) -> None:
        from rekkyo.export.xcc import read_xcc
        from rekkyo.model.puzzle import Puzzle

        puzzle = Puzzle("x", read_xcc("a b\na\nb\na b\n", "x.xcc"), "x")
        shown = cells(rk.stats(puzzle)._repr_html_())
        assert shown[:2] == ["option", "solutions"]
        assert shown[2:8] == ["0: a", "1", "1: b", "1", "2: a b", "1"]

    def test_names_are_escaped(self) -> None:
        from rekkyo.html_tables import facts, table

        shown = facts("<script>", [("<b>", "<i>")]) + table("&", ("<u>",), [("<s>",)])
        assert "<script>" not in shown
        assert cells(shown) == ["<b>", "<i>", "<u>", "<s>"]


class TestRuns:
    @pytest.fixture
    def run(self, tmp_path: Path) -> rk.Run:
        rk.run(rk.queens(6), tmp_path / "q6", workers=1, up_to="none")
        return rk.Run(tmp_path / "q6")

    def test_status(self, run: rk.Run) -> None:
        shown = cells(run._repr_html_())
        assert shown[0] == "state"
        assert shown[1].startswith("finished: ")
        assert "every row valid" in shown

    def test_reader_is_a_sequence(self, run: rk.Run) -> None:
        from collections.abc import Sequence

        rows = list(rk.solve(rk.queens(6)))
        with run.rows() as reader:
            assert isinstance(reader, Sequence)
            assert len(reader) == 4
            assert list(reader) == [reader[k] for k in range(4)] == [reader.row(k) for k in range(4)]
            assert sorted(reader) == sorted(rows)
            assert reader[-1] == reader[3]
            assert reader[np.int64(2)] == reader[2]
            assert np.asarray(reader).tolist() == list(map(list, reader))
            assert np.asarray(reader, dtype=np.int64).dtype == np.int64
            for part in (
                slice(1, 3),
                slice(None),
                slice(None, None, -1),
                slice(3, 1),
                slice(-2, None),
                slice(0, 9, 2),
            ):
                taken = reader[part]
                assert taken.shape[1] == 6
                assert taken.tolist() == list(map(list, list(reader)[part]))
            assert rows[0] in reader
            assert (0,) * 6 not in reader
            assert list(reversed(reader)) == list(reader)[::-1]
            with pytest.raises(IndexError, match="no row 4"):
                reader[4]
            with pytest.raises(IndexError):
                reader[-5]
            assert repr(reader).startswith("<RunReader of 4 rows of queens 6 in ")
            assert cells(reader._repr_html_())[:2] == ["", "0"]
            assert reader[0]._repr_svg_().startswith("<svg ")  # type: ignore[attr-defined]

    def test_reader_as_an_arrow_stream(self, run: rk.Run, tmp_path: Path) -> None:
        pa = pytest.importorskip("pyarrow")
        with run.rows() as reader:
            table = pa.RecordBatchReader.from_stream(reader).read_all()
            assert table.column_names == [f"p{k}" for k in range(6)]
            assert list(zip(*(column.to_pylist() for column in table.columns), strict=True)) == list(reader)
        graph = rk.graph("a b\nb c\nc d").matchings()
        rk.run(graph, tmp_path / "m", workers=1, up_to="none")
        with rk.Run(tmp_path / "m", puzzle=graph).rows() as reader:
            table = pa.RecordBatchReader.from_stream(reader).read_all()
            assert table.column_names[0] == "o0"
            lists = [[value for value in row.values() if value is not None] for row in table.to_pylist()]
            assert sorted(lists) == [[], [0], [0, 2], [1], [2]]

    def test_stats_of_a_run_are_a_histogram_of_its_rows(self, run: rk.Run) -> None:
        asked = rk.stats(rk.queens(6))
        for found in (run.stats(), rk.stats(run)):
            assert (found.uses, found.total, found.n_nodes) == (asked.uses, 4, 0)
            assert pictures(found._repr_html_())

    def test_stats_of_a_run_of_pieces(self, tmp_path: Path) -> None:
        puzzle = rk.puzzle("dominoes 4 4")
        rk.run(puzzle, tmp_path / "d", workers=1, up_to="none")
        assert rk.stats(rk.Run(tmp_path / "d")).uses == rk.stats(puzzle).uses

    def test_an_unfinished_run_has_no_stats(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        rk.run(rk.queens(6), tmp_path / "q", workers=1)
        from dataclasses import replace

        from rekkyo.runs import sources

        known = sources.status(tmp_path / "q")
        monkeypatch.setattr(sources, "status", lambda _: replace(known, state="interrupted"))
        with pytest.raises(BadRun, match="not finished"):
            rk.Run(tmp_path / "q").stats()


class TestSolutions:
    def test_a_solution_is_a_tuple_that_knows_its_puzzle(self) -> None:
        row = next(iter(rk.solve(rk.queens(6))))
        assert row == (1, 3, 5, 0, 2, 4)
        assert hash(row) == hash((1, 3, 5, 0, 2, 4))
        assert repr(row) == "(1, 3, 5, 0, 2, 4)"
        assert row.puzzle == rk.queens(6)
        assert row._repr_svg_() == rk.svg(rk.queens(6), row)  # type: ignore[attr-defined]

    def test_copies_are_tuples(self) -> None:
        row = next(iter(rk.solve(rk.queens(6))))
        for again in (pickle.loads(pickle.dumps(row)), copy.deepcopy(row)):
            assert type(again) is tuple
            assert again == row

    def test_the_repr_of_a_puzzle_is_a_line(self) -> None:
        text = repr(rk.puzzle("pentominoes 6 10"))
        assert len(text) < 200
        assert "\n" not in text
        assert text.startswith("<Puzzle pentominoes 6 10: ")


HEATED = [
    "queens 6",
    "magic-square 3",
    "hip 3 --any-balance",
    "latin-square 3",
    "langford 4",
    "dominoes 2 3",
    "pentominoes 3 20",
    "schur 2 4",
    "ramsey 3 3 5",
]


@pytest.mark.parametrize("words", HEATED)
def test_shares_are_those_of_all_solutions(words: str) -> None:
    """By counting, in every solution, which thing is at which spot."""
    puzzle = rk.puzzle(words)
    shape = puzzle.model.row_shape
    rows = list(rk.solve(puzzle, up_to="none", workers=1))
    atoms = Counter(
        value if shape.layout is Layout.BY_OPTION else position * shape.n_values + value
        for row in rows
        for position, value in enumerate(row)
    )
    uses = [atoms[atom] for atom in range(shape.n_atoms)]
    found = heats(puzzle, uses)
    assert found
    for spot in found[0].counts:
        together = sum(heat.counts[spot] for heat in found)
        assert together <= len(rows)
        if not words.startswith("queens"):
            assert together == len(rows), "something is at every spot of every solution"
    assert heat_map(puzzle, len(rows), uses).count("\n") >= 1
    picture = ElementTree.fromstring(heat_svg(puzzle, len(rows), uses))
    marks = [path for path in picture.iter() if path.get("class") == "rk-heat"]
    assert len(marks) == sum(len(heat.counts) for heat in found)
    most = max(times for heat in found for times in heat.counts.values())
    drawn = [float(mark.get("fill-opacity", "")) for mark in marks]
    assert drawn == pytest.approx([t / most for heat in found for t in heat.counts.values()], abs=0.005)


def test_a_heat_map_of_a_solution_with_nothing_in_it() -> None:
    fits_nowhere = rk.Piece("A", frozenset({(0, 0), (0, 1)}), 0, only_on=frozenset({(0, 0)}))
    board = frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
    puzzle = rk.Puzzle("empty", rk.Packing(SQUARE, board, (fits_nowhere,), filled=False), "")
    uses = rk.stats(puzzle).uses
    assert not any(uses)
    assert "darkest: none of 1 solution" in heat_svg(puzzle, 1, uses)


def test_a_heat_map_of_no_solution() -> None:
    puzzle = rk.queens(3)
    assert pictures(rk.stats(puzzle)._repr_html_())


def test_a_table_of_no_options() -> None:
    puzzle = rk.Puzzle("none", rk.ExactCover(("a",), options=()), "an item without options")
    assert "<table>" in shares(puzzle, 0, [])
