"""All predicates of FlatZinc that are read, each with the function that writes its constraints."""

from __future__ import annotations

from difflib import get_close_matches

from rekkyo.errors import in_short
from rekkyo.export.flatzinc.functions import FUNCTIONS
from rekkyo.export.flatzinc.global_constraints import GLOBALS
from rekkyo.export.flatzinc.statements import statement_writers

PREDICATES = {**statement_writers(), **FUNCTIONS, **GLOBALS}


def unknown_predicate(predicate: str) -> str:
    """The message for a predicate that is not read."""
    return f"there is no predicate {in_short(predicate)} here; {_fix(predicate)}"


def _fix(predicate: str) -> str:
    if predicate.startswith("float") or predicate == "int2float":
        return "numbers with a point are not searched, so use whole numbers"
    if predicate.startswith(("set_", "array_set", "array_var_set")):
        return "variables that are sets are not searched; flatten with rekkyo's own library"
    near = get_close_matches(predicate, PREDICATES, n=1)
    hint = f'; did you mean "{near[0]}"?' if near else ""
    return f"flatten with rekkyo's own library, as `rekkyo count model.mzn` does{hint}"
