"""An environment with rekkyo and the peers, for benchmarks against other people's solvers."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import venv
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def add_options(parser: argparse.ArgumentParser) -> None:
    """`--env` and `--no-install`."""
    parser.add_argument(
        "--env", type=Path, default=ROOT / ".benchmarks-env", help="folder of the environment"
    )
    parser.add_argument("--no-install", action="store_true", help="the environment is ready")


def python_of(arguments: argparse.Namespace) -> Path:
    """The program that runs Python in the environment."""
    return Path(arguments.env.absolute() / "bin" / "python")


def run_inside(
    script: Path, arguments: argparse.Namespace, packages: Sequence[str], optional: Sequence[str] = ()
) -> int | None:
    """Run the script again in the environment, which is made first; None where we are inside already.

    optional: packages without which it runs as well.
    """
    python = python_of(arguments)
    if not arguments.no_install:
        _install(arguments.env, python, packages)
        for package in optional:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", package], check=False)
    if Path(sys.executable).absolute() == python:
        if find_spec("rekkyo") is None:
            sys.exit(f"{python} has no rekkyo; leave out --no-install")
        return None
    more = [*sys.argv[1:], *([] if arguments.no_install else ["--no-install"])]
    return subprocess.run([str(python), str(script), *more], check=False).returncode


def answer_of(command: Sequence[str], **surroundings: str) -> dict[str, Any]:
    """The JSON that a solver alone in a process says in its last line, or how it ended without.

    surroundings: more environment variables. One thread, or Graphillion's idle threads spin: 0.002 to 1.5 CPU
    seconds for the same 0.001.
    """
    alone = {**os.environ, "OMP_NUM_THREADS": "1", **surroundings}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=alone)
    if done.returncode == 0:
        return dict(json.loads(done.stdout.splitlines()[-1]))
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"over_limit": True}
    print(done.stderr, file=sys.stderr)
    return {"failed": (done.stderr.strip().splitlines() or ["?"])[-1]}


def _install(folder: Path, python: Path, packages: Sequence[str]) -> None:
    if not python.exists():
        venv.create(folder, with_pip=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "-e", str(ROOT), *packages], check=True)
