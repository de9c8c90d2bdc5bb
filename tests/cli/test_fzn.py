"""The program that MiniZinc starts, and the file that tells MiniZinc about it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rekkyo.cli.fzn import fzn_command
from tests.cli.test_commands import rekkyo
from tests.programs import run

DATA = Path(__file__).parents[1] / "data" / "flatzinc"
SLOW = "".join(f"var 1..30: x{k} :: output_var;\n" for k in range(30)) + (
    f"constraint fzn_all_different_int([{','.join(f'x{k}' for k in range(30))}]);\n"
    f"constraint int_lin_eq([{','.join('1' * 30)}],[{','.join(f'x{k}' for k in range(30))}],464);\n"
    "solve satisfy;\n"
)


def fzn(*words: str) -> Result:
    done = CliRunner().invoke(fzn_command, words, catch_exceptions=False)
    assert done.exit_code == 0
    return done


def program(*words: str, first: str = "") -> subprocess.CompletedProcess[str]:
    code = f"{first}\nfrom rekkyo.cli.fzn import start; start()"
    return run([sys.executable, "-c", code, *words])


def test_one_some_and_all_solutions() -> None:
    path = str(DATA / "queens.fzn")
    one = fzn(path).stdout
    assert one == "column = array1d(1..6, [2, 4, 6, 1, 3, 5]);\n----------\n"
    assert fzn("-n", "2", path).stdout.count("----------\n") == 2
    every = fzn("-a", "-p", "1", path).stdout
    assert every.startswith(one)
    assert every.count("----------\n") == 4
    assert every.endswith("----------\n==========\n")
    assert fzn("-n", "5", path).stdout == every


def test_truths_constants_and_arrays_of_two_dimensions(tmp_path: Path) -> None:
    path = tmp_path / "shown.fzn"
    path.write_text(
        """var bool: b :: output_var;
var 2..3: x :: output_var;
array [1..4] of var int: g :: output_array([0..1,1..2]) = [x,7,x,-1];
array [1..2] of var bool: t :: output_array([1..2]) = [b,false];
constraint int_eq_reif(x,2,b);
solve maximize x;
"""
    )
    shown = (
        "b = false;\nx = 3;\ng = array2d(0..1, 1..2, [3, 7, 3, -1]);\nt = array1d(1..2, [false, false]);\n"
    )
    assert fzn(str(path)).stdout == f"{shown}----------\n==========\n"


def test_statistics() -> None:
    lines = fzn("-a", "-s", str(DATA / "ruler.fzn")).stdout.splitlines()
    assert lines.count("----------") == 2
    assert lines[-4:-2] == ["==========", "%%%mzn-stat: solutions=2"]
    assert lines[-1] == "%%%mzn-stat-end"


def test_no_solution(tmp_path: Path) -> None:
    path = tmp_path / "none.fzn"
    path.write_text("var 1..3: x :: output_var;\nconstraint int_lt(x,x);\nsolve satisfy;\n")
    assert fzn("-a", str(path)).stdout == "=====UNSATISFIABLE=====\n"


SLOW_TO_START = """
import threading, time

start_timer = threading.Timer.start

def start_late(timer):
    start_timer(timer)
    while threading.current_thread() is threading.main_thread():
        time.sleep(0.01)

threading.Timer.start = start_late
"""

IGNORING = """
import time
from rekkyo.cli import fzn

class Ignoring:
    def __del__(self):
        while True:
            time.sleep(0.01)

write = fzn._Listing.write

def write_later(listing):
    Ignoring()  # what is raised in a destructor is ignored
    return write(listing)

fzn._Listing.write = write_later
"""

WITHOUT_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""As in the background of a script."""


