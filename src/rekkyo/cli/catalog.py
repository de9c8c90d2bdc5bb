"""`rekkyo list`, `info` and `new`, which list and describe puzzles and print templates, without a search."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from rekkyo.cli.options import is_file_name, json_option, obstacles_of, puzzle_command, read_puzzle, rekkyo
from rekkyo.cli.streams import say, write_file_text
from rekkyo.cli.terminal import columns
from rekkyo.errors import BadInput
from rekkyo.wording import large, several

if TYPE_CHECKING:
    from rekkyo.catalog.entry import Entry
    from rekkyo.model.puzzle import Model, Puzzle
    from rekkyo.model.row import AtomPermutation


@rekkyo.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the puzzles of the catalog.

    \b
    rekkyo list
    rekkyo list --json
    """
    from rekkyo.catalog.index import ENTRIES

    if as_json:
        click.echo(json.dumps({"puzzles": [_entry_facts(entry) for entry in ENTRIES]}))
        return
    width = max(len(entry.usage) for entry in ENTRIES)
    for entry in ENTRIES:
        lines = wrap(entry.summary, max(20, columns() - width - 2))
        click.echo(f"{entry.usage:<{width}}  " + f"\n{' ' * (width + 2)}".join(lines))


@puzzle_command("info", "Describe a puzzle or a family.")
@click.option("--xcc", "as_xcc", is_flag=True, help="Print the exact cover in Knuth's text format instead.")
@click.option("--dimacs", "as_dimacs", is_flag=True, help="Print a CNF in DIMACS form instead.")
@json_option
def info_command(words: tuple[str, ...], as_xcc: bool, as_dimacs: bool, as_json: bool) -> None:
    """Describe a puzzle, or a whole family if no number follows its name. The puzzle of a file is also drawn.

    \b
    rekkyo info queens
    rekkyo info queens 8 --blocked 0,0
    rekkyo info mine.toml
    rekkyo info pentominoes 6 10 --xcc > pentominoes.xcc
    rekkyo info hip 6 --any-balance --dimacs > hip.cnf
    """
    from rekkyo.catalog.index import entry

    if as_xcc + as_dimacs + as_json > 1:
        raise BadInput("info: --xcc, --dimacs and --json exclude each other; give one of them")
    if as_xcc or as_dimacs:
        from rekkyo.export.puzzle_files import write_dimacs, write_puzzle

        puzzle = read_puzzle(words)
        write_file_text(write_puzzle(puzzle) if as_xcc else write_dimacs(puzzle))
        return
    if len(words) == 1 and not is_file_name(words[0]) and entry(words[0]).parameters:
        facts = _entry_facts(entry(words[0]))
        lines = _entry_lines(entry(words[0]))
    elif len(words) == 1 and is_file_name(words[0]) and (family := _family_facts(words[0])):
        facts, lines = family, _family_lines(family)
    else:
        puzzle = read_puzzle(words, "symmetry")
        facts = _puzzle_facts(puzzle, obstacles_of(puzzle, words))
        lines = _puzzle_lines(facts)
        if words and is_file_name(words[0]):
            from rekkyo.export.puzzle_files import remarks_in_file
            from rekkyo.render.understood import understood

            facts["understood"] = understood(puzzle)
            facts["warnings"] = remarks_in_file(Path(words[0]), words[1:])
            lines[1:1] = [*facts["understood"], *(f"warning: {what}" for what in facts["warnings"])]
    if as_json:
        click.echo(json.dumps(facts))
    else:
        say(*lines)


def _entry_facts(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "usage": entry.usage,
        "summary": entry.summary,
        "source": entry.source,
        "parameters": [asdict(parameter) for parameter in entry.parameters],
        "options": [{"name": o.name, "metavar": o.metavar, "help": o.help} for o in entry.options],
    }


def _family_facts(file: str) -> dict[str, Any] | None:
    """The facts of a family of puzzles in a file; None for a file of one puzzle."""
    from rekkyo.export.puzzle_files import family_in_file

    found = family_in_file(Path(file))
    if found is None:
        return None
    family, title, source = found
    return {
        "name": family.name,
        "usage": family.usage,
        "summary": title,
        "source": source,
        "parameters": [{"name": p.name, "values": p.shown} for p in family.parameters],
        "without": sorted(family.without),
    }


def _family_lines(facts: dict[str, Any]) -> list[str]:
    lines = [f"{facts['usage']}: {facts['summary']}"]
    lines += [f"  {p['name'].upper()}  {p['values']}" for p in facts["parameters"]]
    lines += [f"without: {', '.join(facts['without'])}"] * bool(facts["without"])
    return [*lines, f"source: {facts['source']}"]


def _entry_lines(entry: Entry) -> list[str]:
    lines = [f"{entry.usage}: {entry.summary}"]
    lines += [f"  {p.name}  {p.help}, {p.least} to {p.most}" for p in entry.parameters]
    lines += [f"  {o.name} {o.metavar}".rstrip() + f"  {o.help}" for o in entry.options]
    return [*lines, f"source: {entry.source}"]


