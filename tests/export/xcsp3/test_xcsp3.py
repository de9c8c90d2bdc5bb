"""Instances in XCSP3 have the solutions that their meaning in plain Python gives, for every assignment of the
variables.
"""

from __future__ import annotations

import lzma
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

import rekkyo as rk
from rekkyo.export.xcsp3 import expressions, tables
from rekkyo.model.csp.csp import Csp
from tests.export.xcsp3.cases import (
    CASES,
    DOMAIN,
    EXPRESSIONS,
    N_B,
    N_X,
    Meaning,
    declared,
    quotient,
    remainder,
)

ASSIGNMENTS = [(x, b) for x in product(DOMAIN, repeat=N_X) for b in product((0, 1), repeat=N_B)]


def read(folder: Path, text: str) -> rk.Puzzle:
    path = folder / "case.xml"
    path.write_text(text, encoding="utf-8")
    return rk.puzzle_from_file(path)


def solutions(puzzle: rk.Puzzle, engine: str = "csp-plain") -> set[tuple[int, ...]]:
    model = puzzle.model
    assert isinstance(model, Csp)
    rows = [tuple(model.values[int(place)] for place in row) for row in rk.solve(puzzle, engine=engine)]
    assert len(set(rows)) == len(rows)
    return set(rows)


@cache
def by_definition_of(name: str) -> set[tuple[int, ...]]:
    return by_definition(CASES[name][1] if name in CASES else EXPRESSIONS[name])


def by_definition(meaning: Meaning) -> set[tuple[int, ...]]:
    return {(*x, *b) for x, b in ASSIGNMENTS if meaning(x, b)}


@pytest.mark.parametrize("name", CASES)
def test_what_constraints_mean(name: str, tmp_path: Path) -> None:
    body, meaning = CASES[name]
    puzzle = read(tmp_path, declared(body))
    assert solutions(puzzle) == by_definition(meaning)
    assert rk.count(puzzle).total == len(by_definition(meaning))


@pytest.mark.parametrize("most", [0, expressions.MAX_TABLE], ids=["parts", "tables"])
@pytest.mark.parametrize("text", EXPRESSIONS)
def test_what_expressions_mean(text: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "MAX_TABLE", most)
    puzzle = read(tmp_path, declared(f"<intension> {text} </intension>"))
    assert solutions(puzzle) == by_definition(EXPRESSIONS[text])


def instance(variables: str, constraints: str = "", more: str = "") -> str:
    sections = f"<variables>{variables}</variables><constraints>{constraints}</constraints>{more}"
    return f'<instance format="XCSP3" type="COP">{sections}</instance>'


