"""The command line as a program: what it prints where, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from rekkyo.cli.progress import CHECK, ESTIMATE, Interrupted, describe, progress_bar
from rekkyo.search.progress import Progress
from tests import programs
from tests.programs import REKKYO, Program, in_shell, run


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

    def test_binary_junk(self, tmp_path: Path) -> None:
        path = tmp_path / "junk"
        path.write_bytes(bytes(range(256)) * 4)
        done = rekkyo("verify", "queens", "5", "--from", str(path), ok=False)
        assert done.returncode == 1
        assert done.stderr == ""


class TestCatalog:
    def test_list(self) -> None:
        assert re.search(r"^queens N +n queens on an n x n board", rekkyo("list").stdout)
        assert json.loads(rekkyo("list", "--json").stdout)["puzzles"][0]["name"] == "queens"

    def test_info_of_a_puzzle(self) -> None:
        text = rekkyo("info", "queens", "8").stdout
        assert "symmetry: a group of order 8" in text
        assert "published: total 92, unique 12 (OEIS A000170, A002562)" in text
        facts = json.loads(rekkyo("info", "queens", "8", "--toroidal", "--json").stdout)
        assert facts["symmetry_order"] == 512
        refusals = {engine["name"]: engine["refusal"] for engine in facts["engines"]}
        assert refusals["queens-bitmap"] is None
        assert "not the torus" in refusals["queens-join"]

    def test_info_of_a_family(self) -> None:
        assert "--blocked ROW,COLUMN" in rekkyo("info", "queens").stdout
        assert json.loads(rekkyo("info", "queens", "--json").stdout)["usage"] == "queens N"


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


LONG_PATH = "d/" * 2047 + "ee"
"""Of 4,096 bytes, one more than Linux takes."""

BAD_INPUT = [
    ("count queens 0", 'queens: N must be a whole number from 1 to 64, not "0"'),
    ("count queens -3", 'queens: N must be a whole number from 1 to 64, not "-3"'),
    ("count queens 1e9", 'queens: N must be a whole number from 1 to 64, not "1e9"'),
    ("count queens eight", 'queens: N must be a whole number from 1 to 64, not "eight"'),
    ("count queens", "queens: N is missing (the size of the board); usage: queens N"),
    ("count", "no puzzle is named; try: rekkyo list"),
    ("count quens 8", 'unknown puzzle "quens"; did you mean "queens"?'),
    (
        "count queens 8 --blocked 8,8",
        "queens: blocked square 8,8 is off the 8x8 board; rows and columns go from 0 to 7",
    ),
    (
        "count queens 8 --engine nope",
        'unknown engine "nope"; known: queens-join, queens-bitmap, queens-cover, cover-frontier, ',
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
    ("count queens 8 --workers 0", "the number of workers must be 1 to 1024, not 0"),
    ("count queens 8 --workers two", "Invalid value for '--workers': 'two' is not a valid integer."),
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
    ("verify queens 8 --from /nowhere", "Invalid value for '--from': '/nowhere': No such file or directory"),
    ("info quens", 'unknown puzzle "quens"; did you mean "queens"?'),
    ("methods quens 4", 'there are no methods for "quens"; did you mean "queens"?'),
    ("methods queens", "methods: the sizes are missing; try: rekkyo methods queens 4..10"),
    ("methods queens 9..4", 'sizes are a whole number or a range such as 4..10, from 1 to 64, not "9..4"'),
    ("methods queens 0", 'sizes are a whole number or a range such as 4..10, from 1 to 64, not "0"'),
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


def test_a_file_whose_name_begins_with_a_hyphen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "-x.toml").write_text('kind = "queens"\nboard = "....\\n....\\n....\\n...."\n')
    monkeypatch.chdir(tmp_path)
    done = rekkyo("count", "-x.toml", ok=False)
    assert (
        done.stderr == "rekkyo: a file whose name begins with a hyphen is named with its folder: ./-x.toml\n"
    )
    assert done.returncode == 2
    assert rekkyo("count", "./-x.toml").stdout.startswith("total 2, ")


class TestProgress:
    SHOW_AT_ONCE = (
        "import rekkyo.cli.progress as progress; progress.SHOW_AFTER_S = 0.0\n"
        "from rekkyo.cli.main import main; main()"
    )

    COUNT = ("count", "queens", "14", "--engine", "queens-bitmap", "--workers", "1")
    COLORS = re.compile(r"\x1b\[[0-9;]*3[0-9]")

    def test_a_bar_with_a_range_for_long_work(self) -> None:
        screen = in_terminal([sys.executable, "-c", self.SHOW_AT_ONCE, *self.COUNT])
        assert "queens 14: " in screen
        assert "getting ready" in screen
        assert "found" in screen
        assert " left" in screen
        assert "total 365596" in screen
        assert self.COLORS.search(screen)

    def test_no_color(self) -> None:
        screen = in_terminal([sys.executable, "-c", self.SHOW_AT_ONCE, *self.COUNT], NO_COLOR="1")
        assert "found" in screen
        assert not self.COLORS.search(screen)

    def test_no_bar_without_a_terminal(self) -> None:
        done = run([sys.executable, "-c", self.SHOW_AT_ONCE, "count", "queens", "12"])
        assert done.stdout == "total 14200, unique 1787 up to rotation and reflection\n"
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize("n_columns", [40, 60, 80, 200])
    def test_the_bar_fits_its_terminal(self, n_columns: int) -> None:
        """A line that is too long would be broken, and each picture of the bar would leave a line behind."""
        from rekkyo.search.progress import Progress as Seen

        code = (
            "import rekkyo.cli.progress as p; p.SHOW_AFTER_S = 0.0\n"
            "from rekkyo.search.progress import Progress\n"
            "with p.progress_bar('a-puzzle-with-a-name-that-is-much-too-long-for-a-line 1 2 3') as watch:\n"
            f"    watch({Seen(123456789, 10**12, 300, 812, 3000.0, (1e5, 2e5))!r})\n"
            "    import time; time.sleep(0.4)\n"
        )
        screen = in_terminal([sys.executable, "-c", code], COLUMNS=str(n_columns))
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen).replace("\n", "\r").split("\r")
        assert max(map(len, lines)) <= n_columns
        assert any("50 min" in line for line in lines)
        assert any("a-" in line for line in lines)
        assert any("123,456,789 found" in line for line in lines) or n_columns < 80

    @pytest.mark.parametrize(
        ("expected", "said"),
        [
            ((12.94e6, 13.06e6), "12.9 to 13.1 million expected in total"),
            ((12.96e6, 13.04e6), "13 million expected in total"),
            ((80.0, 112.0), "80 to 112 expected in total"),
            ((950.0, 1900.0), "0.95 to 1.9 thousand expected in total"),
            (None, "left"),
        ],
    )
    def test_what_is_expected_in_all(self, expected: tuple[float, float] | None, said: str) -> None:
        seen = Progress(64, 99, 8, 812, 65.0, (1.0, 2.0), expected=expected)
        assert describe(seen).endswith(said)

    def test_what_is_said_at_an_interruption(self) -> None:
        with pytest.raises(Interrupted) as seen, progress_bar("queens 8") as watch:
            watch(Progress(1234, 99, 3, 812, 65.0, None))
            raise KeyboardInterrupt
        message = (
            "interrupted after 65 s, 1,234 found so far, which is not a total: 3 of 812 shards were done"
        )
        assert seen.value.format_message() == message

    @pytest.mark.parametrize(
        ("result", "shown", "said"),
        [
            (
                CHECK,
                "1,234 rows checked, 19/s",
                "1,234 rows checked so far, which is not a check of all rows: 3 of",
            ),
            (ESTIMATE, "1,234 found, 19/s", "before there was an estimate"),
        ],
    )
    def test_what_comes_to_no_total_is_not_called_one(self, result: str, shown: str, said: str) -> None:
        """`verify`, `repair` and `estimate` spoke of solutions that were found, and of a total."""
        progress = Progress(1234, 99, 3, 812, 65.0, None)
        assert f"65 s, {shown}, time left" in describe(progress, result)
        with pytest.raises(Interrupted) as seen, progress_bar("runs/q8", result=result) as watch:
            watch(progress)
            raise KeyboardInterrupt
        assert seen.value.format_message().startswith(f"interrupted after 65 s, {said}")

    def test_what_is_said_before_the_optimum_is_proved(self) -> None:
        stage = "best value so far 7, looking for a better one"
        with pytest.raises(Interrupted) as seen, progress_bar("queens 8") as watch:
            watch(Progress(0, 99, 0, 0, 65.0, None, stage))
            raise KeyboardInterrupt
        message = f"interrupted after 65 s, before there was a total: {stage}"
        assert seen.value.format_message() == message


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


def test_help_needs_no_compiler() -> None:
    code = "import sys; sys.argv = ['rekkyo', '--help']\nimport rekkyo.cli.main as m\ntry: m.main()\nexcept SystemExit: pass\n"
    code += "print(sorted({'numba', 'numpy', 'rich'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.endswith("[]\n")


def in_terminal(command: list[str], typed: str = "", without: str = "", **variables: str) -> str:
    """What a person would see: the program runs with a terminal for all its streams.

    without: a variable that its environment does not have. variables: what it has besides.
    """
    environment = os.environ | {"TERM": "xterm"} | variables
    environment.pop(without, None)
    screen = bytearray()
    terminal, streams = pty.openpty()
    os.write(terminal, typed.encode())
    with Program(command, stdin=streams, stdout=streams, stderr=streams, env=environment):
        os.close(streams)
        with suppress(OSError):  # on Linux the end is an error
            while piece := os.read(terminal, 4096):
                screen += piece
    os.close(terminal)
    return screen.decode(errors="replace").replace("\r\n", "\n")
