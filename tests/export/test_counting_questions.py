"""Counting questions that docs/your-puzzle.md states as grids and colourings: published totals, with their sources."""

from __future__ import annotations

from itertools import combinations, product

import pytest

import rekkyo as rk

ONE_IN_EACH_LINE = '[[count]]\nvalue = 1\nregions = ["rows", "columns"]\ntimes = 1\n'
A_PERMUTATION = '[[different]]\nregions = "board"\n'


def total(text: str) -> int:
    return rk.count(rk.puzzle_from_text(text, "question")).total


def grid(rows: int, columns: int, values: str, clauses: str, compared: list[str] | None = None) -> str:
    text = f'kind = "grid"\nboard = "rectangle {rows} {columns}"\nvalues = {values}\n{clauses}\n'
    if compared is None:
        return text
    lines = "\n".join(compared)
    return f'{text}[[compare]]\ncells = """\n{lines}\n"""\n'


@pytest.mark.parametrize(
    ("pattern", "totals"),
    [
        ("1...\n..1.\n.1..\n...1", {5: 103, 6: 513, 7: 2762}),  # 1324: OEIS A061552
        ("1...\n...1\n.1..\n..1.", {5: 103, 6: 512, 7: 2740}),  # 1342 or an equivalent: A022558
        ("1...\n.1..\n..1.\n...1", {5: 103, 6: 513, 7: 2761}),  # 1234: A005802
    ],
)
def test_permutations_without_a_pattern(pattern: str, totals: dict[int, int]) -> None:
    avoid = f'[[avoid]]\npattern = """\n{pattern}\n"""\nstretch = "freely"\n'
    found = {n: total(grid(n, n, '"01"', ONE_IN_EACH_LINE + avoid)) for n in totals}
    assert found == totals


@pytest.mark.parametrize(("n", "seatings"), [(4, 2), (5, 13), (6, 80)])
def test_couples_at_a_round_table(n: int, seatings: int) -> None:
    """OEIS A000179."""
    apart = [f"0,{k} != {value}" for k in range(n) for value in (k, (k + 1) % n)]
    assert total(grid(1, n, f'"0..{n - 1}"', A_PERMUTATION, apart)) == seatings


@pytest.mark.parametrize(("n", "zigzags"), [(4, 5), (5, 16), (8, 1385)])
def test_alternating_permutations(n: int, zigzags: int) -> None:
    """OEIS A000111."""
    chain = "".join(f"0,{k} {'<>'[k % 2]} " for k in range(n - 1)) + f"0,{n - 1}"
    assert total(grid(1, n, f'"1..{n}"', A_PERMUTATION, [chain])) == zigzags


def test_standard_young_tableaux() -> None:
    """Squares of 3x3 and 4x4: OEIS A039622."""
    for n, tableaux in ((3, 42), (4, 24024)):
        rows = [" < ".join(f"{row},{column}" for column in range(n)) for row in range(n)]
        columns = [" < ".join(f"{row},{column}" for row in range(n)) for column in range(n)]
        assert total(grid(n, n, f'"1..{n * n}"', A_PERMUTATION, rows + columns)) == tableaux


@pytest.mark.parametrize(("n", "transitive", "topologies"), [(3, 171, 29), (4, 3994, 355)])
def test_transitive_relations(n: int, transitive: int, topologies: int) -> None:
    """OEIS A006905; those with each element in relation to itself are topologies, A000798."""
    rule = [f"{a},{b}*{b},{c} <= {a},{c}" for a, b, c in product(range(n), repeat=3)]
    itself = [f"{a},{a} = 1" for a in range(n)]
    assert total(grid(n, n, '"01"', "", rule)) == transitive
    assert total(grid(n, n, '"01"', "", rule + itself)) == topologies


def test_graphs_and_tournaments_with_given_degrees() -> None:
    """Cubic graphs with 6 and 8 vertices: OEIS A002829; regular tournaments with 5 and 7 players: A007079."""
    for n, degree, relation, found in (
        (6, 3, "{a},{b} = {b},{a}", 70),
        (8, 3, "{a},{b} = {b},{a}", 19355),
        (5, 2, "{a},{b} + {b},{a} = 1", 24),
        (7, 3, "{a},{b} + {b},{a} = 1", 2640),
    ):
        rule = [relation.format(a=a, b=b) for a, b in combinations(range(n), 2)]
        none = [f"{a},{a} = 0" for a in range(n)]
        degrees = f'[[count]]\nvalue = 1\nregions = "rows"\ntimes = {degree}\n'
        assert total(grid(n, n, '"01"', degrees, rule + none)) == found


@pytest.mark.parametrize(("n", "matrices"), [(2, 2), (3, 7), (4, 42), (5, 429)])
def test_alternating_sign_matrices(n: int, matrices: int) -> None:
    """OEIS A005130."""
    lines = [[f"{row},{k}" for k in range(n)] for row in range(n)]
    lines += [[f"{k},{column}" for k in range(n)] for column in range(n)]
    compared = [f"0 <= {' '.join(line[:k])} <= 1" for line in lines for k in range(1, n)]
    compared += [f"{' '.join(line)} = 1" for line in lines]
    assert total(grid(n, n, "[-1, 0, 1]", "", compared)) == matrices


