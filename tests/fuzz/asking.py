"""Ways of asking, and their answers held against the truth and against each other."""

from __future__ import annotations

import io
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rekkyo as rk
from rekkyo.engines import registry
from rekkyo.engines.contract import ListingEngine, row_dtype
from rekkyo.engines.digest import digest_of
from rekkyo.errors import BadInput, EngineRefuses
from rekkyo.export.puzzle_files import write_puzzle
from rekkyo.export.read import read_lines
from rekkyo.export.text import writer
from rekkyo.model.csp.csp import Csp
from rekkyo.model.csp.free import without_free
from rekkyo.model.lower import lower
from rekkyo.model.puzzle import Puzzle
from rekkyo.model.row import Layout
from rekkyo.runs.status import RunStatus
from rekkyo.search import question as questions
from rekkyo.search.optimum import with_optimum
from rekkyo.search.question import ask
from rekkyo.store.model_hash import model_hash
from rekkyo.symmetry.group import close, order_of_generators
from tests.fuzz import engines, killed
from tests.fuzz.files import padded, read_back, toml_of
from tests.fuzz.merging import limits_of_choice, limits_of_plan, lowered
from tests.fuzz.oracle import Row, Truth
from tests.fuzz.stopping import Stopped, failing_after
from tests.fuzz.ways import Way, sizes_of

