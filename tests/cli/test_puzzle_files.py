"""Puzzle files on the command line: wherever a puzzle can stand."""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path

import pytest

import rekkyo as rk
from rekkyo.export.puzzle_toml.reader import KINDS
from tests.cli.test_commands import rekkyo

QUEENS = 'kind = "queens"\nn = 6\n'


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(QUEENS)
    return path


def test_count_solve_and_verify(mine: Path) -> None:
    assert rekkyo("count", str(mine), "--up-to", "none").stdout == "total 4\n"
    listed = rekkyo("solve", str(mine)).stdout
    assert len(listed.splitlines()) == 4
    done = rekkyo("verify", str(mine), given=listed)
    assert done.stdout == "4 solutions checked: all valid, all different\n"


def test_messages_name_cells_as_the_file_does(tmp_path: Path) -> None:
    path = tmp_path / "named.toml"
    board = 'kind = "grid"\nvalues = "1..3"\nboard = ".#."\nnames = "{}"\n'
    path.write_text(board.format("ann bob") + '[[compare]]\ncells = "ann + bob = 9\\nann < bob"')
    reason = "no solution, because ann + bob is from 2 to 6, but must be 9\n"
    assert reason in rekkyo("count", str(path)).stderr
    described = rekkyo("info", str(path)).stdout
    assert reason in described
    assert "Linear: ann bob\n" in described
    assert "in the order ann bob; " in described
    done = rekkyo("verify", str(path), given="2 1\n", ok=False)
    assert "Linear of ann, bob does not hold" in done.stdout
    path.write_text(board.format("~2 bob") + '[[cage]]\ncells = "0,0 0,2"\neach = "product 50"')
    assert "because 0,0 * 0,2 is from 1 to 9" in rekkyo("count", str(path)).stderr  # ~2 is the product


def test_names_of_files_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "\x1b[31m\u202ered.toml"
    path.write_text(QUEENS)
    assert rekkyo("info", str(path)).stdout.startswith(f"{tmp_path}/\\x1b[31m\\u202ered.toml: ")


@pytest.mark.parametrize(("total", "exit_code", "said"), [(4, 0, "agrees with"), (5, 1, "DIFFERS FROM")])
def test_a_published_count_is_compared(mine: Path, total: int, exit_code: int, said: str) -> None:
    mine.write_text(f'{QUEENS}[published]\ntotal = {total}\nsource = "me"\n', encoding="utf-8")
    done = rekkyo("count", str(mine), ok=False)
    assert done.returncode == exit_code
    assert f"{said} the published total (me)" in done.stderr


def test_only_numbers_that_were_compared_agree(mine: Path) -> None:
    mine.write_text(f'{QUEENS}[published]\ntotal = 4\nunique = 99\nsource = "me"\n', encoding="utf-8")
    done = rekkyo("count", str(mine), ok=False)
    assert done.returncode == 1
    assert "; agrees with the published total (me); DIFFERS FROM the published unique (me)\n" in done.stderr
    mine.write_text(f'{QUEENS}[published]\nunique = 99\nsource = "me"\n', encoding="utf-8")
    done = rekkyo("count", str(mine), "--up-to", "none")
    assert (done.stdout, "published" in done.stderr) == ("total 4\n", False)
    shown = rekkyo("count", str(mine), "--up-to", "none", "--json").stdout
    assert json.loads(shown)["published"] == {"total": None, "unique": None, "source": "me", "agrees": None}


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_new_file_can_be_described_at_once(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"{kind}.toml"
    path.write_text(rekkyo("new", kind).stdout)
    assert rekkyo("info", str(path)).stdout.startswith(f"{path}: ")
    assert json.loads(rekkyo("info", str(path), "--json").stdout)["understood"]


PATTERNS = """kind = "grid"
board = "rectangle 2 {n}"
values = "-K"
[[compare]]
pattern = "abc"
cells = "a < b"
[[avoid]]
pattern = "KK"
[[avoid]]
pattern = "KKK"
orientations = "all"
"""


def test_info_warns_of_patterns_that_fit_nowhere(tmp_path: Path) -> None:
    """Not of a member of a family, whose other members may be large enough."""
    path = tmp_path / "patterns.toml"
    path.write_text(PATTERNS.format(n=2))
    warnings = [
        f"{path}:{line}:1: the pattern fits nowhere on the board, so this clause says nothing"
        for line in (5, 10)
    ]
    assert json.loads(rekkyo("info", str(path), "--json").stdout)["warnings"] == warnings
    lines = rekkyo("info", str(path)).stdout.splitlines()
    assert [line for line in lines if line.startswith("warning: ")] == [
        f"warning: {what}" for what in warnings
    ]
    assert rekkyo("count", str(path), "--up-to", "none").stdout.startswith("total 9")
    path.write_text(PATTERNS + '[family]\nn = "1..3"\n')
    assert "warning" not in rekkyo("info", str(path), "2").stdout
    path.write_text(PATTERNS.format(n=3))
    assert "warning" not in rekkyo("info", str(path)).stdout


def test_info_draws_what_was_understood(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(rekkyo("new", "packing").stdout)
    shown = rekkyo("info", str(path)).stdout
    for line in (
        "board: 15 cells on the square lattice, all covered\n  #####\n  #####\n  #####\n",
        "pieces: 3, with 15 cells, turned over or not\n",
        "  P: 5 cells, 8 orientations, 40 placements, once, only on 15 cells\n    PP\n    PP\n    P\n",
        "symmetry: a group of order 4\n",
        "published: total 4, unique 1 (counted by hand)\n",
    ):
        assert line in shown


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("count", "none.toml"), "rekkyo: none.toml cannot be read: No such file or directory\n"),
        (
            ("count", "mine.json"),
            "rekkyo: mine.json is not there; a run is a folder, and the name of a puzzle file ends in one of .toml, .xcc",
        ),
        (
            ("new", "kakuro"),
            'rekkyo: there is no kind "kakuro" of puzzle files; write kind = "grid" and the rules as clauses\n',
        ),
        (("new", "packnig"), 'rekkyo: there is no kind "packnig" of puzzle files; did you mean "packing"?\n'),
    ],
)
def test_refusals(words: tuple[str, ...], complaint: str) -> None:
    done = rekkyo(*words, ok=False)
    assert done.returncode == 2
    assert done.stderr.startswith(complaint)


