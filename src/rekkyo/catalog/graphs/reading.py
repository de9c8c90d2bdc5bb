"""Graphs from texts: lists of edges, McKay's graph6, and the DIMACS format of files .col.

Sources: B. McKay, "Description of graph6, sparse6 and digraph6 encodings"; DIMACS challenge "Clique and Graph
Coloring Problems Graph Format" (1993). A file .col may have every edge in both directions, which counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import normalize

from rekkyo.errors import BadInput, in_short
from rekkyo.wording import several

MAX_NAME = 40
MAX_DIGITS = 9
COMMENTS = ("#", "%")
"""The first characters of comments in lists of edges of other programs; a known name may begin with them."""

IGNORED = ("c", "n", "d", "v", "x")
"""The first words of lines of DIMACS that are skipped: comments, and weights and places of vertices."""

_LIKE_AN_EDGE = re.compile(r"\(?([^\s,-]+)[,-]([^\s,-]+?)(?:[,-]-?[0-9]+)?\)?")
"""One word such as `a-b` or `(a,b)`, or `a,b,5` with a weight."""

_BETWEEN = re.compile(r"[-\u2010-\u2015\u2212]+")
"""A word such as `-` or `--`, which other formats write between the ends of an edge."""

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")

GRAPH6_HEADER = ">>graph6<<"
OTHER_HEADERS = (">>sparse6<<", ">>digraph6<<")
_FIRST, _LAST, _LONG = 63, 126, 126


class BadGraph(BadInput):
    """A text that is not a graph. line, column: the place of the mistake, both from 0."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"graph: line {line + 1}, column {column + 1}: {problem}")
        self.line, self.column, self.without_place = line, column, problem


class Builder:
    """Gathers vertices and edges.

    numbers: of the vertices, by name. edges: pairs of vertices, lesser first, with their weights.
    most_vertices, most_edges: the limits.
    """

    def __init__(self, most_vertices: int = 1 << 12, most_edges: int = 1 << 16) -> None:
        self.numbers: dict[str, int] = {}
        self.edges: dict[tuple[int, int], int | None] = {}
        self.most_vertices, self.most_edges = most_vertices, most_edges

    def has(self, name: str) -> bool:
        """Whether there is a vertex of this name."""
        return normalize("NFC", name) in self.numbers

    def vertex(self, name: str) -> int:
        """The number of a vertex, which may be new. Names get Unicode's form NFC. Raises BadInput."""
        name = normalize("NFC", name)
        if name not in self.numbers and len(self.numbers) == self.most_vertices:
            raise BadInput(f"graph: more than the {self.most_vertices} vertices that rekkyo takes on")
        return self.numbers.setdefault(name, len(self.numbers))

    @property
    def weights(self) -> tuple[int, ...]:
        """The weights of all edges; none if edges have no weights."""
        return tuple(weight for weight in self.edges.values() if weight is not None)

    def edge(self, one: str, other: str, weight: int | None = None) -> None:
        """Add an edge. Raises BadInput for a loop and for an edge that is there already."""
        if self.edges and (weight is None) != (next(iter(self.edges.values())) is None):
            has, others = ("no weight", "have some") if weight is None else ("a weight", "have none")
            raise BadInput(
                f"graph: this edge has {has}, but those before it {others}; give each edge one, or none"
            )
        pair = sorted((self.vertex(one), self.vertex(other)))
        if pair[0] == pair[1]:
            raise BadInput(f'graph: an edge joins "{in_short(one)}" with itself; leave it out')
        if (pair[0], pair[1]) in self.edges:
            raise BadInput(
                f'graph: "{in_short(one)}" and "{in_short(other)}" are joined twice; join them once'
            )
        self.numbered_edge(pair[0], pair[1], weight)

    def numbered_edge(self, one: int, other: int, weight: int | None = None) -> None:
        """Add an edge between existing vertices, lesser first."""
        if len(self.edges) == self.most_edges:
            raise BadInput(f"graph: more than the {self.most_edges} edges that rekkyo takes on")
        self.edges[one, other] = weight


