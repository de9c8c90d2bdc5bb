"""Puzzle files of the kind graph: what is read, and what is said about those that cannot be read."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

import rekkyo as rk
from rekkyo.errors import BadInput
from rekkyo.export.puzzle_toml.graph import FINDS, FLAGS, INSTEAD, KEYS
from rekkyo.export.puzzle_toml.reader import read_toml
from rekkyo.export.puzzle_toml.templates import template

HEAD = 'kind = "graph"\n'
PETERSEN = rk.graph(named="petersen")
WORDS = 'kind = "grid"\nvalues = "AB"\nboard = "..\\n.."\n[[table]]\n{}'
INLINE = """kind = "grid"
values = "AB"
board = "..\\n.."
table = [{ regions = "rows", file = "words.txt", repeat = true }]
"""
BOTH = INLINE.replace("}]", '}, { regions = "columns", file = "words.txt", repeat = true }]')
COL = "p edge 3 2\ne 1 2\ne 2 3\n"


@pytest.mark.parametrize(
    ("lines", "puzzle"),
    [
        ("", PETERSEN.colorings(3)),
        ("colors = 4", PETERSEN.colorings(4)),
        ('find = "edge-colorings"\ncolors = 4', PETERSEN.edge_colorings(4)),
        ('find = "independent-sets"', PETERSEN.independent_sets()),
        ('find = "independent-sets"\nmaximal = true', PETERSEN.independent_sets(maximal=True)),
        ('find = "independent-sets"\nmaximum = true', PETERSEN.independent_sets(maximum=True)),
        ('find = "cliques"\nsize = 2', PETERSEN.cliques(size=2)),
        ('find = "dominating-sets"', PETERSEN.dominating_sets()),
        ('find = "dominating-sets"\nsize = 4', PETERSEN.dominating_sets(size=4)),
        ('find = "dominating-sets"\nminimum = false', PETERSEN.dominating_sets(minimum=False)),
        ('find = "vertex-covers"', PETERSEN.vertex_covers()),
        ('find = "vertex-covers"\nsize = 6', PETERSEN.vertex_covers(size=6)),
        ('find = "vertex-covers"\nminimum = false', PETERSEN.vertex_covers(minimum=False)),
        ('find = "graceful-labelings"', PETERSEN.graceful_labelings()),
        ('find = "matchings"', PETERSEN.matchings()),
        ('find = "matchings"\nperfect = true', PETERSEN.matchings(perfect=True)),
        ('find = "matchings"\nmaximum = true', PETERSEN.matchings(maximum=True)),
        ('find = "cycles"', PETERSEN.cycles()),
        ('find = "cycles"\nhamiltonian = false', PETERSEN.cycles(hamiltonian=False)),
        ('find = "paths"\nbetween = "0 7"', PETERSEN.paths(between=("0", "7"))),
        ('find = "paths"\nstart = "3"\nsize = 4', PETERSEN.paths(start="3", size=4)),
        ('find = "dominating-sets"\nminimal = true', PETERSEN.dominating_sets(minimal=True)),
        ('find = "vertex-covers"\nminimal = true', PETERSEN.vertex_covers(minimal=True)),
        ('find = "matchings"\nmaximal = true', PETERSEN.matchings(maximal=True)),
        ('find = "paths"\nbetween = "0 7"\nminimum = true', PETERSEN.paths(between=("0", "7"), minimum=True)),
        ('find = "cycles"\nminimum = true', PETERSEN.cycles(minimum=True)),
        ('find = "spanning-trees"', PETERSEN.spanning_trees()),
        ('find = "matchings"\nsize = 3', PETERSEN.matchings(size=3)),
        ('find = "cycles"\ninduced = true', PETERSEN.cycles(induced=True)),
        ('find = "cycles"\nsize = 5', PETERSEN.cycles(size=5)),
        ('find = "paths"\nmaximum = true\ninduced = true', PETERSEN.paths(induced=True, maximum=True)),
        ('find = "vertex-sets"\nconnected = true', PETERSEN.vertex_sets(connected=True)),
        (
            'find = "vertex-sets"\ninside = "0 2"\noutside = [1, "any"]\nminimum = true',
            PETERSEN.vertex_sets(inside=(0, 2), outside=range(1, 11), minimum=True),
        ),
        ('find = "edge-sets"\ndegrees = "even"', PETERSEN.edge_sets(degrees=range(0, 9, 2))),
        ('find = "edge-sets"\nacyclic = true', PETERSEN.edge_sets(acyclic=True)),
        ('find = "edge-sets"\nsize = 4', PETERSEN.edge_sets(size=4)),
        ('find = "orientations"\nacyclic = true', PETERSEN.orientations(acyclic=True)),
        ('find = "orientations"\neulerian = true', PETERSEN.orientations(eulerian=True)),
        ('find = "orientations"\nout = "1 2"', PETERSEN.orientations(out=(1, 2))),
    ],
)
def test_every_question_is_that_of_the_library(lines: str, puzzle: rk.Puzzle) -> None:
    read = read_toml(f'{HEAD}named = "petersen"\n{lines}', "mine.toml")
    assert read.model == puzzle.model
    assert (read.symbols, read.title) == (puzzle.symbols, puzzle.title)


@pytest.mark.parametrize(
    "source",
    [
        'edges = """\n\n1 2\n3 2\n"""',
        'edges = "2 3\\n1 2"\nvertices = "1 2 3"',
        f'dimacs = """\n{COL}"""',
        'file = "path.col"',
    ],
)
def test_every_source_of_a_graph(source: str, tmp_path: Path) -> None:
    (tmp_path / "path.col").write_text(COL, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(f'{HEAD}{source}\nfind = "matchings"', encoding="utf-8")
    model = rk.puzzle_from_file(tmp_path / "mine.toml").model
    assert isinstance(model, rk.ExactCover)
    assert model.primary == ("1", "2", "3")
    assert sorted(model.options) == [((0, 0), (1, 0)), ((1, 0), (2, 0))]


def test_graph6_in_the_file_and_beside_it(tmp_path: Path) -> None:
    (tmp_path / "petersen.g6").write_text(">>graph6<<IheA@GUAo\n", encoding="utf-8")
    for source in ("graph6 = 'IheA@GUAo'", 'file = "petersen.g6"'):
        (tmp_path / "mine.toml").write_text(f"{HEAD}{source}", encoding="utf-8")
        assert rk.count(rk.puzzle_from_file(tmp_path / "mine.toml")).total == 120


def test_a_family_of_graphs() -> None:
    text = f'{HEAD}named = "grid {{n}} {{n}}"\nfind = "cycles"\n[family]\nn = "2..8"\n[published]\ntotal = {{ 4 = 6 }}'
    puzzle = read_toml(text, "mine.toml", values=("4",))
    assert puzzle.published is not None
    assert rk.count(puzzle, up_to="none").total == puzzle.published.total


@pytest.mark.parametrize(
    ("other", "content", "lines", "total"),
    [
        ("path.col", f"c \x7f\n{COL}", f'{HEAD}file = "path.col"', 12),
        ("path.col", COL, f"{HEAD}\"file\" = 'path.col' # three vertices", 12),
        ("path.col", COL, f"{HEAD}'file' = \"path\\u002ecol\"", 12),
        ("path.col", COL, f'{HEAD}"f\\u0069le" = "path.col"', 12),
        ("path.col", COL, f"{HEAD}file = '''path.col'''", 12),
        ("path.col", COL, f'{HEAD}file = """\r\npath\\\r\n  .col""" # one word', 12),
        ("petersen.g6", "IheA@GUAo", f'{HEAD}file = "petersen.g6"', 120),
        ("words.txt", 'AB BA\n \u00e9" AA\\', WORDS.format('file = "words.txt"\nregions = "rows"'), 4),
        ("words.txt", "AB BA AA", INLINE, 9),
        ("words.txt", "AB BA", BOTH, 2),
    ],
)
def test_a_run_of_a_file_that_reads_another_one(
    other: str, content: str, lines: str, total: int, tmp_path: Path
) -> None:
    """The copy beside the run holds what the other file said, so that neither is needed again."""
    (tmp_path / other).write_text(content, encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(lines, encoding="utf-8")
    rk.run(rk.puzzle_from_file(path), tmp_path / "run")
    for file in tmp_path.iterdir():
        if file.is_file():
            file.unlink()
    assert rk.Run(tmp_path / "run").resume().total == total
    copy = tomllib.loads((tmp_path / "run" / "puzzle.toml").read_text(encoding="utf-8"))
    assert "file" not in {*copy, *(key for table in copy.get("table", []) for key in table)}


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("", '1:1: "edges", or another of graph6, dimacs, named and file, is missing'),
        ('edges = "a b"\nnamed = "petersen"', '3:1: "edges" and "named" both say what the graph is'),
        ('edges = """\na b\n\nc c"""', '5:1: an edge joins "c" with itself; leave it out'),
        ('edges = """\na b\n b a"""', '4:2: "b" and "a" are joined twice; join them once'),
        ('edges = "a b c"', '2:14: "c" is one word too many'),
        ('edges = ""', "2:1: there is no vertex; name at least one"),
        ("graph6 = 'DQ'", "2:13: the text ends too early: a graph of 5 vertices has 3 characters, not 2"),
        ("graph6 = ':Fa@x^'", "2:11: this is sparse6"),
        ('dimacs = """\np edge 3 1\ne 1 4"""', '4:1: there is no vertex "4"; they go from 1 to 3'),
        ('named = "petersn"', '2:1: there is no graph named "petersn"; did you mean "petersen"?'),
        ('named = "petersen"\nvertices = "a"', '3:1: "vertices" are names for "edges"'),
        (
            'named = "petersen"\nfind = "cycle"',
            '3:8: "find" is "cycle", which is not known; did you mean "cycles"?',
        ),
        (
            'named = "petersen"\nfind = "perfect-matchings"',
            '3:8: "find" is "perfect-matchings", which is not known; write find = "matchings" and perfect = true',
        ),
        (
            'named = "petersen"\nperfect = true',
            '3:1: "perfect" says nothing about colorings; keys that do: colors',
        ),
        ('named = "petersen"\nfind = "spanning-trees"\nsize = 3', "keys that do: minimum, maximum"),
        (
            'named = "petersen"\nfind = "spanning-trees"\nminimum = true',
            "have equally many edges; leave minimum",
        ),
        ('named = "petersen"\nfind = "matchings"\nminimum = true', "ask for maximal or perfect ones"),
        ('named = "petersen"\nfind = "shortest-paths"', 'write find = "paths" and minimum = true'),
        (
            'edges = "a b 3"',
            "2:9: the weights of edges say nothing about these colorings; leave them out, or",
        ),
        (
            'edges = "a b 3"\nfind = "cliques"\nmaximum = true',
            "say nothing about these cliques; leave them out",
        ),
        ('edges = "a b 2.5"', '2:14: "2.5" is not a weight; take whole numbers of at most 9 digits'),
        (
            'edges = """\na b 1\nb c"""',
            "4:1: this edge has no weight, but those before it have some; give each",
        ),
        (
            'edges = "a b 100000"\nfind = "paths"\nmaximum = true',
            "the sums of weights go from 0 to 100000, and at most 65536 numbers are accepted; take smaller",
        ),
        ('named = "petersen"\ncolors = 62', '3:10: "colors" is a whole number from 2 to 61'),
        (
            'named = "petersen"\nfind = "cliques"\nsize = 11',
            "3:1: the size of a set is a whole number from 0 to 10",
        ),
        (
            'named = "petersen"\nfind = "cliques"\nsize = 2\nmaximum = true',
            "3:1: either the maximum or the size",
        ),
        (
            'named = "petersen"\nfind = "cycles"\nhamiltonian = true\nsize = 5',
            "3:1: hamiltonian and size both say which vertices count; leave one out",
        ),
        (
            'named = "petersen"\nfind = "edge-sets"\nminimum = true\nmaximum = true',
            "3:1: either the minimum or the maximum sets are asked for; leave one out",
        ),
        (
            'named = "petersen"\nfind = "edge-sets"\nsize = 16',
            "3:1: the size of a set is a whole number from 0 to 15",
        ),
        (
            'named = "petersen"\nfind = "edge-sets"\ndegrees = "some"',
            '4:11: "degrees" is 2, [1, 3], [1, "any"] or "any", with numbers to 4096; or "once"',
        ),
        (
            'named = "petersen"\nfind = "orientations"\neulerian = true\nout = 1',
            "3:1: eulerian and out both say how many edges lead out; leave one out",
        ),
        ('named = "petersen"\nfind = "edge-sets"\ninside = 1', '"inside" says nothing about edge-sets'),
        (
            'named = "petersen"\nfind = "edge-covers"',
            'write find = "edge-sets" and degrees = [1, "any"]',
        ),
        (
            'named = "petersen"\nfind = "paths"\nbetween = "0"',
            '4:11: "between" names both ends of the paths, such as "a b"; one end is start = "a"',
        ),
        ('named = "petersen"\nfind = "paths"\nstart = "x"', '4:1: there is no vertex "x"'),
        ('named = "petersen"\nfind = "paths"\nstart = ""', '4:1: there is no vertex ""'),
        (
            'named = "petersen"\nfind = "paths"\nbetween = "0 1"\nstart = "2"',
            "4:1: between names both ends, and start",
        ),
        ('named = "petersen"\nfind = "paths"\nbetween = "0 x"', '4:1: there is no vertex "x"'),
        ('file = "../x.col"', "2:1: a puzzle that is not a file has no files beside it"),
        ('file = "x.txt"', '2:8: "file" is the name of a file beside this one, which ends in .col or .g6'),
        ('file = "x.col"', "2:1: a puzzle that is not a file has no files beside it"),
    ],
)
def test_complaints_say_where_and_what(lines: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        read_toml(HEAD + lines, "mine.toml")
    said = str(refusal.value)
    assert said.startswith("mine.toml:")
    assert complaint in said
    assert "\n" not in said
    assert len(said) < 400


class TestFilesBesideIt:
    def complaint(self, folder: Path, name: str) -> str:
        path = folder / "mine.toml"
        path.write_text(f'{HEAD}file = "{name}"', encoding="utf-8")
        with pytest.raises(BadInput) as refusal:
            rk.puzzle_from_file(path)
        return str(refusal.value).removeprefix(f"{path}:2:8: ")

    def test_a_missing_one(self, tmp_path: Path) -> None:
        assert self.complaint(tmp_path, "x.col").endswith("x.col cannot be read: No such file or directory")

    def test_a_mistake_in_it(self, tmp_path: Path) -> None:
        (tmp_path / "x.col").write_text("p edge 3 1\n\ne 1 1\n", encoding="utf-8")
        assert self.complaint(tmp_path, "x.col") == 'x.col:3:1: an edge joins "1" with itself; leave it out'

    def test_links_and_folders(self, tmp_path: Path) -> None:
        (tmp_path / "real.col").write_text(COL, encoding="utf-8")
        (tmp_path / "x.col").symlink_to(tmp_path / "real.col")
        (tmp_path / "y.col").mkdir()
        assert "x.col is a link or not a file" in self.complaint(tmp_path, "x.col")
        assert "y.col is a link or not a file" in self.complaint(tmp_path, "y.col")

    def test_a_large_one(self, tmp_path: Path) -> None:
        with (tmp_path / "x.col").open("wb") as file:
            file.truncate(11 << 20)
        assert self.complaint(tmp_path, "x.col") == "x.col has more than the 10485760 bytes that are read"

    def test_a_million_edges(self, tmp_path: Path) -> None:
        pairs = [(a, b) for b in range(1, 1416) for a in range(1, b)][:1_000_000]
        lines = "".join(f"e {a} {b}\n" for a, b in pairs)
        (tmp_path / "x.col").write_text(f"p edge 1500 1000000\n{lines}"[: 10 << 20], encoding="utf-8")
        assert self.complaint(tmp_path, "x.col").endswith("more than the 65536 edges that rekkyo takes on")


def test_weights_in_a_file() -> None:
    lines = 'edges = "a b 1\\nb c 1\\nc a 2\\nc d -3"\nfind = "paths"\nminimum = true\nbetween = "a d"'
    result = rk.count(read_toml(HEAD + lines, "mine.toml"))
    assert (result.total, result.optimum) == (2, -1)


def test_flags_and_finds_are_those_of_the_schema() -> None:
    branch = next(b for b in json.loads(template("schema"))["oneOf"] if b["title"] == "graph")
    assert branch["properties"]["find"]["anyOf"][0]["enum"] == list(FINDS)
    assert all(branch["properties"][flag]["type"] == "boolean" for flag in FLAGS)
    assert {key for find in FINDS.values() for key in find.keys} <= set(KEYS)


@pytest.mark.parametrize(
    "data", [{}, {"edges": "a b", "named": "petersen"}, {"file": "../x.col"}, {"file": "x.txt"}]
)
def test_the_schema_refuses_what_the_reader_refuses(data: dict[str, str]) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(template("schema")))
    assert not validator.is_valid({"kind": "graph", **data})
    text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in data.items())
    with pytest.raises(BadInput):
        read_toml(HEAD + text, "mine.toml")


@pytest.mark.parametrize("fix", INSTEAD.values(), ids=INSTEAD)
def test_what_is_to_be_written_instead_is_read(fix: str) -> None:
    lines = fix.removeprefix("write ").replace(" and ", "\n")
    source = 'edges = "a b 1"' if "spanning-trees" in lines else 'named = "petersen"'
    read_toml(f"{HEAD}{source}\n{lines}", "mine.toml")
