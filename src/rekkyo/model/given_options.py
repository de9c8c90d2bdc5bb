"""A cover in which some options must be chosen, with the numbers of the options unchanged.

Each given option gets a primary item of its own, which no other option covers. Rows of the new model are rows
of the old one; only their length, a bound from above, may differ, and with it the number of fillers at the
end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rekkyo.model.exact_cover import ExactCover, Option


def with_options_given(model: ExactCover, given: Sequence[int]) -> ExactCover:
    """The model whose solutions are those of `model` that choose all the given options."""
    n_primary, n_given = len(model.primary), len(given)
    names = {*model.primary, *model.secondary}
    forcing: list[str] = []
    for option in given:
        name = f"given {option}"
        while name in names:
            name += "'"
        names.add(name)
        forcing.append(name)

    def moved(option: Option) -> Option:
        return tuple((item if item < n_primary else item + n_given, color) for item, color in option)

    options = [moved(option) for option in model.options]
    for number, option in enumerate(given):
        options[option] = (*options[option], (n_primary + number, 0))
    bounds = (*model.bounds, *[(1, 1)] * n_given) if model.bounds else ()
    return ExactCover((*model.primary, *forcing), model.secondary, tuple(options), bounds)