def read_edges(text: str, builder: Builder) -> Builder:
    """Read a line for each edge, `a b` or `a b 5` with its weight, or for a vertex alone. Raises BadGraph.

    A line that begins with `#` or `%` is refused as a comment unless its first word is a known vertex.
    Words that are all like `a-b` or `a,b` are refused, also with a number as their only neighbour, if no line
    has another word; one like `0,0` is a cell.
    """
    rule = "write an edge as two names on a line, and a weight if edges have some; edges have no direction"
    lines: list[tuple[int, list[re.Match[str]]]] = []
    for line, words in _words(text):
        for word in words:
            if len(word[0]) > MAX_NAME or not word[0].isprintable():
                known = f"use 1 to {MAX_NAME} printable characters"
                raise BadGraph(line, word.start(), f'"{in_short(word[0])}" cannot name a vertex; {known}')
            if word[0].endswith(","):
                raise BadGraph(line, word.start(), f'"{in_short(word[0])}" ends in a comma; {rule}')
        for at, word in enumerate(words):
            is_between = at == 1 and len(words) > 2 and _BETWEEN.fullmatch(word[0])
            may_be_comment = at == 0 and word[0].startswith(COMMENTS) and (len(words) > 1 or len(word[0]) > 1)
            is_comment = may_be_comment and not builder.has(word[0])
            if is_between or is_comment or "->" in word[0] or (len(words) == 1 and "--" in word[0]):
                fix = "leave comments out, or give it in vertices" if is_comment else rule
                raise BadGraph(line, word.start(), f'"{in_short(word[0])}" would be one vertex; {fix}')
        weight = _weight(line, words[2]) if len(words) > 2 else None
        if further := words[2 if weight is None else 3 :]:
            problem = f'"{in_short(further[0][0])}" is one word too many; {rule}'
            raise BadGraph(line, further[0].start(), problem)
        try:
            if len(words) == 1:
                builder.vertex(words[0][0])
            else:
                builder.edge(words[0][0], words[1][0], weight)
        except BadInput as problem:
            raise _placed(problem, line, words[0].start()) from None
        lines.append((line, words))
    if lines and _are_edges([[word[0] for word in words] for _, words in lines]):
        line, [word, *_] = lines[0]
        raise BadGraph(line, word.start(), f'"{in_short(word[0])}" would be one vertex; {rule}')
    return builder


def _are_edges(lines: list[list[str]]) -> bool:
    """Whether the first word of each line looks like an edge, alone or, if all differ, before a weight."""
    pairs = [_LIKE_AN_EDGE.fullmatch(words[0]) for words in lines]
    further = [word for words in lines for word in words[1:]]
    return (
        all(pair is not None and pair[1] != pair[2] for pair in pairs)
        and max(map(len, lines)) <= 2
        and all(map(_NUMBER.fullmatch, further))
        and (not further or len({words[0] for words in lines}) == len(lines))
    )


def _weight(line: int, word: re.Match[str]) -> int | None:
    """The weight that is the third word of a line; None if that word is not a number. Raises BadGraph."""
    if not _NUMBER.fullmatch(word[0]):
        return None
    if "." in word[0] or len(word[0].lstrip("-")) > MAX_DIGITS:
        fix = f"take whole numbers of at most {MAX_DIGITS} digits, such as in smaller units"
        raise BadGraph(line, word.start(), f'"{in_short(word[0])}" is not a weight; {fix}')
    return int(word[0])


