"""The command line as a program: what it prints where, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rekkyo.methods.index import LADDERS
from tests import programs
from tests.cli.terminals import in_terminal
from tests.programs import REKKYO, Program, in_shell


def rekkyo(*words: str, given: str = "", ok: bool = True) -> subprocess.CompletedProcess[str]:
    return programs.rekkyo(*words, given=given, ok=ok)


class TestCount:
    def test_prints_the_counts_and_nothing_else(self) -> None:
        done = rekkyo("count", "queens", "8")
        assert done.stdout == "total 92, unique 12 up to rotation and reflection\n"
        assert "agrees with the published total and unique (OEIS A000170, A002562)" in done.stderr
        assert (
            "agrees with the published total (OEIS A007705)"
            in rekkyo("count", "queens", "7", "--toroidal").stderr
        )

    def test_json_is_one_object_with_at_least_these_keys(self) -> None:
        facts = json.loads(rekkyo("count", "queens", "8", "--json").stdout)
        wanted = {"puzzle", "total", "unique", "engine", "nodes", "elapsed_s", "compile_s", "workers"}
        assert wanted <= facts.keys()
        assert (facts["puzzle"], facts["total"], facts["unique"]) == ("queens 8", 92, 12)

    @pytest.mark.parametrize(
        ("words", "line"),
        [
            ("queens 8 --up-to none", "total 92"),
            ("queens 8 --limit 5", "total at least 5"),
            ("queens 5 --toroidal", "total 10, unique 1 up to shift, rotation and reflection"),
            (
                "queens 8 --workers 1 --engine queens-join",
                "total 92, unique 12 up to rotation and reflection",
            ),
            ("--workers 1 queens 8 --given 0,0 --given 1,1", "total 0, unique 0 up to reflection"),
            ("queens 8 --blocked 0,0 --given=1,3 --blocked 7,7", "total 7, unique 7"),
        ],
    )
    def test_options_of_the_command_and_of_the_puzzle_mix(self, words: str, line: str) -> None:
        assert rekkyo("count", *words.split()).stdout == line + "\n"

    def test_digest(self) -> None:
        line = rekkyo("count", "queens", "6", "--digest").stdout
        assert line.startswith("total 4, unique 1 up to rotation and reflection, digest ")
        assert len(line.split()[-1]) == 32


class TestSolve:
    @pytest.mark.parametrize(
        ("format_name", "first_line", "n_lines"),
        [
            ("rows", "0 4 7 5 2 6 1 3", 92),
            ("compact", "15863724", 92),
            ("csv", "0,4,7,5,2,6,1,3", 92),
            ("jsonl", "[0,4,7,5,2,6,1,3]", 92),
            ("board", "+-+-+-+-+-+-+-+-+", 92 * 18),
        ],
    )
    def test_formats(self, format_name: str, first_line: str, n_lines: int) -> None:
        lines = rekkyo("solve", "queens", "8", "--format", format_name).stdout.splitlines()
        assert (lines[0], len(lines)) == (first_line, n_lines)

    def test_json_is_one_object(self) -> None:
        facts = json.loads(rekkyo("solve", "queens", "6", "--json").stdout)
        assert facts["puzzle"] == "queens 6"
        assert facts["solutions"] == [
            [1, 3, 5, 0, 2, 4],
            [2, 5, 1, 4, 0, 3],
            [3, 0, 4, 1, 5, 2],
            [4, 2, 0, 5, 3, 1],
        ]
        assert facts["listed"] == 4

    @pytest.mark.parametrize("command", ["solve", "sample"])
    def test_json_has_a_format_of_its_own(self, command: str) -> None:
        done = rekkyo(command, "queens", "6", "--json", "--format", "csv", ok=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "rekkyo: --json has a format of its own; leave out --json or --format csv\n"

    def test_json_without_solutions(self) -> None:
        assert json.loads(rekkyo("solve", "queens", "3", "--json").stdout)["solutions"] == []

    def test_limit_and_symmetry(self) -> None:
        assert rekkyo("solve", "queens", "6", "--limit", "1").stdout == "1 3 5 0 2 4\n"
        assert rekkyo("solve", "queens", "6", "--up-to", "symmetry").stdout == "1 3 5 0 2 4\n"

    @pytest.mark.parametrize("size", ["13", "30"])
    def test_a_reader_who_has_seen_enough_ends_it_at_once_and_quietly(self, size: str) -> None:
        done = in_shell(f"rekkyo solve queens {size} --format csv | head -1", Path.cwd())
        assert done.stdout.count("\n") == 1
        assert done.stderr == ""

    @pytest.mark.usefixtures("signals_as_in_a_terminal")
    def test_ctrl_c_ends_it(self) -> None:
        """The search itself would take years."""
        with Program(
            [*REKKYO, "solve", "queens", "22"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "0 2 4 1 3 9 13 16 19 12 18 21 17 7 20 11 8 5 15 6 10 14\n"
            process.send_signal(signal.SIGINT)
            _, complaint = process.communicate(timeout=60)
        assert process.returncode == 130
        assert complaint.startswith("rekkyo: interrupted after ")


class TestVerify:
    @pytest.mark.parametrize("format_name", ["rows", "compact", "csv", "jsonl"])
    def test_accepts_what_solve_lists(self, format_name: str) -> None:
        listed = rekkyo("solve", "queens", "8", "--format", format_name).stdout
        done = rekkyo("verify", "queens", "8", given=listed)
        assert done.stdout == "92 solutions checked: all valid, all different\n"

    def test_names_every_line_that_is_wrong(self) -> None:
        done = rekkyo("verify", "queens", "4", given="1 3 0 2\n0 1 2 3\n\n1 3 0 2\n1 x\n2413\n", ok=False)
        assert done.returncode == 1
        assert done.stdout.splitlines() == [
            "line 2: queens in rows 0 and 1 share a diagonal; queens in rows 0 and 2 share a diagonal; queens in rows"
            " 0 and 3 share a diagonal; and 3 more",
            "line 4: the same as line 1",
            'line 5: "x" is not a whole number',
            "line 6: the same as line 1",
            "5 solutions checked: 4 wrong",
        ]

    def test_json_and_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "solutions.txt"
        path.write_text("24135\n13524\n")
        facts = json.loads(rekkyo("verify", "queens", "5", "--from", str(path), "--json").stdout)
        assert facts == {"puzzle": "queens 5", "checked": 2, "valid": True, "wrong": 0, "problems": []}

    @pytest.mark.skipif(sys.platform == "win32", reason="devices of POSIX")
    def test_a_device_may_have_no_end(self) -> None:
        done = rekkyo("verify", "queens", "5", "--from", "/dev/zero", ok=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("rekkyo: /dev/zero is a device; name a file with solutions")
        assert rekkyo("verify", "queens", "5", "--from", os.devnull, ok=False).returncode == 1

    def test_nothing_to_check_is_no_success(self) -> None:
        done = rekkyo("verify", "queens", "5", given="\n\n", ok=False)
        assert (done.returncode, done.stdout) == (1, "0 solutions checked: there was nothing to check\n")

    def test_only_the_first_problems_are_shown(self) -> None:
        done = rekkyo("verify", "queens", "5", given="あ\n" * 25, ok=False)
        assert done.stdout.splitlines()[19:] == [
            'line 20: "あ" is not a symbol of queens 5',
            "... and 5 more",
            "25 solutions checked: 25 wrong",
        ]

    def test_a_mark_of_byte_order_and_a_narrow_encoding(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
        path = tmp_path / "solutions.txt"
        path.write_text("\ufeff24135\nあ\n", encoding="utf-8")
        done = rekkyo("verify", "queens", "5", "--from", str(path), ok=False)
        assert done.stdout == 'line 2: "\\u3042" is not a symbol of queens 5\n2 solutions checked: 1 wrong\n'

    def test_drawings_are_not_read(self) -> None:
        """It only said that a character is not a symbol."""
        drawn = rekkyo("solve", "queens", "4", "--format", "board").stdout
        lines = rekkyo("verify", "queens", "4", given=drawn, ok=False).stdout.splitlines()
        problem = '"+" is not a symbol of queens 4'
        assert lines[0] == f"line 1: {problem}; write solutions as rows, compact, csv or jsonl"
        assert lines[2] == f"line 3: {problem}"

    def test_binary_junk(self, tmp_path: Path) -> None:
        path = tmp_path / "junk"
        path.write_bytes(bytes(range(1, 256)) * 4)
        done = rekkyo("verify", "queens", "5", "--from", str(path), ok=False)
        assert done.returncode == 1
        assert done.stderr == ""

    @pytest.mark.parametrize("form", ["npy", "parquet"])
    def test_binary_files_of_export_are_refused(self, form: str, tmp_path: Path) -> None:
        path = tmp_path / f"solutions.{form}"
        rekkyo("export", "queens", "5", "--to", form, "-o", str(path))
        done = rekkyo("verify", "queens", "5", "--from", str(path), ok=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert "the solutions are not lines of text; write them as rows, compact, csv or jsonl" in done.stderr


class TestMethods:
    def test_table(self) -> None:
        lines = rekkyo(
            "methods", "queens", "4..6", "--method", "backtracking", "--form", "recursive"
        ).stdout.split("\n")
        assert lines[1].split() == ["N:", "Total", "Unique", "hh:mm:ss", "Nodes"]
        assert [line.split()[:3] for line in lines[2:5]] == [
            ["4:", "2", "1"],
            ["5:", "10", "2"],
            ["6:", "4", "1"],
        ]

    def test_all_methods_agree(self) -> None:
        facts = json.loads(rekkyo("methods", "queens", "6", "--json").stdout)
        assert len(facts["outcomes"]) == 14
        assert {(row["total"], row["unique"]) for row in facts["outcomes"]} == {(4, 1)}

    def test_boards_as_the_seed_draws_them(self) -> None:
        text = rekkyo("methods", "queens", "5", "--method", "bitmap", "--form", "iterative", "--show").stdout
        assert "1\n 0 2 4 1 3\n+-+-+-+-+-+\n|O| | | | |\n+-+-+-+-+-+\n| | |O| | |\n" in text

    def test_slow_methods_are_left_out_unless_named(self) -> None:
        done = rekkyo("methods", "queens", "9", "--form", "recursive")
        assert "Brute force" not in done.stdout
        assert "Backtracking (recursive)" in done.stdout
        assert "brute-force (recursive): skipped from N=9" in done.stderr

    def test_the_sizes_are_not_asked_for_when_something_else_was_said(self) -> None:
        for words in (["--json"], ["queens", "--method", "bitmap"]):
            assert "methods: the sizes are missing" in in_terminal([*REKKYO, "methods", *words])

    def test_the_menu_opens_in_a_terminal_and_asks(self) -> None:
        screen = in_terminal([*REKKYO, "methods"], "9\n5\ny\nn\n")
        assert "5) Mirror" in screen
        assert "10:          724           92" in screen

    def test_every_method_of_a_menu_runs_for_the_first_size(self) -> None:
        """Brute force for magic squares began with order 4, so it was left out for every size."""
        for ladder in LADDERS:
            first = int(ladder.sizes.partition("..")[0])
            assert all(method.finishes_soon(first, None) for method in ladder.methods)
        screen = in_terminal([*REKKYO, "methods", "magic-square"], "1\nn\n")
        assert " 3:            8            1" in screen


LONG_PATH = "d/" * 2047 + "ee"
"""Of 4,096 bytes, one more than Linux takes."""

BAD_INPUT = [
    ("count queens 0", 'queens: N must be a whole number from 1 to 64, not "0"'),
    ("count queens -3", 'queens: N must be a whole number from 1 to 64, not "-3"'),
    ("count queens 1e9", 'queens: N must be a whole number from 1 to 64, not "1e9"'),
    ("count queens eight", 'queens: N must be a whole number from 1 to 64, not "eight"'),
    ("count queens", "queens: N is missing (the size of the board); usage: queens N"),
    ("count", "no puzzle is named; try: rekkyo list"),
    ("info langford 3 --xcc --json", "info: --xcc, --dimacs and --json exclude each other; give one of them"),
    ("methods queens 4 --json --show", "methods: --json draws no solution; leave out --show"),
    ("count quens 8", 'unknown puzzle "quens"; did you mean "queens"?'),
    (
        "count queens 8 --blocked 8,8",
        "queens: blocked square 8,8 is off the 8x8 board; rows and columns go from 0 to 7",
    ),
    (
        "count queens 8 --engine nope",
        'unknown engine "nope"; known: queens-join, queens-bitmap, ',
    ),
    (
        "count queens 8 --toroidal --engine queens-join",
        "engine queens-join counts only flat boards, not the torus",
    ),
    ("count queens 8 --workes 2", 'no option "--workes"; did you mean "--workers"?'),
    (
        "count -- queens 8 --workers 2",
        '"--workers" is an option of the command, and stands after "--"; write it before',
    ),
    ("list queens", "got unexpected extra argument (queens); see "),
    ("publish runs/q8 --out x", "publish: --statement is missing; add --statement TEXT (What is counted"),
    ("resume", "missing argument 'D'; see "),
    ("--verison", "no such option '--verison'. Did you mean '--version'?"),
    ("count queens 8 --workers 0", "the number of workers must be 1 to 1024, not 0"),
    ("count queens 8 --workers two", "invalid value for '--workers': 'two' is not a valid integer; see "),
    ("count queens 8 --limit -1", "the limit must be a whole number from 0, not -1"),
    (
        "count queens 8 --up-to turns",
        'up to "turns" is not known for queens 8; use one of: symmetry, rotations, none',
    ),
    ("solve queens 8 --format xml", 'unknown format "xml"; known: rows, compact, board, csv, jsonl, digits'),
    (
        "solve queens 62 --format compact",
        "compact has symbols for 61 values, but queens 62 has 62; use --format rows",
    ),
    (
        "solve queens 8 --engine queens-join",
        "engine queens-join counts without listing; to list, use one of: queens-bitmap",
    ),
    (
        "verify queens 8 rows.csv",
        'queens: "rows.csv" is one word too many; usage: queens N; if rows.csv has the solutions, write --from',
    ),
    ("verify queens 8 --from /nowhere", "invalid value for '--from': '/nowhere': No such file or directory"),
    ("info quens", 'unknown puzzle "quens"; did you mean "queens"?'),
    ("methods quens 4", 'there are no methods for "quens"; did you mean "queens"?'),
    ("methods queens", "methods: the sizes are missing; try: rekkyo methods queens 4..10"),
    ("methods queens 9..4", 'sizes are a whole number or a range such as 4..10, from 1 to 64, not "9..4"'),
    ("methods queens 0", 'sizes are a whole number or a range such as 4..10, from 1 to 64, not "0"'),
    (
        f"methods queens {'9' * 99}",
        f'sizes are a whole number or a range such as 4..10, from 1 to 64, not "{"9" * 27}..."',
    ),
    ("help conut", 'there is no command "conut"; did you mean "count"?'),
    ("help --json", "no such option '--json'"),
    ("solve queens 8 -o rows.txt", 'no option "-o"; known: '),
    ("count queens -5", 'queens: N must be a whole number from 1 to 64, not "-5"'),
    ("conut queens 8", 'there is no command "conut"; did you mean "count"?'),
    *(
        (f"{command} {LONG_PATH}", f"{LONG_PATH[:27]}... names no file: the name is too long")
        for command in ("verify", "count", "status", "draw", "export --to csv")
    ),
]


@pytest.mark.parametrize(("words", "complaint"), BAD_INPUT)
def test_bad_input_is_one_line_and_exit_code_2(words: str, complaint: str) -> None:
    done = rekkyo(*words.split(), given="", ok=False)
    assert done.stdout == ""
    assert done.stderr.startswith(f"rekkyo: {complaint}")
    assert done.stderr.count("\n") == 1
    assert done.returncode == 2


def test_an_empty_word_is_not_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As from a variable of the shell that is not set."""
    rekkyo("run", "queens", "4", "--out", str(tmp_path / "run"))
    monkeypatch.chdir(tmp_path / "run")
    done = rekkyo("sample", "", ok=False)
    assert (done.stdout, done.returncode) == ("", 2)
    assert done.stderr.startswith('rekkyo: unknown puzzle ""; known: queens, ')


