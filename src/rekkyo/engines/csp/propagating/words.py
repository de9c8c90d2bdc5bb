"""The words of domains and supports: the value that each begins with, and how many there may be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rekkyo.engines.csp.propagating.gathering import SMALLER
from rekkyo.errors import EngineRefuses

MAX_WORDS = 1 << 24
"""Words of domains and memory at most, and words of supports at most."""


def aligned(domains: Sequence[set[int]]) -> list[int]:
    """For each domain the value of its first bit. All are congruent modulo 64, so that few words are needed.

    No word begins with the value 1, so a domain of 0 and 1 is one word.
    """
    lows = np.array([min(domain) for domain in domains], dtype=np.int64)
    highs = np.array([max(domain) for domain in domains], dtype=np.int64)
    residues = np.array([residue for residue in range(64) if residue != 1])
    n_words = np.sum((highs - residues[:, None] >> 6) - (lows - residues[:, None] >> 6), axis=1)
    residue = int(residues[np.argmin(n_words)])
    bases: list[int] = ((lows - residue) // 64 * 64 + residue).tolist()
    return bases


def check_words(what: str, n_words: int) -> None:
    """Raise EngineRefuses for too many words."""
    if n_words > MAX_WORDS:
        most = f"keeps up to {MAX_WORDS} words of {what}, and this needs {n_words}"
        raise EngineRefuses(f"engine csp {most}; {SMALLER}")
