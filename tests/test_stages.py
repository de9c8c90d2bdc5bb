"""Plain `pytest` leaves some tests out. Each of them has a command that runs it, and the README's test command runs both stages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.marked_files import markers_in, wanted_marker
from tests.on_windows import SOURCES, modules_that_differ
from tests.pages import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
JUSTFILE = (ROOT / "justfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETTINGS = PROJECT["tool"]["pytest"]["ini_options"]
RECIPES = dict(re.findall(r"^([\w-]+):\n    (.*)\n", JUSTFILE, re.MULTILINE))
FOLDERS = dict(re.findall(r'^(\w+) := "(tests/[^"]*)"$', JUSTFILE, re.MULTILINE))
LEFT_OUT = re.findall(r"\bnot (\w+)", SETTINGS["addopts"])


def test_the_test_command_runs_both_stages() -> None:
    (command,) = re.findall(r"<!-- test command -->\n```sh\n(.*)\n```", README)
    assert command.endswith(" && just check && just second")


def test_the_gate_runs_every_part_and_every_folder_once() -> None:
    (listed,) = re.findall(r"printf '%s\\n' (.*) \| xargs", JUSTFILE)
    parts = {name: RECIPES[name] for name in listed.split()}
    assert {name: parts.pop(name) for name in FOLDERS} == {
        name: f"pytest -q {{{{{name}}}}}" for name in FOLDERS
    }
    assert parts == {
        "bounds": "NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 pytest -q -m kernel",
        "uncompiled": "NUMBA_DISABLE_JIT=1 pytest -q -m kernel",
        "others": f"""pytest -q {{{{prepend("--ignore=", {' + " " + '.join(FOLDERS)})}}}}""",
        "types": "python -m tests.types_checked",
        "types-windows": "python -m tests.types_checked --platform win32 --cache-dir .mypy_cache/win32"
        " --follow-imports silent $(python -m tests.on_windows)",
    }
    folders = " ".join(FOLDERS.values()).split()
    assert len(folders) == len({*folders})
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_what_depends_on_the_platform_is_checked_as_on_windows() -> None:
    names = {path.relative_to(SOURCES).as_posix() for path in modules_that_differ()}
    assert {"rekkyo/store/lock.py", "rekkyo/kernel_cache.py", "rekkyo/cli/signals.py"} < names
    asking = (path for path in SOURCES.rglob("*.py") if "sys.platform" in path.read_text(encoding="utf-8"))
    assert {path.relative_to(SOURCES).as_posix() for path in asking} <= names


def test_every_marker_is_left_out_but_that_of_kernels() -> None:
    assert {*LEFT_OUT, "kernel"} == {marker.split(":")[0] for marker in SETTINGS["markers"]}


@pytest.mark.parametrize("marker", LEFT_OUT)
def test_what_is_left_out_has_a_command(marker: str) -> None:
    assert re.search(rf'pytest [^\n`]*-m "?{marker}\b', JUSTFILE + README)


def test_the_public_workflow_runs_the_stages_on_every_python_that_the_package_names() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "check.yml").read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    matrix = job["strategy"]["matrix"]
    pythons = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    (command,) = re.findall(r"<!-- test command -->\n```sh\n(.*)\n```", README)
    assert matrix["python"] == pythons
    assert [f"just {stage}" for stage in matrix["stage"]] == re.findall(r"just \w+", command)
    steps = [step["run"] for step in job["steps"] if "run" in step]
    assert steps == ["pip install -e '.[test]'", "just ${{ matrix.stage }}"]
    assert steps[0] in command


@pytest.mark.parametrize(
    ("expression", "marker"),
    [
        ("kernel", "kernel"),
        ("second and not long", "second"),
        (SETTINGS["addopts"].split("'")[1], None),
        ("kernel or second", None),
        ("kernel and (second or long)", None),
        ("(kernel)", None),
        ("", None),
    ],
)
def test_files_are_left_out_only_for_a_marker_that_all_selected_tests_have(
    expression: str, marker: str | None
) -> None:
    assert wanted_marker(expression) == marker


def test_markers_of_inherited_tests_are_found(tmp_path: Path) -> None:
    """Whether any is overlooked is checked in `conftest.py`, whenever all tests are collected."""
    inherits = tmp_path / "test_a.py"
    inherits.write_text("from tests.engines.listing_contract import ListingContract\n", encoding="utf-8")
    assert "kernel" in markers_in(inherits)
    inherits_nothing = tmp_path / "test_b.py"
    inherits_nothing.write_text("from tests import naive\npytestmark = pytest.mark.wheel\n", encoding="utf-8")
    assert markers_in(inherits_nothing) == {"wheel"}