def test_a_mistake_is_shown_with_its_place(mine: Path) -> None:
    mine.write_text('kind = "queens"\nn = 6\nn = 7\n', encoding="utf-8")
    done = rekkyo("count", str(mine), ok=False)
    assert done.returncode == 2
    assert done.stderr == f'rekkyo: {mine}:3:1: "n" appears twice: lines 2 and 3; leave one out\n'


def test_words_after_a_file_are_refused(mine: Path) -> None:
    done = rekkyo("count", str(mine), "8", ok=False)
    assert done.returncode == 2
    assert f'"8" is one word too many after the file {mine}' in done.stderr


def test_the_schema_is_printed() -> None:
    assert json.loads(rekkyo("new", "schema").stdout)["title"] == "A puzzle file of rekkyo"


def test_a_word_search_is_drawn_as_a_board(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text('kind = "words"\nboard = "####"\nwords = "ABA BA"\n')
    drawn = rekkyo("solve", str(path), "--format", "board").stdout
    boards = [line for line in drawn.split("\n") if len(line) == 4]
    assert set(boards) == {"ABA.", ".ABA", "BABA", "ABAB"}


def test_a_run_of_a_file_goes_on_when_the_file_is_gone(mine: Path, tmp_path: Path) -> None:
    mine.write_text(
        'kind = "packing"\nboard = """\n####\n####"""\npieces = "DD"\ntimes = { D = 4 }\n', encoding="utf-8"
    )
    folder = str(tmp_path / "run")
    done = rekkyo("run", str(mine), "--out", folder)
    assert done.stdout.startswith("total 5, unique 4")
    mine.unlink()
    assert rekkyo("resume", folder).stdout == done.stdout
    assert rekkyo("recount", folder, ok=False).returncode == 0


HEXAGON = str(Path(__file__).parents[2] / "examples" / "magic-hexagon.toml")
"""12 solutions, one up to symmetry; the file itself says nothing of the symmetry."""


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("count {file}", "total 12, unique 1 up to rotation and reflection\n"),
        ("count {file} --engine sum-cells", "total 12, unique 1 up to rotation and reflection\n"),
        ("orbits {file}", "total 12 = 1 x 12/1, unique 1\n"),
        ("run {file} --out {folder}/all --count-only", "total 12, unique 1, "),
        ("run {file} --out {folder}/unique --up-to symmetry", "total 12, unique 1, "),
        ("info {file}", "\nsymmetry: a group of order 12\n"),
        ("estimate {file} --draws 2 --json", '"unique": {"value": 1.0, "low": 1.0, "high": 1.0}'),
    ],
)
def test_every_command_knows_the_symmetry_of_a_file(command: str, shown: str, tmp_path: Path) -> None:
    words = command.format(file=HEXAGON, folder=tmp_path).split()
    assert shown in rekkyo(*words).stdout