SHOWN = 200
"""Solutions that a diagram is asked for one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """The truth about a puzzle, and what earlier ways said about what the truth does not know.

    said: the order of a list and the nodes of a search, which are the same however the search is cut. Those of
    engines that merge equal states are the same only by the same plan, see `limits_of_plan`.
    """

    truth: Truth
    said: dict[tuple[object, ...], object] = field(default_factory=dict)

    def same_as_before(self, answer: object, *question: object) -> None:
        """Fail unless earlier ways gave the same answer to the same question."""
        before = self.said.setdefault(question, answer)
        assert answer == before, f"{question}: {answer}, but another way said {before}"


class Asking:
    """One way on its way."""

    def __init__(self, case: Case, way: Way, folder: Path) -> None:
        self.case, self.way, self.folder = case, way, folder
        self.truth = case.truth
        self.is_as_in_file = False
        self.puzzle = self._through_file()
        self.wanted = self.truth.wanted(way.up_to)
        self.how: dict[str, Any] = {"engine": way.engine, "workers": way.workers, "sizes": sizes_of(way)}

    def _through_file(self) -> Puzzle:
        puzzle, way = self.truth.puzzle, self.way
        if not way.file:
            return puzzle
        path = self.folder / f"puzzle.{way.file}"
        path.write_text(
            toml_of(puzzle.model) if way.file == "toml" else write_puzzle(puzzle), encoding="utf-8"
        )
        read = rk.puzzle_from_file(path)
        assert read.model.row_shape == puzzle.model.row_shape
        # That of a graph is found in its drawing, which the file lacks.
        has_own = puzzle.picture is None and (puzzle.motions is not None or puzzle.symmetry_was_searched)
        if puzzle.generators and has_own and way.file == "toml":
            assert read.generators == puzzle.generators
        asked = replace(puzzle, name=read.name, model=read.model)
        self.is_as_in_file = model_hash(asked) == model_hash(read)
        return asked

    def same_as_before(self, answer: object, what: str, engine: str, *further: object) -> None:
        """Fail unless earlier ways gave the same answer."""
        self.case.same_as_before(answer, *self._question(what, engine, *further))

    def _question(self, what: str, engine: str, *further: object) -> tuple[object, ...]:
        """A model read from a file may have its parts in another order, and then its list has another order, too."""
        way = self.way
        of_choice = limits_of_choice(way.merging) if way.engine is None else None
        limits = limits_of_plan(engine, way.merging), of_choice or None
        return self.puzzle.model, what, engine, limits, *further

    def list_from(self, rows: list[Row]) -> None:
        """Rows that should be all that are wanted, in the order of all lists of the engine."""
        assert len(rows) == len(set(rows)), "a row comes twice"
        assert set(rows) == self.wanted, difference(rows, self.wanted)
        self.same_as_before(tuple(rows), "order", self._engine_name, self.way.up_to)

    def beginning_from(self, rows: list[Row], limit: int) -> None:
        """The first rows of the same list."""
        assert len(rows) == min(limit, len(self.wanted))
        assert len(rows) == len(set(rows)), "a row comes twice"
        assert set(rows) <= self.wanted, difference(rows, self.wanted)
        whole = self.case.said.get(self._question("order", self._engine_name, self.way.up_to))
        assert whole is None or tuple(rows) == whole[: len(rows)]  # type: ignore[index]

    @property
    def asks_for_orbits(self) -> bool:
        """Whether there is a symmetry to count up to, or it is known that there is none."""
        words = self.way.up_to
        return words != "none" and (self.puzzle.knows_symmetry or self.puzzle.generators_up_to(words) != ())

    @property
    def _engine_name(self) -> str:
        return self.way.engine or registry.listing_engine(lower(self.puzzle.model)).name

    def stopped(self, search: Callable[[], object]) -> None:
        """Have the search fail on its way, if the way says so; the next one must not notice."""
        if self.way.stop_after is not None:
            with failing_after(self._engine_name, self.way.stop_after), suppress(Stopped):
                search()


def difference(rows: list[Row], wanted: frozenset[Row]) -> str:
    """What is missing and what is too much."""
    missing, extra = sorted(wanted - set(rows)), sorted(set(rows) - wanted)
    return f"{len(missing)} rows missing {missing[:3]}, {len(extra)} too many {extra[:3]}"


def ask_and_check(case: Case, way: Way) -> None:
    """Ask in this way. Raises AssertionError, or what the search raises; a refusal is an answer."""
    with tempfile.TemporaryDirectory() as folder, lowered(way.merging):
        asking = Asking(case, way, Path(folder))
        try:
            ASKED[way.asked](asking)
        except EngineRefuses:
            # Some plans are refused for their size; the preferred engine never refuses anything so small.
            if way.engine is None:
                raise


def _count(asking: Asking) -> None:
    way, truth = asking.way, asking.truth
    asking.stopped(lambda: rk.count(asking.puzzle, up_to=way.up_to, **asking.how))
    found = rk.count(asking.puzzle, up_to=way.up_to, **asking.how)
    assert (found.total, found.complete) == (len(truth.rows), True)
    if way.up_to == "none":
        assert (found.unique, found.left_out) == (None, None)
    else:
        assert (found.unique is None) == (found.left_out is not None)
        assert found.unique in (None, len(asking.wanted))
        assert asking.asks_for_orbits or found.unique is None
    # Which engine answers, and whether a symmetry is searched for that nobody told, goes by the length of the
    # search; covers of a few dozen options are searched without symmetry. A large group helps a short search in
    # part, and a long one as a whole.
    shape, kinds = asking.puzzle.model.row_shape, asking.puzzle.further
    generators = (*asking.puzzle.generators, *(each for kind in kinds for each in kind.generators))
    is_small = not generators or order_of_generators(shape, generators) <= questions.MOST_HELPING
    is_as_asked = asking.puzzle.knows_symmetry and way.engine and is_small
    choice = None if is_as_asked else (way.sizes, limits_of_choice(way.merging))
    # A count for which no engine is named leaves out variables that no constraint names.
    model = asking.puzzle.model
    is_of_rest = way.engine is None and isinstance(model, Csp) and without_free(model) is not None
    asking.same_as_before(found.nodes, "nodes", found.engine, way.up_to, found.left_out, choice, is_of_rest)


def _digest(asking: Asking) -> None:
    found = rk.count(asking.puzzle, up_to=asking.way.up_to, digest=True, **asking.how)
    assert found.total == len(asking.truth.rows)
    assert (found.unique is None) == (not asking.asks_for_orbits)
    assert found.unique in (None, len(asking.wanted))
    assert found.digest == digest_of_rows(asking.puzzle, asking.truth.rows)
    asking.same_as_before(found.nodes, "nodes of all", found.engine)


def digest_of_rows(puzzle: Puzzle, rows: frozenset[Row]) -> str:
    """The digest of a set of rows."""
    shape = puzzle.model.row_shape
    array = np.array(sorted(rows), dtype=row_dtype(shape.n_symbols)).reshape(len(rows), shape.length)
    return str(digest_of(array))


def _limit(asking: Asking) -> None:
    limit, total = asking.way.limit, len(asking.truth.rows)
    assert limit is not None
    found = rk.count(asking.puzzle, up_to=asking.way.up_to, limit=limit, **asking.how)
    assert (found.total, found.unique) == (min(limit, total), None)
    assert found.complete == (total < limit)


def _solve(asking: Asking) -> None:
    up_to = asking.way.up_to
    asking.stopped(lambda: list(rk.solve(asking.puzzle, up_to=up_to, **asking.how)))
    asking.list_from(list(rk.solve(asking.puzzle, up_to=up_to, **asking.how)))


def _blocks(asking: Asking) -> None:
    """All blocks are kept to the end, so that one that is overwritten shows."""
    limit, up_to = asking.way.limit, asking.way.up_to
    assert limit is not None
    blocks = list(rk.solve_blocks(asking.puzzle, up_to=up_to, limit=limit, **asking.how))
    assert all(len(block) for block in blocks)
    asking.beginning_from([tuple(row) for block in blocks for row in block.tolist()], limit)


def _left_early(asking: Asking) -> None:
    limit = asking.way.limit
    assert limit is not None
    rows = rk.solve(asking.puzzle, up_to=asking.way.up_to, **asking.how)
    asking.beginning_from(list(islice(rows, limit)), limit)
    rows.close()  # type: ignore[attr-defined]
    asking.list_from(list(rk.solve(asking.puzzle, up_to=asking.way.up_to, **asking.how)))


def _orbits(asking: Asking) -> None:
    if asking.way.up_to != "none" and not asking.asks_for_orbits:
        with pytest.raises(BadInput, match="so its orbits are unknown"):
            rk.orbits(asking.puzzle, up_to=asking.way.up_to, **asking.how)
        return
    found = rk.orbits(asking.puzzle, up_to=asking.way.up_to, **asking.how)
    truth = asking.truth.orbits(asking.way.up_to)
    assert (found.group, found.total, found.unique) == (
        truth.order,
        len(asking.truth.rows),
        len(truth.stabilizers),
    )
    classes = Counter[int]()
    for one in found.classes:
        classes[one.stabilizer] += one.orbits
        assert one.solutions == one.orbits * truth.order // one.stabilizer
    assert classes == Counter(truth.stabilizers.values())


def _kth(asking: Asking) -> None:
    """The diagram, by number and by row."""
    drawn = rk.diagram(asking.puzzle)
    total = len(asking.truth.rows)
    assert drawn.count == total
    numbers = random.Random(asking.way.seed).sample(range(total), min(total, SHOWN))
    rows = [drawn.kth(k) for k in numbers]
    assert len(set(rows)) == len(rows)
    assert set(rows) <= asking.truth.rows
    assert [drawn.rank(row) for row in rows] == numbers
    uses = Counter(atom for row in asking.truth.rows for atom in _atoms(asking.puzzle, row))
    assert drawn.uses() == tuple(uses[atom] for atom in range(asking.puzzle.model.row_shape.n_atoms))


def _atoms(puzzle: Puzzle, row: Row) -> list[int]:
    shape = puzzle.model.row_shape
    if shape.layout is Layout.BY_OPTION:
        return [value for value in row if value < shape.n_values]
    return [position * shape.n_values + value for position, value in enumerate(row)]


def _sample(asking: Asking) -> None:
    if not asking.truth.rows:
        return
    first, second = (rk.sample(asking.puzzle, 20, seed=asking.way.seed, **asking.how) for _ in range(2))
    assert first.total == len(asking.truth.rows)
    assert set(first.rows) <= asking.truth.rows
    assert first.rows == second.rows
    asking.same_as_before(first.rows, "sample", first.how, asking.way.seed)


def _estimate(asking: Asking) -> None:
    """Nearly everything here is so small that it is counted instead."""
    way, n_rows = asking.way, len(asking.truth.rows)
    found = rk.estimate(asking.puzzle, seed=way.seed, draws=100, engine=way.engine, workers=way.workers)
    if found.exact:
        assert (found.total.low, found.total.value, found.total.high) == (n_rows,) * 3
    else:
        assert (found.total.value > 0) <= (n_rows > 0)


def _slices(asking: Asking) -> None:
    """What an engine itself does, cut and paused at random, shards taken in turns."""
    engine, way = registry.listing_engine_named(asking._engine_name), asking.way
    model = with_optimum(ask(asking.puzzle, engine=engine.name)).model
    rows = engines.list_in_turns(engine, engine.plan(model), model.row_shape, way)
    assert len(rows) == len(set(rows)), "a row comes twice"
    assert set(rows) == asking.truth.rows, difference(rows, asking.truth.rows)
    if way.up_to == "none":
        return
    group = close(model.row_shape, asking.puzzle.generators_up_to(way.up_to) or ())
    plan = engine.plan_for_representatives(model, group)
    if plan is not None:
        engines.check_representatives(engine, plan, model.row_shape, way, asking.truth, asking.puzzle)


def _submodels(asking: Asking) -> None:
    """A shard as a model of its own, as a recount of a part uses it."""
    engine = registry.listing_engine_named(asking._engine_name)
    engines.check_submodels(engine, lower(asking.puzzle.model), asking.way)


def _export(asking: Asking) -> None:
    path = asking.folder / f"rows.{asking.way.form}"
    rk.export_puzzle(asking.puzzle, asking.way.form, path, up_to=asking.way.up_to)
    rows = read_back(path, asking.way.form, asking.puzzle.model.row_shape)
    assert sorted(rows) == sorted(asking.wanted)


def _text(asking: Asking) -> None:
    """Lines of text, read again by what reads the solutions of others."""
    shape = asking.puzzle.model.row_shape
    for form in ("rows", "csv", "jsonl"):
        if form == "csv" and shape.length == 1 and any(row[0] == shape.n_values for row in asking.wanted):
            continue  # a line of one empty cell is an empty line, which no reader of csv sees
        write = writer(form, asking.puzzle)
        blocks = rk.solve_blocks(asking.puzzle, up_to=asking.way.up_to, **asking.how)
        text = b"".join(bytes(write(block)) for block in blocks).decode()
        lines = list(read_lines(asking.puzzle, io.StringIO(text)))
        assert not [line.problem for line in lines if line.problem]
        assert sorted(padded(line.row or (), shape) for line in lines) == sorted(asking.wanted)


def _run(asking: Asking) -> None:
    finish_run(asking, asking.folder / "run")


def finish_run(asking: Asking, folder: Path, *, count_only: bool = False) -> RunStatus:
    """A run, made to fail on its way if the way says so and then resumed, and all that it says."""
    way = asking.way

    def begin() -> RunStatus:
        return rk.run(
            asking.puzzle, folder, up_to=way.up_to, count_only=count_only, shards=way.shards, **asking.how
        )

    asking.stopped(begin)
    if (folder / "manifest.json").is_file() and way.seed % 2:
        state = rk.Run(folder, puzzle=asking.puzzle).resume(workers=way.workers, sizes=sizes_of(way))
    else:
        state = begin()
    check_run(asking, folder, state)
    return state


def check_run(asking: Asking, folder: Path, state: RunStatus) -> None:
    """What a finished run says, and what lies in its directory."""
    truth, up_to = asking.truth, asking.way.up_to
    assert state.state == "finished"
    assert state.total in (None, len(truth.rows))
    assert state.unique in (None, len(truth.orbits("symmetry" if up_to == "none" else up_to).stabilizers))
    lists = isinstance(registry.engine_named(state.engine), ListingEngine)
    if lists:
        assert state.total is not None
        assert state.digest == digest_of_rows(asking.puzzle, asking.wanted)
        asking.same_as_before(state.nodes, "nodes of run", state.engine, up_to)
    else:
        assert state.digest is None
    run = rk.Run(folder, puzzle=asking.puzzle)
    again = run.status()
    assert (again.total, again.unique, again.digest) == (state.total, state.unique, state.digest)
    if state.rows_stored:
        with run.rows() as reader:
            rows = [tuple(row) for block in reader.rows() for row in block.tolist()]
            assert len(reader) == len(rows) == state.rows_stored
            k = asking.way.seed % len(rows)
            assert reader.row(k) == rows[k]
        asking.list_from(rows)
        assert run.verify().passed


def _count_only_run(asking: Asking) -> None:
    assert finish_run(asking, asking.folder / "run", count_only=True).rows_stored == 0


def _executor_run(asking: Asking) -> None:
    """The shards by an executor, whose workers make the search again."""
    folder, way = asking.folder / "run", asking.way
    with ThreadPoolExecutor(way.workers) as executor:
        state = rk.run(
            asking.puzzle, folder, up_to=way.up_to, shards=way.shards, executor=executor, **asking.how
        )
    check_run(asking, folder, state)


def _export_run(asking: Asking) -> None:
    folder, path = asking.folder / "run", asking.folder / f"rows.{asking.way.form}"
    finish_run(asking, folder)
    # A directory knows its puzzle when that came from a file as it is, with the symmetry found there.
    if asking.is_as_in_file:
        rk.Run(folder).export(asking.way.form, path)
        rows = read_back(path, asking.way.form, asking.puzzle.model.row_shape)
        assert sorted(rows) == sorted(asking.wanted)


def _recount(asking: Asking) -> None:
    _recounted(asking, {})


def _recount_part(asking: Asking) -> None:
    _recounted(
        asking, {"fraction": random.Random(asking.way.seed).uniform(0.01, 1.0), "seed": asking.way.seed}
    )


def _recounted(asking: Asking, part: dict[str, Any]) -> None:
    folder = asking.folder / "run"
    finish_run(asking, folder)
    assert rk.Run(folder, puzzle=asking.puzzle).recount(workers=asking.way.workers, **part).agrees


def _killed_run(asking: Asking) -> None:
    folder = asking.folder / "run"
    killed.begin_and_kill(asking.puzzle, asking.way, folder)
    finish_run(asking, folder)


ASKED: dict[str, Callable[[Asking], None]] = {
    "count": _count,
    "limit": _limit,
    "digest": _digest,
    "solve": _solve,
    "blocks": _blocks,
    "left early": _left_early,
    "orbits": _orbits,
    "kth": _kth,
    "sample": _sample,
    "estimate": _estimate,
    "slices": _slices,
    "submodels": _submodels,
    "export": _export,
    "text": _text,
    "run": _run,
    "count-only run": _count_only_run,
    "executor run": _executor_run,
    "export run": _export_run,
    "recount": _recount,
    "recount part": _recount_part,
    "killed run": _killed_run,
}
