"""Which files faults are planted in, and the tests of the gate that are asked first.

Kernels run uncompiled here, because a changed source means that all of them are compiled again: so the tests are
those that are quick without a compiler. Where one is named twice, it is run once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

WAYS = "tests/fuzz/test_ways.py::test_small_models_by_each_engine"
EVERY_WAY = "tests/fuzz/test_ways.py::test_small_models_every_way"
SLOW_UNCOMPILED = ("parts",)
ENGINES = "src/rekkyo/engines"
CSP = ("test_csp_blocks", "test_csp_representatives", "test_csp")
DETERMINANTS = ("determinants", "cover_determinant", "csp_determinant")
MERGING = ("frontier", "frontier_refusals", "loops", "exchanges", "kinds", "rules", "frontier_blocks")
BITSET = tuple(f"cover_bitset/test_bitset_{part}" for part in ("contract", "frames", "solutions", "tables"))


@dataclass(frozen=True, slots=True)
class Target:
    """Files, as patterns of paths from the root; their tests, of those only the ones that are marked so; and how many
    changes are drawn. compiled_tests: asked when the others find nothing."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]
    number: int
    marked: str = "kernel"
    compiled_tests: tuple[str, ...] = ()


def _engine(family: str, folder: str, number: int, *tests: str) -> Target:
    name = (
        f"{family}-{folder}".replace("covers", "cover")
        .replace("sums", "sum")
        .replace("colorings", "coloring")
    )
    files = tuple(f"tests/engines/{test}.py" for test in tests)
    quick = () if folder in SLOW_UNCOMPILED else files
    return Target(
        name,
        (f"{ENGINES}/{family}/{folder}/*.py",),
        (f"{WAYS}[{name}]", *quick),
        number,
        compiled_tests=files,
    )


_SOME_WAYS = tuple(
    f"{WAYS}[{name}]" for name in ("cover-cells", "queens-bitmap", "sum-lines", "coloring-masks")
)
_OF_MODELS = tuple(f"tests/test_{name}.py" for name in ("automorphisms", "keeping", "group_order"))