@pytest.mark.parametrize(
    ("limit_ms", "first"),
    [
        pytest.param(500, "", id="in the search"),
        pytest.param(500, WITHOUT_CTRL_C, id="in the background"),
        pytest.param(1, SLOW_TO_START, id="before the search begins"),
        pytest.param(500, IGNORING, id="where an interruption is ignored"),
    ],
)
def test_time_that_is_over(limit_ms: int, first: str, tmp_path: Path) -> None:
    path = tmp_path / "slow.fzn"
    path.write_text(SLOW)
    done = program("-t", str(limit_ms), str(path), first=first)
    assert (done.stdout, done.stderr, done.returncode) == ("=====UNKNOWN=====\n", "", 0)


CTRL_C = """
import os, signal
from rekkyo.cli import fzn

{place} = lambda *_: os.kill(os.getpid(), signal.SIGINT)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C to all programs of a terminal")
@pytest.mark.usefixtures("signals_as_in_a_terminal")
@pytest.mark.parametrize(
    ("place", "exit_code", "written", "said"),
    [
        pytest.param("fzn._Listing.write", 0, "=====UNKNOWN=====\n", "", id="in the search"),
        pytest.param("fzn._Listing.__init__", 130, "", "rekkyo: interrupted", id="before the search"),
        pytest.param("fzn.streams.make_usable", 130, "", "rekkyo: interrupted", id="before the command"),
    ],
)
def test_ctrl_c(place: str, exit_code: int, written: str, said: str) -> None:
    done = program(str(DATA / "queens.fzn"), first=CTRL_C.format(place=place))
    assert (done.returncode, done.stdout, done.stderr.strip()) == (exit_code, written, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("solve satisfy", "bad.fzn:1:14: the end of the text stands"),
        ("var float: x;", "bad.fzn:1:5: numbers with a point"),
    ],
)
def test_what_cannot_be_read(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.fzn"
    path.write_text(text)
    done = program(str(path))
    assert (done.stdout, done.returncode) == ("=====ERROR=====\n", 2)
    assert done.stderr.startswith(f"rekkyo: {said}")
    assert len(done.stderr.splitlines()) == 1


def test_a_lack_of_memory_is_one_line() -> None:
    first = """
from rekkyo.cli import fzn

def write(listing):
    raise MemoryError

fzn._Listing.write = write
"""
    done = program(str(DATA / "queens.fzn"), first=first)
    assert (done.stdout, done.returncode) == ("=====ERROR=====\n", 3)
    assert done.stderr.startswith("rekkyo: there is not enough memory")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev/full")
@pytest.mark.parametrize(
    ("output", "said"), [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")]
)
def test_an_output_that_cannot_be_written_is_one_line(output: str, said: str) -> None:
    program = f'{sys.executable} -c "from rekkyo.cli.fzn import start; start()"'
    command = f"{program} -a {DATA / 'queens.fzn'} {output}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (3, f"rekkyo: standard output cannot be written: {said}\n")


def test_the_file_for_minizinc(tmp_path: Path) -> None:
    folder = tmp_path / "solvers"
    done = rekkyo("minizinc", str(folder))
    assert done.stdout == f"{folder / 'rekkyo.msc'}\n"
    facts = json.loads((folder / "rekkyo.msc").read_text())
    assert facts["id"] == "org.rekkyo.rekkyo"
    assert (Path(facts["mznlib"]) / "fzn_all_different_int.mzn").is_file()
    assert Path(facts["executable"]).name == "fzn-rekkyo"


def test_the_file_for_minizinc_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "rekkyo.msc").symlink_to("victim")
    rekkyo("minizinc", str(tmp_path), ok=True)
    assert (tmp_path / "victim").read_text() == "precious"
    assert json.loads((tmp_path / "rekkyo.msc").read_text())["id"] == "org.rekkyo.rekkyo"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("mine.fzn", "mine.fzn:1:5"),
        ("mznfile12.fzn", "the model, flattened, line 1 of its FlatZinc, `var float: x;`"),
    ],
)
def test_a_temporary_file_of_minizinc_is_not_named(name: str, place: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("var float: x;\nsolve satisfy;\n")
    assert program(str(path)).stderr.startswith(f"rekkyo: {place}: numbers with a point are not searched")
