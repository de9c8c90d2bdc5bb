"""Faults put in on purpose: whatever an engine does wrong, no number comes out, and the check that saw it is named."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.cli.main import main
from rekkyo.engines.contract import Block, Shard, Tally
from rekkyo.engines.queens.bitmap.engine import QueensBitmap
from rekkyo.engines.queens.cover.engine import QueensCover
from rekkyo.engines.queens.join.engine import QueensJoin
from rekkyo.errors import BadInput, BadModel, CountsDisagree
from rekkyo.model.puzzle import FurtherSymmetry
from rekkyo.model.row import AtomPermutation
from rekkyo.search.checks import BlockChecks, check_fixed, check_ledger
from rekkyo.search.cutting import Into
from rekkyo.search.fold import fold, sum_shard
from rekkyo.search.question import ask
from rekkyo.search.search import prepare
from rekkyo.search.sizes import Sizes
from rekkyo.search.threads import Stop
from rekkyo.store.finished import Sums
from rekkyo.symmetry.orbits import OrbitSurvey


def invalid_row(_: Shard, blocks: Iterable[Block]) -> Iterator[Block]:
    return (replace(block, rows=np.zeros_like(block.rows)) for block in blocks)


def row_twice_at_an_edge(_: Shard, blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if len(block.rows):
            yield replace(block, rows=block.rows[-1:], nodes=0)


def wrong_stabilizers(_: Shard, blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        yield replace(block, stabilizers=np.full(len(block.rows), 2, dtype=np.uint32))


def lost_row(_: Shard, blocks: Iterable[Block]) -> Iterator[Block]:
    """The last row of a shard is not a representative, so that its orbit is met all the same."""
    for block in blocks:
        yield replace(block, rows=block.rows[:-1])


def lost_shard(shard: Shard, blocks: Iterable[Block]) -> Iterator[Block]:
    if shard.index == LOST:
        raise Stop
    yield from blocks


def shard_twice(_: object, shards: tuple[Shard, ...]) -> tuple[Shard, ...]:
    return shards if len(shards) == 1 else (*shards[:-1], shards[LOST])


def wrong_weight(shard: Shard, tally: Tally) -> Tally:
    """Two solutions too many: sums that are not multiples of 3 are seen by the engine itself."""
    return tally + Tally(6, 0) if shard.index == 0 else tally


LOST = 2
"""No shard of QUEENS_12 by which the cut is judged."""

QUEENS_8 = ("queens", "8", "--engine", "queens-bitmap")
QUEENS_12 = ("queens", "12", "--engine", "queens-bitmap")
JOINED = ("queens", "8", "--engine", "queens-join")


@dataclass(frozen=True, slots=True)
class Fault:
    """spoil: takes the second argument of the method (a shard, but of `split` a number) and what it returned."""

    check: str
    engine: type[Any]
    method: str
    spoil: Callable[[Any, Any], Any]
    puzzle: tuple[str, ...] = QUEENS_8
    commands: tuple[tuple[str, ...], ...] = (
        ("count",),
        ("orbits",),
        ("run", "--out", "run"),
        ("run", "--out", "run", "--count-only"),
    )

    def put_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        original = getattr(self.engine, self.method)

        def spoiled(engine: Any, plan: Any, asked: Any, *others: Any) -> Any:
            return self.spoil(asked, original(engine, plan, asked, *others))

        monkeypatch.setattr(self.engine, self.method, spoiled)


LISTING = (("solve",), ("solve", "--up-to", "symmetry"))
COUNTING = (("count",), ("run", "--out", "run", "--count-only"))

FAULTS = {
    "invalid row": Fault("definition", QueensBitmap, "blocks", invalid_row),
    "invalid row, listed": Fault("definition", QueensBitmap, "blocks", invalid_row, commands=LISTING),
    "row twice": Fault("neighbours", QueensBitmap, "blocks", row_twice_at_an_edge),
    "row twice, listed": Fault("neighbours", QueensBitmap, "blocks", row_twice_at_an_edge, commands=LISTING),
    "wrong stabilizers": Fault("stabilizer", QueensBitmap, "blocks", wrong_stabilizers),
    "wrong stabilizers, listed": Fault(
        "stabilizer", QueensBitmap, "blocks", wrong_stabilizers, commands=LISTING[1:]
    ),
    "lost row": Fault("orbit ledger", QueensBitmap, "blocks", lost_row),
    "lost shard": Fault("shards", QueensBitmap, "blocks", lost_shard, QUEENS_12),
    "shard twice": Fault("shards", QueensBitmap, "split", shard_twice, QUEENS_12, (("count",),)),
    "wrong weight": Fault("Burnside", QueensJoin, "count", wrong_weight, JOINED, COUNTING),
}


@pytest.mark.parametrize(
    ("fault", "command"),
    [
        pytest.param(fault, command, id=f"{name}: {' '.join(command)}")
        for name, fault in FAULTS.items()
        for command in fault.commands
    ],
)
def test_no_command_shows_what_does_not_fit(
    fault: Fault,
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["rekkyo", command[0], *fault.puzzle, *command[1:]])
    fault.put_in(monkeypatch)
    with pytest.raises(SystemExit) as ended:
        main()
    shown = capsys.readouterr()
    assert (ended.value.code, shown.out if command[0] != "solve" else "") == (1, "")
    assert f"(check: {fault.check})" in shown.err or f", check: {fault.check})" in shown.err
    assert shown.err.endswith("please report this\n")


def fold_of_queens_8(spoil: Callable[[Shard, Iterable[Block]], Iterator[Block]], sizes: Sizes) -> None:
    """All blocks of a search that is one shard."""
    asked = ask(rk.queens(8), engine="queens-bitmap", up_to="symmetry", workers=1, sizes=sizes)
    search = prepare(asked, Into(1))
    fold(
        replace(search, other=lambda shard, pause: spoil(shard, search.blocks(shard, pause))), sum_shard, None
    )


def invalid_last_row(_: Shard, blocks: Iterable[Block]) -> Iterator[Block]:
    *others, last = (block for block in blocks if len(block.rows))
    yield from others
    last.rows[-1] = 7
    yield last


def last_row_is_refused() -> pytest.RaisesExc[CountsDisagree]:
    return pytest.raises(
        CountsDisagree, match=r"\[7, 7, 7, 7, 7, 7, 7, 7\] is not a solution .*check: definition"
    )


def test_an_invalid_row_at_the_end_is_seen_as_one_at_the_beginning() -> None:
    with last_row_is_refused():
        fold_of_queens_8(invalid_last_row, Sizes(block_rows=10))


def test_a_list_ends_with_the_check_of_its_last_row(monkeypatch: pytest.MonkeyPatch) -> None:
    Fault("definition", QueensBitmap, "blocks", invalid_last_row).put_in(monkeypatch)
    listed = rk.solve(rk.queens(8), engine="queens-bitmap", workers=1, sizes=Sizes(block_rows=10))
    assert sum(1 for _ in islice(listed, 92)) == 92
    with last_row_is_refused():
        next(listed)


@pytest.mark.parametrize("every", [1, 2, 3, 4])
def test_of_one_block_in_so_many_a_row_is_checked(every: int) -> None:
    def fifth_block(_: Shard, blocks: Iterable[Block]) -> Iterator[Block]:
        for number, block in enumerate(block for block in blocks if len(block.rows)):
            yield replace(block, rows=np.full_like(block.rows, 7)) if number == 4 else block

    is_its_turn = 4 % every == 0
    with pytest.raises(CountsDisagree, match="check: definition") if is_its_turn else nullcontext():
        fold_of_queens_8(fifth_block, Sizes(block_rows=1, checked_every=every))


EXCHANGE = (1, 0, *range(2, 25))
"""Of the first two squares of a board of five."""


@pytest.mark.parametrize("up_to", ["none", "symmetry"])
@pytest.mark.parametrize("engine", ["queens-bitmap", "queens-cover"])
@pytest.mark.parametrize("is_further", [False, True])
def test_a_declared_symmetry_that_is_none_is_refused(up_to: str, engine: str, is_further: bool) -> None:
    """It made 8 of the 10 solutions unique, because the first two squares are never exchanged."""
    queens = rk.queens(5)
    puzzle = rk.Puzzle("mine", queens.model, "Mine", () if is_further else (EXCHANGE,))
    if is_further:
        puzzle = replace(puzzle, further=(FurtherSymmetry("squares", "two squares", (EXCHANGE,)),))
    with pytest.raises(
        BadInput, match=r"generator 0 is not a symmetry, because it takes .* \[0, 2, 4, 1, 3\]"
    ):
        rk.count(puzzle, up_to=up_to, engine=engine)


@pytest.mark.parametrize("generator", [(0, 1), (0,) * 25, (*range(1, 25), 10**30), ("a",) * 25, (None,) * 25])
def test_a_declared_symmetry_that_is_no_permutation_is_refused(generator: AtomPermutation) -> None:
    """`solve` does not list the group; it ended in a traceback."""
    puzzle = rk.Puzzle("mine", rk.queens(5).model, "Mine", (generator,))
    for question in (rk.count, rk.estimate, lambda puzzle: list(rk.solve(puzzle))):
        with pytest.raises(BadModel, match="a symmetry must permute the atoms 0 to 24, each once"):
            question(puzzle)


def test_representatives_that_are_all_missing_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short search without symmetry finds a solution, from which the declared symmetry leads to others."""
    queens = rk.queens(5)
    puzzle = rk.Puzzle("mine", queens.model, "Mine", queens.generators)
    assert rk.count(puzzle, engine="queens-cover").unique == 2
    hopeless = QueensCover().make_plan(rk.queens(3).model)
    monkeypatch.setattr(QueensCover, "make_plan_for_representatives", lambda *_: hopeless)
    with pytest.raises(
        CountsDisagree,
        match=r"\[.*\] is a solution, but no representative was found .*check: representatives",
    ):
        rk.count(puzzle, engine="queens-cover")


