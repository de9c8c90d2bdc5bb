"""Faults that were made once, or that would be worst: each must be found by a test of the gate."""

from __future__ import annotations

from dataclasses import dataclass

EVERY_WAY = "tests/fuzz/test_ways.py::test_small_models_every_way"
BY_ENGINE = "tests/fuzz/test_ways.py::test_small_models_by_each_engine"


@dataclass(frozen=True, slots=True)
class Fault:
    """A text that stands once in a file, what comes in its place, and the tests that are asked."""

    name: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]


_CONTRACT = "src/rekkyo/engines/contract.py"
_CUTTING = "src/rekkyo/search/cutting.py"

FAULTS = (
    Fault(
        "stabilizers are handed on as a view",
        _CONTRACT,
        "self.stabilizers[:found].copy() if settled",
        "self.stabilizers[:found] if settled",
        (f"{BY_ENGINE}[cover-parts]", f"{BY_ENGINE}[sum-lines]", f"{BY_ENGINE}[coloring-masks]"),
    ),
    Fault(
        "rows are handed on as a view",
        _CONTRACT,
        "rows = self.rows[:found].copy()",
        "rows = self.rows[:found]",
        (f"{BY_ENGINE}[cover-cells]",),
    ),
    Fault(
        "the last shard is lost while the search is cut",
        _CUTTING,
        "return Cut(few, known)",
        "return Cut(few[:-1], {number: known[number] for number in known if number < len(few) - 1})",
        (f"{EVERY_WAY}[count]", f"{EVERY_WAY}[solve]"),
    ),
    Fault(
        "the last shard is lost when it is handed out",
        "src/rekkyo/search/fold.py",
        "scattered(search.shards), work_on,",
        "scattered(search.shards)[:-1], work_on,",
        (f"{EVERY_WAY}[count]",),
    ),
    Fault(
        "the last row of a block comes again in the next one",
        _CONTRACT,
        "            yield room.take(advance, settled=settled)\n",
        "            block = room.take(advance, settled=False)\n"
        "            if status is not Status.OUT_OF_BUDGET and len(block.rows) > 1:\n"
        "                yield block\n"
        "                block = Block(block.rows[-1:], None, 0)\n"
        "            yield block\n",
        (f"{EVERY_WAY}[solve]",),
    ),
    Fault(
        "blocks of a shard stay known after a new cut",
        _CUTTING,
        "replace(cut, shards=uncut.split(uncut.sizes.shards_to_stream), known={})",
        "replace(cut, shards=uncut.split(uncut.sizes.shards_to_stream))",
        ("tests/search/test_known_blocks.py",),
    ),
    Fault(
        "blocks of a shard stay known when there are more shards",
        _CUTTING,
        "return None\n            known[shard.index]",
        "return Cut(uncut.split(uncut.sizes.shards), known)\n            known[shard.index]",
        ("tests/search/test_known_blocks.py",),
    ),
    Fault(
        "what a list is up to is lost on its way to a file",
        "src/rekkyo/runs/exporting.py",
        "solve_blocks(puzzle, up_to=up_to)",
        "solve_blocks(puzzle)",
        (f"{EVERY_WAY}[export]",),
    ),
    Fault(
        "nodes have 32 bits in a tally",
        _CONTRACT,
        "Tally(self.total + other.total, self.nodes + other.nodes)",
        "Tally(self.total + other.total, (self.nodes + other.nodes) % 2**32)",
        ("tests/search/test_large_numbers.py",),
    ),
    Fault(
        "nodes have 32 bits in the sum over shards",
        "src/rekkyo/store/finished.py",
        "self.nodes += record.nodes",
        "self.nodes = (self.nodes + record.nodes) % 2**32",
        ("tests/search/test_large_numbers.py",),
    ),
    Fault(
        "Burnside's lemma weighs symmetric solutions twice",
        "src/rekkyo/search/outcome.py",
        "divmod(total.total + fixed.total, group.order)",
        "divmod(total.total + 2 * fixed.total, group.order)",
        ("tests/ask/test_count.py::test_queens_by_the_joining_engine[4]",),
    ),
    Fault(
        "the identity is counted among the symmetries that leave solutions unchanged",
        "src/rekkyo/search/outcome.py",
        "for element, n_alike in group.conjugates()[1:]:",
        "for element, n_alike in group.conjugates():",
        (f"{BY_ENGINE}[queens-join]", f"{BY_ENGINE}[cover-frontier]"),
    ),
    Fault(
        "a run leaves a shard out",
        "src/rekkyo/runs/stored.py",
        "for shard in scattered(search.shards) if shard.index not in run.sums.done]",
        "for shard in scattered(search.shards) if shard.index not in run.sums.done][1:]",
        (f"{EVERY_WAY}[run]",),
    ),
    Fault(
        "a run forgets shards that end at the same moment",
        "src/rekkyo/runs/stored.py",
        "waiting += group",
        "waiting += group[:1]",
        (f"{EVERY_WAY}[run]",),
    ),
)
