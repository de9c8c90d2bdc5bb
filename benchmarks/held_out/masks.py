"""What the program `masks.c` reads."""

from __future__ import annotations

from rekkyo.model.exact_cover import ExactCover

MOST_ITEMS = 128


def numbers_for_masks(model: ExactCover) -> str | None:
    """Items that are needed once, those needed at most once, and counters; None where masks do not do."""
    n_primary, n_items = len(model.primary), len(model.primary) + len(model.secondary)
    bounds = [*(model.bounds or [(1, 1)] * n_primary), *[(0, 1)] * (n_items - n_primary)]
    once = [item for item in range(n_items) if bounds[item] == (1, 1)]
    at_most = [item for item in range(n_items) if bounds[item] == (0, 1)]
    counters = [item for item in range(n_items) if bounds[item] not in ((1, 1), (0, 1))]
    place = {item: number for number, item in enumerate([*once, *at_most])}
    if len(place) > MOST_ITEMS or any(color for option in model.options for _, color in option):
        return None
    lines = [f"{len(model.options)} {len(place)} {len(once)} {len(counters)}"]
    lines += [f"{low} {high}" for low, high in (bounds[item] for item in counters)]
    for option in model.options:
        items = [place[item] for item, _ in option if item in place]
        counted = [counters.index(item) for item, _ in option if item not in place]
        if len(counted) > 1 or not any(item < len(once) for item in items):
            return None
        lines.append(" ".join(map(str, [*(counted or [-1]), len(items), *items])))
    return "\n".join([*lines, ""])