def test_declared_symmetries_of_all_layouts_are_taken() -> None:
    for known in (rk.queens(5), rk.puzzle("dominoes 3 4"), rk.puzzle("magic-square 3"), rk.puzzle("hip 3")):
        mine = rk.Puzzle("mine", known.model, "Mine", known.generators)
        assert rk.count(mine).unique == rk.count(known).unique


def test_a_survey_that_is_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        OrbitSurvey, "stabilizer_orders", lambda _, rows: np.full(len(rows), 4, dtype=np.uint32)
    )
    with pytest.raises(CountsDisagree, match=r"was given a stabilizer of order 4, not 1 .*check: stabilizer"):
        rk.count(rk.queens(8), engine="queens-bitmap")


@pytest.mark.parametrize("lost", [1, 40])
def test_a_counting_run_that_lost_a_shard_has_no_outcome(
    lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers would be taken for those of all shards."""
    original = QueensJoin.count

    def losing(engine: QueensJoin, plan: Any, shard: Shard, pause: Any) -> Tally:
        if shard.index == lost:
            raise Stop
        return original(engine, plan, shard, pause)

    monkeypatch.setattr(QueensJoin, "count", losing)
    with pytest.raises(CountsDisagree, match=r"of \d+ shards were searched \(check: shards\)"):
        rk.run(rk.queens(10), tmp_path / "run", engine="queens-join", count_only=True)
    assert rk.Run(tmp_path / "run").status().state == "interrupted"
    monkeypatch.undo()
    status = rk.Run(tmp_path / "run").resume()
    assert (status.state, status.total, status.unique) == ("finished", 724, 92)


@pytest.mark.parametrize(
    "search",
    [
        lambda folder: rk.run(rk.queens(7), folder / "new", workers=1),
        lambda folder: rk.run(rk.queens(7), folder / "new", executor=ThreadPoolExecutor(1)),
        lambda folder: rk.Run(folder / "run").recount(fraction=1.0, engine="queens-bitmap"),
        lambda folder: rk.Run(folder / "run").recount(fraction=1.0, engine="queens-cover"),
    ],
    ids=["run", "run elsewhere", "recount of shards", "recount of models"],
)
def test_the_last_block_is_checked_in_every_search_of_a_run(
    search: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rk.run(rk.queens(7), tmp_path / "run", shards=1)

    def disagrees(checks: BlockChecks) -> None:
        if checks._has_moved:  # it has seen a block
            raise CountsDisagree("the last block is wrong")

    monkeypatch.setattr(BlockChecks, "finish", disagrees)
    with pytest.raises(CountsDisagree, match="the last block is wrong"):
        search(tmp_path)


def test_representatives_must_be_one_for_each_orbit() -> None:
    """The total is right, and says nothing about this."""
    asked = ask(rk.queens(8), engine="queens-bitmap", lists=False, up_to="symmetry")
    search = replace(prepare(asked, Into(1)), only_representatives=True, settles_symmetry=True)
    sums = Sums(8)
    sums.add(fold(search, sum_shard, None))
    sums.found = 12
    check_ledger(search, sums)
    sums.found = 11
    with pytest.raises(CountsDisagree, match="there are 12 orbits, but 11 representatives were found"):
        check_ledger(search, sums)


def test_the_orders_of_stabilizers_divide_that_of_the_group() -> None:
    search = prepare(ask(rk.queens(8), engine="queens-bitmap", lists=False, up_to="symmetry"), Into(1))
    sums = Sums(8)
    sums.ledger.n_orbits.update({1: 11, 4: 1})
    sums.found = 90
    check_ledger(search, sums)
    sums.ledger.n_orbits.update({3: 1})
    sums.found = 92
    with pytest.raises(CountsDisagree, match="a stabilizer of order 3 in a group of order 8"):
        check_ledger(search, sums)


@pytest.mark.parametrize(
    ("order", "fixed", "fits"),
    [
        (2, 4, True),
        (2, 3, False),
        (3, 4, True),  # the other 6 of 10 solutions come in orbits of 3
        (3, 5, False),
        (4, 3, False),
        (5, 0, True),
        (5, 1, False),
        (6, 5, True),  # orbits of 2 and of 3 solutions
        (6, 11, False),
        (9, 1, True),
        (9, 3, False),
    ],
)
def test_a_symmetry_whose_order_is_a_power_of_a_prime_moves_a_multiple_of_it(
    order: int, fixed: int, fits: bool
) -> None:
    search = prepare(ask(rk.queens(5)), Into(1))
    refused = pytest.raises(CountsDisagree, match=f"a symmetry of order {order} cannot leave {fixed} of 10 ")
    with nullcontext() if fits else refused:
        check_fixed(search, Tally(10, 0), Tally(fixed, 0), order)
