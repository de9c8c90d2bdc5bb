"""The models of `benchmarks/general` in small: what is changed in each, and how many solutions there are.

`python -m tests.general_models` writes their FlatZinc, which is committed, with the program minizinc.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from rekkyo.export.flatzinc.minizinc import flattened

ROOT = Path(__file__).parents[1]
MODELS = ROOT / "benchmarks" / "general" / "models"
FLAT = ROOT / "tests" / "data" / "flatzinc" / "general"

HERE = "counted here by two engines and Gecode"


class Small(NamedTuple):
    """sizes: what replaces the numbers of `int: name = number;`. source: of the total."""

    model: str
    sizes: dict[str, int]
    total: int
    source: str


SMALL = (
    Small("all_interval", {"n": 6}, 24, "OEIS A006967"),
    Small("bibd", {"points": 7, "blocks": 7, "size": 3, "times": 3, "together": 1}, 30, "7!/168 Fano planes"),
    Small("costas", {"n": 5}, 40, "OEIS A008404"),
    Small("covering_array", {"rows": 4, "columns": 3}, 2, HERE),
    Small("cycles", {"rows": 3, "columns": 3}, 39, "13 cycles, twice, 12 edges, and none"),
    Small("dominating_queens", {"n": 4, "queens": 2}, 12, "OEIS A002563 and A002564"),
    Small(
        "golfers", {"weeks": 3, "groups": 2, "size": 2}, 6, "the three pairings of four players, in any order"
    ),
    Small("golomb", {"n": 5, "length": 11}, 4, "two optimal rulers and their mirror images"),
    Small("hamiltonian", {"rows": 4, "columns": 4}, 12, "OEIS A003763: 6, twice"),
    Small("langford", {"n": 4}, 2, "OEIS A014552: 1, twice"),
    Small("latin_square", {"n": 4}, 4, "OEIS A000315"),
    Small("low_autocorrelation", {"n": 7, "energy": 3}, 4, "the Barker sequence of length 7 and its images"),
    Small("magic_sequence", {"n": 10}, 1, "6 2 1 0 0 0 1 0 0 0"),
    Small("magic_square", {"n": 3}, 8, "the eight images of one"),
    Small("orthogonal", {"n": 3}, 2, "the two reduced squares, in both orders"),
    Small("partition", {"n": 8}, 1, "1 4 6 7, by Prouhet"),
    Small("peaceable", {"n": 3, "army": 1}, 16, HERE),
    Small("quasigroup6", {"n": 4}, 2, HERE),
    Small("queens", {"n": 6}, 4, "OEIS A000170"),
    Small("ramsey", {"n": 5}, 322, "388 without triangles (OEIS A213434), 66 of these with four apart"),
    Small("schur", {"n": 13, "parts": 3}, 3, "OEIS A030126 gives S(3) = 13; 18 colourings, up to colours"),
    Small("sidon", {"n": 7, "size": 4}, 2, "the optimal Golomb ruler of four marks and its mirror image"),
    Small("skolem", {"n": 4}, 6, "OEIS A004075"),
    Small("star_battle", {"n": 8}, 2, HERE),
    Small("steiner_triples", {"n": 7}, 30, "7!/168 Fano planes"),
    Small("still_life", {"n": 3, "density": 6}, 2, HERE),
    Small("van_der_waerden", {"n": 8, "colors": 2}, 6, "W(3, 3) = 9"),
)

PEERS = "Gecode and Choco"

LARGER = (
    Small("alphametic", {}, 27294, PEERS),
    Small("battleships", {}, 123, PEERS),
    Small("kakuro", {}, 9714, PEERS),
    Small("kenken", {}, 6, PEERS),
    Small("killer_sudoku", {}, 20, PEERS),
    Small("knights_tour", {"columns": 5}, 16, "8 closed tours of 5 x 6 squares, twice"),
    Small("nonogram", {}, 1260, PEERS),
)
"""Too large for csp-plain; where nothing is changed they are as the benchmark has them."""


def text_of(small: Small) -> str:
    """The model with other sizes."""
    text = (MODELS / f"{small.model}.mzn").read_text("utf-8")
    for name, value in small.sizes.items():
        before, declared, after = text.partition(f"int: {name} = ")
        assert declared, f"{small.model} has no size {name}"
        text = f"{before}{declared}{value};{after.partition(';')[2]}"
    return text


if __name__ == "__main__":
    FLAT.mkdir(exist_ok=True)
    for small in (*SMALL, *LARGER):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / f"{small.model}.mzn"
            model.write_text(text_of(small), "utf-8")
            shutil.copy(flattened([model], Path(folder)), FLAT)