@pytest.mark.parametrize("seed", range(8))
def test_rows_with_stars_as_a_diagram(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that overlap and repeat, name values that are not possible, and may name a variable twice."""
    monkeypatch.setattr(tables, "MOST_ROWS", 0)
    dice = Random(seed)
    places = [dice.randrange(N_X) for _ in range(dice.randint(1, 4))]
    rows = [tuple(dice.choice([None, None, *DOMAIN, 9]) for _ in places) for _ in range(dice.randint(1, 5))]
    rows[-1] = (None, *rows[-1][1:])
    words = "".join(f"({','.join('*' if value is None else str(value) for value in row)})" for row in rows)
    scope = " ".join(f"x[{at}]" for at in places)
    table = f"<extension><list> {scope} </list><supports> {words} </supports></extension>"
    puzzle = read(tmp_path, declared(table))
    expected = by_definition(
        lambda x, b: any(
            all(value in (None, x[at]) for value, at in zip(row, places, strict=True)) for row in rows
        )
    )
    assert solutions(puzzle) == expected
    assert rk.count(puzzle).total == len(expected)


def test_rows_with_stars_that_stand_for_more_rows_than_could_be_listed(tmp_path: Path) -> None:
    rest = ",".join("*" * 10)
    table = f"<extension><list> x[] </list><supports> (1,*,{rest})(*,1,{rest})(7,7,{rest}) </supports></extension>"
    puzzle = read(tmp_path, instance('<array id="x" size="[12]"> 0..9 </array>', table))
    assert rk.count(puzzle, up_to="none").total == 20 * 10**10


def test_variables_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = instance(
        '<var id="z"> 3..4 1 3..3 </var><array id="y" size=" [2] [ 2]" note="n">'
        '<domain for="y[0][] y[1][0]"> 0..1 </domain><domain for="others"> 5 </domain></array>'
        '<var id="a" as="z"/><array id="hole" size="[3]"><domain for="hole[1..2]"> 2 </domain></array>',
        "<intension> lt(hole[1],z) </intension>",
    )
    puzzle = read(tmp_path, text)
    model = puzzle.model
    assert isinstance(model, Csp)
    names = [model.names[v] for v in model.solution]
    assert names == ["z", "y[0][0]", "y[0][1]", "y[1][0]", "y[1][1]", "a", "hole[1]"]
    assert model.domains[0] == (1, 3, 4)
    assert rk.count(puzzle).total == 2 * 2**3 * 3
    assert puzzle.title == "7 variables, 1 constraint (entries of arrays left out: 1)"


def test_entries_of_an_array_that_nothing_names_are_left_out(tmp_path: Path) -> None:
    """PyCSP3 writes a Golomb ruler with a matrix of distances, of which half is declared and not used."""
    n, length = 4, 6
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    distances = "".join(f"<intension> eq(d[{i}][{j}],sub(x[{j}],x[{i}])) </intension>" for i, j in pairs)
    text = instance(
        f'<array id="x" size="[{n}]"> 0..{length} </array><array id="d" size="[{n}][{n}]"> 1..{length} </array>',
        "<intension> eq(x[0],0) </intension><ordered><list> x[] </list><operator> lt </operator></ordered>"
        + distances
        + f"<allDifferent> {' '.join(f'd[{i}][{j}]' for i, j in pairs)} </allDifferent>",
        "<objectives><minimize> x[3] </minimize></objectives>",
    )
    puzzle = read(tmp_path, text)
    assert {row[:n] for row in solutions(puzzle)} == {(0, 1, 4, 6), (0, 2, 5, 6)}
    assert rk.count(puzzle, up_to="none").total == 2


def test_a_comparison_that_is_repeated_has_one_truth_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expressions, "MAX_TABLE", 0)
    written = (
        "iff(eq(x[0],x[1]),b[0])",
        "iff(eq(x[1],x[0]),b[1])",
        "or(lt(x[0],x[1]),b[0])",
        "or(le(add(x[0],1),x[1]),b[1])",
    )
    texts = [f"<intension> {text} </intension>" for text in written]
    model = read(tmp_path, declared("".join(texts))).model
    assert isinstance(model, Csp)
    assert len(model.domains) - len(model.solution) == 2
    found = solutions(rk.Puzzle("repeated", model, "repeated"))
    assert found == by_definition(lambda x, b: x[0] <= x[1] and b == (x[0] == x[1],) * 2)


def test_an_array_of_two_dimensions_is_a_board(tmp_path: Path) -> None:
    latin = instance(
        '<array id="x" size="[3][3]"> 1..3 </array>', "<allDifferent><matrix> x[][] </matrix></allDifferent>"
    )
    puzzle = read(tmp_path, latin)
    assert isinstance(puzzle.model, Csp)
    assert puzzle.model.grid == (3, 3)
    assert rk.count(puzzle).total == 12


@pytest.mark.parametrize("origins", ["x[][]", "(x[0][0],x[0][1])(x[1][0],x[1][1])"])
@pytest.mark.parametrize("lengths", ["w[][]", "w[0..1][0..1]", "(1,1)(1,1)"])
def test_boxes_in_arrays_of_two_dimensions(origins: str, lengths: str, tmp_path: Path) -> None:
    """Two squares of side 1 lie apart in a square of side 3 in 9 x 8 ways; four intervals never do."""
    arrays = '<array id="x" size="[2][2]"> 0..2 </array><array id="w" size="[2][2]"> 1 </array>'
    apart = f"<noOverlap><origins> {origins} </origins><lengths> {lengths} </lengths></noOverlap>"
    assert rk.count(read(tmp_path, instance(arrays, apart))).total == 72


def test_boxes_and_intervals_are_not_mixed(tmp_path: Path) -> None:
    array = '<array id="x" size="[2][2]"> 0..2 </array>'
    apart = "<noOverlap><origins> x[][] </origins><lengths> 1x4 </lengths></noOverlap>"
    with pytest.raises(rk.BadInput, match="1x4 is not an array of variables, nor tuples"):
        read(tmp_path, instance(array, apart))


GOALS: dict[str, tuple[str, bool, Meaning]] = {
    "expression": (
        "<maximize> sub(mul(x[0],2),abs(x[1])) </maximize>",
        True,
        lambda x, b: 2 * x[0] - abs(x[1]),
    ),
    "a variable": ("<minimize> b[1] </minimize>", False, lambda x, b: b[1]),
    "sum": (
        '<minimize type="sum"><list> x[] b[0] </list><coeffs> 1 -2 0 1 3 </coeffs></minimize>',
        False,
        lambda x, b: x[0] - 2 * x[1] + x[3] + 3 * b[0],
    ),
    "product": ('<minimize type="product"> x[0..2] </minimize>', False, lambda x, b: x[0] * x[1] * x[2]),
    "maximum": ('<minimize type="maximum"> x[] </minimize>', False, lambda x, b: max(x)),
    "minimum": ('<maximize type="minimum"> x[] </maximize>', True, lambda x, b: min(x)),
    "nValues": ('<maximize type="nValues"> x[0..2] b[0] </maximize>', True, lambda x, b: len({*x[:3], b[0]})),
}


@pytest.mark.parametrize("name", GOALS)
def test_objectives(name: str, tmp_path: Path) -> None:
    goal, maximize, value = GOALS[name]
    text = declared("<intension> ne(add(x[0],x[1],x[2]),3) </intension>", f"<objectives>{goal}</objectives>")
    fitting = [(x, b) for x, b in ASSIGNMENTS if x[0] + x[1] + x[2] != 3]
    best = (max if maximize else min)(value(x, b) for x, b in fitting)
    expected = {(*x, *b) for x, b in fitting if value(x, b) == best}
    puzzle = read(tmp_path, text)
    assert solutions(puzzle) == expected
    assert solutions(puzzle, "csp") == expected


@pytest.mark.parametrize("seed", range(30))
def test_random_constraints_together(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Random(seed)
    monkeypatch.setattr(expressions, "MAX_TABLE", dice.choice([0, 30, 1 << 10]))
    named = {
        **{name: CASES[name] for name in CASES},
        **{t: (f"<intension> {t} </intension>", m) for t, m in EXPRESSIONS.items()},
    }
    weights = [min(len(by_definition_of(name)), 500) for name in named]
    chosen = dice.choices(list(named), weights, k=dice.randint(2, 3))
    puzzle = read(tmp_path, declared("".join(named[name][0] for name in dict.fromkeys(chosen))))
    expected = set.intersection(*(by_definition_of(name) for name in chosen))
    assert solutions(puzzle, dice.choice(["csp", "csp-plain"])) == expected
    assert rk.count(puzzle).total == len(expected)


def test_random_expressions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = Random(20)
    for _ in range(60):
        monkeypatch.setattr(expressions, "MAX_TABLE", dice.choice([0, 30]))
        text, meaning = random_truth(dice, 3)
        puzzle = read(tmp_path, declared(f"<intension> {text} </intension>"))
        assert solutions(puzzle) == by_definition(meaning), text


Value = tuple[str, Meaning]


def random_number(dice: Random, depth: int) -> Value:
    if depth == 0:
        at, number = dice.randrange(N_X), dice.randint(-3, 4)
        leaves: list[Value] = [(f"x[{at}]", lambda x, b: x[at]), (str(number), lambda x, b: number)]
        return dice.choice([*leaves, leaves[0]])
    if dice.random() < 0.2:
        return random_truth(dice, depth - 1)
    (p, one), (q, other) = random_number(dice, depth - 1), random_number(dice, dice.randrange(depth))
    made: list[Value] = [
        (f"add({p},{q})", lambda x, b: one(x, b) + other(x, b)),
        (f"sub({p},{q})", lambda x, b: one(x, b) - other(x, b)),
        (f"mul({p},{q})", lambda x, b: one(x, b) * other(x, b)),
        (f"dist({p},{q})", lambda x, b: abs(one(x, b) - other(x, b))),
        (f"min({p},{q},1)", lambda x, b: min(one(x, b), other(x, b), 1)),
        (f"max({p},{q})", lambda x, b: max(one(x, b), other(x, b))),
        (f"neg({p})", lambda x, b: -one(x, b)),
        (f"sqr({p})", lambda x, b: one(x, b) ** 2),
        (f"mod({p},2)", lambda x, b: remainder(one(x, b), 2)),
        (f"div({p},-2)", lambda x, b: quotient(one(x, b), -2)),
    ]
    return dice.choice(made)


def random_truth(dice: Random, depth: int) -> Value:
    if depth == 0:
        at = dice.randrange(N_B)
        return f"b[{at}]", lambda x, b: bool(b[at])
    if dice.random() < 0.5:
        (p, one), (q, other) = random_number(dice, depth - 1), random_number(dice, depth - 1)
        made: list[Value] = [
            (f"eq({p},{q})", lambda x, b: one(x, b) == other(x, b)),
            (f"ne({p},{q})", lambda x, b: one(x, b) != other(x, b)),
            (f"lt({p},{q})", lambda x, b: one(x, b) < other(x, b)),
            (f"ge({p},{q})", lambda x, b: one(x, b) >= other(x, b)),
            (f"in({p},set(0,2,-1))", lambda x, b: one(x, b) in (0, 2, -1)),
            (f"notin({p},1..2)", lambda x, b: one(x, b) not in (1, 2)),
        ]
        return dice.choice(made)
    (p, one), (q, other) = random_truth(dice, depth - 1), random_truth(dice, depth - 1)
    (r, third) = random_truth(dice, depth - 1)
    made = [
        (f"and({p},{q},{r})", lambda x, b: one(x, b) and other(x, b) and third(x, b)),
        (f"or({p},{q},{r})", lambda x, b: one(x, b) or other(x, b) or third(x, b)),
        (f"xor({p},{q},{r})", lambda x, b: (one(x, b) + other(x, b) + third(x, b)) % 2 == 1),
        (f"iff({p},{q})", lambda x, b: one(x, b) == other(x, b)),
        (f"imp({p},{q})", lambda x, b: not one(x, b) or other(x, b)),
        (f"not({p})", lambda x, b: not one(x, b)),
        (f"if({p},{q},{r})", lambda x, b: other(x, b) if one(x, b) else third(x, b)),
        (f"eq({p},{q})", lambda x, b: one(x, b) == other(x, b)),
    ]
    return dice.choice(made)


def test_compressed(tmp_path: Path) -> None:
    text = instance('<var id="a"> 1..3 </var>', "<intension> ne(a,2) </intension>")
    for how in (lzma.FORMAT_ALONE, lzma.FORMAT_XZ):
        path = tmp_path / "case.xml.lzma"
        path.write_bytes(lzma.compress(text.encode(), format=how))
        assert rk.count(rk.puzzle_from_file(path)).total == 2
        path.write_bytes(lzma.compress(text.encode(), format=how)[:-20])
        with pytest.raises(rk.BadInput, match="ends too early"):
            rk.puzzle_from_file(path)
    path.write_bytes(lzma.compress(b" " * (70 << 20), preset=0))
    with pytest.raises(rk.BadInput, match="decompressed it has more than"):
        rk.puzzle_from_file(path)
    alone = bytearray(lzma.compress(text.encode(), format=lzma.FORMAT_ALONE))
    alone[1:5] = (1 << 30).to_bytes(4, "little")  # the size of the dictionary
    path.write_bytes(alone)
    with pytest.raises(
        rk.BadInput, match="unpacking it takes more than 256 MiB of memory; compress it by xz -9"
    ):
        rk.puzzle_from_file(path)
    path.write_bytes(b"no lzma")
    with pytest.raises(rk.BadInput, match="is not an LZMA file"):
        rk.puzzle_from_file(path)