@pytest.mark.parametrize(("up_to", "n_rows"), [("symmetry", 1), ("none", 12)])
def test_rows_of_a_file_are_listed_up_to_its_symmetry(up_to: str, n_rows: int, tmp_path: Path) -> None:
    listed = rekkyo("solve", HEXAGON, "--up-to", up_to).stdout.splitlines()
    table = rekkyo("export", HEXAGON, "--to", "csv", "--up-to", up_to).stdout.splitlines()
    header, *rows = [line for line in table if not line.startswith("#")]
    assert header.startswith("p0,p1,")
    assert rows == [line.replace(" ", ",") for line in listed]
    assert len(rows) == n_rows
    drawn = rekkyo("draw", HEXAGON, "--up-to", up_to, "--solution", str(n_rows - 1)).stdout
    assert drawn.startswith("<svg")
    beyond = rekkyo("draw", HEXAGON, "--up-to", up_to, "--solution", str(n_rows), ok=False)
    assert (beyond.returncode, beyond.stdout) == (2, "")


@pytest.fixture
def family(tmp_path: Path) -> Path:
    path = tmp_path / "family.toml"
    text = 'kind = "queens"\nn = "{n}"\ntitle = "{n} queens"\n[family]\nn = "4..8"\n'
    path.write_text(f"{text}[published]\ntotal = {{ 6 = 4, 7 = 41 }}\n", encoding="utf-8")
    return path


class TestFamily:
    def test_the_size_follows_the_file(self, family: Path) -> None:
        counted = rekkyo("count", str(family), "6")
        assert counted.stdout == "total 4, unique 1 up to rotation and reflection\n"
        assert f"{family} 6: " in counted.stderr
        assert "agrees with the published total" in counted.stderr
        assert rekkyo("count", str(family), "7", ok=False).returncode == 1
        assert rekkyo("count", str(family), "8").returncode == 0

    @pytest.mark.parametrize("command", ["solve", "orbits", "estimate", "draw", "info", "verify"])
    def test_every_command_takes_it(self, command: str, family: Path) -> None:
        given = rekkyo("solve", str(family), "5").stdout if command == "verify" else ""
        shown = rekkyo(command, str(family), "5", given=given).stdout
        assert shown
        by_name = rekkyo(command, str(family), "--n", "5", given=given)
        assert by_name.stdout == shown
        unknown = rekkyo(command, str(family), "--m", "5", ok=False)
        assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
        assert 'no option "--m"; did you mean "--n"?' in unknown.stderr

    def test_an_unknown_option_may_be_one_of_the_command(self, family: Path) -> None:
        done = rekkyo("count", str(family), "5", "--worker", "1", ok=False)
        assert done.stderr == 'rekkyo: no option "--worker"; did you mean "--workers"?\n'

    def test_info_tells_the_parameters(self, family: Path) -> None:
        assert rekkyo("info", str(family)).stdout == (
            f"{family} N: n queens\n  N  4..8\nsource: the puzzle file\n"
        )
        facts = json.loads(rekkyo("info", str(family), "--json").stdout)
        assert facts["parameters"] == [{"name": "n", "values": "4..8"}]

    def test_bfile(self, family: Path) -> None:
        done = rekkyo("bfile", str(family), "4..8", "--engines", "2", ok=False)
        difference = "total 40 DIFFERS FROM the published 41 (the puzzle file)"
        last = ["4 2", "5 10", "6 4", f"# n = 7: {difference}.", "7 40", "8 92"]
        assert done.stdout.splitlines()[-6:] == last
        assert (done.returncode, done.stderr) == (1, f"rekkyo: {family} 7: {difference}\n")
        assert rekkyo("bfile", str(family), "--n", "4..6").stdout.splitlines()[-3:] == last[:3]
        beyond = rekkyo("bfile", str(family), "4..9", ok=False)
        assert (beyond.returncode, beyond.stdout) == (2, "")

    def test_a_missing_size(self, family: Path) -> None:
        done = rekkyo("count", str(family), ok=False)
        said = f"{family} is a family of puzzles; give n (4..8) after its name, such as: {family} 4"
        assert (done.returncode, done.stderr) == (2, f"rekkyo: {said}\n")

    def test_a_run_goes_on_when_the_file_is_gone(self, family: Path, tmp_path: Path) -> None:
        folder = str(tmp_path / "run")
        done = rekkyo("run", str(family), "6", "--out", folder)
        family.unlink()
        assert rekkyo("resume", folder).stdout == done.stdout
        assert rekkyo("recount", folder).returncode == 0


FLATZINC = """var 0..3: x :: output_var;
var 0..3: y :: output_var;
var 0..3: between;
constraint int_lt(x,between);
constraint int_lt(between,y);
solve satisfy;
"""


