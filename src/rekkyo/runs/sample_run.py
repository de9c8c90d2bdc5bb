"""Fair samples from the rows that a finished run has stored."""

from __future__ import annotations

import random
import time
from pathlib import Path

from rekkyo.ask.sample import Samples, checked_number
from rekkyo.errors import BadRun
from rekkyo.runs.status import status
from rekkyo.store.reader import RunReader


def sample_run(directory: str | Path, number: int = 1, *, seed: int = 0) -> Samples:
    """So many independent samples from the rows that a finished run has stored. Raises BadInput, BadRun."""
    state = status(directory)
    if not state.is_complete:
        raise BadRun(f"{directory}: the run is not finished, so no sample of it is fair; go on with resume")
    started = time.perf_counter()
    with RunReader(directory) as reader:
        rng = random.Random(seed)
        numbers = [rng.randrange(len(reader)) for _ in range(checked_number(number, len(reader), directory))]
        rows = tuple(reader.row(k) for k in numbers)
        elapsed_s = time.perf_counter() - started
        return Samples(str(directory), len(reader), rows, "run", seed, elapsed_s)
