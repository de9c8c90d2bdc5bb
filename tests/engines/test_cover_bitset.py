"""The bitset engine: contract, brute force by the definition, Algorithm X at every width, known counts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.engines.contract import Room, Shard, Status, no_pause
from rekkyo.engines.covers.bitset import engine as engine_module
from rekkyo.engines.covers.bitset.engine import CoverBitset
from rekkyo.engines.covers.bitset.kernel_frame import HEAD_LENGTH, HEAD_WIDTH, STATE_FRAME
from rekkyo.engines.covers.cells.engine import CoverCells
from rekkyo.errors import EngineRefuses
from rekkyo.model.exact_cover import MAX_TIMES, ExactCover, Option
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import naive_cover
from tests.engines.listing_contract import ListingContract, list_all

ENGINE = CoverBitset()
Numbers = tuple[int, ...]


def plain(n_items: int, options: Iterable[Iterable[int]], n_secondary: int = 0) -> ExactCover:
    """No colours; the last n_secondary of the items are secondary."""
    names = [f"i{item}" for item in range(n_items)]
    n_primary = n_items - n_secondary
    uses = tuple(tuple((item, 0) for item in option) for option in options)
    return ExactCover(tuple(names[:n_primary]), tuple(names[n_primary:]), uses)


def solutions(
    model: ExactCover, at_least: int = 1, n_rows: int = 1000, budget: int = 100_000
) -> list[Numbers]:
    """The engine's solutions without filler, sorted."""
    rows = list_all(ENGINE, model, at_least, n_rows, budget)
    return sorted(tuple(option for option in row if option < len(model.options)) for row in rows)


def total(model: ExactCover) -> int:
    return len(list_all(ENGINE, model, 1, 8192, 1 << 20))


def queens_cover(n: int) -> ExactCover:
    lines = range(n)
    options = [(r, n + c, 2 * n + r + c, 5 * n - 2 + r - c) for r, c in product(lines, repeat=2)]
    return plain(6 * n - 2, options, n_secondary=4 * n - 2)


def langford(n: int) -> ExactCover:
    options = [(i - 1, n + j, n + j + i + 1) for i in range(1, n + 1) for j in range(2 * n - i - 1)]
    return plain(3 * n, options)


def dominoes(height: int, width: int) -> ExactCover:
    across = [(r * width + c, r * width + c + 1) for r in range(height) for c in range(width - 1)]
    down = [(r * width + c, r * width + c + width) for r in range(height - 1) for c in range(width)]
    return plain(height * width, across + down)


def colored_square() -> ExactCover:
    """Word squares over two letters: each option writes one row or column of a 2x2 square in colours."""
    words = [(1, 1), (1, 2), (2, 2)]
    places = [(4, 5), (6, 7), (4, 6), (5, 7)]
    options: list[Option] = [
        ((line, 0), (a, word[0]), (b, word[1])) for line, (a, b) in enumerate(places) for word in words
    ]
    return ExactCover(("r0", "r1", "c0", "c1"), ("00", "01", "10", "11"), tuple(options))


def tiles(height: int, width: int, bounds: tuple[int, int]) -> ExactCover:
    """A board filled with dominoes and squares, of each so many."""
    cells = [(r, c) for r in range(height) for c in range(width)]
    shapes = [(0, [(0, 0), (0, 1)]), (0, [(0, 0), (1, 0)]), (1, [(0, 0)])]
    placed = [
        (kind, [(r + down, c + across) for r, c in cells_of])
        for kind, cells_of in shapes
        for down, across in cells
    ]
    options = [
        [kind, *(2 + cells.index(cell) for cell in there)]
        for kind, there in placed
        if set(there) <= set(cells)
    ]
    return replace(plain(2 + len(cells), options), bounds=(bounds, (0, len(cells)), *[(1, 1)] * len(cells)))


@pytest.fixture(autouse=True)
def _narrow_frames() -> None:
    """Which kernel searches depends on what this process has compiled before."""
    ENGINE.compile_for_long(dominoes(2, 2))
    ENGINE.compile_for_long(naive_cover.TOY_MCC)


@pytest.fixture
def _only_frame_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "is_loaded", lambda _: False)


class TestContract(ListingContract):
    engine = ENGINE
    models: ClassVar[list[Model]] = [queens_cover(5), colored_square(), dominoes(4, 4)]

    @pytest.mark.kernel
    def test_every_search_lists_in_the_same_order(self, model: Model) -> None:
        assert list_all(self.engine, model, 1, 100, 10_000) == list_all(self.engine, model, 1, 3, 7)


