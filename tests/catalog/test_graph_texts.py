"""Graphs are read from texts, and wrong texts are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rekkyo as rk
from rekkyo.catalog.graphs.named import FAMILIES
from rekkyo.catalog.graphs.reading import BadGraph
from rekkyo.errors import BadInput


def graph6_of(n: int, edges: set[tuple[int, int]]) -> str:
    """Write a graph as McKay's description says."""
    bits = "".join("1" if (a, b) in edges else "0" for b in range(n) for a in range(b))
    bits += "0" * (-len(bits) % 6)
    size = chr(n + 63) if n <= 62 else "~" + "".join(chr(63 + (n >> shift & 63)) for shift in (12, 6, 0))
    return size + "".join(chr(63 + int(bits[k : k + 6], 2)) for k in range(0, len(bits), 6))


@given(
    st.integers(1, 80).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.tuples(*[st.integers(0, n - 1)] * 2)))
    )
)
def test_graph6(asked: tuple[int, set[tuple[int, int]]]) -> None:
    n, pairs = asked
    edges = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
    text = graph6_of(n, edges)
    for written in (text, f">>graph6<<{text}\n"):
        graph = rk.graph(graph6=written)
        assert graph.names == tuple(map(str, range(n)))
        assert set(graph.edges) == edges


@pytest.mark.parametrize(
    ("text", "n_vertices", "n_edges"),
    [
        ("0,0\n0,1\n1,0", 3, 0),
        ("0,0,1\n0,1,0", 2, 0),
        ("a-b c\nd-e", 3, 1),
        ("x\ny-1", 2, 0),
        ("path a", 2, 1),
        ("- --\na %", 4, 2),
        ("1-2 1\n1-2 2\n2-3 2", 4, 3),
        ("1-2 3 5\n2-3 1 5", 4, 2),
    ],
)
def test_names_may_have_commas_and_signs(text: str, n_vertices: int, n_edges: int) -> None:
    graph = rk.graph(text)
    assert (len(graph.names), len(graph.edges)) == (n_vertices, n_edges)


def test_a_known_name_may_begin_as_a_comment_does() -> None:
    """It is given in `vertices` or in an earlier line, as in a text of pairs."""
    pairs = [("#1", "#2"), ("#2", "%"), ("#1", "%")]
    text = "\n".join(map(" ".join, pairs))
    assert rk.graph(text, vertices=["#1"]) == rk.graph(pairs)
    assert rk.graph("a #1\n#1 b").edges == ((0, 1), (1, 2))
    file = f'kind = "graph"\nvertices = "#1 #2"\nedges = """\n{text}\n"""\nfind = "matchings"\n'
    assert rk.count(rk.puzzle_from_text(file), up_to="none").total == 4, "none, or one of three edges"


def test_letters_composed_of_two_characters_are_the_letters() -> None:
    """Unicode's forms NFC and NFD of one letter look alike."""
    composed, not_composed = "\u00e9", "e\u0301"
    star = rk.graph(f"{composed} a\n{not_composed} b")
    assert star == rk.graph(f"{composed} a\n{composed} b")
    assert star == rk.graph([(not_composed, "a"), (composed, "b")], vertices=[not_composed])
    for name in (composed, not_composed):
        assert rk.count(star.paths(start=name, size=1)).total == 2
        assert rk.count(star.paths(between=(name, "b"), size=1)).total == 1
        text = f'kind = "graph"\nedges = "{not_composed} a"\nfind = "paths"\nstart = "{name}"\n'
        assert rk.count(rk.puzzle_from_text(text)).total == 1
    with pytest.raises(BadInput, match="with itself"):
        rk.graph([(composed, not_composed)])
    with pytest.raises(BadInput, match="two different ends"):
        star.paths(between=(composed, not_composed))


def test_the_example_of_the_description() -> None:
    """It has n = 5 and the edges 0-2, 0-4, 1-3, 3-4."""
    assert set(rk.graph(graph6="DQc").edges) == {(0, 2), (0, 4), (1, 3), (3, 4)}


COL = "c a comment\np edge 4 3\ne 1 2\ne 2 3\ne 4 1\n"


@pytest.mark.parametrize(
    "text",
    [
        COL,
        COL.replace("p edge", "p col"),
        COL.replace("\n", "\r\n"),
        COL.replace("4 3", "4 6") + "e 2 1\ne 3 2\ne 1 4\n",
        COL + "e 2 1\ne 3 2\ne 1 4\n",
        COL + "n 1 5\n",
    ],
)
def test_dimacs(text: str) -> None:
    assert rk.graph(dimacs=text) == rk.Graph(("1", "2", "3", "4"), ((0, 1), (1, 2), (0, 3)))