@pytest.mark.parametrize(("length", "words"), [(4, 18), (6, 42), (8, 78)])
def test_words_without_a_square(length: int, words: int) -> None:
    """OEIS A006156."""
    clauses = ""
    for size in range(1, length // 2 + 1):
        for start in range(length - 2 * size + 1):
            one, other = (" ".join(f"0,{k}" for k in range(at, at + size)) for at in (start, start + size))
            clauses += f'[[different]]\nof = "words"\ncells = """\n{one}\n{other}\n"""\n'
    assert total(grid(1, length, '"012"', clauses)) == words


def test_edges_in_three_colours() -> None:
    """Of the complete graph with 4 vertices, and of the Petersen graph, which has none (Petersen 1898)."""
    petersen = [("o" + str(k), "o" + str((k + 1) % 5)) for k in range(5)]
    petersen += [("i" + str(k), "i" + str((k + 2) % 5)) for k in range(5)]
    petersen += [("o" + str(k), "i" + str(k)) for k in range(5)]
    for edges, found in ((list(combinations("abcd", 2)), 6), (petersen, 0)):
        around = [" ".join(a + b for a, b in edges if vertex in (a, b)) for vertex in set().union(*edges)]
        lines, cells = "\n".join(sorted(around)), " ".join(a + b for a, b in edges)
        text = f'kind = "coloring"\ncolors = 3\ncells = "{cells}"\n[[different]]\ncells = """\n{lines}\n"""'
        assert total(text) == found


def test_partitions_of_a_set() -> None:
    """OEIS A000110."""
    for n, partitions in ((4, 15), (5, 52), (8, 4140)):
        text = grid(1, n, f'"1..{n}"', 'symmetry = "values"')
        assert rk.count(rk.puzzle_from_text(text, "partitions")).unique == partitions


@pytest.mark.parametrize(("n", "matchings"), [(4, 10), (7, 232)])
def test_involutions(n: int, matchings: int) -> None:
    """OEIS A000085."""
    assert total(f'kind = "graph"\nnamed = "complete {n}"\nfind = "matchings"') == matchings


def test_graphs_up_to_isomorphism() -> None:
    """OEIS A000088."""
    for n, graphs in ((4, 11), (5, 34), (6, 156)):
        swap, turn = [1, 0, *range(2, n)], [*range(1, n), 0]
        pairs = [f"{a}{b}" for a, b in combinations(range(n), 2)]
        moves = ({f"{a}{b}": edge(to[a], to[b]) for a, b in combinations(range(n), 2)} for to in (swap, turn))
        symmetry = ", ".join(f'"{in_cycles(move)}"' for move in moves)
        text = f'kind = "coloring"\ncolors = 2\ncells = "{" ".join(pairs)}"\nsymmetry = [{symmetry}]'
        assert rk.count(rk.puzzle_from_text(text, "graphs")).unique == graphs


def edge(a: int, b: int) -> str:
    return f"{min(a, b)}{max(a, b)}"


def in_cycles(moves: dict[str, str]) -> str:
    """A permutation of names, as the symmetry of a file has it."""
    cycles, left = "", dict(moves)
    while left:
        cycle = [next(iter(left))]
        while (image := left.pop(cycle[-1])) != cycle[0]:
            cycle.append(image)
        cycles += f"({' '.join(cycle)})" if len(cycle) > 1 else ""
    return cycles


def classes(text: str) -> tuple[int, int | None]:
    found = rk.count(rk.puzzle_from_text(text, "question"))
    return found.total, found.unique


@pytest.mark.parametrize(
    ("n", "fixed", "one_sided", "free"), [(4, 19, 7, 5), (5, 63, 18, 12), (6, 216, 60, 35)]
)
def test_polyominoes(n: int, fixed: int, one_sided: int, free: int) -> None:
    """OEIS A001168, A000988, A000105. On a torus of n + 1 squares no polyomino meets itself."""
    clauses = f'[[connected]]\nvalue = "#"\n[[count]]\nvalue = "#"\ntimes = {n}\n'
    for up_to, found in (("", fixed), (', "rotations"', one_sided), (', "board"', free)):
        head = f'toroidal = true\nsymmetry = ["shifts"{up_to}]\n'
        assert classes(grid(n + 1, n + 1, '"-#"', head + clauses)) == ((n + 1) ** 2 * fixed, found)


@pytest.mark.parametrize(
    ("n", "rule", "total_and_classes"),
    [
        (3, "", (19683, 3330)),  # operations on three elements: OEIS A002489, A001329
        (4, '[[different]]\nregions = ["rows", "columns"]', (576, 35)),  # quasigroups: A002860, A057991
        (5, '[[different]]\nregions = ["rows", "columns"]', (161280, 1411)),
    ],
)
def test_operations_up_to_isomorphism(n: int, rule: str, total_and_classes: tuple[int, int]) -> None:
    symmetry = []
    for to in ([1, 0, *range(2, n)], [*range(1, n), 0]):
        cells = {f"{a},{b}": f"{to[a]},{to[b]}" for a, b in product(range(n), repeat=2)}
        symmetry.append(f"{in_cycles(cells)} values {in_cycles({str(a): str(to[a]) for a in range(n)})}")
    assert classes(grid(n, n, f'"0..{n - 1}"', f"symmetry = {symmetry}\n{rule}")) == total_and_classes


@pytest.mark.parametrize(("n", "total_and_classes"), [(3, (113, 18)), (4, (3492, 126))])
def test_associative_operations(n: int, total_and_classes: tuple[int, int]) -> None:
    """Semigroups: OEIS A023814, and A001423 up to isomorphism and exchange of left and right."""
    problem = rk.Problem()
    times = [[problem.variable(f"{a}*{b}", range(n)) for b in range(n)] for a in range(n)]
    for a, b, c in product(range(n), repeat=3):
        result = problem.hidden(range(n))
        problem.element(times[b][c], times[a], result)
        problem.element(times[a][b], [row[c] for row in times], result)
    puzzle, _ = rk.with_own_symmetry(problem.puzzle())
    found = rk.count(puzzle)
    assert (found.total, found.unique) == total_and_classes


def test_boolean_functions() -> None:
    """Increasing ones: OEIS A000372, A003182. All, up to negations and the order of arguments: A000370."""
    n, size = 4, 16
    increasing = [f"0,{k} <= 0,{k | 1 << bit}" for k in range(size) for bit in range(n) if not k >> bit & 1]
    names = [f"0,{k}" for k in range(size)]
    turned = in_cycles({names[k]: names[k << 1 & size - 1 | k >> n - 1] for k in range(size)})
    swapped = in_cycles({names[k]: names[k & ~3 | (k & 1) << 1 | k >> 1 & 1] for k in range(size)})
    negated = in_cycles({names[k]: names[k ^ 1] for k in range(size)})
    order = f'symmetry = ["{turned}", "{swapped}"]'
    assert classes(grid(1, size, '"01"', order, increasing)) == (168, 30)
    every = f'symmetry = ["{turned}", "{swapped}", "{negated}", "values"]'
    assert classes(grid(1, size, '"01"', every)) == (65536, 222)


def test_hadamard_matrices() -> None:
    """Of order 4, by trying all of them."""
    orthogonal = {
        (one, other)
        for one, other in product(product((-1, 1), repeat=4), repeat=2)
        if sum(a * b for a, b in zip(one, other, strict=True)) == 0
    }
    matrices = product(product((-1, 1), repeat=4), repeat=4)
    found = sum(orthogonal.issuperset(combinations(rows, 2)) for rows in matrices)
    rows = [" + ".join(f"{a},{k}*{b},{k}" for k in range(4)) + " = 0" for a, b in combinations(range(4), 2)]
    assert total(grid(4, 4, "[-1, 1]", "", rows)) == found == 768


@pytest.mark.parametrize(
    ("rows", "columns", "across", "tilings"),
    [(5, 2, False, 8), (5, 4, False, 31), (5, 6, False, 175), (6, 6, True, 0)],
)
def test_dominoes_without_a_fault_line(rows: int, columns: int, across: bool, tilings: int) -> None:
    """None that crosses the short way: OEIS A232621; none at all: 6x6 has no tiling (R. L. Graham 1981)."""
    cells = [f"{a}.{b}" for a, b in product(range(rows), range(columns))]
    lines = [f"v{b}" for b in range(1, columns)] + [f"h{a}" for a in range(1, rows)]
    dominoes = [f"{a}.{b - 1} {a}.{b} v{b}" for a, b in product(range(rows), range(1, columns))]
    dominoes += [f"{a - 1}.{b} {a}.{b} h{a}" for a, b in product(range(1, rows), range(columns))]
    options = "\n".join(dominoes)
    crossed = "\n".join(f"{line} = {[int(across or line[0] == 'v'), 'any']}" for line in lines)
    text = f'kind = "cover"\nitems = "{" ".join(cells + lines)}"\noptions = """\n{options}\n"""'
    assert total(f"{text}\n[times]\n{crossed}") == tilings


@pytest.mark.parametrize(
    ("lattice", "totals"),
    [
        ("", {1: 4, 4: 100, 7: 2172}),  # square: OEIS A001411
        ("+ (a - b)*(c - d)", {1: 6, 3: 138, 5: 2730}),  # triangular: A001334
    ],
)
def test_self_avoiding_walks(lattice: str, totals: dict[int, int]) -> None:
    step = f'pattern = "ab\\ncd"\ncells = "(a - b)*(a - b) + (c - d)*(c - d) {lattice} = 1"'
    clauses = f'[[different]]\nof = "words"\nregions = "columns"\n[[compare]]\n{step}\n'
    start = ["0,0 = 0 and 1,0 = 0"]
    found = {n: total(grid(2, n + 1, f'"{-n}..{n}"', clauses, start)) for n in totals}
    assert found == totals
