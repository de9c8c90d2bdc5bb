"""Files for others: what they say about themselves, and that foreign readers find the very rows in them."""

from __future__ import annotations

import csv
import json
from contextlib import closing
from dataclasses import replace
from html import escape
from io import BytesIO, StringIO
from pathlib import Path

import duckdb
import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import rekkyo as rk
from rekkyo.errors import BadInput, escaped
from rekkyo.export.header import Header
from rekkyo.export.opb import opb, opb_of
from rekkyo.export.read import read_lines, read_row
from rekkyo.export.tables import RowText, batched, write_csv, write_jsonl, write_npy
from rekkyo.export.text import writer
from rekkyo.export.xcc import read_xcc
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout, RowShape
from rekkyo.store.run_directory import RunDirectory


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "q8"
    rk.run(rk.queens(8), folder)
    return folder


QUEENS_8 = sorted(rk.solve(rk.queens(8), workers=1))


class Sets:
    """A model whose rows are sets of up to three of 300 options."""

    row_shape = RowShape(3, 300, Layout.BY_OPTION)
    row_meaning = "options"


SETS = Puzzle("sets", Sets(), "sets")  # type: ignore[arg-type]
HEADER = Header("sets", "sets", "options", "none")


@pytest.mark.kernel
@given(st.lists(st.lists(st.integers(0, 299), max_size=3, unique=True).map(sorted), min_size=1, max_size=20))
def test_text_of_rows_is_what_python_writes(sets: list[list[int]]) -> None:
    rows = np.array([values + [300] * (3 - len(values)) for values in sets], dtype=np.uint16)
    csv = "".join(",".join("" if v == 300 else str(v) for v in row) + "\n" for row in rows.tolist())
    jsonl = "".join("[" + ",".join(map(str, values)) + "]\n" for values in sets)
    assert bytes(RowText(SETS, b"", b"\n", skips_filler=False)(rows)).decode() == csv
    assert bytes(RowText(SETS, b"[", b"]\n", skips_filler=True)(rows)).decode() == jsonl


@given(st.lists(st.integers(1, 9), max_size=12), st.integers(1, 10))
def test_batches_lose_nothing_and_stay_small(sizes: list[int], n_rows: int) -> None:
    blocks = [np.full((size, 2), k, dtype=np.uint8) for k, size in enumerate(sizes)]
    batches = list(batched(blocks, n_rows))
    assert [row for batch in batches for row in batch.tolist()] == [
        row for block in blocks for row in block.tolist()
    ]
    assert all(len(batch) < n_rows + 9 for batch in batches)


def exported(run: Path, to: str) -> list[str]:
    out = BytesIO()
    rk.Run(run).export(to, out)
    return out.getvalue().decode().splitlines()


