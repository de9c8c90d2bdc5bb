"""`rekkyo draw`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rekkyo.cli import completion, options
from rekkyo.cli.streams import file_bytes, note, write_file_text
from rekkyo.errors import BadInput
from rekkyo.wording import several

if TYPE_CHECKING:
    from rekkyo.model.puzzle import Puzzle
    from rekkyo.model.row import Row

MAX_SHEET = 64
PRINTED = 4, 5
"""The number of solutions on a printed page, across and down."""


@options.puzzle_command("draw", "Draw solutions, the puzzle or the search: SVG, PNG, PDF, a page.")
@options.out_option("A .svg, .png, .pdf or .html file.")
@click.option(
    "--solution",
    type=int,
    metavar="K",
    help="Draw solution K, from 0, in the order of `solve` or of the run.",
)
@click.option(
    "--sheet",
    "sheet_size",
    metavar="6x4",
    help="A contact sheet of ACROSS by DOWN solutions, from solution K on.",
)
@click.option(
    "--search",
    is_flag=True,
    help="Draw the search tree: nodes by depth, for each method, and for engines as far as they show them.",
)
@click.option(
    "--ladder",
    is_flag=True,
    help="Draw the time and nodes of the methods of the ladder, up to this size.",
)
@click.option("--animate", is_flag=True, help="A page that plays the search step by step.")
@click.option(
    "--print",
    is_flag=True,
    help="A PDF to print: the board and its pieces, the pieces to cut out, and a page of solutions.",
)
@click.option(
    "--theme",
    default="auto",
    show_default=True,
    shell_complete=completion.one_of("rekkyo.render.svg.style", "THEMES"),
    help="auto, light or dark.",
)
@click.option("--width", type=int, metavar="PIXELS", help="How wide a PNG is.")
@options.up_to_option(default="none")
def draw_command(
    words: tuple[str, ...],
    out: Path | None,
    solution: int | None,
    sheet_size: str | None,
    theme: str,
    width: int | None,
    up_to: str,
    **instead: bool,
) -> None:
    """Draw a solution, a sheet of many, the puzzle itself, or the search. A run may be given instead of a
    puzzle.

    Without a file, SVG (or the page) goes to standard output.

    \b
    rekkyo draw pentominoes 6 10 --solution 0 -o first.svg
    rekkyo draw runs/q12 --sheet 6x4 -o sheet.png
    rekkyo draw queens 8 --search -o tree.svg
    rekkyo draw queens 10 --ladder -o ladder.svg
    rekkyo draw queens 5 --animate -o search.html
    rekkyo draw soma --print -o soma.pdf
    """
    from rekkyo.render.png import check_width
    from rekkyo.render.svg.style import check_theme
    from rekkyo.store.output_file import file_to_write

    what = _only_one(instead)
    _check_choices(out, what, solution, sheet_size, width)
    check_width(width)
    check_theme(theme)
    if out is not None and out.suffix.lower() == ".pdf" and theme == "auto":
        theme = "light"  # paper is white
    if out is not None:
        file_to_write(out, inputs=words)
    puzzle, run = options.read_puzzle_or_run(words, up_to)
    if what == "print":
        assert out is not None
        _print(puzzle, run, out, up_to)
        return
    if what is not None:
        text = {"search": _search, "ladder": _ladder, "animate": _page}[what](puzzle, theme)
    else:
        text = _solutions(puzzle, run, solution, sheet_size, theme, up_to)
    _write(text, out, width)


def _only_one(instead: dict[str, bool]) -> str | None:
    """What is drawn instead of solutions or the puzzle. Raises BadInput if several things are."""
    given = [name for name, is_given in instead.items() if is_given]
    if len(given) > 1:
        raise BadInput(f"draw: --{given[0]} and --{given[1]} exclude each other; give one of them")
    return given[0] if given else None


def _check_choices(
    out: Path | None, what: str | None, solution: int | None, sheet_size: str | None, width: int | None
) -> None:
    if what is not None and (solution is not None or sheet_size is not None):
        raise BadInput(f"draw: --{what} draws no solution; leave out --solution and --sheet")
    if what in ("animate", "print"):
        options.refuse_given(f"draw: --{what} has colours of its own", "which is for pictures", "theme")
    if what != "print" and solution is None and sheet_size is None:
        picture = f"--{what}" if what else "draw without --solution or --sheet"
        options.refuse_given(f"{picture} draws no solution", "which is for solutions", "up_to")
    suffix = ".svg" if out is None else out.suffix.lower()
    wanted = {"animate": (".html",), "print": (".pdf",)}.get(what or "", (".svg", ".png", ".pdf"))
    if what == "print" and out is None:
        raise BadInput("draw: --print writes a PDF; name it with -o")
    if suffix not in wanted and not (what == "animate" and out is None):
        raise BadInput(
            f"draw: {out} must end in {', '.join(wanted[:-1])}{' or ' * (len(wanted) > 1)}{wanted[-1]}"
        )
    if width is not None and suffix != ".png":
        raise BadInput("draw: --width is for PNG; an SVG has any width")


def _solutions(
    puzzle: Puzzle, run: Path | None, solution: int | None, sheet_size: str | None, theme: str, up_to: str
) -> str:
    from rekkyo.render.svg.drawing import sheet, svg

    if solution is None and sheet_size is None:
        return svg(puzzle, theme=theme)
    across, down = _read_sheet(sheet_size)
    start = solution or 0
    rows, total = _rows(puzzle, run, start, across * down, up_to)
    if sheet_size is None:
        return svg(puzzle, rows[0], theme=theme)
    return sheet(puzzle, rows, columns=across, theme=theme, first=start, total=total)


def _rows(
    puzzle: Puzzle, run: Path | None, start: int, n_rows: int, up_to: str
) -> tuple[list[Row], int | None]:
    """Solutions to draw, and their total number if it is known."""
    from rekkyo.runs.sources import rows_of_puzzle, rows_of_run

    if run is not None:
        return rows_of_run(puzzle, run, start, n_rows)
    rows = rows_of_puzzle(puzzle, start, n_rows, up_to=up_to)
    return rows, start + len(rows) if len(rows) < n_rows else None


def _print(puzzle: Puzzle, run: Path | None, out: Path, up_to: str) -> None:
    """Write pages of A4: the puzzle, its pieces to cut out, if any, and solutions."""
    from rekkyo.render.pdf import pdf
    from rekkyo.render.svg.drawing import pages_to_print, sheet
    from rekkyo.store.output_file import write_output

    across, down = PRINTED
    rows, total = _rows(puzzle, run, 0, across * down, up_to)
    pages = pages_to_print(puzzle, sheet(puzzle, rows, columns=across, theme="light", total=total))
    write_output(out, pdf(pages, on_a4=True))
    note(f"wrote {out}: {several(len(pages), 'page')}")


def _read_sheet(word: str | None) -> tuple[int, int]:
    if word is None:
        return 1, 1
    across, x, down = word.partition("x")
    numbers = [
        int(part) if part.isascii() and part.isdigit() and len(part) < 4 else 0 for part in (across, down)
    ]
    if not x or not all(1 <= part <= MAX_SHEET for part in numbers):
        raise BadInput(
            f'draw: a sheet is written ACROSSxDOWN, each 1 to {MAX_SHEET}, such as 6x4; not "{word}"'
        )
    return numbers[0], numbers[1]


def _search(puzzle: Puzzle, theme: str) -> str:
    from rekkyo.ask.profile import search_profiles
    from rekkyo.render.svg.chart import profile_chart

    profiles = search_profiles(puzzle)
    if not profiles:
        raise BadInput(f"{puzzle.name}: no engine shows its tree, and no method walks through it")
    return profile_chart(puzzle.name, profiles, theme=theme)


def _ladder(puzzle: Puzzle, theme: str) -> str:
    from rekkyo.ask.profile import climb
    from rekkyo.methods.index import ladder_for
    from rekkyo.methods.ladder import find_method, method_names
    from rekkyo.render.svg.chart import ladder_chart

    words = puzzle.name.split()
    if len(words) != 2 or not words[1].isdigit():
        raise BadInput(
            f"draw --ladder takes a plain puzzle with one size, such as queens 10; not {puzzle.name}"
        )
    ladder = ladder_for(words[0])
    methods = [find_method(ladder.methods, name, "iterative") for name in method_names(ladder.methods)]
    return ladder_chart(ladder.heading, climb(methods, int(words[1])), theme=theme)


def _page(puzzle: Puzzle, _theme: str) -> str:
    from rekkyo.ask.played import played_page

    return played_page(puzzle)


def _write(text: str, out: Path | None, width: int | None) -> None:
    if out is None:
        write_file_text(text)
        return
    from rekkyo.store.output_file import write_output

    if out.suffix.lower() == ".png":
        from rekkyo.render.png import png

        write_output(out, png(text, width=width))
    elif out.suffix.lower() == ".pdf":
        from rekkyo.render.pdf import pdf

        write_output(out, pdf([text]))
    else:
        write_output(out, file_bytes(text))
    note(f"wrote {out}")
