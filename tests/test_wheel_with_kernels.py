"""A wheel with kernels, built, installed and asked: no first command compiles anything. Takes minutes to build."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from rekkyo.kernel_levels import features_here, levels_of
from rekkyo.warm.record import RECORD_SUFFIX
from tests.benchmark_modules import benchmark_module
from tests.pages import ROOT

pytestmark = pytest.mark.wheel

COLD_START = benchmark_module("cold_start/__main__.py")
LEVELS = [level for level in levels_of(os.uname().machine) if level.needs <= features_here()]
MORE_COMMANDS = (
    "solve queens 6 --limit 1",
    "solve dominoes 8 8 --limit 1",
    "solve polyominoes 4 4 5 --any-number --limit 1",
    "stats dominoes 4 4",
    "run queens 6 --out {run}",
    "verify {run}",
    "recount {run}",
    "export {run} --to csv",
    "orbits hip 4",
    "draw queens 6 --solution 0",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    code = "import sys; from hatchling import build; build.build_wheel(sys.argv[1])"
    names = ",".join(level.name for level in LEVELS)
    subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=ROOT,
        env=os.environ | {"REKKYO_BUILD_KERNELS": names},
        check=True,
    )
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel, and with what this one has besides it."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    interpreter = folder / "bin" / "python"
    options = ["--no-index", "--no-deps", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter), "install", *options, str(wheel)]
    subprocess.run(pip, check=True, cwd=folder)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    others = folder / "lib" / version / "site-packages" / "others.pth"
    # A line with a path: files of the same kind over there, such as that of a link to the sources, are not read.
    others.write_text(f"{sysconfig.get_path('purelib')}\n")
    return interpreter


def told(python: Path, cache: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"REKKYO_CACHE_DIR": str(cache), "REKKYO_QUIET": ""} | settings
    command = [str(python), "-P", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=cache.parent)
    assert done.returncode == 0, done.stderr
    return done


def test_the_wheel_is_for_this_python_and_platform(wheel: Path) -> None:
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.split("-")[2:4] == [tag, tag]
    assert not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        kernels = [name for name in archive.namelist() if name.endswith(".kernel")]
        records = [name for name in archive.namelist() if name.endswith(RECORD_SUFFIX)]
    assert {name.split("/")[2] for name in kernels} == {level.name for level in LEVELS}
    assert sorted(name.split("/")[2] for name in records) == sorted(level.name for level in LEVELS)


def test_warm_finds_the_record_of_the_wheel(python: Path, tmp_path: Path) -> None:
    code = "from rekkyo.warm.record import recorded; print(sum(job.n_shipped for job in recorded()) > 100)"
    assert told(python, tmp_path / "cache", "-c", code).stdout == "True\n"


@pytest.mark.parametrize("line", COLD_START.COMMANDS)
def test_no_first_command_compiles(line: str, python: Path, tmp_path: Path) -> None:
    done = told(python, tmp_path / "cache", "-m", "rekkyo", *COLD_START.words_of(line))
    assert "compiled" not in done.stderr + done.stdout.replace("compiled before", "")
    assert not list((tmp_path / "cache").rglob("*.kernel"))


def test_no_other_command_does(python: Path, tmp_path: Path) -> None:
    for line in MORE_COMMANDS:
        words = line.format(run=tmp_path / "run").split()
        assert "compiled" not in told(python, tmp_path / "cache", "-m", "rekkyo", *words).stderr, line


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("queens 8", 92),
        ("queens 12 --engine queens-join", 14200),
        ("hip 6", 24),
        ("langford 8", 300),
        ("dominoes 8 8", 12988816),
        ("magic-square 4", 7040),
        ("soma", 11520),
    ],
)
def test_every_level_counts_right(
    level: object, words: str, total: int, python: Path, tmp_path: Path
) -> None:
    settings = {"NUMBA_CPU_NAME": level.cpu, "NUMBA_CPU_FEATURES": level.features}
    done = told(python, tmp_path / "cache", "-m", "rekkyo", "count", *words.split(), "--json", **settings)
    assert json.loads(done.stdout)["total"] == total
    assert "compiled" not in done.stderr