def test_flatzinc(tmp_path: Path) -> None:
    path = tmp_path / "between.fzn"
    path.write_text(FLATZINC)
    assert rekkyo("count", str(path)).stdout == "total 3, unique 2\n"
    assert rekkyo("solve", str(path)).stdout == "0 2\n0 3\n1 3\n"
    folder = tmp_path / "run"
    rekkyo("run", str(path), "--out", str(folder))
    path.unlink()
    assert "total 3" in rekkyo("status", str(folder)).stdout
    refused = rekkyo("count", str(path), "more.dzn", ok=False)
    assert f'"more.dzn" is one word too many after the file {path}' in refused.stderr


XCSP3 = """<instance format="XCSP3" type="CSP">
<variables><array id="x" size="[2]"> 0..3 </array></variables>
<constraints><intension> lt(add(x[0],1),x[1]) </intension></constraints>
</instance>"""


def test_xcsp3(tmp_path: Path) -> None:
    path = tmp_path / "between.xml"
    path.write_text(XCSP3)
    assert rekkyo("count", str(path)).stdout == "total 3, unique 2\n"
    assert rekkyo("solve", str(path)).stdout == "0 2\n0 3\n1 3\n"
    packed = tmp_path / "between.xml.lzma"
    packed.write_bytes(lzma.compress(XCSP3.encode()))
    for number, file in enumerate((path, packed)):
        folder = tmp_path / f"run{number}"
        rekkyo("run", str(file), "--out", str(folder))
        file.unlink()
        assert "total 3" in rekkyo("status", str(folder)).stdout
        assert rekkyo("recount", str(folder), "--engine", "csp-plain").returncode == 0
    path.write_text(XCSP3.replace("lt(", "less("))
    refused = rekkyo("count", str(path), ok=False)
    assert refused.returncode == 2
    where = f"{path.name}:3:14: <intension>"
    assert refused.stderr == f"rekkyo: {where}: there is no operator less here\n"


def test_minizinc_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.mzn"
    path.write_text("var 1..3: x;")
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = rekkyo("count", str(path), ok=False)
    assert refused.returncode == 2
    assert refused.stderr.startswith(
        "rekkyo: the program minizinc, which flattens models, is not installed; install"
    )

    program = tmp_path / "minizinc"
    program.write_text(f"#!/bin/sh\n: > {tmp_path / 'executed'}\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for relative in (".", "", f"..{os.sep}{tmp_path.name}"):
        monkeypatch.setenv("PATH", os.pathsep.join((relative, str(tmp_path / "empty"))))
        assert "is not installed" in rekkyo("count", str(path), ok=False).stderr
    assert not (tmp_path / "executed").exists()
    refused = rekkyo("count", str(path), "data.txt", ok=False)
    assert "data.txt is not data of a model: its name ends in .dzn or .json" in refused.stderr


@pytest.mark.parametrize(
    ("output", "total", "said"), [("x", 2, "distinguished by x (1 of 2 variables)"), ("xy", 4, "")]
)
def test_the_variables_that_make_a_solution_are_named(
    output: str, total: int, said: str, tmp_path: Path
) -> None:
    lines = [f"var 1..2: {name}{' :: output_var' * (name in output)};" for name in "xy"]
    path = tmp_path / "mine.fzn"
    path.write_text("\n".join([*lines, "solve satisfy;"]) + "\n")
    done = rekkyo("count", str(path), "--up-to", "none")
    assert done.stdout == f"total {total}\n"
    assert said in done.stderr
    assert ("distinguished by" in done.stderr) == bool(said)


def test_a_formula_that_shows_no_variable_has_one_solution(tmp_path: Path) -> None:
    path = tmp_path / "mine.cnf"
    path.write_text("p cnf 3 1\nc p show 0\n1 0\n")
    done = rekkyo("count", str(path), "--up-to", "none")
    assert done.stdout == "total 1\n"
    assert "no variable is shown, so there is one solution if there is any" in done.stderr
    assert "distinguished by" not in done.stderr


def test_verify_says_that_the_best_value_is_not_checked(tmp_path: Path) -> None:
    path = tmp_path / "best.toml"
    path.write_text('kind = "grid"\nvalues = "01"\nboard = "rectangle 1 2"\nmaximize = "sum"\n')
    done = rekkyo("verify", str(path), given="0 0\n")
    assert done.stdout == "1 solution checked: all valid, all different\n"
    assert done.stderr == f"{path}: not checked: whether these solutions have the best value\n"


@pytest.mark.parametrize("to", ["csv", "jsonl"])
@pytest.mark.parametrize("words", ["queens 4", "dominoes 2 3", "magic-square 3", "pentominoes 3 20"])
def test_verify_reads_what_export_writes(to: str, words: str) -> None:
    written = rekkyo("export", *words.split(), "--to", to).stdout
    checked = rekkyo("verify", *words.split(), given=written).stdout
    total = rk.count(rk.puzzle(words), up_to="none").total
    assert checked == f"{total} solutions checked: all valid, all different\n"