def read_graph6(text: str) -> Builder:
    """The graph of one line in graph6; its vertices are named 0, 1, 2, ... Raises BadGraph."""
    lines = text.split("\n")
    line, *further = [at for at, content in enumerate(lines) if content.strip()] or [0]
    if further:
        problem = f"there are {len(further) + 1} lines; keep the line of one graph"
        raise BadGraph(further[0], 0, problem)
    written = lines[line].strip()
    code = written.removeprefix(GRAPH6_HEADER)
    before = lines[line].index(written) + len(written) - len(code)
    if code.startswith((*OTHER_HEADERS, ":", "&", ";")):
        kind = "digraph6" if code.startswith(("&", OTHER_HEADERS[1])) else "sparse6"
        raise BadGraph(line, before, f"this is {kind}; write it as graph6, such as with copyg -g")
    odd = next((at for at, mark in enumerate(code) if not _FIRST <= ord(mark) <= _LAST), None)
    if odd is not None:
        problem = f'"{in_short(code[odd])}" is not a character of graph6, which are those from "?" to "~"'
        raise BadGraph(line, before + odd, problem)
    n, at = _graph6_size(code, line, before)
    builder, size = Builder(), several(n, "vertex", "vertices")
    n_bits = n * (n - 1) // 2
    wanted = at + -(-n_bits // 6)
    if len(code) != wanted:
        amount = "ends too early" if len(code) < wanted else "goes on too long"
        problem = f"the text {amount}: a graph of {size} has {several(wanted, 'character')}, not {len(code)}"
        raise BadGraph(line, before + min(len(code), wanted), problem)
    if (ord(code[-1]) - _FIRST) % (1 << -n_bits % 6):
        problem = f'the last character "{code[-1]}" has bits beyond those of {size}; copy the whole line'
        raise BadGraph(line, before + wanted - 1, problem)
    for vertex in range(n):
        builder.vertex(str(vertex))
    bits = (ord(mark) - _FIRST >> shift & 1 for mark in code[at:] for shift in range(5, -1, -1))
    pairs = ((one, other) for other in range(n) for one in range(other))
    try:
        for pair, bit in zip(pairs, bits, strict=False):
            if bit:
                builder.numbered_edge(*pair)
    except BadInput as problem:
        raise _placed(problem, line, before) from None
    return builder


def _graph6_size(code: str, line: int, before: int) -> tuple[int, int]:
    """The number of vertices, and the index of the first character of the edges."""
    if not code:
        raise BadGraph(line, before, "there is no graph; give its line of graph6")
    n_long = 0 if ord(code[0]) != _LONG else 1 if code[1:2] != chr(_LONG) else 2
    start, end = ((0, 1), (1, 4), (2, 8))[n_long]
    if len(code) < end:
        raise BadGraph(line, before + len(code), "the text ends within the number of vertices; copy it all")
    n = 0
    for mark in code[start:end]:
        n = 64 * n + ord(mark) - _FIRST
    most = Builder().most_vertices
    if not 1 <= n <= most:
        raise BadGraph(line, before, f"a graph of {n} vertices; rekkyo takes on 1 to {most}")
    return n, end


def read_dimacs(text: str) -> Builder:
    """The graph of a text such as that of a file .col; its vertices are named 1, 2, ... Raises BadGraph."""
    reader = _Dimacs()
    for line, words in _words(text):
        try:
            reader.read(line, words[0][0], [word[0] for word in words[1:]])
        except BadInput as problem:
            raise _placed(problem, line, words[0].start()) from None
    if reader.line_of_size is None:
        raise BadGraph(0, 0, 'there is no line such as "p edge 5 10", with the numbers of vertices and edges')
    if reader.n_edges not in (len(reader.pairs), len(reader.builder.edges)):
        counts = f"the line promises {several(reader.n_edges, 'edge')}, but the file has {len(reader.pairs)}"
        raise BadGraph(reader.line_of_size, 0, f"{counts}; copy the whole file")
    return reader.builder


class _Dimacs:
    """Reads line by line. pairs: all edges as they were written."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.pairs: set[tuple[str, str]] = set()
        self.line_of_size: int | None = None
        self.n_edges = 0

    def read(self, line: int, kind: str, values: list[str]) -> None:
        if kind == "e":
            self._edge(values)
        elif kind == "p":
            n_vertices, self.n_edges = _size(values, self.line_of_size is not None)
            self.line_of_size = line
            for vertex in range(1, n_vertices + 1):
                self.builder.vertex(str(vertex))
        elif kind not in IGNORED:
            raise BadInput(f'"{in_short(kind)}" begins no line of DIMACS; lines begin with c, p or e')

    def _edge(self, values: list[str]) -> None:
        if len(values) != 2:
            raise BadInput('an edge is written as "e 1 2"')
        one, other = values
        numbers = self.builder.numbers
        for name in values:
            if name not in numbers:
                known = f"they go from 1 to {len(numbers)}" if numbers else 'the line "p" comes first'
                raise BadInput(f'there is no vertex "{in_short(name)}"; {known}')
        is_way_back = (other, one) in self.pairs and (one, other) not in self.pairs
        if not is_way_back:
            self.builder.edge(one, other)
        self.pairs.add((one, other))


def _size(values: list[str], is_second: bool) -> tuple[int, int]:
    numbers = [int(word) for word in values[1:] if word.isascii() and word.isdigit() and len(word) < 10]
    if is_second or len(values) != 3 or values[0] not in ("edge", "edges", "col") or len(numbers) != 2:
        raise BadInput('write one line such as "p edge 5 10": first the vertices, then the edges')
    most = Builder().most_vertices
    if not 1 <= numbers[0] <= most:
        raise BadInput(f"a graph of {numbers[0]} vertices; rekkyo takes on 1 to {most}")
    return numbers[0], numbers[1]


def _words(text: str) -> Iterator[tuple[int, list[re.Match[str]]]]:
    """The words of each line that has some."""
    for line, content in enumerate(text.split("\n")):
        words = list(re.finditer(r"\S+", content))
        if words:
            yield line, words


def _placed(problem: BadInput, line: int, column: int) -> BadGraph:
    if isinstance(problem, BadGraph):
        return problem
    return BadGraph(line, column, str(problem).removeprefix("graph: "))