@pytest.mark.usefixtures("_only_frame_0")
class TestContractOfShortSearches(TestContract):
    """The kernel without narrow frames."""


class TestContractOfCountedItems(ListingContract):
    engine = ENGINE
    models: ClassVar[list[Model]] = [naive_cover.TOY_MCC, tiles(3, 4, (2, 2)), tiles(3, 3, (0, 3))]


@pytest.mark.usefixtures("_only_frame_0")
class TestContractOfShortSearchesOfCountedItems(TestContractOfCountedItems):
    """The kernel without narrow frames."""


@pytest.mark.kernel
@pytest.mark.parametrize("model", [dominoes(5, 6), langford(7), queens_cover(7), colored_square()])
@pytest.mark.parametrize("n_slices", [0, 1, 3, 200])
def test_narrow_frames_change_neither_order_nor_nodes(
    model: ExactCover, n_slices: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel with narrow frames takes over after some slices, as when another thread compiles it."""
    n_asked = 0

    def is_loaded(_: object) -> bool:
        nonlocal n_asked
        n_asked += 1
        return n_asked > n_slices

    def searched() -> list[tuple[list[list[int]], int]]:
        (shard,) = ENGINE.split(plan, 1)
        blocks = ENGINE.blocks(plan, shard, Room.of(model.row_shape, 5), 20, no_pause)
        return [(block.rows.tolist(), block.nodes) for block in blocks]

    plan = ENGINE.plan(model)
    expected = searched()
    monkeypatch.setattr(engine_module, "is_loaded", is_loaded)
    assert searched() == expected
    assert n_asked == len(expected)


@st.composite
def small_models(draw: st.DrawFn) -> ExactCover:
    """Up to 8 items, some secondary, with or without colours; up to 14 options, repeated ones included."""
    n_primary = draw(st.integers(1, 6))
    n_items = n_primary + draw(st.integers(0, 8 - n_primary))
    colors = st.integers(0, draw(st.integers(0, 2)))
    options = []
    for _ in range(draw(st.integers(0, 14))):
        items = draw(st.sets(st.integers(0, n_items - 1), max_size=4)) | {draw(st.integers(0, n_primary - 1))}
        order = draw(st.permutations(sorted(items)))
        options.append(tuple((item, 0 if item < n_primary else draw(colors)) for item in order))
    names = [f"i{item}" for item in range(n_items)]
    return ExactCover(tuple(names[:n_primary]), tuple(names[n_primary:]), tuple(options))


def brute_force(model: ExactCover) -> list[Numbers]:
    """All sets of options that are solutions, by the definition."""
    n_options = len(model.options)
    subsets = (chosen for size in range(n_options + 1) for chosen in combinations(range(n_options), size))
    return sorted(chosen for chosen in subsets if is_solution(model, chosen))


def is_solution(model: ExactCover, chosen: Numbers) -> bool:
    seen: dict[int, list[int]] = {}
    for option in chosen:
        for item, color in model.options[option]:
            seen.setdefault(item, []).append(color)
    n_primary = len(model.primary)
    return all(len(seen.get(item, [])) == 1 for item in range(n_primary)) and all(
        len(colors) == 1 or (colors[0] != 0 and len(set(colors)) == 1)
        for item, colors in seen.items()
        if item >= n_primary
    )


@given(model=small_models(), at_least=st.integers(1, 6), budget=st.integers(1, 9), n_rows=st.integers(1, 3))
def test_lists_what_brute_force_finds(model: ExactCover, at_least: int, budget: int, n_rows: int) -> None:
    assert solutions(model, at_least, n_rows, budget) == brute_force(model)


@given(model=small_models(), seed=st.integers(0, 1 << 30))
def test_renaming_items_and_options_changes_nothing_but_the_order(model: ExactCover, seed: int) -> None:
    shuffler = random.Random(seed)
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    new_item = shuffler.sample(range(n_primary), n_primary)
    new_item += shuffler.sample(range(n_primary, n_items), n_items - n_primary)
    order = shuffler.sample(range(len(model.options)), len(model.options))
    options = tuple(tuple((new_item[item], color) for item, color in model.options[old]) for old in order)
    renamed = ExactCover(model.primary, model.secondary, options)
    back = sorted(tuple(sorted(order[option] for option in row)) for row in solutions(renamed))
    assert back == solutions(model)


def algorithm_x(options: list[set[int]], n_primary: int, chosen: Numbers = ()) -> Iterator[Numbers]:
    """Naive and recursive: the first uncovered primary item, then every option that fits."""
    covered = set().union(*(options[number] for number in chosen))
    uncovered = [item for item in range(n_primary) if item not in covered]
    if not uncovered:
        yield tuple(sorted(chosen))
        return
    for number, option in enumerate(options):
        if uncovered[0] in option and not option & covered:
            yield from algorithm_x(options, n_primary, (*chosen, number))


def random_cover(n_options: int, seed: int) -> ExactCover:
    """Random options of five to seven of 16 primary and 5 secondary items, two planted solutions among them."""
    shuffler = random.Random(seed)
    options = [list(range(item, min(item + size, 16))) for size in (5, 6) for item in range(0, 16, size)]
    while len(options) < n_options:
        option = sorted(shuffler.sample(range(21), shuffler.randint(5, 7)))
        if option[0] < 16:
            options.append(option)
    shuffler.shuffle(options)
    return plain(21, options, n_secondary=5)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("n_options", "width"), [(40, 1), (64, 1), (65, 2), (128, 2), (129, 4), (256, 4), (257, 8), (512, 8)]
)
def test_every_width_lists_what_algorithm_x_finds(n_options: int, width: int) -> None:
    model = random_cover(n_options, seed=n_options)
    assert width in widths_visited(model)
    expected = algorithm_x([{item for item, _ in option} for option in model.options], 16)
    assert solutions(model) == sorted(expected)


@pytest.mark.parametrize("n_options", [513, 700])
def test_more_options_than_a_narrow_frame_holds(n_options: int) -> None:
    model = random_cover(n_options, seed=n_options)
    assert 0 in frames_visited(model)
    expected = algorithm_x([{item for item, _ in option} for option in model.options], 16)
    assert solutions(model) == sorted(expected)


@pytest.mark.kernel
@pytest.mark.parametrize("n_options", [63, 64, 65, 127, 128])
def test_frames_with_a_full_last_word_or_nearly_so(n_options: int) -> None:
    """Every frame is entered, so that frames of every number of options are met."""
    model = random_cover(n_options, seed=n_options)
    eager = _start(model)
    eager.weights[:], eager.visits[:] = 1 << 20, 8
    rows = [tuple(option for option in row if option < len(model.options)) for row in _rows(model, eager)]
    expected = algorithm_x([{item for item, _ in option} for option in model.options], 16)
    assert sorted(rows) == sorted(expected)


@given(model=naive_cover.models(), budget=st.integers(1, 9), n_rows=st.integers(1, 3))
def test_multiplicities_are_met_as_the_definition_says(model: ExactCover, budget: int, n_rows: int) -> None:
    """Whole, cut and paused, and entering every frame."""
    whole = list_all(ENGINE, model, 1, 1000, 1 << 20)
    assert sorted(whole) == naive_cover.solutions(model)
    assert list_all(ENGINE, model, 40, n_rows, budget) == whole
    eager = _start(model)
    eager.weights[:], eager.visits[:] = 1 << 20, 8
    assert _rows(model, eager) == whole


def of_four_kinds(n_options: int, size: int, bounds: tuple[tuple[int, int], ...]) -> ExactCover:
    """Random options of some of 18 items and of one of four kinds, which have these bounds."""
    shuffler = random.Random(n_options)
    options = [(kind, *range(first, first + size)) for kind in range(4) for first in range(4, 22, size)]
    while len(options) < n_options:
        options.append((shuffler.randrange(4), *sorted(shuffler.sample(range(4, 22), size))))
    shuffler.shuffle(options)
    return replace(plain(22, options), bounds=(*bounds, *[(1, 1)] * 18))


@pytest.mark.parametrize(
    ("n_options", "size", "bounds"),
    [
        (64, 3, ((2, 2), (2, 2), (0, 2), (1, 3))),
        (65, 3, ((2, 2), (2, 2), (0, 2), (1, 3))),
        (128, 3, ((1, 1), (3, 3), (0, 1), (1, 3))),
        (200, 3, ((2, 2), (2, 2), (1, 1), (1, 1))),
        (700, 6, ((2, 2), (0, 1), (0, 1), (0, 2))),
    ],
)
def test_counted_items_in_frames_of_every_width(
    n_options: int, size: int, bounds: tuple[tuple[int, int], ...]
) -> None:
    """The same rows as from dancing cells."""
    model = of_four_kinds(n_options, size, bounds)
    whole = list_all(ENGINE, model, 1, 10_000, 1 << 30)
    assert len(frames_visited(model)) > 1
    assert sorted(whole) == sorted(list_all(CoverCells(), model, 1, 10_000, 1 << 30))
    assert list_all(ENGINE, model, 30, 100, 1000) == whole


@pytest.mark.kernel
def test_no_set_of_options_is_met_twice_when_none_has_to_be_chosen() -> None:
    """Five options on one item that may be covered up to three times, whole and in shards."""
    model = replace(plain(1, [(0,)] * 5), bounds=((0, 3),))
    rows = list_all(ENGINE, model, 1, 100, 1000)
    assert sorted(rows) == naive_cover.solutions(model)
    assert len(rows) == 1 + 5 + 10 + 10
    assert list_all(ENGINE, model, 7, 1, 1) == rows


@pytest.mark.kernel
@pytest.mark.parametrize("bounds", [(2, 2), (MAX_TIMES - 1, MAX_TIMES), (0, MAX_TIMES)])
def test_bounds_beyond_the_number_of_options(bounds: tuple[int, int]) -> None:
    model = replace(plain(1, [(0,)]), bounds=(bounds,))
    assert sorted(list_all(ENGINE, model, 1, 10, 100)) == naive_cover.solutions(model)
    assert list_all(ENGINE, ExactCover(("a",), bounds=((0, 1),)), 5, 10, 100) == [(1,)]


def latin_squares(n: int) -> ExactCover:
    options = [(n * r + c, n * (n + r) + v, n * (2 * n + c) + v) for r, c, v in product(range(n), repeat=3)]
    return plain(3 * n * n, options)


def test_a_long_search_moves_into_ever_narrower_frames() -> None:
    assert max(frames_visited(latin_squares(5), budget=500)) >= 2
    assert total(latin_squares(5)) == 161_280


@pytest.mark.kernel
@pytest.mark.parametrize("model", [latin_squares(3), queens_cover(6), colored_square()], ids=["l", "q", "c"])
def test_entering_every_frame_that_halves_a_scan_changes_nothing(model: ExactCover) -> None:
    usual, eager = _start(model), _start(model)
    eager.weights[:], eager.visits[:] = 1 << 20, 8
    assert _rows(model, eager) == _rows(model, usual)


@given(model=small_models())
def test_entering_every_frame_agrees_with_brute_force(model: ExactCover) -> None:
    eager = _start(model)
    eager.weights[:], eager.visits[:] = 1 << 20, 8
    rows = [tuple(option for option in row if option < len(model.options)) for row in _rows(model, eager)]
    assert sorted(rows) == brute_force(model)


def _start(model: ExactCover) -> Any:
    return ENGINE.start(ENGINE.plan(model), Shard(0, ()))


def _rows(model: ExactCover, cursor: Any) -> list[Numbers]:
    room = Room.of(model.row_shape, 1000)
    advance = ENGINE.advance(ENGINE.plan(model), cursor, room, 1 << 20)
    assert advance.status is Status.DONE
    return [tuple(row) for row in room.take(advance, settled=False).rows.tolist()]


def widths_visited(model: ExactCover) -> set[int]:
    """Frames that were never entered count as 0 words wide."""
    cursor = _start(model)
    _rows(model, cursor)
    return set(cursor.heads[HEAD_LENGTH + HEAD_WIDTH :: HEAD_LENGTH].tolist())


def frames_visited(model: ExactCover, budget: int = 1) -> set[int]:
    return {int(frame) for _, frame in _pauses(model, budget)}


def _pauses(model: ExactCover, budget: int) -> Iterator[tuple[Any, Any]]:
    """The cursor and its frame after every slice of the search."""
    plan, cursor = ENGINE.plan(model), _start(model)
    room = Room.of(model.row_shape, 1000)
    nodes = 1
    while nodes:
        nodes = ENGINE.advance(plan, cursor, room, budget).nodes
        yield cursor, cursor.state[STATE_FRAME]


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("model", "count"),
    [(queens_cover(6), 4), (langford(7), 52), (dominoes(4, 4), 36), (dominoes(2, 3), 3)],
    ids=["queens 6", "langford 7", "dominoes 4x4", "dominoes 2x3"],
)
def test_small_published_counts(model: ExactCover, count: int) -> None:
    assert total(model) == count


@pytest.mark.parametrize(
    ("model", "count"),
    [(queens_cover(8), 92), (langford(8), 300), (dominoes(6, 6), 6728)],
    ids=["queens 8", "langford 8", "dominoes 6x6"],
)
def test_published_counts(model: ExactCover, count: int) -> None:
    assert total(model) == count


def test_a_proper_sudoku_has_its_one_solution() -> None:
    """The givens are the first row only through their candidates: every clash is left to the search."""
    givens = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    options = [
        (9 * r + c, 81 + 9 * r + d, 162 + 9 * c + d, 243 + 9 * (r // 3 * 3 + c // 3) + d)
        for r, c, d in product(range(9), repeat=3)
        if givens[9 * r + c] in f".{d + 1}"
    ]
    model = plain(324, options)
    [row] = solutions(model)
    digits = "".join(str(options[option][1] % 9 + 1) for option in row)
    assert digits.startswith("534678912672195348198342567")


PENTOMINOES = [
    ".11/11./.1.", "11111", "1111/1...", "111./..11", "111/11.", "111/.1./.1.",
    "111/1.1", "111/1../1..", "11./.11/..1", ".1./111/.1.", "1111/.1..", "11./.1./.11",
]  # fmt: skip


def pentominoes(height: int, width: int, pictures: list[str]) -> ExactCover:
    options = []
    for number, picture in enumerate(pictures):
        lines = picture.split("/")
        cells = [(r, c) for r, line in enumerate(lines) for c, ch in enumerate(line) if ch == "1"]
        for image in images(cells):
            for down, right in product(range(height), range(width)):
                placed = [(r + down, c + right) for r, c in image]
                if all(r < height and c < width for r, c in placed):
                    options.append([number, *(len(pictures) + r * width + c for r, c in placed)])
    return plain(len(pictures) + height * width, options)


def images(cells: list[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    found = set()
    for flip in (1, -1):
        turned = [(r, flip * c) for r, c in cells]
        for _ in range(4):
            turned = [(c, -r) for r, c in turned]
            top, left = min(r for r, _ in turned), min(c for _, c in turned)
            found.add(tuple(sorted((r - top, c - left) for r, c in turned)))
    return sorted(found)


def test_pentominoes_need_a_wide_frame_and_have_their_published_count() -> None:
    assert total(pentominoes(6, 10, PENTOMINOES)) == 9356


def test_pentominoes_3x20() -> None:
    assert total(pentominoes(3, 20, PENTOMINOES)) == 8


@pytest.mark.kernel
def test_corner_cases() -> None:
    assert solutions(plain(2, [])) == []
    assert solutions(plain(2, [(0,)])) == []
    assert solutions(plain(1, [(0,), (0,)])) == [(0,), (1,)]
    assert solutions(plain(2, [(0, 1)])) == [(0,)]
    assert solutions(plain(3, [(0, 2), (1, 2), (1,)], n_secondary=1)) == [(0, 2)]


@pytest.mark.kernel
def test_forced_options_may_clash_on_a_secondary_item() -> None:
    """Every primary item has one option left, and the two share a secondary item."""
    assert solutions(plain(3, [(0, 2), (1, 2)], n_secondary=1)) == []


@pytest.mark.kernel
def test_colors_agree_or_clash() -> None:
    def pair(first: int, second: int) -> ExactCover:
        return ExactCover(("a", "b"), ("s",), (((0, 0), (2, first)), ((1, 0), (2, second))))

    assert solutions(pair(1, 1)) == [(0, 1)]
    assert solutions(pair(1, 2)) == solutions(pair(0, 1)) == solutions(pair(0, 0)) == []


def test_prefixes_are_option_numbers_that_fit_a_json_list() -> None:
    shards = ENGINE.split(ENGINE.plan(queens_cover(6)), 20)
    assert len(shards) >= 20
    assert all(type(option) is int for shard in shards for option in shard.prefix)


def test_bounds_of_one_are_no_bounds() -> None:
    model = ExactCover(("a",), (), (((0, 0),),), ((1, 1),))
    assert solutions(model) == [(0,)]


def test_refusals() -> None:
    with pytest.raises(EngineRefuses, match="engine cover-bitset searches exact covers only"):
        ENGINE.plan(Queens(4))
    with pytest.raises(EngineRefuses, match="takes at most 30000 options; this model has 30001"):
        ENGINE.plan(plain(1, [(0,)] * 30_001))
    with pytest.raises(EngineRefuses, match="takes at most 8192 items and colours"):
        ENGINE.plan(plain(8193, [(0,)]))
    colors = tuple(((0, 0), (1, color)) for color in range(1, 8192))
    with pytest.raises(EngineRefuses, match="this model has 8193"):
        ENGINE.plan(ExactCover(("a",), ("s",), colors))


def test_the_cache_is_asked_once_for_the_kernel_with_narrow_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(engine_module, "is_loaded", lambda _: False)
    monkeypatch.setattr(engine_module, "load", lambda search, *_: asked.append(search))
    engine_module._look_for_narrow_frames.cache_clear()
    for _ in range(2):
        ENGINE.compile(dominoes(2, 2))
        ENGINE.compile(naive_cover.TOY_MCC)
    engine_module._look_for_narrow_frames.cache_clear()
    assert asked == [engine_module.list_solutions]
