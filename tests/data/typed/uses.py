"""A program of a user who checks it with `mypy --strict`. It also runs, in a folder of its own."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import rekkyo as rk
from rekkyo.export.header import Header

queens = rk.queens(6, blocked=[(0, 0)])
assert_type(queens, rk.Puzzle)
assert_type(rk.puzzle("magic-square 3"), rk.Puzzle)
assert_type(rk.hip(4, any_balance=True), rk.Puzzle)

counted = rk.count(queens, workers=1, digest=True)
assert_type(counted, rk.Count)
assert_type(rk.counts([queens]), list[rk.Count])
assert_type(counted.total, int)
assert_type(counted.unique, int | None)
assert_type(counted.digest, str | None)

for row in rk.solve(queens, up_to="symmetry", limit=2):
    assert_type(row, rk.Solution)
    assert_type(row.puzzle, rk.Puzzle)
    assert_type(rk.verify(queens, row), list[str])
    assert_type(rk.board(queens, row), str)
    assert_type(rk.svg(queens, row, theme="dark"), rk.Svg)
assert_type(rk.solve(queens), Iterator[rk.Solution])
rows: Iterator[tuple[int, ...]] = rk.solve(queens)
assert_type(rk.solve_blocks(queens), Generator[NDArray[Any], None, None])
for block in rk.solve_blocks(queens):
    print(np.unique(block, axis=0).shape)
page: str = rk.sheet(queens, rk.solve(queens), columns=2)

orbits = rk.orbits(rk.queens(6))
assert_type(orbits, rk.Orbits)
assert_type(orbits.classes, tuple[rk.OrbitClass, ...])
assert_type([(found.symmetry, found.orbits) for found in orbits.classes], list[tuple[str, int]])

clues = rk.clues(queens)
assert_type(clues, rk.Clues)
assert_type(clues.smallest, tuple[tuple[int, ...], ...])

widget = rk.design(rk.puzzle("dominoes 2 4"))
assert_type(widget.puzzle, rk.Puzzle)
widget.close()

guessed = rk.estimate(queens, draws=100, seed=3)
assert_type(guessed, rk.Estimate)
assert_type(rk.recurrence([1, 1, 2, 3, 5, 8, 13]), rk.Recurrence | None)
assert_type(guessed.total, rk.Range)
assert_type((guessed.total.value, guessed.total.high), tuple[float, float | None])

packed = rk.packing("####\n####", "AA BB", times={"A": (0, 4), "B": (0, None)}, reflections=False)
triangle = rk.sum_figure("a b c, c d e, e f a", numbers=range(1, 7), given={"a": 1})
ring = rk.Puzzle("ring", rk.Coloring(4, 3, sets=((0, 1), (1, 2), (2, 3), (3, 0))), "A ring of four")
line = rk.SumFigure(cells=("a", "b"), numbers=(1, 2), lines=(rk.Line((0, 1), 3),))
cover = rk.ExactCover(primary=("a", "b"), options=(((0, 0),), ((1, 0),), ((0, 0), (1, 0))))
problem = rk.Problem()
problem.all_different(problem.variables("ab", (1, 2)))
assert_type(problem.model(), rk.Csp)
assert_type(rk.as_csp(rk.puzzle("queens 4").model), rk.Csp)
assert_type(problem.puzzle("two"), rk.Puzzle)
assert_type(packed, rk.Puzzle)
assert_type(triangle, rk.Puzzle)
assert_type(ring, rk.Puzzle)
assert_type(rk.own_symmetry(cover), rk.OwnSymmetry)
assert_type(rk.own_symmetry(cover).order, int | None)
assert_type(rk.with_own_symmetry(rk.queens(4)), tuple[rk.Puzzle, rk.OwnSymmetry])
print([rk.count(puzzle).total for puzzle in (packed, triangle, ring, rk.Puzzle("sum", line, "A sum"))])
Path("cover.xcc").write_text("a b\na\nb\na b\n", encoding="utf-8")
assert_type(rk.puzzle_from_file(Path("cover.xcc")), rk.Puzzle)
assert_type(rk.puzzle_from_text('kind = "graph"\nnamed = "petersen"\nfind = "cliques"'), rk.Puzzle)

drawn = rk.sample(rk.puzzle("dominoes 2 4"), 2, seed=1)
assert_type(drawn, rk.Samples)
assert_type(drawn.rows, tuple[tuple[int, ...], ...])
assert_type(rk.stats(rk.puzzle("dominoes 2 4")), rk.Stats)


def watch(progress: rk.Progress) -> None:
    assert_type(progress.remaining_s, tuple[float, float] | None)


status = rk.run(queens, "q6", workers=1, up_to="none", watch=watch)
assert_type(status, rk.RunStatus)
assert_type(status.total, int | None)
assert_type(status.evidence, tuple[rk.Evidence, ...])
assert_type([evidence.blind_to for evidence in status.evidence], list[str])
assert_type(rk.Run(Path("q6")).resume(say=print), rk.RunStatus)
assert_type(rk.Run("q6").status(), rk.RunStatus)
assert_type(rk.Run("q6").recount(fraction=0.5), rk.Recount)
assert_type(rk.Run("q6").verify(), rk.RunCheck)
assert_type(rk.Run("q6").damage(), rk.Damage)
with rk.RunReader("q6") as reader:
    assert_type(reader, rk.RunReader)
    assert_type(reader.row(0), tuple[int, ...])
assert_type(rk.Run("q6").export("csv", "q6.csv"), Header)
rk.run(rk.puzzle("queens 5"), "q5", workers=1, up_to="none")
bundle = rk.publish(["q5"], "bundle", statement="Queens on 5x5 squares")
assert_type(bundle, rk.Bundle)
assert_type(bundle.terms, tuple[rk.Term, ...])
assert_type(bundle.terms[0].ways, tuple[rk.Way, ...])
assert_type(rk.check_bundle("bundle", limit_s=5), rk.BundleCheck)
assert_type(rk.graph("a b"), rk.Graph)
assert_type(rk.graph("a b").cycles(), rk.Puzzle)
assert_type(rk.bfile(["queens", "4..6"]), Iterator[str])
assert_type(rk.bfile(rk.queens, range(4, 6), engines=2), Iterator[str])

small: rk.Sizes = rk.Sizes(block_rows=1, shards=4)
assert_type(rk.count(queens, sizes=small), rk.Count)


def proved(folder: Path) -> rk.Certificate | None:
    try:
        return rk.certify(queens, folder, limit_s=60)
    except rk.NoProof:
        return None


def proved_count(folder: Path) -> rk.CountCertificate:
    return rk.certify_count(rk.puzzle("dominoes 2 4"), folder)


def looked_at(folder: Path) -> tuple[rk.Check, ...]:
    check = rk.check_certificate(folder, puzzle=queens, limit_s=60)
    assert_type(check, rk.CertificateCheck)
    return check.checks


try:
    rk.queens(0)
except rk.RekkyoError as problem:
    print(str(problem).splitlines()[0])