@pytest.mark.parametrize(
    ("name", "n_vertices", "n_edges"),
    [
        ("path 1", 1, 0),
        ("path 5", 5, 4),
        ("cycle 3", 3, 3),
        ("complete 6", 6, 15),
        ("wheel 6", 6, 10),
        ("star 4", 5, 4),
        ("complete-bipartite 2 3", 5, 6),
        ("petersen", 10, 15),
        ("grid 1 1", 1, 0),
        ("grid 3 4", 12, 17),
        ("torus 3 4", 12, 24),
        ("king 3 3", 9, 20),
        ("knight 3 3", 9, 8),
        ("queen 3 4", 12, 46),
        ("rook 3 4", 12, 30),
        ("bishop 3 4", 12, 16),
        ("hypercube 0", 1, 0),
        ("hypercube 3", 8, 12),
        ("ladder 4", 8, 10),
        ("prism 3", 6, 9),
    ],
)
def test_names(name: str, n_vertices: int, n_edges: int) -> None:
    graph = rk.graph(named=name)
    assert (len(graph.names), len(graph.edges)) == (n_vertices, n_edges)


def test_every_name_is_tested() -> None:
    tested = {
        mark.args[1][k][0].split()[0] for mark in test_names.pytestmark for k in range(len(mark.args[1]))
    }  # type: ignore[attr-defined]
    assert tested == set(FAMILIES)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("petersn", 'there is no graph named "petersn"; did you mean "petersen"?'),
        ("", 'there is no graph named ""'),
        ("grid 3", '"grid 3" has 1 number; write it as grid R C'),
        ("petersen graph", '"petersen graph" has other words; write it as petersen'),
        ("petersen 3", '"petersen 3" has 1 number; write it as petersen'),
        ("cycle 2", 'numbers in "cycle N" go from 3 to 8192, not "2"'),
        ("cycle x", 'not "x"'),
        ("complete 400", "more than the 65536 edges"),
        ("grid 8000 8000", "more than the 4096 vertices"),
        ("hypercube 8000", "more than the 4096 vertices"),
        ("path 8000", "more than the 4096 vertices"),
    ],
)
def test_complaints_about_names(text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as refusal:
        rk.graph(named=text)
    assert complaint in str(refusal.value)


def test_weights_have_at_most_nine_digits_and_a_sign() -> None:
    assert rk.graph("a b -123456789\nb c 123456789").weights == (-123456789, 123456789)
    with pytest.raises(
        BadInput, match='"-1234567890" is not a weight; take whole numbers of at most 9 digits'
    ):
        rk.graph("a b -1234567890")


@pytest.mark.parametrize(
    ("how", "text", "complaint"),
    [
        ("edges", "a b\nc c", 'line 2, column 1: an edge joins "c" with itself; leave it out'),
        ("edges", "a b\n b a", 'line 2, column 2: "b" and "a" are joined twice; join them once'),
        ("edges", "a b c", 'line 1, column 5: "c" is one word too many; write an edge as two names'),
        ("edges", "a b 5 c", 'line 1, column 7: "c" is one word too many; write an edge as two names'),
        ("edges", "a->b b->c", '"a->b" would be one vertex; write an edge as two names on a line'),
        ("edges", "a->b b->c d", "and a weight if edges have some; edges have no direction"),
        ("edges", "a b\n b->c", 'line 2, column 2: "b->c" would be one vertex; write an edge as two names'),
        ("edges", "a--b", 'line 1, column 1: "a--b" would be one vertex; write an edge as two names'),
        ("edges", "a-b\nb-c", 'line 1, column 1: "a-b" would be one vertex; write an edge as two names'),
        ("edges", "\n 1,2\n2,3", 'line 2, column 2: "1,2" would be one vertex; write an edge as two names'),
        ("edges", "(a,b)", 'line 1, column 1: "(a,b)" would be one vertex; write an edge as two names'),
        ("edges", "1 - 2\n2 - 3", 'line 1, column 3: "-" would be one vertex; write an edge as two names'),
        ("edges", "1 -- 2", 'line 1, column 3: "--" would be one vertex; write an edge as two names'),
        ("edges", "1 \u2013 2", "would be one vertex; write an edge as two names"),
        ("edges", "1-2 5\n2-3 6", 'line 1, column 1: "1-2" would be one vertex; write an edge as two names'),
        ("edges", "1,2,5\n2,3,-6", 'line 1, column 1: "1,2,5" would be one vertex; write an edge as two'),
        (
            "edges",
            "# edges\na b",
            'line 1, column 1: "#" would be one vertex; leave comments out, or give it in vertices',
        ),
        (
            "edges",
            "#nodes 5\na b",
            'line 1, column 1: "#nodes" would be one vertex; leave comments out, or give it in vertices',
        ),
        (
            "edges",
            "a b\n%end",
            'line 2, column 1: "%end" would be one vertex; leave comments out, or give it in vertices',
        ),
        ("edges", "a b\nb, c", 'line 2, column 1: "b," ends in a comma; write an edge as two names'),
        ("edges", "a " + "b" * 50, "line 1, column 3: "),
        ("edges", "a \x1b", "line 1, column 3: "),
        ("edges", "a b\n" * 10, "line 2, column 1: "),
        (
            "edges",
            "\n".join(f"x v{k}" for k in range(5000)),
            "line 4096, column 1: more than the 4096 vertices",
        ),
        ("graph6", "", "line 1, column 1: there is no graph; give its line of graph6"),
        (
            "graph6",
            "DQ",
            "line 1, column 3: the text ends too early: a graph of 5 vertices has 3 characters, not 2",
        ),
        ("graph6", "DQcc", "line 1, column 4: the text goes on too long"),
        ("graph6", "D c", 'line 1, column 2: " " is not a character of graph6'),
        (
            "graph6",
            " A`",
            'line 1, column 3: the last character "`" has bits beyond those of 2 vertices; copy',
        ),
        ("graph6", ":Fa@x^", "line 1, column 1: this is sparse6; write it as graph6"),
        ("graph6", "&DQc", "this is digraph6"),
        ("graph6", ">>sparse6<<:Fa@x^", "line 1, column 1: this is sparse6; write it as graph6"),
        ("graph6", ">>digraph6<<&DQc", "this is digraph6"),
        ("graph6", " DQc\n\nDQc\n", "line 3, column 1: there are 2 lines; keep the line of one graph"),
        ("graph6", "\n  DQ\n", "line 2, column 5: the text ends too early"),
        ("graph6", "\n ~??", "line 2, column 5: the text ends within the number of vertices"),
        ("graph6", "@?", "the text goes on too long: a graph of 1 vertex has 1 character, not 2"),
        ("graph6", "~??", "line 1, column 4: the text ends within the number of vertices"),
        ("graph6", "~~", "the text ends within the number of vertices"),
        ("graph6", "~~~~~~~~", "a graph of 68719476735 vertices; rekkyo takes on 1 to 4096"),
        ("graph6", "?", "a graph of 0 vertices; rekkyo takes on 1 to 4096"),
        ("dimacs", "e 1 2", 'line 1, column 1: there is no vertex "1"; the line "p" comes first'),
        ("dimacs", "c nothing", 'there is no line such as "p edge 5 10"'),
        ("dimacs", "p edge 3 1\ne 1 4", 'line 2, column 1: there is no vertex "4"; they go from 1 to 3'),
        ("dimacs", "p edge 3 1\ne 1", 'an edge is written as "e 1 2"'),
        (
            "dimacs",
            "p edge 3 2\ne 1 2",
            "line 1, column 1: the line promises 2 edges, but the file has 1; copy the whole",
        ),
        ("dimacs", "p edge 3 2\ne 1 2\ne 1 2", '"1" and "2" are joined twice'),
        ("dimacs", "p edge 3 1\ne 2 2", 'joins "2" with itself'),
        ("dimacs", "p cnf 3 2", 'write one line such as "p edge 5 10"'),
        ("dimacs", "p edge 3 0\np edge 3 0", 'write one line such as "p edge 5 10"'),
        ("dimacs", "p edge 99999999 0", "a graph of 99999999 vertices; rekkyo takes on 1 to 4096"),
        ("dimacs", "q 1", '"q" begins no line of DIMACS; lines begin with c, p or e'),
    ],
)
def test_complaints_about_texts(how: str, text: str, complaint: str) -> None:
    with pytest.raises(BadGraph) as refusal:
        rk.graph(text) if how == "edges" else rk.graph(**{how: text})  # type: ignore[arg-type]
    said = str(refusal.value)
    assert said.startswith("graph: line ")
    assert complaint in said
    assert said.isprintable()
    assert len(said) < 200


@given(st.text("?@~A_c \n&:", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for how in ("graph6", "dimacs", "named"):
        try:
            assert rk.graph(**{how: text}).names  # type: ignore[arg-type]
        except BadInput as refusal:
            assert str(refusal).isprintable()