TARGETS = (
    _engine("queens", "bitmap", 8, "test_queens_bitmap"),
    _engine("queens", "cover", 4, "test_queens_cover"),
    _engine("queens", "join", 12, "test_queens_join"),
    _engine("covers", "cells", 12, "test_cover_cells"),
    replace(
        _engine("covers", "bitset", 14, *BITSET, "test_dead_colors"),
        compiled_tests=(
            *(f"tests/engines/{test}.py" for test in BITSET),
            "tests/engines/test_dead_colors.py",
            "tests/ask/test_counts.py",
        ),
    ),
    _engine("covers", "parts", 12, "test_cover_parts"),
    _engine("covers", "masks", 10, "test_cover_masks"),
    _engine("covers", "frontier", 10, "test_cover_frontier", "test_cover_exchanges"),
    _engine("csp", "frontier", 10, *(f"test_csp_{part}" for part in MERGING)),
    _engine("csp", "values", 6, "test_csp_values", "test_csp_kinds"),
    Target(
        "search of constraints",
        (f"{ENGINES}/csp/propagating/*.py",),
        (f"{WAYS}[csp]", *(f"tests/engines/{test}.py" for test in CSP)),
        24,
        compiled_tests=(
            *(f"tests/engines/{test}.py" for test in CSP),
            *(
                f"tests/engines/test_csp_{part}.py"
                for part in ("kinds", "lessons", "rectangles", "resolving", "sums", "tabling")
            ),
            "tests/search/test_optimum.py",
            "tests/model/test_problem.py",
        ),
    ),
    Target(
        "levels and diagrams",
        (f"{ENGINES}/frontier/*.py", f"{ENGINES}/diagram/*.py"),
        (
            "tests/engines/test_csp_frontier.py",
            "tests/engines/test_csp_loops.py",
            "tests/engines/test_csp_colors.py",
            "tests/engines/test_csp_exchanges.py",
            "tests/engines/test_frontier_any_levels.py",
            "tests/engines/test_frontier_apart.py",
            "tests/engines/test_frontier_apart_bounds.py",
            "tests/engines/test_frontier_in_order.py",
            "tests/engines/test_frontier_laid_by_end.py",
            "tests/engines/test_frontier_arrange.py",
            "tests/engines/test_frontier_checkpoints.py",
            "tests/engines/test_frontier_saved.py",
            "tests/engines/test_frontier_slices.py",
            "tests/engines/test_frontier_streams.py",
            "tests/engines/test_frontier_together.py",
            "tests/engines/test_frontier_walk.py",
            "tests/engines/test_diagram.py",
            "tests/engines/test_diagram_file.py",
        ),
        12,
        compiled_tests=(
            "tests/engines/test_csp_frontier.py",
            "tests/engines/test_csp_loops.py",
            "tests/engines/test_csp_colors.py",
            "tests/engines/test_csp_exchanges.py",
            "tests/engines/test_cover_exchanges.py",
            "tests/engines/test_cover_frontier.py",
            "tests/engines/test_frontier_any_levels.py",
            "tests/engines/test_frontier_apart.py",
            "tests/engines/test_frontier_apart_bounds.py",
            "tests/engines/test_frontier_in_order.py",
            "tests/engines/test_frontier_laid_by_end.py",
            "tests/engines/test_frontier_block_families.py",
            "tests/engines/test_frontier_checkpoints.py",
            "tests/engines/test_frontier_saved.py",
            "tests/engines/test_frontier_slices.py",
            "tests/engines/test_frontier_streams.py",
            "tests/engines/test_frontier_together.py",
            "tests/engines/test_frontier_trial.py",
            "tests/engines/test_frontier_walk.py",
            "tests/engines/test_diagram.py",
            "tests/engines/test_diagram_file.py",
            "tests/runs/test_check_count.py",
        ),
    ),
    Target(
        "proved counts",
        ("src/rekkyo/runs/check_count.py", "src/rekkyo/export/opb.py", f"{ENGINES}/diagram/nnf.py"),
        ("tests/runs/test_check_count_by_hand.py", "tests/runs/test_check_count.py"),
        12,
        marked="",
        compiled_tests=("tests/runs/test_check_count.py", "tests/runs/test_certify_count.py"),
    ),
    _engine("covers", "memo", 8, "test_cover_memo"),
    _engine("covers", "diagram", 8, "test_diagram", "test_diagram_file"),
    Target(
        "determinants",
        (f"{ENGINES}/determinants/*.py", f"{ENGINES}/remainders.py"),
        tuple(f"tests/engines/test_{name}.py" for name in DETERMINANTS),
        16,
        compiled_tests=tuple(f"tests/engines/test_{name}.py" for name in DETERMINANTS),
    ),
    _engine("sums", "lines", 10, "test_sum_engines"),
    _engine("sums", "cells", 8, "test_sum_engines"),
    _engine("sums", "join", 10, "test_sum_join"),
    _engine("colorings", "masks", 8, "test_coloring_masks"),
    _engine("colorings", "counters", 8, "test_coloring_counters"),
    Target(
        "orders of colourings",
        (f"{ENGINES}/colorings/*.py",),
        (f"{WAYS}[coloring-masks]", f"{WAYS}[coloring-counters]", "tests/engines/test_coloring_masks.py"),
        4,
        compiled_tests=("tests/engines/test_coloring_masks.py", "tests/engines/test_coloring_counters.py"),
    ),
    Target(
        "pivot of covers",
        (f"{ENGINES}/covers/*.py",),
        (
            f"{WAYS}[cover-cells]",
            f"{WAYS}[cover-masks]",
            "tests/engines/test_cover_folded.py",
            "tests/engines/test_cover_pivot.py",
        ),
        4,
        compiled_tests=(
            "tests/engines/test_cover_pivot.py",
            "tests/engines/test_cover_cells.py",
            "tests/engines/test_cover_frontier.py",
        ),
    ),
    Target(
        "digest",
        (f"{ENGINES}/digest.py",),
        ("tests/test_digest.py",),
        3,
        compiled_tests=("tests/test_digest.py", "tests/runs/test_verify_run.py"),
    ),
    Target(
        "symmetry",
        (
            "src/rekkyo/symmetry/kernel.py",
            "src/rekkyo/symmetry/orbits.py",
            "src/rekkyo/symmetry/group.py",
            "src/rekkyo/symmetry/stabilizers.py",
            "src/rekkyo/symmetry/by_definition.py",
        ),
        (*_SOME_WAYS, "tests/test_symmetry.py", "tests/test_by_definition.py"),
        16,
        compiled_tests=("tests/test_symmetry.py", "tests/ask/test_orbits.py", "tests/test_automorphisms.py"),
    ),
    Target(
        "groups of symmetric groups",
        (
            "src/rekkyo/symmetry/products.py",
            "src/rekkyo/symmetry/involutions.py",
            "src/rekkyo/symmetry/permutations.py",
        ),
        tuple(
            f"tests/test_products.py::test_{name}"
            for name in ("exchanges_of_rows_columns_and_values", "puzzles", "pairs_that_are_turned")
        ),
        10,
        marked="",
        compiled_tests=("tests/test_products.py",),
    ),
    Target(
        "symmetry of models",
        tuple(
            f"src/rekkyo/symmetry/{name}.py"
            for name in ("automorphisms", "csp_graph", "model_graphs", "keeping", "classes")
        ),
        _OF_MODELS,
        14,
        marked="",
        compiled_tests=(
            *_OF_MODELS,
            "tests/ask/test_classes.py",
            *(f"tests/catalog/test_{kind}_symmetry.py" for kind in ("own", "csp", "drawn")),
        ),
    ),
    Target(
        "large groups",
        tuple(
            f"src/rekkyo/symmetry/{name}.py"
            for name in (
                *("chain", "large_group", "large_survey"),
                *("least_tables", "least_kernel", "set_tables", "set_kernel"),
                *("known_classes", "invariant_kernel"),
            )
        ),
        tuple(
            f"tests/test_{name}.py" for name in ("large_groups", "large_sets", "known_classes", "group_order")
        ),
        20,
        marked="",
        compiled_tests=(
            "tests/test_large_groups.py",
            "tests/test_large_sets.py",
            "tests/test_known_classes.py",
            "tests/search/test_large_groups.py",
        ),
    ),
    Target(
        "search",
        ("src/rekkyo/search/*.py",),
        (
            *_SOME_WAYS,
            "tests/search/test_threads.py",
            "tests/search/test_known_blocks.py",
            EVERY_WAY,
            "tests/search/test_large_numbers.py",
        ),
        36,
        "",
        (
            "tests/search",
            "tests/ask/test_count.py",
            "tests/ask/test_counts.py",
            "tests/ask/test_sample.py",
            "tests/ask/test_solve.py",
            "tests/fuzz/test_ways.py",
        ),
    ),
    Target(
        "runs and store",
        (
            *(
                f"src/rekkyo/runs/{name}.py"
                for name in ("stored", "recount", "verify_run", "repair", "executors")
            ),
            "src/rekkyo/store/*.py",
        ),
        (EVERY_WAY, "tests/store"),
        36,
        "",
        (
            "tests/runs/test_stored.py",
            "tests/runs/test_executors.py",
            "tests/runs/test_on_dask.py",
            "tests/runs/test_hostile.py",
            "tests/runs/test_other_plans.py",
            "tests/runs/test_checkpoints.py",
            "tests/runs/test_recount.py",
            "tests/runs/test_verify_run.py",
            "tests/render/test_notebook.py",
        ),
    ),
)