def _puzzle_facts(puzzle: Puzzle, obstacles: list[str]) -> dict[str, Any]:
    from rekkyo.engines.registry import all_engines
    from rekkyo.model.lower import lower

    model, shape = lower(puzzle.model), puzzle.model.row_shape
    published, chosen = puzzle.published, _engine_of_solve(model)
    return {
        "puzzle": puzzle.name,
        "title": puzzle.title,
        "row_length": shape.length,
        "n_values": shape.n_values,
        "row_meaning": puzzle.model_in_words.row_meaning,
        "symmetry_order": _order(puzzle, puzzle.generators) if puzzle.knows_symmetry else None,
        "rotations_order": None
        if puzzle.motions is None
        else _order(puzzle, tuple(motion.permutation for motion in puzzle.motions if motion.turns)),
        "further_symmetry": {kind.word: kind.meaning for kind in puzzle.further}
        | {relation.word: relation.meaning for relation in puzzle.relations},
        "order_at_least": _orders_of_large_groups(puzzle),
        "obstacles": obstacles,
        "published": published
        and {"total": published.total, "unique": published.unique, "source": published.source},
        "solved_by": chosen,
        "engines": [
            {"name": e.name, "summary": e.summary, "refusal": e.refusal(model)}
            for e in sorted(all_engines(), key=lambda e: e.name != chosen)
        ],
    }


def _engine_of_solve(model: Model) -> str | None:
    """The engine that `solve` begins with. That of `count` is found by trials, which may compile for long."""
    from rekkyo.engines.registry import listing_engine
    from rekkyo.errors import EngineRefuses

    try:
        return listing_engine(model).name
    except EngineRefuses:
        return None


def _order(puzzle: Puzzle, generators: tuple[AtomPermutation, ...]) -> int | None:
    """The order of a group; None if it is too large to list."""
    from rekkyo.errors import GroupTooLarge
    from rekkyo.symmetry.group import close

    try:
        return close(puzzle.model.row_shape, generators).order
    except GroupTooLarge:
        return None


def _orders_of_large_groups(puzzle: Puzzle) -> dict[str, int]:
    """A lower bound of the order of each symmetry group that is too large to list, by its word."""
    from rekkyo.model.puzzle import Relation
    from rekkyo.symmetry.group import is_too_large, order_of_generators

    shape = puzzle.model.row_shape
    groups = [Relation("symmetry", "", puzzle.generators), *puzzle.relations]
    return {
        one.word: one.order or order_of_generators(shape, one.generators)
        for one in groups
        if one.keeps_solutions and is_too_large(shape, one.generators)
    }


def _puzzle_lines(facts: dict[str, Any]) -> list[str]:
    length = several(facts["row_length"], "number")
    lines = [
        f"{facts['puzzle']}: {facts['title']}",
        f"row: {length} from 0 to {facts['n_values'] - 1}; {facts['row_meaning']}",
        f"symmetry: {_symmetry_in_words(facts)}",
    ]
    if facts["rotations_order"]:
        lines.append(f"--up-to rotations: without turning over, a group of order {facts['rotations_order']}")
    for word, meaning in facts["further_symmetry"].items():
        lines.append(f"--up-to {word}: {', '.join([meaning, *_large_group(facts, word)])}")
    if facts["published"]:
        counts = {key: facts["published"][key] for key in ("total", "unique")}
        known = [f"{key} {number}" for key, number in counts.items() if number is not None]
        lines.append(f"published: {', '.join(known)} ({facts['published']['source']})")
    lines += [f"no solution, because {obstacle}" for obstacle in facts["obstacles"]]
    for engine in facts["engines"]:
        if engine["refusal"] is None:
            uses = "; solve begins with this one" * (engine["name"] == facts["solved_by"])
            lines.append(f"engine {engine['name']}: {engine['summary']}{uses}")
    return lines


def _symmetry_in_words(facts: dict[str, Any]) -> str:
    """The group that orbits are counted up to, unless other words are given."""
    if facts["symmetry_order"] is not None:
        return f"a group of order {facts['symmetry_order']}"
    unknown = "not used, unless --up-to names it" if facts["further_symmetry"] else "not known"
    return (_large_group(facts, "symmetry") or [unknown])[0]


def _large_group(facts: dict[str, Any], word: str) -> list[str]:
    """The size of a group that is too large to list, if these words mean one."""
    order = facts["order_at_least"].get(word)
    return [] if order is None else [f"a group of order {large(order)} or more, too large to list"]


@rekkyo.command("new", short_help="Print a template of a puzzle file.")
@click.argument("kind", metavar="KIND")
def new_command(kind: str) -> None:
    """Print a template of a puzzle file: packing, coloring, figure, cover, queens, tiles, words, grid
    or graph.

    `schema` prints the JSON Schema of all kinds, for editors that check a file while it is edited.

    \b
    rekkyo new packing > mine.toml
    rekkyo info mine.toml
    rekkyo count mine.toml
    """
    from rekkyo.export.puzzle_toml.templates import template

    write_file_text(template(kind))
