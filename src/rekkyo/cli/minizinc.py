"""`rekkyo minizinc`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rekkyo.cli.options import FileOrFolder, rekkyo
from rekkyo.cli.streams import file_bytes


@rekkyo.command("minizinc", short_help="Install rekkyo as a solver of MiniZinc.")
@click.argument("folder", required=False, metavar="[FOLDER]", type=FileOrFolder(file_okay=False))
def minizinc_command(folder: Path | None) -> None:
    """Write the configuration file with which MiniZinc finds rekkyo, and print its name.

    FOLDER: a folder where MiniZinc looks for solvers; by default the one in your home that
    `minizinc --config-dirs` names. With another folder, give minizinc the file itself.

    \b
    rekkyo minizinc
    minizinc --solver rekkyo -a model.mzn
    """
    from rekkyo.export.flatzinc.solver_file import FILE_NAME, PROGRAM, solver_text
    from rekkyo.programs import installed_program
    from rekkyo.safe_files import replaced_file

    folder = folder or Path.home() / ".minizinc" / "solvers"
    beside = Path(sys.executable).parent / PROGRAM
    program = str(beside) if beside.exists() else installed_program(PROGRAM) or PROGRAM
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE_NAME
    with replaced_file(path) as file:
        file.write(file_bytes(solver_text(program)))
    click.echo(str(path))