def test_a_file_whose_name_begins_with_a_hyphen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "-x.toml").write_text('kind = "queens"\nboard = "....\\n....\\n....\\n...."\n')
    monkeypatch.chdir(tmp_path)
    done = rekkyo("count", "-x.toml", ok=False)
    assert (
        done.stderr == "rekkyo: a file whose name begins with a hyphen is named with its folder: ./-x.toml\n"
    )
    assert done.returncode == 2
    assert rekkyo("count", "./-x.toml").stdout.startswith("total 2, ")


class TestStreams:
    """The shell may close any of the three."""

    @pytest.mark.parametrize(
        ("words", "output", "exit_code"),
        [
            ("verify queens 6 <&-", "0 solutions checked: there was nothing to check\n", 1),
            ("methods <&-", "", 2),
        ],
    )
    def test_closed_and_full_streams(self, words: str, output: str, exit_code: int) -> None:
        command = " ".join([*REKKYO, words])
        done = subprocess.run(
            command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60
        )
        assert (done.stdout, done.returncode) == (output, exit_code)
        assert "Traceback" not in done.stderr


def test_without_a_command_there_is_help() -> None:
    assert rekkyo().stdout.startswith("Usage: ")


@pytest.mark.parametrize(
    ("words", "same"),
    [("help", "--help"), ("help count", "count --help"), ("help help", "--help"), ("help new", "new -h")],
)
def test_help_of_a_command(words: str, same: str) -> None:
    assert rekkyo(*words.split()).stdout == rekkyo(*same.split()).stdout


def test_help_needs_no_compiler() -> None:
    code = "import sys; sys.argv = ['rekkyo', '--help']\nimport rekkyo.cli.main as m\ntry: m.main()\nexcept SystemExit: pass\n"
    code += "print(sorted({'numba', 'numpy', 'rich'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.endswith("[]\n")
