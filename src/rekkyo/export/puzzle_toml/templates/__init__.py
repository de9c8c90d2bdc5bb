"""Templates of puzzle files, one for each kind: the files in this folder."""

from __future__ import annotations

from importlib.resources import files

from rekkyo.errors import BadInput, fix_for_name
from rekkyo.export.puzzle_toml.reader import KINDS, KINDS_INSTEAD

SCHEMA = "schema"


def template(kind: str) -> str:
    """The commented file of a kind; or the JSON Schema of all of them, for "schema". Raises BadInput."""
    if kind == SCHEMA:
        return files("rekkyo.export.puzzle_toml").joinpath("schema.json").read_text(encoding="utf-8")
    if kind not in KINDS:
        fix = KINDS_INSTEAD.get(kind) or fix_for_name(kind, [*KINDS, SCHEMA])
        raise BadInput(f'there is no kind "{kind}" of puzzle files; {fix}')
    return files(__name__).joinpath(f"{kind}.toml").read_text(encoding="utf-8")
