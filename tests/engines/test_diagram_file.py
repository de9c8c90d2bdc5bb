"""Files of diagrams: saved and loaded, and refused if they are damaged, forged, or of another puzzle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rekkyo.engines.diagram.drawing import diagram_of
from rekkyo.engines.diagram.file import MAGIC, load, model_hash, save
from rekkyo.errors import BadInput
from rekkyo.model.coloring import Coloring
from rekkyo.model.puzzle import Model
from rekkyo.model.queens import Queens
from tests import naive_cover
from tests.engines.csp_counted import MODELS

CHAIN = Coloring(70, 2, patterns=tuple(((cell, 0), (cell + 1, 0)) for cell in range(69)))


DOMINOES = naive_cover.fillings(4, 4, naive_cover.DOMINOES)


def saved(tmp_path: Path, model: Model = DOMINOES) -> Path:
    path = tmp_path / "all.diagram"
    with path.open("wb") as file:
        save(diagram_of(model), file, model)
    return path


@given(model=st.one_of(naive_cover.models(), MODELS))
def test_files_hold_diagrams(model: Model, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = saved(tmp_path_factory.mktemp("files"), model)
    assert load(path, model) == diagram_of(model)


def test_what_a_model_has_memorized_is_not_in_its_hash() -> None:
    fresh, used = replace(DOMINOES), replace(DOMINOES)
    diagram_of(used)
    assert used.uses == fresh.uses
    assert used._memo
    assert model_hash(used) == model_hash(replace(DOMINOES)) != model_hash(naive_cover.langford(4))


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with pytest.raises(BadInput, match="a diagram of another puzzle; make one of this puzzle"):
        load(path, naive_cover.langford(4))
    with pytest.raises(BadInput, match="No such file"):
        load(tmp_path / "nowhere", DOMINOES)
    path.write_bytes(b"PK\x03\x04 something else\n" * 10)
    with pytest.raises(BadInput, match="it is not a diagram of rekkyo"):
        load(path, DOMINOES)


@pytest.mark.parametrize("name", ["root", "n_nodes", "model", "sha256", "order", "shape"])
def test_a_file_without_one_of_its_facts_is_refused(name: str, tmp_path: Path) -> None:
    path = saved(tmp_path)
    path.write_bytes(path.read_bytes().replace(f'"{name}"'.encode(), b'"other"'))
    with pytest.raises(BadInput, match="save the diagram again"):
        load(path, DOMINOES)


def test_truncated_and_damaged_files_are_refused(tmp_path: Path) -> None:
    content = saved(tmp_path).read_bytes()
    path = tmp_path / "damaged"
    refused = 0
    for end in range(0, len(content), 7):
        path.write_bytes(content[:end])
        with pytest.raises(BadInput):
            load(path, DOMINOES)
    for at in range(len(content) - 600, len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with pytest.raises(BadInput, match="save the diagram again"):
            load(path, DOMINOES)
        refused += 1
    assert refused == 600


def forged(tmp_path: Path, nodes: bytes, model: Model = DOMINOES, **changes: object) -> Path:
    """A file with a right checksum and wrong contents."""
    import hashlib

    magic, header, _ = saved(tmp_path, model).read_bytes().split(b"\n", 2)
    facts = json.loads(header) | {"sha256": hashlib.sha256(nodes).hexdigest(), "n_nodes": len(nodes) // 12}
    path = tmp_path / "forged"
    path.write_bytes(magic + b"\n" + json.dumps(facts | changes).encode() + b"\n" + nodes)
    return path


def numbers(*rows: tuple[int, int, int]) -> bytes:
    ends = [(0xFFFFFFFF, 0, 0)] * 2
    return b"".join(number.to_bytes(4, "little") for row in (*ends, *rows) for number in row)


@pytest.mark.parametrize(
    ("nodes", "changes"),
    [
        (numbers((0, 2, 1)), {"root": 2}),  # goes round
        (numbers((0, 0, 9)), {"root": 2}),  # leaves the array
        (numbers((0, 1, 0)), {"root": 2}),  # hi is nothing
        (numbers((99, 0, 1)), {"root": 2}),  # asks about no atom
        (numbers((3, 0, 1), (3, 0, 2)), {"root": 3}),  # asks twice
        (numbers((0, 0, 1)), {"root": 7}),
        (numbers((0, 0, 1)), {"root": -1}),
        (numbers((0, 0, 1)), {"root": "2"}),
        (numbers((0, 0, 1)), {"root": 2, "n_nodes": 1 << 31}),
        (numbers((0, 0, 1)), {"root": 2, "order": [0, 0]}),
        (numbers((0, 0, 1)), {"root": 2, "order": [99]}),
        (numbers((0, 0, 1)), {"root": 2, "order": "abc"}),
        (numbers((0, 0, 1)), {"root": 2, "shape": [1, 2, "by option"]}),
    ],
)
def test_forged_files_are_refused(tmp_path: Path, nodes: bytes, changes: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="save the diagram again"):
        load(forged(tmp_path, nodes, **changes), DOMINOES)


def path_through(places: Sequence[int]) -> bytes:
    """The nodes of one solution, which has these places."""
    return numbers(*((place, 0, 1 + node) for node, place in enumerate(reversed(places))))


@pytest.mark.parametrize(
    ("model", "places"),
    [
        (DOMINOES, range(9)),  # one domino more than a row has
        (Queens(4), [0, 4, 8]),  # no queen in the last row
        (Queens(4), [0, 4, 8, 9]),  # two in the same row
        (Queens(4), [0, 4, 8, 9, 12]),
        (CHAIN, [*range(1, 138, 2), 138, 139]),  # beyond the positions of one word
        (CHAIN, range(1, 138, 2)),
    ],
)
def test_forged_solutions_that_are_no_rows_are_refused(
    model: Model, places: Sequence[int], tmp_path: Path
) -> None:
    path = forged(tmp_path, path_through(places), model, root=len(places) + 1)
    with pytest.raises(BadInput, match="its solutions are not rows of the puzzle; save the diagram again"):
        load(path, model)


def test_solutions_without_a_common_end_are_refused(tmp_path: Path) -> None:
    nodes = numbers((12, 0, 1), (8, 1, 2), (4, 0, 3), (0, 0, 4))  # the third node may leave out two rows
    with pytest.raises(BadInput, match="its solutions are not rows of the puzzle"):
        load(forged(tmp_path, nodes, Queens(4), root=5), Queens(4))


@pytest.mark.parametrize("model", [Queens(4), Queens(3), CHAIN])
def test_files_hold_rows_with_a_value_at_each_position(model: Model, tmp_path: Path) -> None:
    assert load(saved(tmp_path, model), model) == diagram_of(model)


def test_magic_names_the_version() -> None:
    assert MAGIC == b"rekkyo diagram 1\n"