class TestOfARun:
    def test_csv(self, run: Path) -> None:
        lines = exported(run, "csv")
        header = [line.removeprefix("# ") for line in lines if line.startswith("#")]
        assert header[0] == "puzzle: queens 8"
        assert "symmetry: every solution" in header
        assert "rows: 92" in header
        assert f"digest: {rk.Run(run).status().digest}" in header
        assert lines[len(header)] == "p0,p1,p2,p3,p4,p5,p6,p7"
        rows = [tuple(map(int, line.split(","))) for line in lines[len(header) + 1 :]]
        assert sorted(rows) == QUEENS_8

    def test_jsonl(self, run: Path) -> None:
        first, *rest = exported(run, "jsonl")
        assert json.loads(first)["puzzle"] == "queens 8"
        assert sorted(tuple(json.loads(line)) for line in rest) == QUEENS_8

    def test_npy(self, run: Path, tmp_path: Path) -> None:
        rk.Run(run).export("npy", tmp_path / "q8.npy")
        rows = np.load(tmp_path / "q8.npy", allow_pickle=False)
        assert (rows.dtype, rows.shape) == (np.uint8, (92, 8))
        assert sorted(map(tuple, rows.tolist())) == QUEENS_8
        facts = json.loads((tmp_path / "q8.npy.json").read_text())
        assert (facts["puzzle"], facts["rows"]) == ("queens 8", 92)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["q8.npy", "q8.npy.json"]

    def test_parquet_in_other_hands(self, run: Path, tmp_path: Path) -> None:
        path = tmp_path / "q8.parquet"
        rk.Run(run).export("parquet", path)
        assert sorted(polars.read_parquet(path).rows()) == QUEENS_8
        assert duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall() == [(92,)]
        metadata = parquet.read_metadata(path).metadata
        assert metadata[b"rekkyo.puzzle"] == b"queens 8"
        assert metadata[b"rekkyo.digest"] == (rk.Run(run).status().digest or "").encode()

    def test_text(self, run: Path) -> None:
        text = "\n".join(exported(run, "text"))
        assert text.count("Q") == 92 * 8
        assert text.startswith("# puzzle: queens 8\n")
        assert "\n\n" in text

    def test_bfile(self, run: Path) -> None:
        lines = exported(run, "bfile")
        assert lines[0] == "# puzzle: queens 8"
        assert "# rows: 92" in lines
        assert lines[-1] == "8 92"

    def test_of_a_run_that_is_not_finished(self, tmp_path: Path) -> None:
        run = tmp_path / "run"
        rk.run(rk.queens(8), run)
        with closing(rk.RunReader(run)) as reader:
            shard = reader.order[0]
            n_left = 92 - reader.size(shard)
        with closing(RunDirectory.open(run)) as opened:
            opened.index.drop([shard])
        lines = exported(run, "csv")
        assert f"# rows: {n_left}" in lines
        assert not any(line.startswith("# digest") for line in lines)
        assert len([line for line in lines if line[0].isdigit()]) == n_left
        with pytest.raises(BadInput, match="queens 8: the total is not known yet, so there is no b-file"):
            rk.Run(run).export("bfile", BytesIO())

    def test_the_export_of_up_to_symmetry_says_so(self, tmp_path: Path) -> None:
        rk.run(rk.queens(6), tmp_path / "run", up_to="symmetry")
        lines = exported(tmp_path / "run", "csv")
        assert "# symmetry: one solution for each orbit, up to symmetry" in lines
        assert lines[-1] == "1,3,5,0,2,4"
        assert exported(tmp_path / "run", "bfile")[-1] == "6 1"

    def test_its_own_files_are_not_replaced(self, run: Path) -> None:
        before = {path.name: path.read_bytes() for path in run.iterdir()}
        for to, name in (("csv", "index.sqlite"), ("npy", "manifest"), ("csv", "rows.csv")):
            with pytest.raises(BadInput, match="would be among the files of a run; name a file in another"):
                rk.Run(run).export(to, run / name)
        assert {path.name: path.read_bytes() for path in run.iterdir()} == before

    def test_npy_needs_a_file(self, run: Path) -> None:
        with pytest.raises(BadInput, match="name a file with -o"):
            rk.Run(run).export("npy", BytesIO())

    def test_unknown_formats(self, run: Path) -> None:
        with pytest.raises(BadInput, match='unknown format "parket"; did you mean "parquet"'):
            rk.Run(run).export("parket", BytesIO())

    def test_of_a_puzzle_from_python(self, tmp_path: Path) -> None:
        puzzle = rk.graph([(1, 2), (2, 3)]).matchings()
        rk.run(puzzle, tmp_path / "run")
        rk.Run(tmp_path / "run", puzzle=puzzle).export("csv", tmp_path / "rows.csv")
        lines = (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()
        assert len([line for line in lines if not line.startswith("#")]) == 1 + 3
        with pytest.raises(rk.BadRun, match="built in Python"):
            rk.Run(tmp_path / "run").export("csv", tmp_path / "rows.csv")


class TestOfAPuzzle:
    @pytest.mark.parametrize("words", ["dominoes 2 3", "queens 4 --toroidal", "soma"])
    def test_a_bfile_needs_one_size(self, words: str) -> None:
        with pytest.raises(BadInput, match=f"a b-file needs a puzzle with one size.* not {words}"):
            rk.export_puzzle(rk.puzzle(words), "bfile", BytesIO())

    def test_options_that_are_not_used_are_null_or_left_out(self, tmp_path: Path) -> None:
        cover = read_xcc("A B C\nA B C\nA\nB C\n", "three")
        puzzle = Puzzle("three", cover, "three")
        rk.export_puzzle(puzzle, "parquet", tmp_path / "three.parquet")
        rows = polars.read_parquet(tmp_path / "three.parquet").rows()
        assert sorted(tuple(v for v in row if v is not None) for row in rows) == [(0,), (1, 2)]
        out = BytesIO()
        rk.export_puzzle(puzzle, "jsonl", out)
        assert sorted(json.loads(line) for line in out.getvalue().splitlines()[1:]) == [[0], [1, 2]]

    def test_csv_lines_are_read_again(self) -> None:
        puzzle, out = rk.puzzle("soma"), BytesIO()
        rows = np.array(list(rk.solve(puzzle, limit=50, workers=1)), dtype=np.uint16)
        write_csv(puzzle, HEADER, [rows], out)
        lines = [line for line in out.getvalue().decode().splitlines() if not line.startswith(("#", "o"))]
        assert [read_row(puzzle, line) for line in lines] == list(map(tuple, rows.tolist()))

    def test_csv_of_the_empty_solution(self) -> None:
        """In rows of length one its line would be empty, and readers skip empty lines."""
        puzzle, out = Puzzle("one or none", read_xcc("0:1|a\na\n", "one"), "one or none"), BytesIO()
        rk.export_puzzle(puzzle, "csv", out)
        lines = [line for line in out.getvalue().decode().splitlines() if not line.startswith("#")]
        assert lines[0] == "o0"
        assert sorted(read_row(puzzle, line) for line in lines[1:]) == [(), (0,)]
        listed = np.array([[1], [0]], dtype=np.uint8)
        assert sorted(lines[1:]) == sorted(writer("csv", puzzle)(listed).decode().splitlines())

    def test_xcc_and_dimacs_are_the_puzzle(self) -> None:
        out = BytesIO()
        rk.export_puzzle(rk.puzzle("langford 3"), "xcc", out)
        text = out.getvalue().decode()
        assert text.startswith("| puzzle: langford 3\n")
        assert len(list(rk.solve(Puzzle("again", read_xcc(text, "again"), "again"), workers=1))) == 2
        out = BytesIO()
        rk.export_puzzle(rk.puzzle("hip 3"), "dimacs", out)
        assert out.getvalue().startswith(b"c puzzle: hip 3\n")
        out = BytesIO()
        rk.export_puzzle(rk.puzzle("hip 3"), "mzn", out)
        assert out.getvalue().startswith(b"% puzzle: hip 3\n")

    def test_a_file_of_burrtools_has_the_header_as_its_comment(self, tmp_path: Path) -> None:
        file = tmp_path / "hexiamonds.xmpuzzle"
        rk.export_puzzle(rk.puzzle("hexiamonds 6 6"), "xmpuzzle", file)
        assert "<comment>puzzle: hexiamonds 6 6\ntitle: The 12 hexiamonds" in file.read_text()
        assert rk.count(rk.puzzle_from_file(file)).unique == 156
        with pytest.raises(BadInput, match="queens 4 cannot be written for BurrTools: it takes pieces of"):
            rk.export_puzzle(rk.queens(4), "xmpuzzle", tmp_path / "queens.xmpuzzle")

    @pytest.mark.parametrize(
        ("up_to", "term"), [("none", 92), ("fixed", 92), ("rotations", 24), ("symmetry", 12), ("free", 12)]
    )
    def test_a_bfile_has_the_number_of_what_is_asked_for(self, up_to: str, term: int) -> None:
        out = BytesIO()
        rk.export_puzzle(rk.queens(8), "bfile", out, up_to=up_to)
        assert out.getvalue().decode().splitlines()[-1] == f"8 {term}"

    @pytest.mark.parametrize("to", ["bfile", "csv", "xcc"])
    def test_unknown_symmetry(self, to: str) -> None:
        with pytest.raises(BadInput, match=r'"nonsense"') as refusal:
            rk.export_puzzle(rk.queens(5), to, BytesIO(), up_to="nonsense")
        assert "\n" not in str(refusal.value)

    def test_no_bfile_of_orbits_that_are_not_counted(self) -> None:
        puzzle = Puzzle("mine 4", rk.queens(4).model, "no symmetry is known")
        with pytest.raises(BadInput, match="the number of orbits up to symmetry is not known"):
            rk.export_puzzle(puzzle, "bfile", BytesIO(), up_to="symmetry")

    def test_without_known_symmetry_the_header_says_every_solution(self) -> None:
        puzzle, out = Puzzle("mine 4", rk.queens(4).model, "no symmetry is known"), BytesIO()
        header = rk.export_puzzle(puzzle, "csv", out, up_to="symmetry")
        assert header.up_to == "none"
        assert "# symmetry: every solution\n" in out.getvalue().decode()

    @pytest.mark.parametrize("to", ["xcc", "dimacs", "mzn", "xmpuzzle"])
    def test_the_puzzle_itself_has_all_solutions(self, to: str, tmp_path: Path) -> None:
        puzzle, out = rk.puzzle("dominoes 2 3"), BytesIO()
        with pytest.raises(BadInput, match=f"{to} writes the puzzle, which has every solution; leave out"):
            rk.export_puzzle(puzzle, to, out, up_to="symmetry")
        rk.run(puzzle, tmp_path / "run", up_to="symmetry")
        rk.Run(tmp_path / "run").export(to, out)
        text = out.getvalue().decode()
        assert "symmetry: every solution\n" in text
        assert "total: 3\n" in text
        assert "digest" not in text

    def test_no_solutions(self, tmp_path: Path) -> None:
        for to in ("csv", "jsonl", "npy", "parquet"):
            rk.export_puzzle(rk.queens(3), to, tmp_path / f"none.{to}")
        assert np.load(tmp_path / "none.npy").shape == (0, 3)
        assert polars.read_parquet(tmp_path / "none.parquet").shape == (0, 3)


def test_names_cannot_break_out_of_the_header() -> None:
    out = BytesIO()
    header = Header("evil\n0,1,2", "x\ry", "z", "none")
    write_csv(rk.queens(4), header, [], out)
    assert [line[0] for line in out.getvalue().decode().splitlines()] == ["#"] * 6 + ["p"]
    out = BytesIO()
    write_csv(rk.queens(4), Header('a,=1+1;"', "b; @c", "d, e", "none"), [], out)
    lines = out.getvalue().decode().splitlines()
    assert [next(csv.reader([line])) for line in lines[:2]] == [['# puzzle: a,=1+1;"'], ["# title: b; @c"]]
    assert lines[2] == "# row: d, e"
    assert list(read_lines(rk.queens(4), StringIO(out.getvalue().decode()))) == []
    out = BytesIO()
    write_jsonl(rk.queens(4), header, [], out)
    assert len(out.getvalue().splitlines()) == 1


def test_names_with_surrogates_can_be_stored(tmp_path: Path) -> None:
    """A name of a file that is not UTF-8 has them."""
    puzzle = replace(rk.queens(4), name="\udcff.toml")
    rk.export_puzzle(puzzle, "parquet", tmp_path / "rows.parquet")
    facts = parquet.read_schema(tmp_path / "rows.parquet").metadata
    assert facts[b"rekkyo.puzzle"] == rb"\udcff.toml"
    rk.run(puzzle, tmp_path / "run", workers=1)
    assert rk.Run(tmp_path / "run", puzzle=puzzle).status().puzzle == puzzle.name


def test_rows_longer_than_a_byte() -> None:
    rows = np.array([[1, 299, 300]], dtype=np.uint16)
    out = BytesIO()
    write_npy(SETS, HEADER, [rows], out, BytesIO())
    assert np.load(BytesIO(out.getvalue())).tolist() == rows.tolist()


@pytest.mark.parametrize("name", ["\x1b[31mred", "nul\0", "\u202eabc", "\u2028", "\ud800"])
def test_unprintable_names_are_escaped(name: str) -> None:
    problem = rk.Problem()
    problem.all_different(problem.variables((name, "y"), range(2)))
    puzzle = problem.puzzle(name, name)
    row = next(rk.solve(puzzle))
    assert rk.board(puzzle, row) == f"{escaped(name)} = 0\ny = 1"
    for to in ("text", "csv", "dimacs", "mzn"):
        out = BytesIO()
        rk.export_puzzle(puzzle, to, out)
        assert all(line.isprintable() for line in out.getvalue().decode().splitlines())
    with pytest.raises(BadInput, match="a b-file needs a puzzle with one size"):
        rk.export_puzzle(puzzle, "bfile", BytesIO())
    problem_lines = opb(opb_of(puzzle.model), name).split("\n")
    assert problem_lines[1] == f"* {escaped(name)}"
    assert escape(escaped(name)) in rk.count(puzzle)._repr_html_()
