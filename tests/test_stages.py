"""Plain `pytest` leaves some tests out. Each of them has a command that runs it, and the README's test command runs both stages."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml

from tests.pages import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
JUSTFILE = (ROOT / "justfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETTINGS = PROJECT["tool"]["pytest"]["ini_options"]
LEFT_OUT = re.findall(r"\bnot (\w+)", SETTINGS["addopts"])


def test_the_test_command_runs_both_stages() -> None:
    (command,) = re.findall(r"<!-- test command -->\n```sh\n(.*)\n```", README)
    assert command.endswith(" && just check && just second")


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
