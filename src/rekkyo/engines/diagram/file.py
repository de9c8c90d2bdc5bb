"""A diagram as a file.

    line 1    rekkyo diagram 1
    line 2    a JSON object: shape, order, root, n_nodes, model (a hash), sha256 of the rest
    the rest  uint32[n_nodes, 3], little-endian: place, lo and hi of each node

Files are untrusted: sizes are checked before memory is allocated, the checksum before the content is used,
and the nodes must be a valid diagram, so that no path can leave the arrays or contain a cycle. Every path
must give a row of the puzzle's shape, because kernels write rows without asking for their length.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import IO, Any

import numpy as np

from rekkyo.bits import WORD_BITS
from rekkyo.engines.diagram.diagram import ENDS, Diagram
from rekkyo.engines.diagram.kernel import END, HI, LO, NONE, PLACE, Numbers
from rekkyo.errors import BadInput
from rekkyo.model.puzzle import Model
from rekkyo.model.row import Layout, RowShape

MAGIC = b"rekkyo diagram 1\n"
MAX_HEADER = 1 << 24
NODE_BYTES = 12


def check_model(diagram: Diagram, model: Model) -> None:
    """Raise BadInput if a diagram is known to be of another model."""
    if diagram.shape != model.row_shape or diagram.model not in (None, model):
        raise BadInput("the diagram is of another puzzle; save it with its own puzzle")


def save(diagram: Diagram, out: IO[bytes], model: Model) -> None:
    """Write the diagram of a model's solutions, or of some of them."""
    payload = diagram.nodes.astype("<u4").tobytes()
    shape = diagram.shape
    header = {
        "shape": [shape.length, shape.n_values, shape.layout.value],
        "order": list(diagram.order),
        "root": diagram.root,
        "n_nodes": diagram.n_nodes,
        "model": model_hash(model),
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    out.write(MAGIC + json.dumps(header).encode() + b"\n")
    out.write(payload)


def load(path: Path, model: Model) -> Diagram:
    """Read a diagram of solutions of this model. Raises BadInput."""
    try:
        with path.open("rb") as file:
            if file.readline(len(MAGIC)) != MAGIC:
                raise _damaged(path, "it is not a diagram of rekkyo, or of another version")
            header = _header(path, file.readline(MAX_HEADER))
            n_left = os.fstat(file.fileno()).st_size - file.tell()
            if n_left != NODE_BYTES * header["n_nodes"]:
                raise _damaged(path, f"it has {n_left} bytes of nodes, not {NODE_BYTES * header['n_nodes']}")
            payload = file.read(n_left)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    if header["model"] != model_hash(model):
        raise BadInput(f"{path}: it is a diagram of another puzzle; make one of this puzzle")
    if len(payload) != n_left or hashlib.sha256(payload).hexdigest() != header["sha256"]:
        raise _damaged(path, "its checksum is wrong")
    nodes = np.frombuffer(payload, dtype="<u4").reshape(-1, 3).astype(np.uint32)
    order = tuple(header["order"])
    _check_nodes(path, nodes, len(order), header["root"])
    shape = model.row_shape
    if header.get("shape") != [shape.length, shape.n_values, shape.layout.value]:
        raise _damaged(path, "its rows have another shape")
    if not all(0 <= atom < shape.n_atoms for atom in order) or len(set(order)) < len(order):
        raise _damaged(path, "its order of atoms is wrong")
    if not _has_rows(shape, order, nodes, header["root"]):
        raise _damaged(path, "its solutions are not rows of the puzzle")
    return Diagram(shape, order, nodes, header["root"], model)


def model_hash(model: Model) -> str:
    """A hash of a model's shape and all its fields, the same in every process."""
    return hashlib.sha256(_statement(model).encode()).hexdigest()


def _statement(model: Any) -> str:
    fields = [name for name in model.__dataclass_fields__ if not name.startswith("_")]
    return repr([type(model).__name__, *((name, _plain(getattr(model, name))) for name in fields)])


def _plain(value: Any) -> object:
    """A value in one fixed form: sets sorted."""
    if isinstance(value, frozenset):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return repr(value) if not hasattr(value, "__dataclass_fields__") else _statement(value)


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        raise _damaged(path, "its second line is not JSON") from None
    numbers = ("root", "n_nodes")
    texts = ("model", "sha256")
    fine = (
        isinstance(header, dict)
        and all(type(header.get(name)) is int and 0 <= header[name] < END for name in numbers)
        and all(isinstance(header.get(name), str) for name in texts)
        and isinstance(header.get("order"), list)
        and all(type(atom) is int for atom in header["order"])
        and header["n_nodes"] >= len(ENDS)
    )
    if not fine:
        raise _damaged(path, "its second line does not describe a diagram")
    found: dict[str, Any] = header
    return found


def _check_nodes(path: Path, nodes: Numbers, n_places: int, root: int) -> None:
    """Raise BadInput unless the nodes are a valid diagram, as described in `kernel`."""
    inner = nodes[len(ENDS) :]
    numbers = np.arange(len(ENDS), len(nodes), dtype=np.uint32)
    fine = (
        np.array_equal(nodes[: len(ENDS)], ENDS)
        and root == (len(nodes) - 1 if len(inner) else root & 1)
        and bool(np.all(inner[:, PLACE] < n_places))
        and bool(np.all((inner[:, LO] < numbers) & (inner[:, HI] < numbers) & (inner[:, HI] != NONE)))
        and all(bool(np.all(nodes[inner[:, child], PLACE] > inner[:, PLACE])) for child in (LO, HI))
    )
    if not fine:
        raise _damaged(path, "its nodes do not make a diagram")


def _has_rows(shape: RowShape, order: tuple[int, ...], nodes: Numbers, root: int) -> bool:
    """Whether every path takes at most as many options as a row has, or one value for each position.

    Places increase along a path, so all nodes of one place are judged after those below them.
    """
    by_place = len(ENDS) + np.argsort(nodes[len(ENDS) :, PLACE], kind="stable")
    starts = np.flatnonzero(np.diff(nodes[by_place, PLACE], prepend=END))
    groups = [(order[nodes[group[0], PLACE]], group) for group in np.split(by_place, starts)[:0:-1]]
    if shape.layout is Layout.BY_OPTION:
        n_taken = np.zeros(len(nodes), dtype=np.int64)
        for _, group in groups:
            n_taken[group] = np.maximum(n_taken[nodes[group, LO]], n_taken[nodes[group, HI]] + 1)
        return bool(n_taken.max() <= shape.length)
    n_bits = int(WORD_BITS)
    return root == NONE or all(
        _takes_each(range(first, min(first + n_bits, shape.length)), shape.n_values, groups, nodes, root)
        for first in range(0, max(1, shape.length), n_bits)
    )


def _takes_each(
    positions: range, n_values: int, groups: list[tuple[int, Any]], nodes: Numbers, root: int
) -> bool:
    """Whether every path from the root has one atom of each of these positions, at most a word of them.

    groups: an atom, and the nodes that test it, those with the greatest place first.
    """
    taken = np.zeros(len(nodes), dtype=np.uint64)
    for atom, group in groups:
        position = atom // n_values
        bit = np.uint64(1 << position - positions.start if position in positions else 0)
        lo, below = nodes[group, LO], taken[nodes[group, HI]]
        taken[group] = below | bit
        if (below & bit).any() or (taken[lo] != taken[group])[lo != NONE].any():
            return False
    return int(taken[root]) == (1 << len(positions)) - 1


def _damaged(path: Path, why: str) -> BadInput:
    return BadInput(f"{path}: {why}; save the diagram again")
